// The lens of the terms: shows one vendor's words beside ours. The choice is remembered; the address stays what it is.
import { rememberedVendor, rememberVendor } from "../core/lens.js";

class VendorLens extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", this.#choose);
    this.#show(rememberedVendor());
  }

  disconnectedCallback() {
    this.removeEventListener("click", this.#choose);
  }

  /** @param {MouseEvent} event */
  #choose = (event) => {
    const button = event.target instanceof Element && event.target.closest("button[data-vendor]");
    if (!(button instanceof HTMLElement)) return;
    // A second press takes the lens away.
    const vendor = button.getAttribute("aria-pressed") === "true" ? "" : (button.dataset.vendor ?? "");
    this.#show(vendor);
    rememberVendor(vendor);
  };

  /** @param {string} vendor */
  #show(vendor) {
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-vendor]"))) {
      const isIt = part.dataset.vendor === vendor;
      if (part.localName === "button") part.setAttribute("aria-pressed", String(isIt));
      else if (part.classList.contains("term-said")) part.hidden = !isIt;
      else part.classList.toggle("is-chosen", isIt);
    }
  }
}

customElements.define("vendor-lens", VendorLens);
