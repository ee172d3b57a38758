// Draws one poster and hands its pixels to the recorder. Bundled on its own, run in a headless browser, never part of a page.
import { checkFrame, compile, drawFrame, openContext } from "./draw-shader.js";
import { POSTER_SIZE, POSTER_TIME, sayProblem } from "./shader.js";

/** One frame may take so long; a poster takes a hundredth of it. */
const ENDLESS_MS = 30_000;

/**
 * RGBA rows from the top, in base64, and the name of what drew them. Throws the compile errors in words.
 * @param {import("./shader.js").ShaderSource} source @param {number} vertices
 */
const recordShader = async (source, vertices) => {
  const { width, height } = POSTER_SIZE;
  const gl = openContext(new OffscreenCanvas(width, height));
  if (!gl) throw new Error("this browser has no WebGL 2");

  const { drawing, problems } = compile(gl, source);
  if (!drawing) throw new Error(problems.map(sayProblem).join("\n"));

  drawFrame(gl, drawing, POSTER_TIME, vertices);
  await drawn(gl);
  const verdict = checkFrame(gl, drawing);
  if (verdict && !verdict.agrees) throw new Error(`GPU and CPU differ. ${verdict.words}`);
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const about = gl.getExtension("WEBGL_debug_renderer_info");
  return {
    width,
    height,
    pixels: base64(fromTop(pixels, width * 4)),
    renderer: String(gl.getParameter(about ? about.UNMASKED_RENDERER_WEBGL : gl.RENDERER)),
  };
};

/** Resolves when the frame is there. Without this, reading the pixels of a shader that never ends would never end either. @param {WebGL2RenderingContext} gl */
const drawn = (gl) =>
  new Promise((resolve, reject) => {
    const fence = /** @type {WebGLSync} */ (gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0));
    gl.flush();
    const begun = performance.now();
    const look = () => {
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED) return resolve(undefined);
      if (performance.now() - begun > ENDLESS_MS) return reject(new Error(`the frame has not ended after ${ENDLESS_MS / 1000} seconds`));
      setTimeout(look, 20);
    };
    look();
  });

/** WebGL counts rows from the bottom. @param {Uint8Array} pixels @param {number} stride */
const fromTop = (pixels, stride) => {
  const turned = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += stride) turned.set(pixels.subarray(at, at + stride), pixels.length - stride - at);
  return turned;
};

/** @param {Uint8Array} bytes */
const base64 = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
};

Object.assign(globalThis, { recordShader });
