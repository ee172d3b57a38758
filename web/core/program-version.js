// Which version of a program a frame shows, the page's, the reader's draft or a link's, in words. Pure.

/**
 * @typedef {import("./drafts.js").Source} Source
 * @typedef {{from: "draft" | "link", text: string, over: Source, current: boolean}} Version in place of the page's own; `current`: written over what the page has now
 *
 * @typedef {object} Standing
 * @property {Version | undefined} shown
 * @property {{current: boolean} | undefined} draft the reader's, shown or not
 * @property {boolean} stored false where the browser keeps nothing
 * @property {boolean} own does the reader's own run stand there?
 * @property {string} result what a run shows: "output", "picture"
 */

/** What stands above the code; empty where it is the page's and there is nothing to say. @param {Standing} standing */
export const sayVersion = ({ shown, draft, stored, own, result }) => {
  const kept = stored ? "kept in this browser" : "kept for this visit only, since this browser lets the site store nothing";
  const output = own ? "" : ` The ${result} is still that of the page’s own code.`;
  const unkept = " What you change here is not kept, so that your draft stays.";
  if (shown?.from === "link") {
    const misfit = shown.current ? "" : " It was written over another edition of this page, and may not fit.";
    const yours = draft ? ` You have a draft of your own.${unkept}` : "";
    const unrun = own ? "" : " It has not been run: read it, then press Run.";
    return `Code from a link, which somebody else may have written.${unrun}${misfit}${output}${yours}`;
  }
  if (shown?.from === "draft") {
    const edition = shown.current ? "" : " of an earlier edition of this code. It runs with the lines that stood around it then";
    return `Your draft${edition}, ${kept}. Reset brings the page’s own code back.${output}`;
  }
  if (!draft) return "";
  return `You have a draft of ${draft.current ? "" : "an earlier edition of "}this code.${unkept}`;
};
