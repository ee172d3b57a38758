import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, dayAt, daysBetween, isDay, MS_PER_DAY, momentHere, weekday } from "../../web/core/study/dates.js";
import { settled } from "../../web/core/study/settle.js";
import { streakOf } from "../../web/core/study/streak.js";
import { answer, moment, pick, randomFrom } from "./study/make.mjs";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Australia/Lord_Howe",
  "Africa/Casablanca",
];

/** The moments at local times in a zone. @template Result @param {string} zone @param {() => Result} work */
const inZone = (zone, work) => {
  const before = process.env.TZ;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    process.env.TZ = before;
  }
};

test("a day is the reader's date, also at its edges and where clocks are changed", () => {
  for (const zone of ZONES) {
    inZone(zone, () => {
      for (let day = 0; day < 366; day++) {
        for (const [hour, minute, second] of [
          [0, 0, 0],
          [1, 59, 59],
          [12, 0, 0],
          [23, 59, 59],
        ]) {
          const date = new Date(2026, 0, 1 + day, hour, minute, second);
          const expected = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
          assert.equal(momentHere(date.getTime()).day, expected, `${zone} ${date}`);
        }
      }
    });
  }
});

test("days are counted, not 24 hours", () => {
  assert.equal(addDays("2026-02-28", 1), "2026-03-01");
  assert.equal(addDays("2028-02-28", 1), "2028-02-29");
  assert.equal(daysBetween("2026-12-31", "2027-01-01"), 1);
  assert.equal(daysBetween("2026-03-28", "2026-03-30"), 2, "clocks go forward in between");
  assert.equal(weekday("2026-11-30"), 0);
  for (const text of ["2026-02-30", "2026-13-01", "26-01-01", "", null, 20261130]) assert.equal(isDay(text), false, String(text));
});

/** One answer a day at this local hour, in a zone. @param {string} zone @param {number} days @param {(day: number) => [number, number]} clock */
const daily = (zone, days, clock) =>
  inZone(zone, () => Array.from({ length: days }, (_, day) => momentHere(new Date(2026, 0, 1 + day, ...clock(day)).getTime())));

test("a year of one answer a day is a streak of a year, at any hour and in any zone", () => {
  const random = randomFrom(1);
  for (const zone of ZONES) {
    const year = daily(zone, 365, () => [Math.floor(random() * 24), Math.floor(random() * 60)]);
    assert.equal(streakOf(year, year[364]).length, 365, zone);
  }
});

test("many answers around midnight are one day each", () => {
  const moments = ["2026-03-01T23:58+01:00", "2026-03-01T23:59+01:00", "2026-03-02T00:00+01:00", "2026-03-02T23:59+01:00"].map((iso) =>
    moment(iso),
  );
  assert.equal(streakOf(moments, moments[3]).length, 2);
});

test("until the day is over the streak is not lost, and it says whether today is done", () => {
  const done = [moment("2026-03-01T10:00+01:00"), moment("2026-03-02T10:00+01:00")];
  assert.deepEqual(streakOf(done, moment("2026-03-02T22:00+01:00")), { length: 2, longest: 2, today: true, graced: [] });
  assert.deepEqual(streakOf(done, moment("2026-03-03T22:00+01:00")), { length: 2, longest: 2, today: false, graced: [] });
});

test("one missed day a week is forgiven, a second one in the same week is not", () => {
  const day = (/** @type {number} */ number) => moment(`2026-03-${String(number).padStart(2, "0")}T10:00+00:00`);
  assert.equal(streakOf([1, 2, 4].map(day), day(4)).length, 3);
  assert.equal(streakOf([1, 2, 4].map(day), day(6)).length, 0, "the 5th was missed too");
  assert.equal(streakOf([1, 2, 4, 5, 7].map(day), day(7)).length, 1, "two in one week");
  assert.equal(streakOf([1, 2, 4, 5, 6, 7, 8, 9, 11].map(day), day(11)).length, 9, "a week apart");
  assert.equal(streakOf([1, 2, 5].map(day), day(5)).length, 1, "two in a row");
  assert.equal(streakOf([1, 2].map(day), day(4)).length, 2, "the 3rd may still be forgiven today");
  assert.equal(streakOf([1, 2].map(day), day(5)).length, 0);
  assert.equal(streakOf([1, 2, 5].map(day), day(5)).longest, 2);
});

test("a date that was flown over was not missed, one that comes twice is not counted twice", () => {
  const east = [moment("2026-12-01T20:00-08:00"), moment("2026-12-03T09:00+13:00"), moment("2026-12-04T09:00+13:00")];
  assert.deepEqual(streakOf(east, east[2]), { length: 3, longest: 3, today: true, graced: [] });
  const slow = [moment("2026-12-01T08:00-08:00"), moment("2026-12-03T20:00+13:00")];
  assert.deepEqual(streakOf(slow, slow[1]).graced, [], "39 hours later, and still the next day by the first calendar");
  const west = [
    moment("2026-12-03T08:00+13:00"),
    moment("2026-12-02T20:00-08:00"),
    moment("2026-12-03T20:00-08:00"),
    moment("2026-12-04T20:00-08:00"),
  ];
  assert.equal(streakOf(west, west[3]).length, 2);
  const same = [moment("2026-12-01T23:30+01:00", "Europe/Berlin"), moment("2026-12-03T00:10+01:00", "Europe/Berlin")];
  assert.deepEqual(streakOf(same, same[1]).graced, ["2026-12-01"], "in one zone a date is a date");
});

test("a traveller who studies every waking day never loses a streak", () => {
  const random = randomFrom(7);
  for (let trip = 0; trip < 500; trip++) {
    let at = Date.UTC(2026, 5, 1, 12);
    let offset = 0;
    const moments = [];
    for (let day = 0; day < 40; day++) {
      if (random() < 0.3) offset = pick(random, [-660, -480, -300, 0, 60, 330, 540, 780, 840]);
      moments.push({ at, day: dayAt(at, offset), zone: `zone ${offset}`, offset });
      // Never more than a day later by the watch that is worn.
      at += Math.floor((14 + random() * 10) * 3_600_000);
    }
    const streak = streakOf(moments, moments[39]);
    assert.deepEqual(streak.graced, [], `trip ${trip}`);
    assert.ok(streak.length >= new Set(moments.map(({ day }) => day)).size / 2);
    assert.equal(streak.length, streak.longest);
  }
});

/** As one device writes them. @param {string[]} times @param {string} [device] */
const written = (times, device = "phone") => times.map((iso, seq) => answer(`${device}-${seq}`, moment(iso), { device, seq }));
/** @param {any[]} events @param {string} now */
const daysOf = (events, now) => [...new Set(settled(events, Date.parse(now)).map(({ day }) => day))];

test("a clock that was a day ahead and was corrected neither loses nor doubles a day", () => {
  const times = ["2026-11-29T09:00Z", "2026-11-30T09:00Z", "2026-12-02T09:00Z", "2026-12-02T09:05Z"];
  const corrected = written([...times, "2026-12-01T20:00Z"]);
  assert.deepEqual(daysOf(corrected, "2026-12-01T20:01Z"), ["2026-11-29", "2026-11-30", "2026-12-01"]);
  const later = written([...times, "2026-12-01T20:00Z", "2026-12-02T21:00Z"]);
  assert.deepEqual(daysOf(later, "2026-12-02T21:00Z"), ["2026-11-29", "2026-11-30", "2026-12-01", "2026-12-02"]);
});

test("days studied under a clock that was a year ahead stay as many days", () => {
  const ahead = Array.from({ length: 10 }, (_, day) => `2027-12-${String(day + 1).padStart(2, "0")}T08:00Z`);
  const events = written(["2026-11-30T08:00Z", ...ahead, "2026-12-11T08:30Z"]);
  const now = "2026-12-11T09:00Z";
  assert.deepEqual(daysOf(events, now).length, 11, "the tenth is the eleventh's: the last possible ones");
  assert.equal(streakOf(settled(events, Date.parse(now)), moment("2026-12-11T09:00+00:00")).longest >= 10, true);
});

test("a clock that fell back to its first day does not take the history along", () => {
  const events = written(["2026-11-29T09:00Z", "2026-11-30T09:00Z", "2000-01-01T00:01Z", "2000-01-01T00:05Z", "2026-12-01T20:00Z"]);
  const days = daysOf(events, "2026-12-01T21:00Z");
  assert.deepEqual(
    days.filter((day) => day < "2026"),
    [],
  );
  assert.deepEqual([days[0], days.at(-1)], ["2026-11-29", "2026-12-01"]);
  assert.deepEqual(daysOf(events.slice(0, 4), "2000-01-01T00:06Z").length > 0, true, "and while the clock is wrong nothing breaks");
});

test("a clock set back by a week costs that session its date, not the week", () => {
  const week = ["2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"].map(
    (day) => `${day}T09:00Z`,
  );
  const events = written([...week, "2026-11-23T09:00Z", "2026-12-02T09:00Z"]);
  const days = daysOf(events, "2026-12-02T10:00Z");
  for (const iso of week) assert.ok(days.includes(iso.slice(0, 10)));
  assert.ok(!days.includes("2026-11-23"));
});

test("where no clock is wrong nothing is moved, and events of several devices are put in order", () => {
  const random = randomFrom(3);
  for (let round = 0; round < 200; round++) {
    const events = ["phone", "laptop"].flatMap((device) => {
      let at = Date.UTC(2026, 0, 1) + Math.floor(random() * MS_PER_DAY);
      return Array.from({ length: 20 }, (_, seq) => {
        at += Math.floor(random() * 2 * MS_PER_DAY);
        return answer(`${device}-${seq}`, { at, day: dayAt(at, 0), zone: "UTC", offset: 0 }, { device, seq });
      });
    });
    const found = settled(events, Date.UTC(2027, 0, 1));
    assert.deepEqual(new Set(found), new Set(events));
    assert.ok(found.every((event, index) => index === 0 || found[index - 1].at <= event.at));
  }
});

test("however wrong the clocks are, order by number is kept, dates fit their time, and no day of study is invented", () => {
  const random = randomFrom(11);
  for (let round = 0; round < 500; round++) {
    let true_at = Date.UTC(2026, 0, 1, 12);
    let error = 0;
    const days = new Set();
    const events = Array.from({ length: 30 }, (_, seq) => {
      true_at += Math.floor(random() * MS_PER_DAY);
      if (random() < 0.15) error = pick(random, [0, 0, MS_PER_DAY, -MS_PER_DAY, 30 * MS_PER_DAY, -400 * MS_PER_DAY, 3_600_000]);
      days.add(dayAt(true_at, 0));
      const at = true_at + error;
      return answer(`phone-${seq}`, { at, day: dayAt(at, 0), zone: "UTC", offset: 0 }, { device: "phone", seq });
    });
    const found = settled(events, true_at);
    assert.deepEqual(
      found.map(({ seq }) => seq),
      events.map(({ seq }) => seq),
    );
    for (const event of found) assert.equal(event.day, dayAt(event.at, event.offset));
    assert.ok(found.every(({ at }) => at <= true_at + 2 * MS_PER_DAY));
  }
});
