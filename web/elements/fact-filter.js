// The filter of the facts page: rows that hold every word that was typed, and the groups that still hold a row.

export class FactFilter extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    if (!form) return;
    const narrow = () => this.#narrow(String(new FormData(form).get("words")));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", narrow);
    narrow(); // what was typed before this arrived
  }

  /** @param {string} text */
  #narrow(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const group of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("section"))) {
      const name = group.querySelector("h2")?.textContent ?? "";
      let here = 0;
      for (const row of /** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll(".fact-row"))) {
        const told = `${name} ${row.id} ${row.textContent}`.toLowerCase();
        row.hidden = !words.every((word) => told.includes(word));
        here += row.hidden ? 0 : 1;
      }
      group.hidden = here === 0;
      shown += here;
    }
    const count = this.querySelector(".filter-count");
    if (count) count.textContent = words.length === 0 ? "" : shown === 1 ? "1 fact" : `${shown} facts`;
    const groups = /** @type {HTMLElement | null} */ (this.querySelector(".fact-groups"));
    if (groups) groups.hidden = words.length > 0;
    const none = /** @type {HTMLElement | null} */ (this.querySelector(".filter-none"));
    if (none) none.hidden = shown > 0;
  }
}

customElements.define("fact-filter", FactFilter);
