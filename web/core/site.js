// Where the site lives. Every address is built from here, so that a sub-path and the 404 page work alike.

/** The site's root, with a closing slash: the entry script lies in `<root>/assets/`. */
export const siteRoot = new URL("../", import.meta.url);

/** An address inside the site, from one relative to its root. @param {string} path */
export const siteUrl = (path) => new URL(path, siteRoot).href;

/** Where Python's memory is kept (python-snapshot.js). Another site of this origin has its own. */
export const snapshotCache = `gpubites snapshot ${siteRoot.href}`;
