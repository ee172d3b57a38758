// The search field with its filters and results: an editable combobox with a list (WAI-ARIA), in the dialog and on the search page alike.
import { forgetSearches, recentSearches, rememberSearch } from "../core/recent-searches.js";
import { Gone } from "../core/search/index.js";
import { markMatches } from "../core/search/mark.js";
import { findInSite, forgetIndex, openSearch } from "../core/search/open.js";
import { siteUrl } from "../core/site.js";

/** @typedef {import("../core/search/search.js").Result} Result */
/** @typedef {import("../core/search/search.js").Rest} Rest */
/** @typedef {import("../core/search/search.js").Results} Results */
/** @typedef {{query: string, level: string, section: string, run: boolean}} Asked */

/** Milliseconds without a key, after which what follows the first results is fetched, and what a short beginning may be of. */
const PAUSE = 150;
const STEPS = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 });
let panels = 0;

export class SearchPanel {
  #active = -1;
  #turn = 0;
  #shown = 0;
  #rank = 0;
  #hurried = false;
  #id = `search-${++panels}`;

  /** @param {HTMLElement} place is filled @param {{onAsked?: (asked: Asked) => void, onFollowed?: () => void, close?: HTMLElement}} [options] */
  constructor(place, { onAsked = () => {}, onFollowed = () => {}, close } = {}) {
    this.onAsked = onAsked;
    this.place = place;
    place.classList.add("search-panel");
    place.innerHTML = `
      <form class="search-form" role="search" action="${siteUrl("search/")}">
        <input type="search" name="q" class="search-input" placeholder="A term, a symptom, an error message" aria-label="Search the bites"
          role="combobox" aria-expanded="false" aria-controls="${this.#id}" aria-autocomplete="list"
          autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go">
      </form>
      <div class="search-filters">
        <select name="level" aria-label="Level"><option value="">Any level</option><option value="beginner">Beginner</option>
          <option value="intermediate">Intermediate</option><option value="advanced">Advanced</option></select>
        <select name="section" aria-label="Section"><option value="">Any section</option></select>
        <label class="chip"><input type="checkbox" name="run"> Can be run</label>
      </div>
      <p class="search-status" role="status"></p>
      <p class="search-meant" hidden></p>
      <ul class="search-results" id="${this.#id}" role="listbox" aria-label="Results"></ul>
      <p class="search-recent" hidden><button type="button" class="button">Forget recent searches</button></p>`;
    this.input = this.#part(".search-input", HTMLInputElement);
    this.status = this.#part(".search-status", HTMLElement);
    this.list = this.#part(".search-results", HTMLElement);
    this.level = this.#part("select[name=level]", HTMLSelectElement);
    this.section = this.#part("select[name=section]", HTMLSelectElement);
    this.run = this.#part("input[name=run]", HTMLInputElement);
    const form = this.#part("form", HTMLFormElement);
    if (close) form.append(close);
    form.addEventListener("submit", (event) => event.preventDefault());
    this.input.addEventListener("focus", () => this.#open());
    this.input.addEventListener("input", () => this.#show(PAUSE));
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.#part(".search-filters", HTMLElement).addEventListener("change", () => this.#show());
    this.list.addEventListener("click", (event) => this.#followed(event, onFollowed));
    this.#part(".search-recent button", HTMLElement).addEventListener("click", () => {
      forgetSearches();
      this.#show();
      this.input.focus();
    });
    this.#part(".search-meant", HTMLElement).addEventListener("click", (event) => {
      if (event.target instanceof HTMLButtonElement) this.ask({ ...this.asked, query: event.target.textContent });
    });
  }

  /** What stands in the field and the filters. @returns {Asked} */
  get asked() {
    return { query: this.input.value, level: this.level.value, section: this.section.value, run: this.run.checked };
  }

  /** Asks as if it had been typed. @param {Asked} asked */
  async ask({ query, level, section, run }) {
    this.input.value = query;
    await this.#open();
    this.level.value = level;
    this.section.value = section;
    // A word that is no option shows as "any", and filters nothing.
    for (const select of [this.level, this.section]) if (select.selectedIndex < 0) select.value = "";
    this.run.checked = run;
    await this.#show();
  }

  /** @template {Element} T @param {string} selector @param {new () => T} type @returns {T} */
  #part(selector, type) {
    const found = this.place.querySelector(selector);
    if (!(found instanceof type)) throw new Error(`the search has no ${selector}`);
    return found;
  }

  /** Fetches the index, if it is not here yet. */
  async #open() {
    try {
      const { sections } = await openSearch();
      if (this.section.length === 1) for (const [id, name] of sections) this.section.add(new Option(name, id));
      if (!this.input.value) await this.#show();
    } catch (error) {
      this.#sayFailed(error);
    }
  }

  /** The first bites at once, then the rest, so that typing fetches and builds no list that nobody reads. @param {number} [pause] before the rest @param {boolean} [again] */
  async #show(pause = 0, again = false) {
    const turn = ++this.#turn;
    this.#hurried = false;
    const asked = this.asked;
    this.onAsked(asked);
    if (!asked.query.trim()) {
      this.#shown = turn;
      return this.#showRecent();
    }
    try {
      const { search } = await openSearch();
      const early = pause > 0 && search.isEarly(asked.query);
      if (early && !(await this.#rests(turn, pause))) return;
      const results = await findInSite(asked.query, asked);
      // A later key wins.
      if (turn !== this.#turn) return;
      this.#showFirst(results, asked.query);
      if (results.bites.length) this.#settle(turn);
      if (results.bites.length && pause && !early && !(await this.#rests(turn, pause))) return;
      const rest = await results.rest();
      if (turn !== this.#turn) return;
      this.#showRest(rest);
      this.#settle(turn);
    } catch (error) {
      if (turn !== this.#turn) return;
      // The first results are those of a build that has gone meanwhile.
      if (error instanceof Gone && this.#shown === turn && !again) {
        forgetIndex();
        await this.#show(0, true);
      } else this.#sayFailed(error);
    }
  }

  /** Waits; resolves to whether no key was pressed meanwhile. @param {number} turn @param {number} pause */
  async #rests(turn, pause) {
    await new Promise((over) => setTimeout(over, pause));
    return turn === this.#turn;
  }

  /** There is a first result: for who pressed Enter before that. @param {number} turn */
  #settle(turn) {
    this.#shown = turn;
    if (this.#hurried) this.#choose(0);
  }

  #showRecent() {
    const recent = recentSearches();
    this.#fill(
      recent.map((query, index) => recentItem(query, `${this.#id}-${index}`)),
      "Recent searches",
    );
    this.#part(".search-recent", HTMLElement).hidden = !recent.length;
    this.#part(".search-meant", HTMLElement).hidden = true;
    this.status.textContent = recent.length ? "Recent searches, kept on this device:" : NOTHING_ASKED;
  }

  /** @param {Results} results @param {string} query */
  #showFirst(results, query) {
    this.#rank = 0;
    this.#fill(this.#items(results.bites), "Results");
    this.#part(".search-recent", HTMLElement).hidden = true;
    this.status.textContent = sayFound(results, query);
    const meant = this.#part(".search-meant", HTMLElement);
    meant.hidden = !results.meant.length;
    meant.replaceChildren(
      "Did you mean ",
      ...results.meant.map(meantButton).flatMap((button, index) => (index ? [" or ", button] : [button])),
      "?",
    );
  }

  /** Facts, terms and labs come before the later bites: on a phone's first screen, and not before the best answers. @param {Rest} rest */
  #showRest({ others, bites }) {
    if (others.length) this.list.append(group("Terms, facts and more", this.#items(others)));
    this.list.append(...this.#items(bites));
    this.input.setAttribute("aria-expanded", String(this.list.childElementCount > 0));
  }

  /** @param {Result[]} results that come next in the list */
  #items(results) {
    const before = this.#rank;
    this.#rank += results.length;
    return results.map((result, index) => resultItem(result, before + index + 1, this.#id));
  }

  /** @param {Element[]} items @param {string} label */
  #fill(items, label) {
    this.#active = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-expanded", String(items.length > 0));
    this.list.setAttribute("aria-label", label);
    this.list.replaceChildren(...items);
  }

  /** @param {unknown} error */
  #sayFailed(error) {
    this.#fill([], "Results");
    const changed = error instanceof Gone;
    this.status.textContent = changed
      ? "The site has changed since this page was loaded. Reload it to search."
      : `The index could not be fetched (${error instanceof Error ? error.message : error}). Type again to try again.`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const options = /** @type {NodeListOf<HTMLAnchorElement>} */ (this.list.querySelectorAll("[role=option]"));
    if (event.key in STEPS && options.length) {
      event.preventDefault();
      const from = this.#active < 0 && STEPS[event.key] < 0 ? 0 : this.#active;
      this.#activate(options, (from + STEPS[event.key] + options.length) % options.length);
    } else if (event.key === "Enter") {
      // The chosen result, the first where none is chosen; who is faster than the index gets it when it is there.
      event.preventDefault();
      if (this.#shown === this.#turn) this.#choose(Math.max(0, this.#active));
      else this.#hurried = true;
    } else if (event.key === "Escape" && this.input.value) {
      // The first Escape clears the field and closes the list; the next one is the dialog's.
      event.preventDefault();
      this.input.value = "";
      this.#show();
    }
  }

  /** @param {number} index of an option */
  #choose(index) {
    this.#hurried = false;
    /** @type {NodeListOf<HTMLAnchorElement>} */ (this.list.querySelectorAll("[role=option]"))[index]?.click();
  }

  /** @param {NodeListOf<HTMLAnchorElement>} options @param {number} index */
  #activate(options, index) {
    this.#active = index;
    options.forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === index));
    });
    this.input.setAttribute("aria-activedescendant", options[index].id);
    options[index].scrollIntoView({ block: "nearest" });
  }

  /** @param {MouseEvent} event @param {() => void} onFollowed */
  #followed(event, onFollowed) {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link) return;
    const recent = link.dataset.query;
    if (recent !== undefined) {
      event.preventDefault();
      this.ask({ ...this.asked, query: recent });
      this.input.focus();
      return;
    }
    rememberSearch(this.input.value);
    onFollowed();
  }
}

const NOTHING_ASKED = "Type a term, a symptom or an error message.";

/** @param {Results} results @param {string} query */
const sayFound = ({ more, count, spelled, nearest, unfiltered, meant }, query) => {
  if (unfiltered) return "No bite fits the filters. Without them:";
  if (nearest) return meant.length ? "Nothing fits. Nearest:" : "Nothing fits. Try fewer or other words, or begin here:";
  if (!count && !more)
    return /[a-z\d]/i.test(query) ? NOTHING_ASKED : "Nothing can be found by these characters: the bites are in English.";
  const number = count === 1 ? "1 bite" : `${count} bites`;
  const others = more ? `, ${more} more` : "";
  const taken = spelled.map(([typed, meant]) => `“${typed}” taken as “${meant}”`).join(", ");
  return `${number}${others}${taken ? `. ${taken}` : ""}`;
};

/** @param {string} query */
const meantButton = (query) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = query;
  return button;
};

/** @param {string} label @param {Element[]} items */
const group = (label, items) => {
  const heading = element("p", "search-group", label);
  heading.setAttribute("aria-hidden", "true");
  const list = element("ul", "", ...items);
  list.setAttribute("role", "presentation");
  const grouped = element("div", "", heading, list);
  grouped.setAttribute("role", "group");
  grouped.setAttribute("aria-label", label);
  const item = document.createElement("li");
  item.setAttribute("role", "presentation");
  item.append(grouped);
  return item;
};

/** @param {Result} result @param {number} rank @param {string} id */
const resultItem = (result, rank, id) => {
  const { item, link } = option(siteUrl(result.url), `${id}-${rank}`);
  item.dataset.slug = result.slug;
  item.dataset.rank = String(rank);
  item.dataset.kind = result.kind;
  const mark = (/** @type {string} */ text) => marked(text, result.words);
  const title = element("strong", "", ...mark(result.title));
  const about = element("span", "search-about", result.about);
  const line = result.bite ? [`Nearest: ${result.bite.title}`] : mark(result.line);
  link.append(title, about);
  if (line.length) link.append(element("span", "search-line", ...line));
  if (result.why) link.append(element("span", "search-why", ...mark(result.why)));
  return item;
};

/** @param {string} query @param {string} id */
const recentItem = (query, id) => {
  const url = new URL(siteUrl("search/"));
  url.searchParams.set("q", query);
  const { item, link } = option(url.href, id);
  link.dataset.query = query;
  link.append(element("strong", "", query));
  return item;
};

/** A row of the list. It is reached with the arrows; a second stop for Tab would only be in the way. */
const row = document.createElement("template");
row.innerHTML = `<li role="presentation"><a role="option" aria-selected="false" tabindex="-1"></a></li>`;

/** @param {string} href @param {string} id */
const option = (href, id) => {
  const item = /** @type {HTMLLIElement} */ (row.content.firstElementChild?.cloneNode(true));
  const link = /** @type {HTMLAnchorElement} */ (item.firstElementChild);
  link.href = href;
  link.id = id;
  return { item, link };
};

/** @param {string} name @param {string} className @param {(string | Node)[]} content */
const element = (name, className, ...content) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
};

/** @param {string} text @param {string[]} words */
const marked = (text, words) =>
  markMatches(text, words).map((stretch) => (stretch.matched ? element("mark", "", stretch.text) : stretch.text));
