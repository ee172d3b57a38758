// An answer aloud, graded by its rubric: how many points, which red flags, what that makes; five of them, and a debrief to keep.

/** @typedef {import("./today.js").CatalogBite} CatalogBite */
/** @typedef {import("./state.js").StudyState} StudyState */
/** @typedef {import("./event.js").Result} Result */
/** @typedef {{weight: number, text: string}} Point */
/** @typedef {{title: string, url: string, question: string, answer: string, points: Point[], hit: boolean[], flags: string[], committed: boolean[], result: Result, seconds: number, followUps: {probe: string, did: string}[]}} Round */

/** Seconds of each way to answer. */
export const LENGTHS = { outline: 60, answer: 180 };
export const MOCK = 5;

/** A red flag turns a strong answer into an adequate one, two make it a miss, whatever else was said. @param {Point[]} points @param {boolean[]} hit @param {boolean[]} committed @returns {Result} */
export const resultOf = (points, hit, committed) => {
  const share = sum(points.filter((_, index) => hit[index])) / Math.max(1, sum(points));
  const flags = committed.filter(Boolean).length;
  if (share < 0.5 || flags > 1) return "miss";
  return share >= 0.8 && flags === 0 ? "strong" : "adequate";
};

/** @param {Point[]} points */
export const sum = (points) => points.reduce((total, { weight }) => total + weight, 0);

/** The points that were not made, the heaviest first. @param {Point[]} points @param {boolean[]} hit */
export const weakPoints = (points, hit) =>
  points
    .filter((_, index) => !hit[index])
    .sort((a, b) => b.weight - a.weight)
    .map(({ text }) => text);

/**
 * What to ask: bites of a role, what was a miss or never asked first, no two of a section in a row where that can be helped.
 * @param {CatalogBite[]} catalog @param {StudyState} state @param {string} role @param {number} many @param {() => number} random
 */
export const questionsFor = (catalog, state, role, many, random) => {
  const fits = catalog.filter(({ roles }) => role === "all" || roles.includes("all") || roles.includes(role));
  const last = new Map(state.aloud.map(({ bite, result }) => [bite, result]));
  const wanted = { miss: 0, adequate: 2, strong: 3 };
  const ranked = fits
    .map((bite) => {
      const result = last.get(bite.slug);
      return { bite, order: (result ? wanted[result] : 1) + random() };
    })
    .sort((a, b) => a.order - b.order);
  /** @type {CatalogBite[]} */
  const chosen = [];
  while (chosen.length < many && ranked.length) {
    const before = chosen.at(-1)?.section;
    const other = ranked.findIndex(({ bite }) => bite.section !== before);
    chosen.push(ranked.splice(Math.max(0, other), 1)[0].bite);
  }
  return chosen;
};

/** `1:05` @param {number} seconds */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** `2 strong, 1 adequate, 2 missed.` @param {Round[]} rounds */
export const tally = (rounds) => {
  const count = (/** @type {Result} */ result) => rounds.filter((round) => round.result === result).length;
  return `${count("strong")} strong, ${count("adequate")} adequate, ${count("miss")} missed.`;
};

/** What happened, to keep or to show to a friend. @param {Round[]} rounds @param {string} date @returns {string} */
export const debrief = (rounds, date) =>
  `${[`# ${rounds.length > 1 ? "Mock interview" : "Interview question"}, ${date}`, tally(rounds), ...rounds.flatMap(roundLines)].join("\n\n")}\n`;

/** @param {Round} round @param {number} index */
const roundLines = (round, index) => {
  const made = sum(round.points.filter((_, point) => round.hit[point]));
  const points = round.points.map(({ weight, text }, point) => `- [${round.hit[point] ? "x" : " "}] (${weight}) ${plainLine(text)}`);
  const flags = round.flags.filter((_, flag) => round.committed[flag]).map((flag) => `- ${plainLine(flag)}`);
  const probes = round.followUps.map(({ probe, did }) => `- ${plainLine(probe)}: ${did}`);
  return [
    `## ${index + 1}. ${plainLine(round.title)}: ${round.result}`,
    `${plainLine(round.question)} <${round.url}>`,
    `${made} of ${sum(round.points)} points in ${clock(round.seconds)}.`,
    points.join("\n"),
    ...(flags.length ? ["Red flags:", flags.join("\n")] : []),
    ...(probes.length ? ["Follow-ups:", probes.join("\n")] : []),
    ...(round.answer.trim() ? ["What I wrote:", quoted(round.answer)] : []),
  ];
};

/** One line that Markdown does not take for anything else. @param {string} text */
const plainLine = (text) =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>#]/g, "\\$&");

/** @param {string} text */
const quoted = (text) =>
  text
    .trim()
    .split("\n")
    .map((line) => `> ${line.replace(/[<&]/g, "\\$&")}`)
    .join("\n");
