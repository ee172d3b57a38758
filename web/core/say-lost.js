// A part of the site that cannot be fetched, said where the notices are. In the entry, since a chunk of its own could be lost as well.

/** There is no connection, or another version has been deployed since this page was loaded. @param {string} words what is missing */
export const sayLost = (words) => {
  const said = Object.assign(document.createElement("p"), { role: "status" });
  const reload = Object.assign(document.createElement("button"), { type: "button", className: "button primary", textContent: "Reload" });
  reload.addEventListener("click", () => location.reload());
  const notice = document.querySelector("body > .site-notice") ?? document.createElement("aside");
  notice.className = "site-notice";
  notice.setAttribute("aria-label", "Notice");
  notice.replaceChildren(said, reload);
  notice.toggleAttribute("hidden", false);
  document.body.append(notice);
  said.textContent = `${words} Is there a connection? If a new version of the site is there, reloading brings it.`;
};
