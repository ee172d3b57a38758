/** What the bundler puts in place of these names (web/build.mjs). */
declare const PYODIDE_LOCK: string;
/** Python that is bundled as text. */
declare module "*.py" {
  const source: string;
  export default source;
}
/** Pyodide's WebAssembly glue, which ships no types. */
declare module "pyodide/pyodide.asm.mjs";
/** Made by the bundler. */
declare module "built:python-pack" {
  const pack: import("./core/python-pack").PythonPack;
  export default pack;
}
/** WebGPU's flags, which TypeScript's own library leaves out. */
declare const GPUShaderStage: { COMPUTE: number };
declare const GPUBufferUsage: { MAP_READ: number; COPY_SRC: number; COPY_DST: number; STORAGE: number };
declare const GPUMapMode: { READ: number };
