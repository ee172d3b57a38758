// The part of the page that an address names.
import { withoutCode } from "./code-link.js";

/** A follow-up is named after its first words. When those have changed, a link still leads to where it stood. */
const FOLLOW_UP = /^follow-up-/;

/** Null where there is none, also for a `#part` that is no text (`#%E0%A4%A`): a link may hold anything. @param {string} hash as `location.hash` has it */
export const partNamed = (hash) => {
  const name = decoded(withoutCode(hash).slice(1)); // a link to code leads to the frame that shows it
  return document.getElementById(name) ?? (FOLLOW_UP.test(name) ? document.getElementById("follow-ups") : null);
};

/** @param {string} text */
export const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
