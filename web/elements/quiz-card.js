// A quiz question that can be answered in the page: choose, check, and see why for every answer.
//
// An answer is noted on the reader's device (core/study/log.js), and told to whoever stands around the card: `answered`.
import { choiceIsRight, drawVariant, numberIsRight, outputIsRight, readNumber, unveil } from "../core/quiz.js";
import { siteUrl } from "../core/site.js";
import { momentHere } from "../core/study/dates.js";

/** Question → how often it was asked in this visit: whoever meets it again gets other values. @type {Map<string, number>} */
const asked = new Map();

class QuizCard extends HTMLElement {
  /** Which of its variants is shown. */
  #variant = 0;

  connectedCallback() {
    if (this.querySelector(".quiz-check")) return;
    const answers = this.querySelector("details.quiz-answers");
    if (!answers) return;
    // What was typed before this script came belongs to the first variant.
    if (!this.#inputs[0]?.value) this.#draw();
    // With JavaScript the reasons appear beside the answers, so the folded list would only give them away.
    /** @type {HTMLElement} */ (answers).hidden = true;
    const bar = document.createElement("div");
    bar.className = "quiz-bar";
    bar.innerHTML = `<button type="button" class="button quiz-check">Check</button><span class="quiz-verdict" role="status"></span>`;
    this.querySelector("fieldset")?.append(bar);
    // The second press of a double one would clear what the first has checked.
    bar.querySelector("button")?.addEventListener("click", ({ detail }) => detail < 2 && this.#press());
    for (const step of this.#steps) this.#makeMovable(step);
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
    else if (this.dataset.kind === "order") this.#checkOrder();
    else if (this.#inputs[0]?.type === "text") this.#checkTyped();
    else this.#checkChoice();
  }

  /** What is right, for each answer, step or variant. @returns {any[]} */
  get #right() {
    return unveil(this.dataset.veil ?? "", this.id);
  }

  /** Puts the values of today and of this attempt into the question and its reason. */
  #draw() {
    const variants = this.querySelectorAll(".quiz-variant");
    if (!variants.length) return;
    const attempt = asked.get(this.id) ?? 0;
    asked.set(this.id, attempt + 1);
    this.#variant = drawVariant(this.id, momentHere(Date.now()).day, attempt, variants.length);
    const [question, reason] = variants[this.#variant].children;
    this.querySelector(".quiz-asked")?.replaceChildren(...copies(question));
    this.querySelector(".quiz-answers > p")?.replaceChildren(...copies(reason));
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
    const right = this.#right.map(Boolean);
    const chosen = inputs.findLast((input) => input.checked)?.closest("label");
    const before = chosen?.getBoundingClientRect().top ?? 0;
    for (const [index, input] of inputs.entries()) this.#explain(input, right[index], reasons[index]);
    // The reasons above it would push the reader's own answer out of sight.
    scrollBy({ top: (chosen?.getBoundingClientRect().top ?? 0) - before, behavior: "instant" });
    this.#done(
      choiceIsRight(
        inputs.map((input) => input.checked),
        right,
      ),
    );
  }

  get #steps() {
    return /** @type {HTMLElement[]} */ ([...this.querySelectorAll(".quiz-steps li")]);
  }

  /** Two buttons, for a thumb and for the keyboard alike. @param {HTMLElement} step */
  #makeMovable(step) {
    const words = step.textContent?.trim() ?? "";
    for (const [by, name] of /** @type {[number, string][]} */ ([
      [-1, "Up"],
      [1, "Down"],
    ])) {
      const move = Object.assign(document.createElement("button"), { type: "button", className: "button quiz-move", textContent: name });
      move.setAttribute("aria-label", `${name}: ${words}`);
      move.addEventListener("click", () => this.#move(step, by, move));
      step.append(move);
    }
  }

  /** @param {HTMLElement} step @param {number} by @param {HTMLElement} pressed */
  #move(step, by, pressed) {
    const steps = this.#steps;
    const place = steps.indexOf(step) + by;
    if (place < 0 || place >= steps.length) return this.#say(by < 0 ? "It is first already." : "It is last already.");
    if (by < 0) steps[place].before(step);
    else steps[place].after(step);
    this.dataset.moved = "";
    pressed.focus(); // a step that is moved in the page loses it
    this.#say(`Now ${place + 1} of ${steps.length}.`);
  }

  #checkOrder() {
    const steps = this.#steps;
    const reasons = [...this.querySelectorAll(".quiz-answers ol > li")];
    const places = this.#right;
    const placeOf = (/** @type {HTMLElement} */ step) => places[Number(step.dataset.shown)];
    const right = steps.map((step, place) => placeOf(step) === place);
    for (const [place, step] of steps.entries()) {
      step.classList.add(right[place] ? "is-right" : "is-wrong");
      const why = document.createElement("div");
      why.className = "quiz-why";
      const own = placeOf(step);
      why.append(
        mark(right[place] ? "Right" : `Belongs at ${own + 1}`),
        ...[...reasons[own].querySelectorAll("p")].slice(1).map((part) => part.cloneNode(true)),
      );
      step.append(why);
    }
    for (const move of this.#moves) move.hidden = true;
    this.#done(right.every(Boolean));
  }

  get #moves() {
    return /** @type {HTMLElement[]} */ ([...this.querySelectorAll(".quiz-move")]);
  }

  /** Puts the reason below its answer. @param {HTMLInputElement} input @param {boolean} right @param {Element} reason */
  #explain(input, right, reason) {
    const label = input.closest("label");
    if (!label) return;
    label.classList.add(right ? "is-right" : "is-wrong");
    const why = document.createElement("div");
    why.className = "quiz-why";
    const words = this.dataset.kind === "flag" ? (right ? "Red flag" : "Fine") : right ? "Right" : "Wrong";
    why.append(mark(words), ...[...reason.querySelectorAll("p")].slice(1).map((part) => part.cloneNode(true)));
    why.id = `${this.id}-why-${input.value}`;
    input.setAttribute("aria-describedby", why.id);
    input.disabled = true;
    label.after(why);
  }

  #checkTyped() {
    const [input] = this.#inputs;
    const [value, tolerance] = this.#right[this.#variant];
    const isNumber = input.inputMode === "decimal";
    const unit = input.nextSibling?.textContent?.trim() ?? "";
    const given = readNumber(input.value, unit);
    if (isNumber ? given === null : !input.value.trim()) {
      this.#say(isNumber ? `Type one number${unit ? `, in ${unit}` : ""}, such as 1234.5` : "Type what it prints first");
      input.focus();
      return;
    }
    input.readOnly = true;
    const why = document.createElement("div");
    why.className = "quiz-why";
    why.append(...[...this.querySelectorAll(".quiz-answers > p:not(.quiz-revisit)")].map((part) => part.cloneNode(true)));
    this.querySelector(".quiz-bar")?.before(why);
    this.#done(
      isNumber
        ? numberIsRight(Number(given), Number(value.replaceAll(",", "")), Number(tolerance))
        : outputIsRight(input.value, value, Number(tolerance)),
    );
  }

  /** @param {boolean} right */
  #done(right) {
    this.dataset.checked = right ? "right" : "wrong";
    this.#say(right ? "Right." : "Not quite: read why.");
    const button = this.querySelector(".quiz-check");
    if (button) button.textContent = right ? "Clear" : "Try again";
    const more = this.querySelectorAll(`.quiz-answers > :is(.quiz-output${right ? "" : ", .quiz-revisit"})`);
    this.querySelector(".quiz-bar")?.before(...[...more].map((part) => part.cloneNode(true)));
    this.#note(right);
  }

  /** @param {boolean} right */
  async #note(right) {
    const where = this.closest("[data-study]");
    const answer = { question: this.id, bite: this.dataset.bite ?? "", right, where: where?.getAttribute("data-study") ?? "bite" };
    this.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: answer }));
    // A chunk that cannot be fetched now costs this note, not the question.
    const log = await import("../core/study/log.js").catch(() => null);
    await log?.record({ kind: "answer", ...answer });
    if (log && !log.trouble.reason && !where) this.#sayNoted();
  }

  /** Once on a page, where it is news. */
  #sayNoted() {
    const list = this.closest("section");
    if (!list || list.querySelector(".quiz-noted")) return;
    const noted = Object.assign(document.createElement("p"), { className: "quiz-noted" });
    const link = Object.assign(document.createElement("a"), { href: siteUrl("study/"), textContent: "your reviews" });
    noted.append("Noted on this device, for ", link, ".");
    this.after(noted);
  }

  #again() {
    delete this.dataset.checked;
    for (const shown of this.querySelectorAll("fieldset :is(.quiz-why, .quiz-output, .quiz-revisit)")) shown.remove();
    for (const input of this.#inputs) {
      input.disabled = input.readOnly = input.checked = false;
      input.removeAttribute("aria-describedby");
      if (input.type === "text") input.value = "";
      input.closest("label")?.classList.remove("is-right", "is-wrong");
    }
    for (const step of this.#steps) step.classList.remove("is-right", "is-wrong");
    for (const move of this.#moves) move.hidden = false;
    delete this.dataset.moved;
    this.#draw();
    const button = this.querySelector(".quiz-check");
    if (button) button.textContent = "Check";
    this.#say("");
    (this.#inputs[0] ?? this.#moves[0])?.focus();
  }

  /** @param {string} words */
  #say(words) {
    const verdict = this.querySelector(".quiz-verdict");
    if (verdict) verdict.textContent = words;
  }
}

/** @param {Element} element */
const copies = (element) => [...element.childNodes].map((node) => node.cloneNode(true));

/** @param {string} words */
const mark = (words) => {
  const element = document.createElement("strong");
  element.textContent = `${words}: `;
  return element;
};

customElements.define("quiz-card", QuizCard);
