// What was searched for lately, on this device only. Where storage is blocked nothing is remembered.

const KEY = "gpubites.searches";
const MOST = 6;
/** A pasted message is no search to come back to. */
const LONGEST = 80;

/** Latest first. @returns {string[]} */
export const recentSearches = () => {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((query) => typeof query === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
};

/** @param {string} query */
export const rememberSearch = (query) => {
  const asked = query.trim();
  if (asked && asked.length <= LONGEST) store(withLatest(recentSearches(), asked));
};

export const forgetSearches = () => store([]);

/** @param {string[]} earlier @param {string} query */
export const withLatest = (earlier, query) => {
  const others = earlier.filter((other) => other.toLowerCase() !== query.toLowerCase());
  return [query, ...others].slice(0, MOST);
};

/** @param {string[]} queries */
const store = (queries) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(queries));
  } catch {
    // Blocked or full: the next search works without.
  }
};
