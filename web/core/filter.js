// Which bites fit a choice, and how a choice is written in the address.

/** @typedef {{level: string, kind: string, role: string, run: boolean}} Choice empty texts mean "any" */
/** @typedef {{level: string, kind: string, roles: string[], run: boolean}} Facets of one bite */

/** Does the choice leave every bite in? @param {Choice} choice */
export const isAny = ({ level, kind, role, run }) => !level && !kind && !role && !run;

/** @param {Facets} bite @param {Choice} choice */
export const fits = (bite, choice) =>
  (!choice.level || bite.level === choice.level) &&
  (!choice.kind || bite.kind === choice.kind) &&
  // "all" is a bite for everybody: it fits every role.
  (!choice.role || bite.roles.includes(choice.role) || bite.roles.includes("all")) &&
  (!choice.run || bite.run);

/** @param {string} query as `location.search` has it @returns {Choice} */
export const readChoice = (query) => {
  const given = new URLSearchParams(query);
  const word = (/** @type {string} */ name) => given.get(name) ?? "";
  return { level: word("level"), kind: word("kind"), role: word("role"), run: given.get("run") === "1" };
};

/** The address with the choice in it and everything else kept. @param {string} href @param {Choice} choice */
export const writeChoice = (href, choice) => {
  const url = new URL(href);
  for (const name of /** @type {const} */ (["level", "kind", "role"])) {
    if (choice[name]) url.searchParams.set(name, choice[name]);
    else url.searchParams.delete(name);
  }
  if (choice.run) url.searchParams.set("run", "1");
  else url.searchParams.delete("run");
  return url.href;
};
