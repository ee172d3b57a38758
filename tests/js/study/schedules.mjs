// Many random histories, and when each question is due after every answer: read by tests/unit/test_schedule.py, which computes the same.
//
// node tests/js/study/schedules.mjs <seed> <how many>

import { addDays } from "../../../web/core/study/dates.js";
import { dueOf, intervalOf, RETENTIONS, reviewed } from "../../../web/core/study/schedule.js";
import { pick, randomFrom } from "./make.mjs";

const [seed, many] = process.argv.slice(2).map(Number);
const random = randomFrom(seed);
const histories = Array.from({ length: many }, () => {
  const retention = pick(random, RETENTIONS);
  let day = "2026-01-01";
  let card;
  const reviews = [];
  for (let left = 1 + Math.floor(random() * 12); left > 0; left--) {
    const grade = pick(random, [1, 2, 3, 3, 3, 4]);
    card = reviewed(card, grade, day);
    const { stability, difficulty } = card.memory;
    reviews.push({ day, grade, stability, difficulty, due: dueOf(card, retention) });
    // On time, early, or late by up to a year.
    const interval = intervalOf(card.memory, retention);
    const away = pick(random, [interval, Math.ceil(interval / 2), interval + Math.floor(random() * 30), 1 + Math.floor(random() * 365)]);
    day = addDays(day, Math.max(1, away));
    // A date that Python can say.
    if (day > "9000-01-01") break;
  }
  return { retention, reviews };
});
process.stdout.write(JSON.stringify(histories));
