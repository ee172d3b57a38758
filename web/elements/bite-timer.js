// The dial by the explainer: sixty seconds to say it aloud.

const RADIUS = 9;
const AROUND = 2 * Math.PI * RADIUS;

export class BiteTimer extends HTMLElement {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;

  connectedCallback() {
    if (this.firstElementChild) return;
    this.innerHTML = `<button type="button" class="dial"><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <circle cx="12" cy="12" r="${RADIUS}" class="dial-track"/><circle cx="12" cy="12" r="${RADIUS}" class="dial-hand" stroke-dasharray="${AROUND}"/>
      </svg><span class="dial-words"></span></button><span class="visually-hidden" role="status"></span>`;
    this.querySelector("button")?.addEventListener("click", () => (this.#ticking ? this.#stop() : this.#start()));
    this.#stop();
  }

  disconnectedCallback() {
    clearInterval(this.#ticking);
  }

  get seconds() {
    return Number(this.dataset.seconds) || 60;
  }

  #start() {
    const begun = performance.now();
    this.#say("Stop");
    this.#announce(`${this.seconds} seconds begin`);
    // From the clock, not by counting: a tab in the background ticks late.
    this.#ticking = setInterval(() => {
      const left = Math.max(0, this.seconds - (performance.now() - begun) / 1000);
      this.#turn(left);
      this.#say(`Stop · ${Math.ceil(left)} s left`);
      if (left > 0) return;
      this.#stop("Time. Again?");
      this.#announce("Time");
    }, 250);
  }

  #stop(words = `Say it in ${this.seconds} seconds`) {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#turn(this.seconds);
    this.#say(words);
  }

  /** @param {number} left seconds */
  #turn(left) {
    this.querySelector(".dial-hand")?.setAttribute("stroke-dashoffset", String(AROUND * (1 - left / this.seconds)));
  }

  /** @param {string} words */
  #say(words) {
    const label = this.querySelector(".dial-words");
    if (label && label.textContent !== words) label.textContent = words;
  }

  /** @param {string} words */
  #announce(words) {
    const status = this.querySelector("[role=status]");
    if (status) status.textContent = words;
  }
}

customElements.define("bite-timer", BiteTimer);
