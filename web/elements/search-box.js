// The search box: a dialog, made when it is first asked for. Its documents are fetched then, and kept for the visit.
import { createSearch, markMatches } from "../core/search.js";
import { siteUrl } from "../core/site.js";

/** Results that fit on a screen without thinking. */
const MOST = 12;

/** @typedef {import("../core/search.js").Document} Document */

class SearchBox {
  /** @type {((query: string, narrowing: import("../core/search.js").Narrowing) => import("../core/search.js").Result[]) | undefined} */
  #search;
  #active = -1;

  constructor() {
    this.dialog = document.createElement("dialog");
    this.dialog.className = "search";
    this.dialog.setAttribute("aria-label", "Search");
    this.dialog.innerHTML = `
      <form method="dialog" class="search-form">
        <input type="search" class="search-input" placeholder="A term, a symptom, an error message" aria-label="Search the bites"
          role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list"
          autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go">
        <button class="button search-close" value="close">Close</button>
      </form>
      <div class="search-filters">
        <select name="level" aria-label="Level"><option value="">Any level</option><option value="beginner">Beginner</option>
          <option value="intermediate">Intermediate</option><option value="advanced">Advanced</option></select>
        <select name="section" aria-label="Section"><option value="">Any section</option></select>
        <label class="chip"><input type="checkbox" name="run"> Can be run</label>
      </div>
      <p class="search-status" role="status"></p>
      <ul class="search-results" id="search-results" role="listbox" aria-label="Results"></ul>`;
    document.body.append(this.dialog);
    this.input = this.#part(".search-input", HTMLInputElement);
    this.status = this.#part(".search-status", HTMLElement);
    this.list = this.#part(".search-results", HTMLElement);
    this.input.addEventListener("input", () => this.#show());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.#part(".search-filters", HTMLElement).addEventListener("change", () => this.#show());
    this.list.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a")) this.dialog.close();
    });
    // A click beside the box closes it.
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  async open() {
    if (!this.dialog.open) this.dialog.showModal();
    this.input.select();
    if (!this.#search) await this.#load();
  }

  /** @template {Element} T @param {string} selector @param {new () => T} type @returns {T} */
  #part(selector, type) {
    const found = this.dialog.querySelector(selector);
    if (!(found instanceof type)) throw new Error(`the search box has no ${selector}`);
    return found;
  }

  async #load() {
    this.status.textContent = "Fetching the index…";
    try {
      // Never from a stale HTTP cache: the documents belong to the pages that are there now.
      const response = await fetch(siteUrl("search.json"), { cache: "no-cache" });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const { bites } = /** @type {{bites: Document[]}} */ (await response.json());
      this.#search = createSearch(bites);
      this.#nameSections(bites);
      this.#show();
    } catch (error) {
      this.status.textContent = `The index could not be fetched (${error instanceof Error ? error.message : error}). Close and try again.`;
    }
  }

  /** @param {Document[]} bites */
  #nameSections(bites) {
    const select = this.#part("select[name=section]", HTMLSelectElement);
    for (const [id, name] of new Map(bites.map((bite) => [bite.section, bite.sectionName]))) select.add(new Option(name, id));
  }

  get #narrowing() {
    return {
      level: this.#part("select[name=level]", HTMLSelectElement).value,
      section: this.#part("select[name=section]", HTMLSelectElement).value,
      run: this.#part("input[name=run]", HTMLInputElement).checked,
    };
  }

  #show() {
    if (!this.#search) return;
    const query = this.input.value;
    const results = this.#search(query, this.#narrowing).slice(0, MOST);
    this.#active = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-expanded", String(results.length > 0));
    this.list.replaceChildren(...results.map((result, rank) => resultItem(result, rank)));
    this.status.textContent = sayCount(query, results.length);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const links = [...this.list.querySelectorAll("a")];
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps && links.length) {
      event.preventDefault();
      const next = this.#active + steps[/** @type {keyof typeof steps} */ (event.key)];
      this.#activate(links, Math.max(0, Math.min(links.length - 1, next)));
    } else if (event.key === "Enter") {
      // Enter follows the chosen result, the first where none is chosen; it must not close the dialog as a form would.
      event.preventDefault();
      links[Math.max(0, this.#active)]?.click();
    }
  }

  /** @param {HTMLAnchorElement[]} links @param {number} index */
  #activate(links, index) {
    this.#active = index;
    links.forEach((link, at) => {
      link.setAttribute("aria-selected", String(at === index));
    });
    this.input.setAttribute("aria-activedescendant", links[index].id);
    links[index].scrollIntoView({ block: "nearest" });
  }
}

/** @param {string} query @param {number} number */
const sayCount = (query, number) => {
  if (!query.trim()) return "Type a term, a symptom or an error message.";
  if (!number) return "Nothing fits. Try fewer words, or take a filter back.";
  return number === 1 ? "1 bite" : `${number} bites`;
};

/** @param {import("../core/search.js").Result} result @param {number} rank */
const resultItem = (result, rank) => {
  const item = document.createElement("li");
  item.setAttribute("role", "presentation");
  item.dataset.slug = result.slug;
  item.dataset.rank = String(rank + 1);
  const link = document.createElement("a");
  link.href = siteUrl(result.url);
  link.id = `search-result-${rank}`;
  link.setAttribute("role", "option");
  link.setAttribute("aria-selected", "false");
  // The option is reached with the arrows; a second stop for Tab would only be in the way.
  link.tabIndex = -1;
  const title = document.createElement("strong");
  title.append(...marked(result.title, result.terms));
  const about = document.createElement("span");
  about.className = "search-about";
  about.textContent = `${result.sectionName} · ${result.level}${result.run ? " · can be run" : ""}`;
  const question = document.createElement("span");
  question.append(...marked(result.question, result.terms));
  link.append(title, about, question);
  item.append(link);
  return item;
};

/** @param {string} text @param {string[]} terms */
const marked = (text, terms) =>
  markMatches(text, terms).map((stretch) => {
    if (!stretch.matched) return stretch.text;
    const mark = document.createElement("mark");
    mark.textContent = stretch.text;
    return mark;
  });

/** @type {SearchBox | undefined} */
let box;

/** Opens the one box of the page. */
export const openSearchBox = () => {
  box ??= new SearchBox();
  return box.open();
};
