// Days as people live them: `2026-11-30`, where they were. Pure; the clock and the zone are given.

/** @typedef {string} Day as `2026-11-30` */
/** @typedef {{at: number, day: Day, zone: string, offset: number}} Moment `at`: ms since 1970, `offset`: minutes east of UTC */

const MS_PER_MINUTE = 60_000;
export const MS_PER_DAY = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A moment where this device is. @param {number} at @returns {Moment} */
export const momentHere = (at) => {
  const offset = -new Date(at).getTimezoneOffset();
  return { at, day: dayAt(at, offset), zone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? "", offset };
};

/** The day on a calendar that hangs so many minutes east of UTC. @param {number} at @param {number} offset @returns {Day} */
export const dayAt = (at, offset) => new Date(at + offset * MS_PER_MINUTE).toISOString().slice(0, 10);

/** Days since 1970: a day here is a count, not 24 hours. @param {Day} day */
export const dayNumber = (day) => Math.round(Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY);

/** @param {Day} day @param {number} days @returns {Day} */
export const addDays = (day, days) => new Date((dayNumber(day) + days) * MS_PER_DAY).toISOString().slice(0, 10);

/** @param {Day} from @param {Day} to */
export const daysBetween = (from, to) => dayNumber(to) - dayNumber(from);

/** Is it a day that exists? @param {unknown} text @returns {text is Day} */
export const isDay = (text) => typeof text === "string" && DAY.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

/** Monday 0 to Sunday 6. @param {Day} day */
export const weekday = (day) => (dayNumber(day) + 3) % 7;
