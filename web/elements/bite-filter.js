// The filter of a hub: level, kind, role and "can be run", kept in the address.
import { fits, isAny, readChoice, writeChoice } from "../core/filter.js";

class BiteFilter extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    if (!form) return;
    const asked = readChoice(location.search);
    const change = () => {
      const choice = this.#read(form);
      // The list narrows in place: going back leaves the hub, not one filter.
      history.replaceState(history.state, "", writeChoice(location.href, choice));
      this.#narrow(choice);
    };
    form.addEventListener("change", change);
    form.addEventListener("reset", () => {
      // The fields are cleared after the event; the button that was pressed goes, so the focus moves on.
      setTimeout(() => {
        change();
        form.querySelector("select")?.focus();
      });
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    // Without a wish in the address, what the reader chose before this script was there stands.
    if (isAny(asked)) change();
    else this.#show(form, asked);
  }

  /** @param {HTMLFormElement} form @returns {import("../core/filter.js").Choice} */
  #read(form) {
    const given = new FormData(form);
    const word = (/** @type {string} */ name) => String(given.get(name) ?? "");
    return { level: word("level"), kind: word("kind"), role: word("role"), run: given.has("run") };
  }

  /** @param {HTMLFormElement} form @param {import("../core/filter.js").Choice} choice */
  #show(form, choice) {
    for (const name of /** @type {const} */ (["level", "kind", "role"])) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLSelectElement) field.value = choice[name];
      // A word in the address that is no option shows as "any", and filters nothing.
      if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.value = "";
    }
    const run = form.elements.namedItem("run");
    if (run instanceof HTMLInputElement) run.checked = choice.run;
    this.#narrow(this.#read(form));
  }

  /** @param {import("../core/filter.js").Choice} choice */
  #narrow(choice) {
    let shown = 0;
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".bite-card"))) {
      const { level = "", kind = "", roles = "", run = "" } = card.dataset;
      card.hidden = !fits({ level, kind, roles: roles.split(" "), run: run !== "" }, choice);
      shown += card.hidden ? 0 : 1;
    }
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".hub-section"))) {
      section.hidden = !section.querySelector(".bite-card:not([hidden])");
    }
    const count = this.querySelector(".filter-count");
    if (count) count.textContent = shown === 1 ? "1 bite" : `${shown} bites`;
    const none = /** @type {HTMLElement | null} */ (this.querySelector(".filter-none"));
    if (none) none.hidden = shown > 0;
    const clear = /** @type {HTMLElement | null} */ (this.querySelector(".filter-clear"));
    if (clear) clear.hidden = isAny(choice);
  }
}

customElements.define("bite-filter", BiteFilter);
