// "Copy link" by a section's heading: an ordinary link that also copies its own address.

/** How long the confirmation stays. */
const SHOWN = 2000;

/** One listener for all headings, also those of pages to come. */
export const copyLinks = () => {
  addEventListener("click", async (event) => {
    const link = event.target instanceof Element && event.target.closest("a.copy-link");
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    try {
      await navigator.clipboard.writeText(link.href);
      say(link, "Link copied");
    } catch {
      // The link has been followed all the same, so the address bar holds what was asked for.
      say(link, "Copy it from the address bar");
    }
  });
};

/** @param {HTMLAnchorElement} link @param {string} words */
const say = (link, words) => {
  const note = document.createElement("span");
  note.className = "copied";
  note.setAttribute("role", "status");
  link.after(note);
  // Set after it is in the page, so that a screen reader announces it.
  requestAnimationFrame(() => {
    note.textContent = words;
  });
  setTimeout(() => note.remove(), SHOWN);
};
