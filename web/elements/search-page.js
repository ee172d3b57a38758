// The search page: the query and its filters stand in the address, so that a search can be linked and come back to.
import { addressOf } from "./search-box.js";
import { SearchPanel } from "./search-panel.js";

class SearchPage extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(".search-input")) return;
    const given = new URLSearchParams(location.search);
    const panel = new SearchPanel(this, {
      onAsked: (asked) => {
        // Typed letter by letter, it is one search: going back leaves the page.
        if (this.isConnected) history.replaceState(history.state, "", addressOf(asked));
      },
    });
    const query = given.get("q") ?? "";
    const asked = { query, level: given.get("level") ?? "", section: given.get("section") ?? "", run: given.get("run") === "1" };
    if (query) panel.ask(asked);
    else panel.input.focus();
  }
}

customElements.define("search-page", SearchPage);
