// <study-interview>: a question with a countdown, the reader's answer, the rubric to grade it by, follow-ups; one, or five with a debrief.

import { siteUrl } from "../../core/site.js";
import { partOf, readBite } from "../../core/study/catalog.js";
import { clock, debrief, LENGTHS, MOCK, questionsFor, resultOf, sum, tally, weakPoints } from "../../core/study/interview.js";
import { INTERVIEW, record } from "../../core/study/log.js";
import { button, choice, counted, dateWords, element, link } from "./dom.js";
import { StudyPage, studyUrl } from "./page.js";
import { canRecord, VoiceRecorder } from "./recorder.js";
import { ROLES } from "./roles.js";

/** @typedef {import("../../core/study/interview.js").Round} Round */
/** @typedef {import("../../core/study/today.js").CatalogBite} CatalogBite */
/** @typedef {{slugs: string[], length: number, index: number, begun: number, answer: string, seconds: number, stage: "answer" | "grade" | "follow" | "end", hit: boolean[], committed: boolean[], rounds: Round[]}} Session */

const RESULTS = { miss: "A miss", adequate: "Adequate", strong: "Strong" };
/** @type {[string, string][]} */
const PLANS = [
  ["1 answer", "3 minutes: one answer"],
  ["1 outline", "1 minute: one outline"],
  [`${MOCK} outline`, "5 minutes: five outlines"],
  [`${MOCK} answer`, "15 minutes: a mock of five answers"],
];

class StudyInterview extends StudyPage {
  #role = "";
  #plan = PLANS[0][0];
  /** @type {Session | null} */
  #session = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #voice = canRecord() ? new VoiceRecorder() : null;

  connectedCallback() {
    this.#session = readSession();
    super.connectedCallback();
  }

  leave() {
    clearInterval(this.#ticking);
    this.#voice?.end();
  }

  draw() {
    // Another tab's answer changes nothing here.
    if (this.body.childElementCount) return;
    this.#role ||= this.view.state.settings.role;
    const asked = new URLSearchParams(location.search).get("bite");
    const bite = this.view.catalog.bites.find(({ slug }) => slug === asked);
    if (this.#session) this.#resume();
    else if (bite) this.#begin([bite], LENGTHS.answer);
    else this.#setUp();
  }

  #setUp() {
    const roles = choice("Role", ROLES, this.#role, (value) => {
      this.#role = value;
    });
    const plans = choice("Time", PLANS, this.#plan, (value) => {
      this.#plan = value;
    });
    this.#show(
      element("div", { className: "study-choices" }, roles, plans),
      element(
        "div",
        { className: "study-next" },
        button("Start", () => this.#start(), "button primary"),
      ),
      element("p", {
        className: "study-why",
        textContent: "The clock starts with the question. Speak as you would in the room; what you type or record stays on this device.",
      }),
    );
  }

  #start() {
    const [many, way] = this.#plan.split(" ");
    const { catalog, state } = this.view;
    this.#begin(
      questionsFor(catalog.bites, state, this.#role, Number(many), Math.random),
      way === "outline" ? LENGTHS.outline : LENGTHS.answer,
    );
  }

  /** @param {CatalogBite[]} bites @param {number} length */
  #begin(bites, length) {
    if (!bites.length) return this.#setUp();
    this.#session = { slugs: bites.map(({ slug }) => slug), length, index: 0, rounds: [], ...fresh() };
    this.#keep();
    this.#ask();
  }

  #resume() {
    const { stage } = this.#its;
    if (stage === "answer") this.#ask();
    else if (stage === "grade") this.#grade();
    else if (stage === "follow") this.#follow();
    else this.#end();
  }

  get #its() {
    return /** @type {Session} */ (this.#session);
  }

  get #bite() {
    const slug = this.#its.slugs[this.#its.index];
    return this.view.catalog.bites.find((bite) => bite.slug === slug);
  }

  get #head() {
    const { index, slugs } = this.#its;
    const bite = this.#bite;
    const place = slugs.length > 1 ? `Question ${index + 1} of ${slugs.length} · ` : "";
    return [
      element("p", { className: "study-why", textContent: `${place}${this.view.catalog.sections[bite?.section ?? ""] ?? ""}` }),
      element("h2", { className: "asked", tabIndex: -1, textContent: bite?.question ?? "" }),
    ];
  }

  #ask() {
    const session = this.#its;
    if (!this.#bite) return this.#skip();
    const said = element("span", { className: "visually-hidden", role: "status" });
    const time = element("p", { className: "study-clock", role: "timer", textContent: clock(session.length) });
    const words = session.length === LENGTHS.outline ? "Your outline" : "Your answer";
    const area = element("textarea", { id: "interview-answer", rows: 6, autocomplete: "off", value: session.answer });
    area.addEventListener("input", () => {
      session.answer = area.value;
      this.#keep();
    });
    this.#show(
      ...this.#head,
      time,
      said,
      ...(this.#voice ? [this.#voice.element] : []),
      element("label", { htmlFor: area.id, textContent: `${words}, in notes if you say it aloud` }),
      area,
      element(
        "div",
        { className: "study-next" },
        button("Reveal and grade", () => this.#reveal(), "button primary"),
        button("End here", () => this.#end()),
      ),
    );
    // From the clock, not by counting: a tab in the background ticks late. Reloaded, it goes on from where it was.
    const tick = () => {
      session.begun = Math.min(session.begun, Date.now()); // a clock that was set back
      const left = session.length - (Date.now() - session.begun) / 1000;
      time.textContent = left > 0 ? clock(Math.ceil(left)) : `Time. ${clock(-left)} over`;
      time.toggleAttribute("data-over", left <= 0);
      if (left <= 0 && !said.textContent) said.textContent = "Time";
    };
    clearInterval(this.#ticking);
    this.#ticking = setInterval(tick, 500);
    tick();
  }

  #reveal() {
    clearInterval(this.#ticking);
    this.#voice?.stop();
    const session = this.#its;
    session.seconds = Math.max(0, Math.round((Date.now() - session.begun) / 1000));
    session.stage = "grade";
    this.#keep();
    this.#grade();
  }

  async #grade() {
    const session = this.#its;
    const bite = this.#bite;
    const page = bite && (await readBite(bite).catch(() => null));
    if (!bite) return this.#skip();
    if (!page) return this.#sayNotHere();
    const { points, flags } = partsOf(page);
    const result = element("p", { className: "study-result", role: "status" });
    const judge = () => {
      const of = resultOf(points, session.hit, session.committed);
      result.textContent = `${RESULTS[of]}: ${sum(points.filter((_, index) => session.hit[index]))} of ${sum(points)} points.`;
      this.#keep();
    };
    const tick = (/** @type {boolean[]} */ marks, /** @type {number} */ index, /** @type {(Node | string)[]} */ ...words) => {
      const box = element("input", { type: "checkbox", checked: Boolean(marks[index]) });
      box.addEventListener("change", () => {
        marks[index] = box.checked;
        judge();
      });
      return element("label", { className: "choice" }, box, ...words);
    };
    this.#show(
      ...this.#head,
      ...(this.#voice ? [this.#voice.element] : []),
      ...(session.answer.trim()
        ? [
            element(
              "details",
              { open: true },
              element("summary", { textContent: `What you wrote, in ${clock(session.seconds)}` }),
              element("p", { className: "study-wrote", textContent: session.answer }),
            ),
          ]
        : []),
      element("details", { open: true }, element("summary", { textContent: "Model answer" }), partOf(page, "model-answer")),
      element(
        "fieldset",
        { className: "study-rubric" },
        element("legend", { textContent: "What did you say?" }),
        ...points.map(({ weight, text }, index) =>
          tick(
            session.hit,
            index,
            element("span", { className: "weight", textContent: String(weight), ariaLabel: counted(weight, "point") }),
            element("span", { textContent: text }),
          ),
        ),
      ),
      element(
        "fieldset",
        { className: "study-rubric" },
        element("legend", { textContent: "Did you say anything like this? Red flags" }),
        ...flags.map((flag, index) => tick(session.committed, index, element("span", { textContent: flag }))),
      ),
      result,
      element(
        "div",
        { className: "study-next" },
        button("Note it, and the follow-ups", () => this.#note(page, bite, points, flags), "button primary"),
      ),
    );
    judge();
  }

  /** @param {Document} page @param {CatalogBite} bite @param {import("../../core/study/interview.js").Point[]} points @param {string[]} flags */
  async #note(page, bite, points, flags) {
    const session = this.#its;
    if (session.stage !== "grade") return; // noted already
    const result = resultOf(points, session.hit, session.committed);
    const hit = points.map((_, index) => Boolean(session.hit[index]));
    const committed = flags.map((_, index) => Boolean(session.committed[index]));
    const followUps = partsOf(page).probes.map((probe) => ({ probe, did: "Not asked" }));
    session.rounds.push({
      ...{ title: bite.title, url: siteUrl(bite.url), question: bite.question, answer: session.answer },
      ...{ points, hit, flags, committed, result, seconds: session.seconds, followUps },
    });
    session.stage = "follow";
    this.#keep();
    await record({
      kind: "aloud",
      bite: bite.slug,
      points: sum(points.filter((_, index) => hit[index])),
      most: sum(points),
      result,
      weak: weakPoints(points, hit).map((text) => text.slice(0, 300)),
      flags: flags.filter((_, index) => committed[index]).map((text) => text.slice(0, 300)),
      mock: session.slugs.length > 1 ? "five" : "",
    });
    this.#follow();
  }

  async #follow() {
    const session = this.#its;
    const bite = this.#bite;
    const page = bite && (await readBite(bite).catch(() => null));
    const round = session.rounds.at(-1);
    if (!page || !round?.followUps.length) return this.#next();
    const folds = [...page.querySelectorAll("#follow-ups details.follow-up")].slice(0, round.followUps.length).map((fold, index) => {
      const own = /** @type {HTMLDetailsElement} */ (document.importNode(fold, true));
      own.removeAttribute("id");
      own.querySelector(".copy-link")?.remove();
      const did = element("span", { role: "status" });
      const mark = (/** @type {string} */ words) =>
        button(words, () => {
          round.followUps[index].did = words;
          did.textContent = `Noted: ${words}.`;
          this.#keep();
        });
      own.append(element("div", { className: "study-grades" }, mark("I had it"), mark("Partly"), mark("No"), did));
      return own;
    });
    const last = session.index + 1 >= session.slugs.length;
    this.#show(
      ...this.#head,
      element("p", { textContent: `${RESULTS[round.result]}. It comes back in your reviews. Now answer these aloud, then open each.` }),
      ...folds,
      element(
        "div",
        { className: "study-next" },
        button(last ? "Finish" : "Next question", () => this.#next(), "button primary"),
      ),
    );
  }

  #next() {
    this.#voice?.end();
    const session = this.#its;
    if (session.index + 1 >= session.slugs.length) return this.#end();
    Object.assign(session, fresh());
    session.index += 1;
    this.#keep();
    this.#ask();
  }

  /** The site has no such bite any more. */
  #skip() {
    const session = this.#its;
    session.slugs.splice(session.index, 1);
    if (session.index >= session.slugs.length) return this.#end();
    Object.assign(session, fresh());
    this.#keep();
    this.#ask();
  }

  #sayNotHere() {
    this.#show(
      ...this.#head,
      element("p", { textContent: "This bite is not on this device, and cannot be fetched now. What you wrote is kept." }),
      element(
        "div",
        { className: "study-next" },
        button("Try again", () => this.#grade(), "button primary"),
        button("Next question", () => this.#next()),
      ),
    );
  }

  #end() {
    clearInterval(this.#ticking);
    this.#voice?.end();
    const session = this.#its;
    session.stage = "end";
    this.#keep();
    const { rounds } = session;
    if (!rounds.length) return this.#over();
    const text = debrief(rounds, this.view.today);
    const said = element("span", { role: "status" });
    const copy = button("Copy as Markdown", async () => {
      const copied = await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      );
      said.textContent = copied ? "Copied." : "The browser did not allow it: select the text and copy it.";
    });
    this.#show(
      element("h2", { tabIndex: -1, textContent: rounds.length > 1 ? "Debrief" : "How it went" }),
      element("p", { textContent: `${dateWords(this.view.today)}: ${tally(rounds)} Each question comes back in your reviews.` }),
      element("ol", { className: "study-debrief" }, ...rounds.map((round) => this.#roundSummary(round))),
      element("details", {}, element("summary", { textContent: "As Markdown" }), element("pre", { tabIndex: 0, textContent: text })),
      element(
        "div",
        { className: "study-next" },
        button("Another one", () => this.#over(), "button primary"),
        copy,
        button("Print", () => print()),
        link(studyUrl("review"), "Go to your reviews", "button"),
        said,
      ),
    );
  }

  /** @param {Round} round */
  #roundSummary({ title, url, question, answer, points, hit, flags, committed, result, seconds, followUps }) {
    const weak = weakPoints(points, hit);
    const made = flags.filter((_, index) => committed[index]);
    const list = (/** @type {string} */ words, /** @type {string[]} */ texts) =>
      texts.length
        ? [element("h4", { textContent: words }), element("ul", {}, ...texts.map((text) => element("li", { textContent: text })))]
        : [];
    const score = `${sum(points.filter((_, index) => hit[index]))} of ${sum(points)} points in ${clock(seconds)}`;
    const wrote = element(
      "details",
      {},
      element("summary", { textContent: "What you wrote" }),
      element("p", { className: "study-wrote", textContent: answer }),
    );
    return element(
      "li",
      {},
      element("h3", {}, link(url, title)),
      element("p", {}, element("strong", { className: `study-${result}`, textContent: RESULTS[result] }), `: ${score}`),
      element("p", { className: "study-why", textContent: question }),
      ...list("Not said", weak),
      ...list("Red flags said", made),
      ...list(
        "Follow-ups",
        followUps.map(({ probe, did }) => `${did}: ${probe}`),
      ),
      ...(answer.trim() ? [wrote] : []),
    );
  }

  #over() {
    this.#session = null;
    this.#keep();
    if (location.search) history.replaceState(history.state, "", location.pathname);
    this.#setUp();
  }

  /** Through a reload and an update of the site; gone with the tab. */
  #keep() {
    try {
      if (this.#session) sessionStorage.setItem(INTERVIEW, JSON.stringify(this.#session));
      else sessionStorage.removeItem(INTERVIEW);
    } catch {
      // Blocked: it lasts as long as the page.
    }
  }

  /** @param {HTMLElement[]} parts */
  #show(...parts) {
    const isFirst = this.body.childElementCount === 0;
    this.body.replaceChildren(element("article", { className: "study-item" }, ...parts));
    if (isFirst) return;
    /** @type {HTMLElement | null} */ (this.body.querySelector("h2"))?.focus({ preventScroll: true });
    this.body.scrollIntoView({ block: "start" });
  }
}

/** @returns {Pick<Session, "begun" | "answer" | "seconds" | "stage" | "hit" | "committed">} */
const fresh = () => ({ begun: Date.now(), answer: "", seconds: 0, stage: "answer", hit: [], committed: [] });

/** @returns {Session | null} */
const readSession = () => {
  try {
    const session = JSON.parse(sessionStorage.getItem(INTERVIEW) ?? "null");
    return session && Array.isArray(session.slugs) && Array.isArray(session.rounds) && session.slugs.length ? session : null;
  } catch {
    return null;
  }
};

const FOLLOW_UPS = 3;

/** @param {Document} page */
const partsOf = (page) => {
  const textOf = (/** @type {Element | null | undefined} */ part) => (part?.textContent ?? "").trim().replace(/\s+/g, " ");
  return {
    points: [...page.querySelectorAll("#what-it-tests .rubric li")].map((item) => ({
      weight: Number(textOf(item.querySelector(".weight"))),
      text: textOf(item.querySelector(".weight + span")),
    })),
    flags: [...page.querySelectorAll("#red-flags .red-flag blockquote")].map(textOf),
    probes: [...page.querySelectorAll("#follow-ups .follow-up summary")].slice(0, FOLLOW_UPS).map(textOf),
  };
};

customElements.define("study-interview", StudyInterview);
