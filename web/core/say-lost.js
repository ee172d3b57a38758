// A part of the site that cannot be fetched, said where the notices are. In the entry, since a chunk of its own could be lost as well.

/** There is no connection, or another version has been deployed since this page was loaded. @param {string} words what is missing */
export const sayLost = (words) =>
  sayOnPage(`${words} Is there a connection? If a new version of the site is there, reloading brings it.`, "Reload", () =>
    location.reload(),
  );

/** @param {string} words @param {string} choice @param {() => void} chosen what its button does beside taking the notice away */
export const sayOnPage = (words, choice, chosen = () => {}) => {
  const said = Object.assign(document.createElement("p"), { role: "status" });
  const choose = Object.assign(document.createElement("button"), { type: "button", className: "button primary", textContent: choice });
  choose.addEventListener("click", () => {
    notice.toggleAttribute("hidden", true);
    chosen();
  });
  const notice = document.querySelector("body > .site-notice") ?? document.createElement("aside");
  notice.className = "site-notice";
  notice.setAttribute("aria-label", "Notice");
  notice.replaceChildren(said, choose);
  notice.toggleAttribute("hidden", false);
  document.body.append(notice);
  said.textContent = words;
};
