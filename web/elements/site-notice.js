// The one notice at the foot of the window: a newer version is there, or the installed app is fetching the library.

/** Offers the newer version. Only this tab loads it; the others keep what they have. */
export function offerReload() {
  if (refused) return;
  const reload = button("Reload", "button primary", () => location.reload());
  const later = button("Not now", "button", () => {
    refused = true;
    notice().hidden = true;
  });
  show("A new version is ready.", reload, later);
}

/** Fetches the whole library, with a bar to watch. */
export async function showKeeping() {
  await import("./keep-offline.js");
  const keeper = /** @type {HTMLElement & {keep(part: string): Promise<void>}} */ (document.createElement("keep-offline"));
  show(
    "The app keeps the library on this device.",
    keeper,
    button("Hide", "button", () => {
      notice().hidden = true;
    }),
  );
  await keeper.keep("library");
}

let refused = false;

/** @param {string} text @param {HTMLElement[]} rest */
function show(text, ...rest) {
  const said = Object.assign(document.createElement("p"), { role: "status" });
  notice().replaceChildren(said, ...rest);
  notice().hidden = false;
  said.textContent = text; // after the status is in the page, so that it is read out
}

/** @returns {HTMLElement} */
function notice() {
  const there = /** @type {HTMLElement | null} */ (document.querySelector("body > .site-notice"));
  if (there) return there;
  const made = Object.assign(document.createElement("aside"), { className: "site-notice", ariaLabel: "Notice" });
  document.body.append(made);
  return made;
}

/** @param {string} text @param {string} className @param {() => void} onClick */
function button(text, className, onClick) {
  const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: text });
  made.addEventListener("click", onClick);
  return made;
}
