// A quiz question that can be answered in the page: choose, check, and see why for every answer.
import { choiceIsRight, numberIsRight, readNumber } from "../core/quiz.js";

class QuizCard extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(".quiz-check")) return;
    const answers = this.querySelector("details.quiz-answers");
    if (!answers) return;
    // With JavaScript the reasons appear beside the answers, so the folded list would only give them away.
    /** @type {HTMLElement} */ (answers).hidden = true;
    const bar = document.createElement("div");
    bar.className = "quiz-bar";
    bar.innerHTML = `<button type="button" class="button quiz-check">Check</button><span class="quiz-verdict" role="status"></span>`;
    this.querySelector("fieldset")?.append(bar);
    bar.querySelector("button")?.addEventListener("click", () => this.#press());
    this.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
        event.preventDefault();
        this.#press();
        // An answer that was checked can hold the focus no longer.
        if (event.target.disabled) bar.querySelector("button")?.focus();
      }
    });
  }

  #press() {
    if (this.hasAttribute("data-checked")) this.#again();
    else if (this.dataset.kind === "numeric") this.#checkNumber();
    else this.#checkChoice();
  }

  get #inputs() {
    return /** @type {HTMLInputElement[]} */ ([...this.querySelectorAll("fieldset input")]);
  }

  #checkChoice() {
    const inputs = this.#inputs;
    if (!inputs.some((input) => input.checked)) {
      this.#say(this.dataset.kind === "many" ? "Choose at least one answer first" : "Choose an answer first");
      inputs[0]?.focus();
      return;
    }
    const reasons = [...this.querySelectorAll(".quiz-answers li")];
    const right = reasons.map((reason) => reason.getAttribute("data-right") === "true");
    for (const [index, input] of inputs.entries()) this.#explain(input, right[index], reasons[index]);
    this.#done(
      choiceIsRight(
        inputs.map((input) => input.checked),
        right,
      ),
    );
  }

  /** Puts the reason below its answer. @param {HTMLInputElement} input @param {boolean} right @param {Element} reason */
  #explain(input, right, reason) {
    const label = input.closest("label");
    if (!label) return;
    label.classList.add(right ? "is-right" : "is-wrong");
    const why = document.createElement("div");
    why.className = "quiz-why";
    why.append(mark(right ? "Right" : "Wrong"), ...[...reason.querySelectorAll("p")].slice(1).map((part) => part.cloneNode(true)));
    why.id = `${this.id}-why-${input.value}`;
    input.setAttribute("aria-describedby", why.id);
    input.disabled = true;
    label.after(why);
  }

  #checkNumber() {
    const [input] = this.#inputs;
    const given = readNumber(input.value);
    if (given === null) {
      this.#say("Type a number first");
      input.focus();
      return;
    }
    input.readOnly = true;
    const why = document.createElement("div");
    why.className = "quiz-why";
    why.append(...[...this.querySelectorAll(".quiz-answers p")].map((part) => part.cloneNode(true)));
    this.querySelector(".quiz-bar")?.before(why);
    this.#done(numberIsRight(given, Number(this.dataset.value), Number(this.dataset.tolerance)));
  }

  /** @param {boolean} right */
  #done(right) {
    this.dataset.checked = right ? "right" : "wrong";
    this.#say(right ? "Right." : "Not quite: read why.");
    const button = this.querySelector(".quiz-check");
    if (button) button.textContent = right ? "Clear" : "Try again";
  }

  #again() {
    delete this.dataset.checked;
    for (const why of this.querySelectorAll("fieldset .quiz-why")) why.remove();
    for (const input of this.#inputs) {
      input.disabled = input.readOnly = input.checked = false;
      input.removeAttribute("aria-describedby");
      if (input.type === "text") input.value = "";
      input.closest("label")?.classList.remove("is-right", "is-wrong");
    }
    const button = this.querySelector(".quiz-check");
    if (button) button.textContent = "Check";
    this.#say("");
    this.#inputs[0]?.focus();
  }

  /** @param {string} words */
  #say(words) {
    const verdict = this.querySelector(".quiz-verdict");
    if (verdict) verdict.textContent = words;
  }
}

/** @param {string} words */
const mark = (words) => {
  const element = document.createElement("strong");
  element.textContent = `${words}: `;
  return element;
};

customElements.define("quiz-card", QuizCard);
