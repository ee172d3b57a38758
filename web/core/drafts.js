// The reader's own versions of the programs, kept on this device: one record per file and part. One that was dropped keeps its key, not its text.
import { leave, readAll, StoreProblem, unstored, write } from "./store.js";

/**
 * @typedef {{before: string, part: string, after: string, firstLine: number}} Source the reader sees `part`, the whole file runs
 * @typedef {object} Draft
 * @property {string} file
 * @property {string} part the part's name
 * @property {string | null} text null: dropped
 * @property {Source | null} over the source it was written over: it runs with what stood around it then
 * @property {number} updated
 */

/** The latest, stored or of this visit. Never rejects: where nothing can be read there is none. @param {string} file @param {string} part @returns {Promise<Draft | undefined>} */
export const readDraft = async (file, part) => {
  const stored = await readAll("drafts", file).catch(nothingStored);
  const [latest] = [...stored, ...unstored("drafts", file)].filter((draft) => draft.part === part).sort((a, b) => b.updated - a.updated);
  return latest?.text == null || !latest.over ? undefined : latest;
};

/** Keeps it, or drops it. False where it lasts for this visit only. @param {Draft} draft @returns {Promise<boolean>} */
export const keepDraft = (draft) => write("drafts", [draft]).then(() => true, notStored);

/** The page goes: what is not stored yet is not lost. */
export const leaveDrafts = leave;

/** Was it written over what the page shows now? @param {Pick<Draft, "over">} draft @param {Source} source */
export const isOf = ({ over }, source) => over?.before === source.before && over.part === source.part && over.after === source.after;

/** @param {unknown} problem @returns {Draft[]} */
const nothingStored = (problem) => {
  if (!(problem instanceof StoreProblem)) throw problem;
  return [];
};

/** @param {unknown} problem */
const notStored = (problem) => {
  if (!(problem instanceof StoreProblem)) throw problem;
  return false;
};
