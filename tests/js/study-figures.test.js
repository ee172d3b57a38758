import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, weekday } from "../../web/core/study/dates.js";
import { calibration, closeness, forecast, heatMap, knownBy, leeches, weakest } from "../../web/core/study/figures.js";
import { debrief, questionsFor, resultOf, weakPoints } from "../../web/core/study/interview.js";
import { queueFor } from "../../web/core/study/queue.js";
import { chanceOn, dueOf } from "../../web/core/study/schedule.js";
import { stateOf } from "../../web/core/study/state.js";
import { answer, moment, randomFrom } from "./study/make.mjs";

/** @param {string} slug @param {string} section @param {string[]} prereqs @returns {any} */
const bite = (slug, section, prereqs = []) => ({
  slug,
  title: slug,
  question: `${slug}?`,
  kind: "question",
  level: "beginner",
  section,
  roles: section === "mem" ? ["kernel"] : ["all"],
  prereqs,
  url: `b/${slug}/`,
  minutes: 3,
  questions: [1, 2].map((number) => ({ id: `q-${slug}-${number}`, kind: "one", text: `${slug} ${number}` })),
});
const catalog = [bite("warps", "hw"), bite("coalescing", "mem", ["warps"]), bite("tiling", "mem", ["coalescing"])];
const noon = (/** @type {string} */ day) => moment(`${day}T12:00+00:00`, "UTC");
let made = 0;
/** @param {string} slug @param {number} number @param {string} day @param {boolean} right */
const did = (slug, number, day, right) =>
  answer(`made-${made++}`, noon(day), { question: `q-${slug}-${number}`, bite: slug, right, device: `phone ${made}`, seq: 0 });
const today = "2026-03-02";
const stateNow = (/** @type {any[]} */ events) => stateOf(events, noon(today));

test("what was missed is asked first, then what is due in the order in which it fades, and nothing else", () => {
  const events = [did("warps", 1, "2026-02-01", true), did("warps", 2, "2026-03-01", true), did("coalescing", 1, "2026-02-28", false)];
  const state = stateNow(events);
  const due = queueFor(catalog, state, today, "due", "");
  for (const { card } of due) assert.ok(card && dueOf(card, 0.9) <= today);
  assert.deepEqual(
    due.map(({ key }) => key),
    ["q-coalescing-1", "q-warps-1"],
  );
  assert.deepEqual(
    queueFor(catalog, state, today, "due", "mem").map(({ key }) => key),
    ["q-coalescing-1"],
  );
  assert.deepEqual(
    queueFor(catalog, state, today, "missed", "").map(({ key }) => key),
    ["q-coalescing-1"],
  );
  assert.equal(queueFor(catalog, state, today, "all", "mem").length, 4, "quizzes only, by topic, met or not");
});

test("what was answered aloud comes back with its weak points", () => {
  const aloud = {
    id: "made-aloud",
    ...noon("2026-02-28"),
    kind: "aloud",
    bite: "warps",
    points: 1,
    most: 9,
    result: "miss",
    weak: ["the unit"],
    flags: [],
    mock: "",
  };
  const [due] = queueFor(catalog, stateNow([aloud]), today, "due", "");
  assert.deepEqual([due.key, due.question, due.weak], ["aloud:warps", "", ["the unit"]]);
});

test("the forecast counts every card once, and what is overdue today", () => {
  const events = catalog.flatMap(({ slug }, index) => [did(slug, 1, addDays("2026-01-01", index), true), did(slug, 2, "2026-03-01", true)]);
  const state = stateNow(events);
  const days = forecast(catalog, state, today, 400);
  assert.equal(
    days.reduce((sum, { due }) => sum + due, 0),
    state.cards.size,
  );
  assert.equal(days[0].due, [...state.cards.values()].filter((card) => dueOf(card, 0.9) <= today).length);
  assert.equal(days[0].day, today);
});

test("a question that the site no longer has is kept in the state and shown nowhere", () => {
  const state = stateNow([did("gone", 1, "2026-01-01", false)]);
  assert.equal(state.cards.size, 1);
  assert.equal(forecast(catalog, state, today, 7)[0].due, 0);
  assert.deepEqual(queueFor(catalog, state, today, "missed", ""), []);
});

test("weeks begin on Monday and end today", () => {
  const weeks = heatMap(stateNow([did("warps", 1, today, true)]), today, 4);
  assert.deepEqual(
    weeks.map((days) => days.length),
    [7, 7, 7, weekday(today) + 1],
  );
  assert.equal(weekday(weeks[0][0].day), 0);
  assert.equal(weeks.at(-1)?.at(-1)?.answers, 1);
});

test("what is known is never more than what was met, and less as time goes by", () => {
  const events = [did("warps", 1, "2026-02-28", true), did("warps", 2, "2026-02-28", false)];
  const [now] = knownBy(catalog, stateNow(events), today, [["hw", "Hardware"]], ({ section }, id) => section === id);
  const [later] = knownBy(catalog, stateNow(events), "2026-06-01", [["hw", "Hardware"]], ({ section }, id) => section === id);
  assert.deepEqual([now.questions, now.met], [2, 2]);
  assert.ok(now.known > later.known && now.known <= now.met && later.known > 0);
  const [missedNow] = knownBy(
    catalog,
    stateNow([did("warps", 1, today, false)]),
    today,
    [["hw", "Hardware"]],
    ({ section }, id) => section === id,
  );
  assert.equal(missedNow.known, 0, "what was just missed is not known");
  const right = ["2025-01-01", "2025-02-01", "2025-06-01"].map((day) => did("warps", 1, day, true));
  const lapsed = stateNow([...right, did("warps", 1, addDays(today, -1), false)]);
  assert.equal(knownBy(catalog, lapsed, today, [["hw", "Hardware"]], () => true)[0].known, 0, "nor is it a day later");
});

test("a reader who forgets as the model says is foretold well", () => {
  const random = randomFrom(21);
  const events = [];
  for (let question = 0; question < 300; question++) {
    let day = "2025-01-01";
    for (let turn = 0; turn < 8; turn++) {
      const card = stateOf(
        events.filter((event) => event.question === `q-x-${question}`),
        noon(day),
      ).cards.get(`q-x-${question}`);
      const last = card && chanceOn(card, day);
      events.push(
        answer(`cal-${question}-${turn}`, noon(day), {
          question: `q-x-${question}`,
          bite: "x",
          device: `q-${question}`,
          seq: turn,
          right: last === undefined || random() < last,
        }),
      );
      day = addDays(day, 1 + Math.floor(random() * 30));
    }
  }
  const bins = calibration(stateOf(events, noon("2026-12-31"))).filter(({ reviews }) => reviews >= 100);
  assert.ok(bins.length >= 3, JSON.stringify(bins));
  for (const { predicted, right, from, to } of bins) {
    assert.ok(predicted >= from && predicted <= to);
    assert.ok(Math.abs(predicted - right) < 0.12, `${predicted} against ${right}`);
  }
});

test("what is missed points at what it builds on", () => {
  const events = [1, 4, 7, 10, 13].map((day) => did("coalescing", 1, addDays("2026-02-01", day), false));
  const state = stateNow([...events, did("tiling", 1, "2026-02-20", true)]);
  assert.deepEqual(
    weakest(catalog, state, today).map(({ bite, missed, answers }) => [bite.slug, missed, answers]),
    [["warps", 5, 5]],
  );
  const [leech] = leeches(catalog, state);
  assert.deepEqual([leech.bite.slug, leech.revisit.slug, leech.lapses], ["coalescing", "warps", 4]);
});

// --- the interview ---------------------------------------------------------------------------------------------------

const points = [3, 3, 2, 2].map((weight, index) => ({ weight, text: `point ${index}` }));

test("points and red flags make the result", () => {
  assert.equal(resultOf(points, [true, true, true, false], [false]), "strong");
  assert.equal(resultOf(points, [true, true, true, false], [true, false]), "adequate");
  assert.equal(resultOf(points, [true, true, true, true], [true, true]), "miss", "two red flags sink any answer");
  assert.equal(resultOf(points, [true, false, true, false], []), "adequate");
  assert.equal(resultOf(points, [true, false, false, false], []), "miss");
  assert.equal(resultOf([], [], []), "miss");
  assert.deepEqual(weakPoints(points, [false, true, false, true]), ["point 0", "point 2"]);
});

test("a mock asks different bites of the role, what was missed first", () => {
  const many = ["hw", "mem", "perf", "mem", "hw", "mem", "perf", "hw"].map((section, index) => bite(`b${index}`, section));
  const missed = {
    id: "made-missed",
    ...noon("2026-02-28"),
    kind: "aloud",
    bite: "b5",
    points: 0,
    most: 9,
    result: "miss",
    weak: [],
    flags: [],
    mock: "",
  };
  for (let seed = 0; seed < 50; seed++) {
    const asked = questionsFor(many, stateNow([missed]), "kernel", 5, randomFrom(seed));
    assert.equal(new Set(asked).size, 5);
    assert.equal(asked[0].slug, "b5");
    assert.ok(
      asked.every((one, index) => index === 0 || one.section !== asked[index - 1].section),
      "no two of a section in a row",
    );
  }
  assert.ok(questionsFor(many, stateNow([]), "graphics", 8, Math.random).every(({ roles }) => roles.includes("all")));
  assert.equal(questionsFor(many, stateNow([]), "all", 99, Math.random).length, many.length);
});

test("a debrief says what was strong and what was missing, and text stays text", () => {
  const text = debrief(
    [
      {
        ...{ title: "Warps", url: "https://example.org/b/warps/", question: "What is a *warp*?", answer: "32 <lanes>\n# not a heading" },
        ...{ points, hit: [true, true, false, false], flags: ["It is a block."], committed: [true], result: "adequate", seconds: 95 },
        followUps: [{ probe: "And on AMD?", did: "partly" }],
      },
    ],
    today,
  );
  assert.match(text, /^# Interview question, 2026-03-02\n\n0 strong, 1 adequate, 0 missed\.\n/);
  assert.match(text, /## 1\. Warps: adequate\n\nWhat is a \\\*warp\\\*\? <https:\/\/example\.org\/b\/warps\/>\n\n6 of 10 points in 1:35\./);
  assert.match(text, /- \[x\] \(3\) point 0\n.*\n- \[ \] \(2\) point 2/s);
  assert.match(text, /Red flags:\n\n- It is a block\./);
  assert.match(text, /- And on AMD\?: partly/);
  assert.match(text, /> 32 \\<lanes>\n> # not a heading/);
  assert.equal(text.match(/^#/gm)?.length, 2);
});

test("guesses are counted by how close they came, each once", () => {
  const guess = (/** @type {number} */ factor) => ({ lab: "a", ask: "?", guess: 1, result: 1, factor, updated: 1 });
  const counts = closeness([1, 1, 1.25, 1.3, 2, 2.1, 0].map(guess)).map(({ guesses }) => guesses);
  assert.deepEqual(counts, [2, 1, 2, 2]);
});
