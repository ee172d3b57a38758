// <study-progress>: what is known, what comes when, where it is weakest; pictures with their tables; and the reader's own data.
import { siteUrl } from "../../core/site.js";
import { calibration, closeness, forecast, heatMap, knownBy, leeches, weakest } from "../../core/study/figures.js";
import { readGuesses } from "../../core/study/log.js";
import { counted, dayWords, element, link, table } from "./dom.js";
import { StudyPage, studyUrl } from "./page.js";
import { ROLES } from "./roles.js";
import { YourData } from "./your-data.js";

const FORECAST_DAYS = 14;
const WEEKS = 20;
const WIDTH = 340; // of a picture: as wide as a phone shows it
const FEW = 30;
const FEW_GUESSES = 10;
const DAY_NAMES = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

class StudyProgress extends StudyPage {
  #figures = element("div");
  #yours = new YourData();
  /** @type {import("../../core/calibration.js").Guess[]} */
  #guesses = [];

  async prepare() {
    this.#guesses = await readGuesses();
  }

  draw() {
    const isFirst = !this.#figures.isConnected;
    if (isFirst) this.body.replaceChildren(this.#figures, this.#yours.element);
    // A table that the reader opened stays open.
    const open = new Set([...this.#figures.querySelectorAll("details[open]")].map((fold) => fold.closest("section")?.id));
    const sections = this.view.state.bites.size ? this.#sections() : [this.#nothingYet(), this.#guessed()];
    for (const section of sections) if (open.has(section.id)) section.querySelector("details")?.setAttribute("open", "");
    this.#figures.replaceChildren(...sections);
    this.#yours.update(this.view.today);
    // What the address names has come only now.
    if (isFirst && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }

  #nothingYet() {
    return element(
      "section",
      {},
      element("p", {
        textContent:
          "Nothing was answered on this device yet. What you know, what is due and where you are weakest is shown here, from your first answer on.",
      }),
      element("div", { className: "study-next" }, link(studyUrl(), "Start with today's five", "button primary")),
    );
  }

  #sections() {
    return [this.#summary(), this.#known(), this.#week(), this.#calendar(), this.#foretold(), this.#guessed(), this.#weak()];
  }

  #summary() {
    const { state, today, catalog } = this.view;
    const due = forecast(catalog.bites, state, today, 7);
    const week = due.reduce((sum, day) => sum + day.due, 0);
    const numbers = [
      [state.streak.length, state.streak.length === 1 ? "day in a row" : "days in a row"],
      [state.streak.longest, "longest"],
      [state.answers.length, state.answers.length === 1 ? "answer" : "answers"],
      [due[0].due, "due today"],
      [week, "due this week"],
    ];
    const cells = numbers.map(([number, words]) => element("li", {}, element("strong", { textContent: String(number) }), ` ${words}`));
    return element("section", { ariaLabel: "Summary" }, element("ul", { className: "study-numbers" }, ...cells));
  }

  #known() {
    const { state, today, catalog } = this.view;
    const bySection = knownBy(catalog.bites, state, today, Object.entries(catalog.sections), (bite, id) => bite.section === id);
    const roles = ROLES.filter(([id]) => id !== "all");
    const byRole = knownBy(catalog.bites, state, today, roles, (bite, id) => bite.roles.includes(id) || bite.roles.includes("all"));
    const rows = (/** @type {typeof bySection} */ groups) =>
      groups
        .filter(({ questions }) => questions)
        .map(({ name, questions, met, known }) => [name, questions, met, `${Math.round(known)} (${percent(known / questions)})`]);
    const bars = element(
      "div",
      { className: "study-bars", ariaHidden: "true" },
      ...bySection.flatMap(({ name, questions, met, known }) => [
        element("span", { textContent: name }),
        bar([known / questions, met / questions], `${Math.round(known)} of ${questions}`),
      ]),
    );
    const head = (/** @type {string} */ by) => [by, "Questions", "Met", "Known, expected"];
    return figure(
      "known",
      "What you know",
      "Expected by the memory model from your own answers: the sum of the chances that you know each question today. What you missed last counts as not known, what you never met too. It is no promise.",
      bars,
      [table("By section", head("Section"), rows(bySection)), table("By role", head("Role"), rows(byRole))],
    );
  }

  #week() {
    const { state, today, catalog } = this.view;
    const days = forecast(catalog.bites, state, today, FORECAST_DAYS);
    const most = Math.max(1, ...days.map(({ due }) => due));
    const picture = svg(WIDTH, 110, `Questions due on each of the next ${FORECAST_DAYS} days`);
    picture.append(shape("path", { d: `M0 90H${WIDTH}`, class: "study-axis" }));
    for (const [index, { due }] of days.entries()) {
      const height = (due / most) * 70;
      picture.append(shape("rect", { x: index * 24 + 2, y: 90 - height, width: 18, height, class: "study-fill" }));
      if (due) picture.append(words(index * 24 + 11, 86 - height, String(due)));
      if (index % 7 === 0) picture.append(words(index * 24 + 2, 106, index ? "in a week" : "today", "start"));
    }
    return figure("forecast", "What comes when", "If you answer nothing in between. What is overdue counts today.", picture, [
      table(
        "Questions due",
        ["Day", "Due"],
        days.map(({ day, due }) => [dayWords(day, today), due]),
      ),
    ]);
  }

  #calendar() {
    const { state, today } = this.view;
    const weeks = heatMap(state, today, WEEKS);
    const most = Math.max(1, ...weeks.flat().map(({ answers }) => answers));
    const picture = svg(WIDTH, 7 * 15, "Answers on each day");
    for (const [number, name] of DAY_NAMES.entries()) if (number % 2 === 0) picture.append(words(0, number * 15 + 11, name, "start"));
    for (const [week, days] of weeks.entries()) {
      for (const [number, { day, answers }] of days.entries()) {
        const cell = shape("rect", {
          x: 34 + week * 15,
          y: number * 15,
          width: 12,
          height: 12,
          rx: 2,
          class: answers ? "study-fill" : "study-empty",
        });
        if (answers) cell.setAttribute("fill-opacity", String(0.3 + 0.7 * (answers / most)));
        cell.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "title"), { textContent: `${day}: ${answers}` }));
        picture.append(cell);
      }
    }
    const active = weeks
      .flat()
      .filter(({ answers }) => answers)
      .reverse();
    return figure("calendar", "When you studied", `The last ${WEEKS} weeks: ${counted(active.length, "day")} with an answer.`, picture, [
      table(
        "Days with an answer",
        ["Day", "Answers"],
        active.map(({ day, answers }) => [dayWords(day, today), answers]),
      ),
    ]);
  }

  #foretold() {
    const bins = calibration(this.view.state);
    if (!bins.length) return element("section", { hidden: true });
    const reviews = bins.reduce((sum, bin) => sum + bin.reviews, 0);
    const picture = svg(WIDTH, 190, "Foretold against right");
    picture.append(
      shape("path", { d: "M40 170H340M40 170V10", class: "study-axis" }),
      shape("path", { d: "M40 170L340 10", class: "study-ideal" }),
    );
    for (const { predicted, right, reviews } of bins) {
      picture.append(
        shape("circle", { cx: 40 + 300 * predicted, cy: 170 - 160 * right, r: 3 + Math.min(6, Math.sqrt(reviews)), class: "study-fill" }),
      );
    }
    for (const share of [0, 0.5, 1]) {
      picture.append(
        words(34, 174 - 160 * share, percent(share), "end"),
        words(40 + 300 * share, 186, percent(share), share === 1 ? "end" : "middle"),
      );
    }
    picture.append(words(265, 186, "foretold"), words(46, 18, "right", "start"));
    const few = reviews < FEW ? `${counted(reviews, "review")} so far, too few to judge the model by. ` : `${counted(reviews, "review")}. `;
    return figure(
      "foretold",
      "How well the memory model foretells",
      `${few}Across: the chance the model gave you. Up: how many you had right. On the line it is honest; above it, you know more than it thinks.`,
      picture,
      [
        table(
          "Foretold and right",
          ["Foretold", "Reviews", "Mean foretold", "Right"],
          bins.map((bin) => [`${percent(bin.from)} to ${percent(bin.to)}`, bin.reviews, percent(bin.predicted), percent(bin.right)]),
        ),
      ],
    );
  }

  /** The other half of calibration: what the reader foretold, not the model. */
  #guessed() {
    const count = this.#guesses.length;
    if (!count) return element("section", { hidden: true });
    const classes = closeness(this.#guesses);
    const bars = element(
      "div",
      { className: "study-bars", ariaHidden: "true" },
      ...classes.flatMap(({ name, guesses }) => [
        element("span", { textContent: name }),
        bar([guesses / count, 0], `${guesses} of ${count}`),
      ]),
    );
    return figure(
      "guessed",
      "How close you guess",
      `${counted(count, "guess", "guesses")}, each before a simulator answered${count < FEW_GUESSES ? ": too few to say much" : ""}. A factor of two is close for an estimate; an order of magnitude is what to work on.`,
      bars,
      [
        table(
          "Guesses",
          ["Beside the model", "Guesses"],
          classes.map(({ name, guesses }) => [name, guesses]),
        ),
      ],
    );
  }

  #weak() {
    const { state, today, catalog } = this.view;
    const bases = weakest(catalog.bites, state, today);
    const missed = leeches(catalog.bites, state);
    const parts = [];
    if (bases.length) {
      const rows = bases.map(({ bite, missed, answers }) =>
        element("li", {}, link(siteUrl(bite.url), bite.title), `: ${missed} of ${answers} answers that build on it were missed`),
      );
      parts.push(element("p", { textContent: "What you miss most builds on these bites. Read them again." }), element("ul", {}, ...rows));
    }
    if (missed.length) {
      const rows = missed.map(({ bite, text, lapses, revisit }) =>
        element(
          "li",
          {},
          link(siteUrl(bite.url), bite.title),
          `: “${text}” forgotten ${lapses} times. Go back to `,
          link(siteUrl(revisit.url), revisit.title),
        ),
      );
      parts.push(
        element("p", { textContent: "Forgotten again and again: more reviews will not help, another look at what they build on may." }),
        element("ul", {}, ...rows),
      );
    }
    if (!parts.length)
      parts.push(element("p", { textContent: "Nothing stands out. What is missed more than once shows up here, with what it builds on." }));
    return element("section", { id: "weak" }, element("h2", { textContent: "Where you are weakest" }), ...parts);
  }
}

/** @param {string} id @param {string} title @param {string} says @param {Element} picture @param {HTMLElement[]} tables */
const figure = (id, title, says, picture, tables) =>
  element(
    "section",
    { id },
    element("h2", { textContent: title }),
    element("p", { textContent: says }),
    picture,
    element("details", {}, element("summary", { textContent: "As a table" }), ...tables),
  );

/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)} %`;

/** Known in full color, met in a pale one. @param {[number, number]} shares @param {string} says */
const bar = ([known, met], says) => {
  const track = element("span", { className: "study-bar" });
  track.style.setProperty("--known", percent(known).replace(" ", ""));
  track.style.setProperty("--met", percent(met).replace(" ", ""));
  return element("span", { className: "study-bar-row" }, track, element("span", { textContent: says }));
};

/** @param {number} width @param {number} height @param {string} label */
const svg = (width, height, label) =>
  shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, class: "study-picture" });

/** @param {string} tag @param {Record<string, string | number>} attributes */
const shape = (tag, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
};

/** @param {number} x @param {number} y @param {string} says @param {string} [anchor] */
const words = (x, y, says, anchor = "middle") => {
  const made = shape("text", { x, y, "text-anchor": anchor });
  made.textContent = says;
  return made;
};

customElements.define("study-progress", StudyProgress);
