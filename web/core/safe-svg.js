// Draws a picture that a program made: only shapes and texts come through, built anew, so that nothing in it can run, load or lead anywhere.

const SVG = "http://www.w3.org/2000/svg";
// The recorder holds frames to the same lists (src/gpubites/frame.py).
export const ELEMENTS = new Set("svg g rect line path circle polyline polygon text tspan".split(" "));
export const ATTRIBUTES = new Set(
  (
    "viewBox x y x1 y1 x2 y2 dx dy width height rx cx cy r d points transform class fill fill-opacity stroke stroke-width " +
    "stroke-dasharray stroke-opacity opacity font-size font-weight text-anchor"
  ).split(" "),
);
const VALUE = /^(?!.*url)[\w#.,%()+\-\s]*$/is;

/** @param {string} name @param {string} value */
export const mayStand = (name, value) => ATTRIBUTES.has(name) && VALUE.test(value);

/**
 * The picture that a program printed, named by its own `<title>`. Throws what is missing, in words for the reader.
 * @param {string} text
 */
export const titledSvg = (text) => {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (parsed.querySelector("parsererror")) throw new Error("This SVG is not well formed, so it stands here as text.");
  if (root.namespaceURI !== SVG)
    throw new Error(`An SVG begins with <svg xmlns="${SVG}" viewBox="…">. Without that it stands here as text.`);
  const title = [...root.children].find(({ localName }) => localName === "title")?.textContent?.trim();
  if (!title)
    throw new Error(
      "A picture needs a <title> that says what it shows, for readers who do not see it. Without one it stands here as text.",
    );
  return safeSvg(text, title);
};

/**
 * The picture, named by `label`. What is not on the lists is left out; what is no SVG throws.
 * @param {string} text @param {string} label
 */
export const safeSvg = (text, label) => {
  const { documentElement: root } = new DOMParser().parseFromString(text, "image/svg+xml");
  if (root.localName !== "svg" || root.namespaceURI !== SVG) throw new Error("The picture is no SVG.");
  const drawn = /** @type {SVGElement} */ (rebuilt(root));
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", label);
  return drawn;
};

/** @param {Element} element */
const rebuilt = (element) => {
  const copy = document.createElementNS(SVG, element.localName);
  for (const { name, value } of element.attributes) if (mayStand(name, value)) copy.setAttribute(name, value);
  for (const child of element.childNodes) {
    if (child instanceof Text) copy.append(child.data);
    else if (child instanceof Element && child.namespaceURI === SVG && ELEMENTS.has(child.localName)) copy.append(rebuilt(child));
  }
  return copy;
};
