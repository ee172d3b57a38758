// What the study pages are made of. Text is always text.
import { button as anyButton, make as element } from "../../core/dom.js";

export { make as element } from "../../core/dom.js";

/** A button whose double press counts once: it notes things, or leads on to where the next one stands. @param {string} words @param {() => void} onPress @param {string} [className] */
export const button = (words, onPress, className) => {
  const made = anyButton(words, () => {}, className);
  made.onclick = ({ detail }) => {
    if (detail < 2) onPress();
  };
  return made;
};

/** @param {string} href @param {string} words @param {string} [className] */
export const link = (href, words, className = "") => element("a", { href, textContent: words, className });

/** A field to choose from. @param {string} label @param {[string, string][]} options value and words @param {string} chosen @param {(value: string) => void} onChange */
export const choice = (label, options, chosen, onChange) => {
  const select = element(
    "select",
    {},
    ...options.map(([value, words]) => element("option", { value, textContent: words, selected: value === chosen })),
  );
  select.addEventListener("change", () => onChange(select.value));
  return element("label", { className: "study-choice" }, element("span", { textContent: label }), select);
};

/** A table for what a picture shows. @param {string} caption @param {string[]} head @param {(string | number)[][]} rows */
export const table = (caption, head, rows) =>
  element(
    "table",
    {},
    element("caption", { textContent: caption }),
    element("thead", {}, element("tr", {}, ...head.map((words) => element("th", { scope: "col", textContent: words })))),
    element(
      "tbody",
      {},
      ...rows.map(([first, ...rest]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row", textContent: String(first) }),
          ...rest.map((cell) => element("td", { textContent: String(cell) })),
        ),
      ),
    ),
  );

/** Hands the reader a file. @param {string} name @param {string} text @param {string} type */
export const download = (name, text, type) => {
  const href = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href, download: name }).click();
  // Some browsers fetch the address only when the reader has said where to put the file.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
};

/** `1 question`, `2 questions` @param {number} number @param {string} one @param {string} [many] */
export const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** `Tuesday, December 1` @param {string} day */
export const dateWords = (day) =>
  new Intl.DateTimeFormat("en-US", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** A day in words, near ones as people say them. @param {string} day @param {string} today */
export const dayWords = (day, today) => {
  const away = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  if (away >= -1 && away <= 1) return ["yesterday", "today", "tomorrow"][away + 1];
  const year = day.slice(0, 4) === today.slice(0, 4) ? undefined : "numeric";
  return new Intl.DateTimeFormat("en-US", { day: "numeric", month: "long", year, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
};
