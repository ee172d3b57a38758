// The part of the page that an address names.

/** Null where there is none, also for a `#part` that is no text (`#%E0%A4%A`): a link may hold anything. @param {string} hash as `location.hash` has it */
export const partNamed = (hash) => document.getElementById(decoded(hash.slice(1)));

/** @param {string} text */
export const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
