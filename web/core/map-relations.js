// What the knowledge map knows: who stands before and after a bite, and which bites fit a choice.

/** @typedef {{slug: string, section: string, roles: string[], prereqs: string[]}} Place */

/**
 * Everything a bite rests on, however far back, and what it leads to at once.
 * @param {string} slug @param {Map<string, string[]>} prereqs
 */
export const relationsOf = (slug, prereqs) => {
  /** @type {Set<string>} */
  const before = new Set();
  const queue = [...(prereqs.get(slug) ?? [])];
  for (let other = queue.pop(); other !== undefined; other = queue.pop()) {
    if (other === slug || before.has(other)) continue;
    before.add(other);
    queue.push(...(prereqs.get(other) ?? []));
  }
  const after = new Set([...prereqs].filter(([, needed]) => needed.includes(slug)).map(([other]) => other));
  return { before, after };
};

/** Empty texts mean "any"; a bite for all roles fits each. @param {{section: string, roles: string[]}} bite @param {{section: string, role: string}} choice */
export const isOnMap = (bite, choice) =>
  (!choice.section || bite.section === choice.section) && (!choice.role || bite.roles.includes(choice.role) || bite.roles.includes("all"));
