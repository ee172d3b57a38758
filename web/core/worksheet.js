// A worksheet as values: its steps, how long its words take aloud, what two tabs make of one another's text, and it as Markdown.

/** @typedef {{step: string, name: string, text: string}} Step `name` is the heading's, `step` the part of it that is kept with the text. */
/** @typedef {{weight: number, text: string, ticked: boolean}} Point of the rubric */
/** @typedef {{bite: string, step: string, name: string, text: string, updated: number, base: number}} TextRecord `base`: the `updated` of the text it was written over */
/** @typedef {{text: string, updated: number, typed: boolean, unsaved: boolean}} BoxState `typed`: here, since a text came from elsewhere */

const WORDS_PER_MINUTE = 140;
export const TARGET_SECONDS = 300;

/** A word has a letter or a digit: a dash does not take time to say. @param {string} text */
export const wordCount = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Seconds it takes to say. @param {string} text */
export const spokenSeconds = (text) => (wordCount(text) / WORDS_PER_MINUTE) * 60;

/** `2 min 10 s`: an estimate, so to five seconds, but some words are never none. @param {number} seconds */
export const inWords = (seconds) => {
  const rounded = seconds > 0 ? Math.max(5, Math.round(seconds / 5) * 5) : 0;
  const minutes = Math.floor(rounded / 60);
  const rest = rounded % 60;
  if (!minutes) return `${rest} s`;
  return rest ? `${minutes} min ${rest} s` : `${minutes} min`;
};

/** How a total stands to the target, in words. @param {number} seconds */
export const againstTarget = (seconds) =>
  seconds > TARGET_SECONDS + 15
    ? `About ${inWords(seconds)} aloud: ${inWords(seconds - TARGET_SECONDS)} over five minutes`
    : `About ${inWords(seconds)} aloud, of five minutes`;

/**
 * What each step's text is kept under. Numbers are left out, so that a step moved by a later edition keeps its text.
 * @param {string[]} names
 */
export const stepKeys = (names) => {
  const used = new Map();
  return names.map((name) => {
    const key = name
      .replace(/^\s*\d+[.)]\s*/, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "");
    used.set(key, (used.get(key) ?? 0) + 1);
    return used.get(key) === 1 ? key : `${key}-${used.get(key)}`;
  });
};

/**
 * What a box does about a text from the store or from another tab. `ask`: the reader typed here, and that text was not written over
 * what they typed, so neither may disappear unseen.
 * @param {BoxState} box @param {TextRecord} record @returns {"nothing" | "note" | "show" | "ask"}
 */
export const meeting = (box, record) => {
  if (record.updated < box.updated) return "nothing";
  if (record.text === box.text) return record.updated === box.updated ? "nothing" : "note";
  const builtOnOurs = record.base === box.updated && !box.unsaved;
  return !box.typed || builtOnOurs ? "show" : "ask";
};

/** Later than what it replaces, even where the clock was set back. @param {number} now @param {number} replaced */
export const stamp = (now, replaced) => Math.max(now, replaced + 1);

/**
 * @param {{title: string, address: string, date: string, steps: Step[], points: Point[]}} worksheet
 */
export const asMarkdown = ({ title, address, date, steps, points }) => {
  const ticked = points.filter((point) => point.ticked);
  const seconds = steps.reduce((sum, step) => sum + spokenSeconds(step.text), 0);
  return `${[
    `# ${oneLine(title)}`,
    `${date}. ${againstTarget(seconds)}. Frame: <${address}>`,
    ...steps.flatMap((step) => [`## ${oneLine(step.name)}`, step.text.trim() ? asProse(step.text) : "(nothing yet)"]),
    ...(points.length ? [`## Rubric: ${weightOf(ticked)} of ${weightOf(points)} points`, points.map(asTask).join("\n")] : []),
  ].join("\n\n")}\n`;
};

/** @param {{weight: number}[]} points */
export const weightOf = (points) => points.reduce((sum, point) => sum + point.weight, 0);

/** @param {Point} point */
const asTask = ({ weight, text, ticked }) => `- [${ticked ? "x" : " "}] (${weight}) ${oneLine(text)}`;

/** @param {string} text */
const oneLine = (text) => escapeInline(text.replace(/\s+/g, " ").trim());

/**
 * What was typed, as Markdown that shows it: code stays code, but no line of it becomes a heading of the document, and a fence that
 * was left open does not swallow the steps after it.
 * @param {string} text
 */
const asProse = (text) => {
  let fence = "";
  const lines = text
    .trim()
    .split("\n")
    .map((line) => {
      const mark = line.match(/^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/);
      if (fence) {
        if (mark?.[1].startsWith(fence) && !mark[2].trim()) fence = "";
        return line;
      }
      if (mark) fence = mark[1];
      return mark ? line : escapeInline(line.replace(/^( {0,3})(#{1,6}(?:\s|$)|=+\s*$|-+\s*$|_{3,}\s*$|\*{3,}\s*$)/, "$1\\$2"));
    });
  return [...lines, ...(fence ? [fence] : [])].join("\n");
};

/** `<ms>` would be taken for HTML and vanish. In code it would not. @param {string} line */
const escapeInline = (line) =>
  line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)|\\?<|&(?=#?\w+;)/g, (found) => (found[0] === "`" || found[0] === "\\" ? found : `\\${found}`));
