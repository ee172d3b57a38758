import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { addDays, dayAt, MS_PER_DAY } from "../../web/core/study/dates.js";
import { asEvent, merged, wrongWith } from "../../web/core/study/event.js";
import { byNeed, chanceOn, dueOf, isLeech, LEECH_LAPSES, RETENTIONS } from "../../web/core/study/schedule.js";
import { aloudKey, stateOf } from "../../web/core/study/state.js";
import { asFile, changeBy, FileProblem, readFile } from "../../web/core/study/transfer.js";
import { answer, moment, pick, randomFrom, shuffled } from "./study/make.mjs";

const noon = (/** @type {string} */ day) => moment(`${day}T12:00+00:00`, "UTC");

/** What two devices wrote in some months: every kind of event. @param {() => number} random @param {number} many */
const log = (random, many) => {
  /** @type {any[]} */
  const events = [];
  for (const device of ["phone", "laptop"]) {
    let at = Date.UTC(2026, 0, 1);
    for (let seq = 0; seq < many; seq++) {
      at += Math.floor(random() ** 3 * 4 * MS_PER_DAY);
      const head = { id: `${device}-${seq}`, device, seq, at, day: dayAt(at, 60), zone: "Europe/Berlin", offset: 60 };
      const bite = pick(random, ["one", "two", "three"]);
      const of = events.length ? pick(random, events).id : "none";
      events.push(
        pick(random, [
          { ...head, kind: "answer", question: `q-${bite}`, bite, right: random() < 0.7, where: "bite" },
          { ...head, kind: "answer", question: `q-${bite}-more`, bite, right: random() < 0.7, where: "today" },
          {
            ...head,
            kind: "aloud",
            bite,
            points: 3,
            most: 9,
            result: pick(random, ["miss", "adequate", "strong"]),
            weak: ["x"],
            flags: [],
            mock: "",
          },
          { ...head, kind: "undo", of },
          { ...head, kind: "grade", of, grade: pick(random, [1, 2, 3, 4]) },
          { ...head, kind: "set", name: "retention", value: pick(random, [0.8, 0.9]) },
        ]),
      );
    }
  }
  return events;
};

/** Everything a state says, as a short text to compare. @param {any[]} events */
const said = (events) => {
  const state = stateOf(events, noon("2027-01-01"));
  const text = JSON.stringify({
    ...state,
    answers: state.answers.map(asEvent),
    aloud: state.aloud.map(asEvent),
    cards: [...state.cards].sort(),
    bites: [...state.bites].sort(),
    perDay: [...state.perDay].sort(),
  });
  return createHash("sha256").update(text).digest("hex");
};

test("merged in any order, and more than once, the state is the same", () => {
  const random = randomFrom(5);
  for (let round = 0; round < 300; round++) {
    const events = log(random, 25);
    for (const event of events) assert.equal(wrongWith(event), "");
    const expected = said(events);
    const parts = [[], [], []];
    for (const event of shuffled(random, events)) for (const part of parts) if (random() < 0.5) part.push(event);
    assert.equal(said(merged(...shuffled(random, [...parts, events]))), expected);
    const [a, b] = [merged(parts[0], parts[1]), merged(parts[1], parts[0])];
    assert.equal(said(a), said(b));
    assert.equal(said(merged(merged(parts[0], parts[1]), parts[2])), said(merged(parts[0], merged(parts[1], parts[2]))));
  }
});

test("two events with one id are the same choice on both sides", () => {
  const [one, other] = [answer("same", noon("2026-01-01")), answer("same", noon("2026-01-02"))];
  assert.deepEqual(merged([one], [other]), merged([other], [one]));
});

test("the first answer of a day counts, what is tried again is practice", () => {
  const wrong = answer("aaa", moment("2026-01-01T10:00+00:00"), { right: false });
  const again = answer("bbb", moment("2026-01-01T10:01+00:00"));
  const state = stateOf([wrong, again], noon("2026-01-01"));
  assert.equal(state.cards.get("q-one")?.reviews.length, 1);
  assert.equal(state.cards.get("q-one")?.reviews[0].grade, 1);
  assert.equal(dueOf(/** @type {any} */ (state.cards.get("q-one")), 0.9), "2026-01-02", "what was missed is met again tomorrow");
  assert.equal(state.answers.length, 2);
});

test("what was known for long and is missed is met again tomorrow too, before what is only due", () => {
  const right = ["2025-01-01", "2025-02-01", "2025-06-01"].map((day) => answer(`a${day}`, noon(day)));
  const missed = answer("missed", noon("2026-01-01"), { right: false });
  const other = answer("other", noon("2025-12-01"), { question: "q-two" });
  const { cards } = stateOf([...right, missed, other], noon("2026-01-02"));
  const card = /** @type {any} */ (cards.get("q-one"));
  for (const retention of RETENTIONS) assert.equal(dueOf(card, retention), "2026-01-02", `${retention}`);
  const asked = [...cards].map(([id, card]) => ({ id, card, chance: chanceOn(card, "2026-01-02") })).sort(byNeed);
  assert.deepEqual(
    asked.map(({ id }) => id),
    ["q-one", "q-two"],
  );
  const back = stateOf([...right, missed, other, answer("back", noon("2026-01-02"))], noon("2026-01-02")).cards.get("q-one");
  assert.ok(
    dueOf(/** @type {any} */ (back), 0.9) > "2026-01-04",
    "once right again, what was known for long lasts longer than what is new",
  );
});

test("answers that could not be stored have no numbers, and stand where their clock says", () => {
  const events = Array.from({ length: 12 }, (_, index) =>
    answer(`visit-${index}`, moment(`2026-01-01T08:${10 + index}+00:00`), { question: `q-${index}` }),
  );
  const byId = [...events].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { streak, perDay } = stateOf(byId, noon("2026-01-01"));
  assert.deepEqual([streak.length, [...perDay]], [1, [["2026-01-01", 12]]]);
});

test("an undone answer never was, and the next one of the day counts in its place", () => {
  const wrong = answer("aaa", moment("2026-01-01T10:00+00:00"), { right: false });
  const undo = { id: "ccc", ...moment("2026-01-01T10:00+00:00"), kind: "undo", of: "aaa" };
  assert.equal(stateOf([wrong, /** @type {any} */ (undo)], noon("2026-01-01")).cards.size, 0);
  const right = answer("ddd", moment("2026-01-01T10:02+00:00"));
  assert.equal(stateOf([wrong, /** @type {any} */ (undo), right], noon("2026-01-01")).cards.get("q-one")?.reviews[0].grade, 3);
});

test("the reader's own grade goes before that of the answer", () => {
  const right = answer("aaa", moment("2026-01-01T10:00+00:00"));
  const guessed = { id: "ccc", ...moment("2026-01-01T10:01+00:00"), kind: "grade", of: "aaa", grade: 2 };
  assert.equal(stateOf([/** @type {any} */ (guessed), right], noon("2026-01-01")).cards.get("q-one")?.reviews[0].grade, 2);
});

test("an answer aloud has a card of its own", () => {
  const aloud = {
    id: "aaa",
    ...noon("2026-01-01"),
    kind: "aloud",
    bite: "one",
    points: 1,
    most: 9,
    result: "miss",
    weak: ["the unit"],
    flags: [],
    mock: "",
  };
  const state = stateOf([/** @type {any} */ (aloud)], noon("2026-01-01"));
  assert.equal(state.cards.get(aloudKey("one"))?.reviews[0].grade, 1);
  assert.deepEqual(state.aloud[0].weak, ["the unit"]);
});

test("what is forgotten again and again is a leech", () => {
  const days = Array.from({ length: LEECH_LAPSES + 1 }, (_, index) => addDays("2026-01-01", index * 3));
  const events = days.map((day, index) => answer(`a${index}a`, noon(day), { right: false }));
  const card = stateOf(events, noon("2027-01-01")).cards.get("q-one");
  assert.ok(card && isLeech(card));
  assert.ok(!isLeech(/** @type {any} */ (stateOf(events.slice(1), noon("2027-01-01")).cards.get("q-one"))));
});

test("a damaged event is named, and one of a later kind is not damaged", () => {
  const good = answer("aaa", noon("2026-01-01"));
  assert.equal(wrongWith(good), "");
  for (const [name, value] of Object.entries({
    id: "",
    at: "now",
    day: "2026-02-30",
    zone: 3,
    offset: 9999,
    question: "",
    right: 1,
    bite: null,
  })) {
    assert.match(wrongWith({ ...good, [name]: value }), new RegExp(name));
  }
  assert.match(wrongWith({ ...good, day: "2199-01-01" }), /not the day/, "a date of its own would never come");
  for (const value of [null, 7, "text", [], [good]]) assert.equal(wrongWith(value), "it is no record");
  assert.equal(wrongWith({ ...good, kind: "hologram" }), "unknown kind");
  assert.equal(wrongWith({ ...good, kind: "constructor" }), "unknown kind");
});

test("a year of study is folded, exported and taken in", () => {
  const random = randomFrom(9);
  const events = [];
  for (let day = 0; day < 365; day++) {
    for (let seq = 0; seq < 20; seq++) {
      const bite = `bite-${Math.floor(random() ** 2 * 140)}`;
      const question = `q-${bite}-${Math.floor(random() * 5)}`;
      const at = Date.UTC(2026, 0, 1 + day, 8, seq);
      events.push(
        answer(
          `phone-${day * 20 + seq}`,
          { at, day: dayAt(at, 0), zone: "UTC", offset: 0 },
          { device: "phone", seq: day * 20 + seq, bite, question, right: random() < 0.8 },
        ),
      );
    }
  }
  const state = stateOf(events, noon("2026-12-31"));
  assert.equal(state.streak.length, 365);
  assert.equal(state.answers.length, 7300);
  assert.ok(state.cards.size > 500);
  for (const card of state.cards.values()) assert.ok(dueOf(card, 0.9) > card.last);
  const progress = { events, worksheet: [], ticks: [], guesses: [] };
  const read = readFile(asFile(progress, "2026-12-31"));
  assert.equal(said(read.events), said(events));
});

// --- files -----------------------------------------------------------------------------------------------------------

const ours = {
  events: [answer("aaa", noon("2026-01-01")), answer("bbb", noon("2026-01-02"))],
  worksheet: [{ bite: "story", step: "one", name: "One", text: "mine", updated: 5, base: 0 }],
  ticks: [{ bite: "story", point: "says it", ticked: true, updated: 5 }],
  guesses: [{ lab: "snippet-a_lab", ask: "How many?", guess: 12, result: 8, factor: 1.5, updated: 5 }],
};

test("a file holds everything, and taking it in twice adds nothing", () => {
  const read = readFile(asFile(ours, "2026-01-02"));
  assert.deepEqual(read, { ...ours, events: ours.events.map(asEvent) });
  const sizes = (/** @type {any} */ change) => ["events", "worksheet", "ticks", "guesses"].map((name) => change[name].length);
  const fresh = changeBy({ events: [], worksheet: [], ticks: [], guesses: [] }, read);
  assert.deepEqual([sizes(fresh), fresh.known], [[2, 1, 1, 1], 0]);
  const again = changeBy(ours, read);
  assert.deepEqual([sizes(again), again.known], [[0, 0, 0, 0], 2]);
});

test("a file of an edition that knew no guesses is whole", () => {
  const { guesses, ...file } = JSON.parse(asFile(ours, "2026-01-02"));
  assert.equal(guesses.length, 1);
  assert.deepEqual(readFile(JSON.stringify(file)).guesses, []);
});

test("the newer text wins, and what it stands in for is kept for undoing", () => {
  const [text] = ours.worksheet;
  const theirs = { ...ours, worksheet: [{ ...text, text: "newer", updated: 6 }] };
  const change = changeBy(ours, theirs);
  assert.equal(change.worksheet[0].text, "newer");
  assert.deepEqual(change.replaced.worksheet, [text]);
  assert.deepEqual(changeBy(theirs, ours).worksheet, [], "an older one changes nothing");
});

test("a file that cannot be taken in says why", () => {
  const whole = asFile(ours, "2026-01-02");
  const file = JSON.parse(whole);
  /** @type {[string, RegExp][]} */
  const cases = [
    ["", /is empty/],
    ["<html>", /not JSON/],
    [whole.slice(0, whole.length / 2), /cut short/],
    ["[]", /no progress of GPU Bites/],
    ["null", /no progress of GPU Bites/],
    ['{"format":"anki","version":1}', /no progress of GPU Bites/],
    [JSON.stringify({ ...file, version: 2 }), /newer edition/],
    [JSON.stringify({ ...file, version: "1" }), /which version/],
    [JSON.stringify({ ...file, events: {} }), /`events` is no list/],
    [JSON.stringify({ ...file, events: [...file.events, { id: "x" }] }), /event 3 of 3/],
    [JSON.stringify({ ...file, events: [{ ...file.events[0], day: "yesterday" }] }), /`day`/],
    [JSON.stringify({ ...file, events: [{ ...file.events[0], kind: "hologram" }] }), /unknown kind/],
    [JSON.stringify({ ...file, worksheet: [{ bite: "x" }] }), /worksheet/],
    [JSON.stringify({ ...file, ticks: [7] }), /worksheet/],
    [JSON.stringify({ ...file, guesses: [{ ...file.guesses[0], factor: "far" }] }), /a guess/],
  ];
  for (const [text, why] of cases) {
    assert.throws(
      () => readFile(text),
      (problem) => problem instanceof FileProblem && why.test(problem.message),
      text.slice(0, 60),
    );
  }
});

test("whatever is cut off or changed in a file, it is taken whole or refused with words", () => {
  const random = randomFrom(13);
  const whole = asFile({ ...ours, events: log(random, 5) }, "2026-01-02");
  for (let round = 0; round < 3000; round++) {
    const at = Math.floor(random() * whole.length);
    const text = pick(random, [
      whole.slice(0, at),
      whole.slice(0, at) + pick(random, [...'{}[],:"0x\u0000']) + whole.slice(at + 1),
      whole.slice(at),
    ]);
    try {
      for (const event of readFile(text).events) assert.equal(wrongWith(event), "");
    } catch (problem) {
      assert.ok(problem instanceof FileProblem, `${problem}`);
      assert.ok(problem.message.length > 20);
    }
  }
});

test("nothing but an event's own fields comes in with a file", () => {
  const file = JSON.parse(asFile(ours, "2026-01-02"));
  file.events[0].extra = "x".repeat(1000);
  const text = JSON.stringify(file).replace('"extra"', '"__proto__":{"polluted":true},"extra"');
  assert.equal(/** @type {any} */ (readFile(text).events[0]).polluted, undefined);
  assert.deepEqual(Object.keys(readFile(text).events[0]).sort(), Object.keys(ours.events[0]).sort());
});
