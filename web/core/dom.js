// Makes elements in a line.

/**
 * @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Partial<HTMLElementTagNameMap[K]>} [properties] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** @param {string} words @param {() => void} onclick @param {string} [className] */
export const button = (words, onclick, className = "button") => make("button", { type: "button", className, textContent: words, onclick });
