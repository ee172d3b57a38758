// The search box: a dialog, made when it is first asked for.
import { siteUrl } from "../core/site.js";
import { SearchPanel } from "./search-panel.js";

class SearchBox {
  constructor() {
    this.dialog = document.createElement("dialog");
    this.dialog.className = "search";
    this.dialog.setAttribute("aria-label", "Search");
    const place = document.createElement("div");
    const page = document.createElement("a");
    page.className = "search-page-link";
    page.textContent = "Open as a page";
    const close = document.createElement("button");
    close.type = "button";
    close.className = "button search-close";
    close.textContent = "Close";
    close.addEventListener("click", () => this.dialog.close());
    page.addEventListener("click", () => this.dialog.close());
    this.panel = new SearchPanel(place, {
      close,
      onFollowed: () => this.dialog.close(),
      onAsked: (asked) => {
        page.href = addressOf(asked);
      },
    });
    page.href = siteUrl("search/");
    this.dialog.append(place, page);
    document.body.append(this.dialog);
    // A click beside the box closes it.
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
    this.panel.input.focus();
    this.panel.input.select();
  }
}

/** A host refuses longer addresses; of a pasted page the beginning can be linked. */
const LONGEST_LINKED = 1500;

/** The search page with this query in its address. @param {import("./search-panel.js").Asked} asked */
export const addressOf = ({ query, level, section, run }) => {
  const url = new URL(siteUrl("search/"));
  for (const [name, value] of Object.entries({ q: query.trim().slice(0, LONGEST_LINKED), level, section, run: run ? "1" : "" })) {
    if (value) url.searchParams.set(name, value);
  }
  return url.href;
};

/** @type {SearchBox | undefined} */
let box;

/** Opens the one box of the page; the search page has its own. */
export const openSearchBox = () => {
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("search-page .search-input"));
  if (field) {
    field.focus();
    field.select();
    return;
  }
  box ??= new SearchBox();
  box.open();
};
