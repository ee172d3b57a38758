// The reader's voice, kept in this page's memory only: gone when the page is left, unless they keep it as a file.
import { button, element } from "./dom.js";

/** Can this browser record? A page that is not served securely has no microphone. */
export const canRecord = () => typeof MediaRecorder !== "undefined" && Boolean(navigator.mediaDevices?.getUserMedia);

export class VoiceRecorder {
  /** @type {MediaRecorder | undefined} */
  #recorder;
  #address = "";
  /** Asked for, and not yet allowed: given up when the question is left meanwhile. */
  #turn = 0;
  #said = element("span", { role: "status" });
  #result = element("div", { className: "study-voice" });
  #toggle = button("Record my voice", () => (this.#recorder ? this.stop() : this.#start()));
  element = element(
    "div",
    { className: "study-recorder" },
    element("div", { className: "study-grades" }, this.#toggle, this.#said),
    this.#result,
  );

  async #start() {
    const turn = ++this.#turn;
    this.#forget();
    /** @type {MediaStream | undefined} */
    let stream;
    try {
      const heard = await navigator.mediaDevices.getUserMedia({ audio: true });
      stream = heard;
      if (turn !== this.#turn) return stop(heard);
      /** @type {Blob[]} */
      const parts = [];
      const recorder = new MediaRecorder(heard);
      recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
      // By the reader, or because the microphone was unplugged or taken away.
      recorder.addEventListener("stop", () => {
        stop(heard);
        if (this.#recorder === recorder) this.stop();
        if (turn === this.#turn) this.#show(new Blob(parts, { type: recorder.mimeType }));
      });
      recorder.start();
      this.#recorder = recorder;
      this.#toggle.textContent = "Stop recording";
      this.#said.textContent = "Recording. It stays in this page.";
    } catch (problem) {
      if (stream) stop(stream);
      if (turn !== this.#turn) return;
      const refused = problem instanceof DOMException && problem.name === "NotAllowedError";
      this.#said.textContent = refused ? "The browser was not allowed to use the microphone." : "There is no microphone that can be used.";
    }
  }

  stop() {
    const recorder = this.#recorder;
    this.#recorder = undefined;
    if (recorder?.state !== "inactive") recorder?.stop();
    this.#toggle.textContent = "Record my voice";
  }

  /** The question is left: the recording goes. */
  end() {
    this.#turn += 1;
    this.stop();
    this.#forget();
  }

  /** @param {Blob} sound */
  #show(sound) {
    this.#address = URL.createObjectURL(sound);
    const player = element("audio", { controls: true, src: this.#address });
    const suffix = sound.type.includes("mp4") ? "m4a" : sound.type.includes("ogg") ? "ogg" : "webm";
    const keep = element("a", {
      className: "button",
      href: this.#address,
      download: `my-answer.${suffix}`,
      textContent: "Keep it as a file",
    });
    this.#result.replaceChildren(
      player,
      keep,
      button("Delete it", () => this.#forget()),
    );
    this.#said.textContent = "It is deleted when you go on, unless you keep it.";
  }

  #forget() {
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = "";
    this.#result.replaceChildren();
    this.#said.textContent = "";
  }
}

/** @param {MediaStream} stream */
const stop = (stream) => {
  for (const track of stream.getTracks()) track.stop();
};
