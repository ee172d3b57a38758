import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays } from "../../web/core/study/dates.js";
import { dueOf } from "../../web/core/study/schedule.js";
import { stateOf } from "../../web/core/study/state.js";
import { FIVE, picksFor, withDone } from "../../web/core/study/today.js";
import { answer, moment, randomFrom } from "./study/make.mjs";

/** A library of seven fields, each a ladder of bites. @returns {any[]} */
const catalog = ["hw", "mem", "perf", "kern", "train", "serve", "gfx"].flatMap((section, field) =>
  Array.from({ length: 6 }, (_, step) => ({
    slug: `${section}-${step}`,
    title: `${section} ${step}`,
    question: "?",
    kind: step === 5 ? "story" : "question",
    level: ["beginner", "beginner", "intermediate", "intermediate", "advanced", "advanced"][step],
    section,
    roles: field < 2 ? ["all"] : [["kernel"], ["training"], ["inference"]][field % 3],
    prereqs: step ? [`${section}-${step - 1}`] : [],
    aliases: [],
    url: `b/${section}-${step}/`,
    minutes: 3,
    questions: [1, 2, 3].map((number) => ({ id: `q-${section}-${step}-${number}`, kind: "one", text: "?" })),
  })),
);
const noon = (/** @type {string} */ day) => moment(`${day}T12:00+00:00`, "UTC");
const slugs = (/** @type {any[]} */ picks) => picks.map(({ bite }) => bite.slug);

test("without a history everybody gets the same five, from several fields, and another five tomorrow", () => {
  const seen = new Set();
  for (let day = 0; day < 60; day++) {
    const date = addDays("2026-11-30", day);
    const picks = picksFor(catalog, stateOf([], noon(date)), date);
    assert.deepEqual(slugs(picks), slugs(picksFor([...catalog].reverse().reverse(), stateOf([], noon(date)), date)));
    assert.equal(new Set(slugs(picks)).size, FIVE);
    assert.ok(new Set(picks.map(({ bite }) => bite.section)).size >= 4);
    assert.ok(
      picks.every(({ bite }) => bite.prereqs.every((/** @type {string} */ slug) => slugs(picks).includes(slug))),
      "nothing that builds on what was not read",
    );
    seen.add(slugs(picks)[0]);
  }
  assert.ok(seen.size >= 5, "the bite of the day changes");
});

/** The reader does what is picked, day by day. @param {number} days @param {(question: string, day: string) => boolean} knows @param {any[]} [events] */
const study = (days, knows, events = []) => {
  const lists = [];
  for (let number = 0; number < days; number++) {
    const day = addDays("2026-01-01", number);
    const morning = stateOf(events, noon(day));
    const picks = picksFor(catalog, morning, day);
    lists.push({ day, morning, picks });
    for (const [index, { bite, question }] of picks.entries()) {
      const when = { ...noon(day), at: noon(day).at + index };
      events.push(
        answer(`day-${number}-${index}`, when, {
          device: "phone",
          seq: events.length,
          question,
          bite: bite.slug,
          right: knows(question, day),
          where: "today",
        }),
      );
    }
  }
  return { events, lists };
};

test("a year: always five different bites, new ones only on what was met before, what is due first and soon", () => {
  const random = randomFrom(4);
  const { events, lists } = study(365, () => random() < 0.85);
  for (const { morning, picks, day } of lists) {
    assert.equal(picks.length, FIVE, day);
    assert.equal(new Set(slugs(picks)).size, FIVE, day);
    for (const { bite, why } of picks.filter(({ why }) => why === "new" || why === "other")) {
      assert.ok(!morning.bites.has(bite.slug));
      assert.ok(
        bite.prereqs.every((/** @type {string} */ slug) => morning.bites.has(slug) || slugs(picks).includes(slug)),
        `${day} ${bite.slug} ${why}`,
      );
    }
    const due = picks.findLastIndex(({ why }) => why === "due");
    assert.ok(
      picks.slice(0, due + 1).every(({ why }) => why === "due"),
      "due first",
    );
  }
  assert.ok(new Set(slugs(lists.flatMap(({ picks }) => picks))).size === catalog.length, "everything was met in a year");
  assert.equal(stateOf(events, noon("2026-12-31")).streak.length, 365);
});

test("what was missed comes back the day after", () => {
  const [{ picks }] = study(1, () => true).lists;
  const missed = picks[2].question;
  const { lists } = study(2, (question) => question !== missed);
  assert.equal(lists[1].picks[0].question, missed);
  assert.equal(lists[1].picks[0].why, "due");
});

test("role and level choose the new bites, and what those build on", () => {
  const settings = [
    { id: "set-role", ...noon("2026-01-01"), kind: "set", name: "role", value: "training" },
    { id: "set-level", ...noon("2026-01-01"), kind: "set", name: "level", value: "intermediate" },
  ];
  const { lists } = study(20, () => true, settings);
  for (const { picks } of lists) {
    for (const { bite } of picks.filter(({ why }) => why === "new")) {
      assert.ok(bite.roles.includes("all") || bite.roles.includes("training"), bite.slug);
      assert.notEqual(bite.level, "advanced");
    }
  }
  assert.ok(
    lists.flatMap(({ picks }) => picks).some(({ why }) => why === "other"),
    "one from another field",
  );
});

test("the list stays as it was in the morning, and what was done stays in it", () => {
  const day = "2026-01-05";
  const { events } = study(4, () => true);
  const morning = stateOf(events, noon(day));
  const picks = picksFor(catalog, morning, day);
  const done = picks.slice(0, 2).map(({ bite, question }) => ({ bite: bite.slug, question }));
  const list = withDone(picks, done, catalog);
  assert.deepEqual(
    list.map(({ pick }) => pick.bite.slug),
    slugs(picks),
  );
  assert.deepEqual(
    list.map(({ done }) => done),
    [true, true, false, false, false],
  );
  // Another role since: what was done under the old one still counts, and five are five.
  const others = picksFor(catalog, { ...morning, settings: { ...morning.settings, role: "inference", level: "advanced" } }, day);
  const mixed = withDone(others, [...done, { bite: "gfx-0", question: "q-gfx-0-1" }], catalog);
  assert.equal(mixed.length, FIVE);
  assert.equal(mixed.filter(({ done }) => done).length, 3);
});

test("what is due is what the schedule says", () => {
  const { events } = study(30, (question) => !question.endsWith("-0-1"));
  const state = stateOf(events, noon("2026-01-31"));
  const picks = picksFor(catalog, state, "2026-01-31");
  for (const { question, why } of picks) {
    const card = state.cards.get(question);
    if (why === "due") assert.ok(card && dueOf(card, 0.9) <= "2026-01-31");
  }
});

test("a small library, an empty one, and one without questions still give a list", () => {
  const state = stateOf([], noon("2026-01-01"));
  assert.deepEqual(picksFor([], state, "2026-01-01"), []);
  assert.equal(picksFor(catalog.slice(0, 3), state, "2026-01-01").length, 3);
  assert.deepEqual(
    picksFor(
      catalog.map((bite) => ({ ...bite, questions: [] })),
      state,
      "2026-01-01",
    ),
    [],
  );
});
