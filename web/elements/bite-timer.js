// The dial by an explainer and a model answer: so long to say it aloud. While it runs it stays in sight.

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
    this.querySelector("button")?.addEventListener("click", () => (this.#ticking ? this.#break() : this.#start()));
    this.#rest();
  }

  disconnectedCallback() {
    clearInterval(this.#ticking);
  }

  get seconds() {
    return Number(this.dataset.seconds) || 60;
  }

  #start() {
    const begun = performance.now();
    this.toggleAttribute("data-running", true);
    this.#say(`Stop · ${clock(this.seconds)} left`);
    this.#announce(`${spoken(this.seconds)} begin`);
    // From the clock, not by counting: a tab in the background ticks late.
    this.#ticking = setInterval(() => {
      const left = Math.max(0, this.seconds - (performance.now() - begun) / 1000);
      this.#turn(left);
      this.#say(`Stop · ${clock(left)} left`);
      if (left > 0) return;
      this.#rest("Time. Again?");
      this.#announce("Time");
    }, 250);
  }

  #break() {
    this.#rest();
    this.#announce("Stopped");
  }

  #rest(words = `Say it in ${spoken(this.seconds)}`) {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.toggleAttribute("data-running", false);
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

/** `60 seconds`, `3 minutes`. @param {number} seconds */
const spoken = (seconds) => (seconds > 60 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`);

/** `45 s`, `2:05`. @param {number} left seconds */
const clock = (left) => {
  const whole = Math.ceil(left);
  return whole > 60 ? `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}` : `${whole} s`;
};

customElements.define("bite-timer", BiteTimer);
