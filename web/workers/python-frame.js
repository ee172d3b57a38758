// The sandboxed frame's only script: starts the worker from text, and lets out of it only short text and a bounded number of messages;
// out of a worker that was asked to, and runs no program, its memory, once.
//
// The frame has no origin (sandbox="allow-scripts"), so its blob worker has none either: no storage, no page, and by the frame's policy no
// network. A worker loaded from the site would have all three.
import { LIMITS } from "../core/python-pack.js";

addEventListener(
  "message",
  ({ data: script, ports: [page] }) => {
    const tell = (/** @type {import("../core/python-pack.js").Message} */ message) => page.postMessage(JSON.stringify(message));
    try {
      start(script, page, tell);
    } catch (error) {
      tell({ type: "failed", message: String(error) }); // a browser may refuse such a worker
    }
  },
  { once: true },
);

/** @param {string} script @param {MessagePort} page @param {(message: import("../core/python-pack.js").Message) => void} tell */
function start(script, page, tell) {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  let left = LIMITS.messages;
  let making = false;

  worker.onmessage = ({ data }) => {
    if (making && data instanceof ArrayBuffer && data.byteLength <= LIMITS.heapBytes) {
      making = false;
      return page.postMessage(data, [data]);
    }
    if (left-- > 0 && typeof data === "string" && data.length <= LIMITS.messageCharacters) return page.postMessage(data);
    worker.terminate();
    tell({ type: "flood" });
  };
  worker.onerror = (event) => tell({ type: "failed", message: String(event.message).slice(0, 500) });
  page.onmessage = ({ data }) => {
    left = LIMITS.messages;
    making = data.make === true;
    worker.postMessage(data, [...Object.values(data.files ?? {}), ...(data.snapshot ? [data.snapshot] : [])]);
  };
}
