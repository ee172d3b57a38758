// One question of a bite in a study page: its card, what to read first, and after the answer what the reader can say about it.

import { siteUrl } from "../../core/site.js";
import { cardOf, partOf, readBite } from "../../core/study/catalog.js";
import { record } from "../../core/study/log.js";
import "../quiz-card.js";
import { button, element, link } from "./dom.js";

/** @typedef {import("../../core/study/today.js").CatalogBite} CatalogBite */
/** @typedef {import("./page.js").StudyPage} StudyPage */
/**
 * @typedef {{bite: CatalogBite, question: string, where: string, label: string, explain: boolean, onNext: () => void, nextWords: () => string}} Asked
 */

/**
 * The question as an article. It can be read without its bite's page only where that is on this device or can be fetched.
 * @param {StudyPage} page @param {Asked} asked
 */
export const askedQuestion = async (page, { bite, question, where, label, explain, onNext, nextWords }) => {
  const article = element("article", { className: "study-item" });
  article.dataset.study = where;
  article.dataset.question = question;
  const heading = element("h2", { tabIndex: -1 }, link(siteUrl(bite.url), bite.title));
  article.append(element("p", { className: "study-why", textContent: label }), heading);
  const source = await readBite(bite).catch(() => null);
  const card = source && cardOf(source, question);
  if (!card) {
    const why = source
      ? "This question is no longer in its bite: the site has changed since this page was opened."
      : "This bite is not on this device, and cannot be fetched now.";
    article.append(element("p", { textContent: why }), element("div", { className: "study-next" }, button("Skip it for now", onNext)));
    return article;
  }
  if (explain) {
    article.append(element("p", { className: "asked", textContent: bite.question }), partOf(source, "explainer"));
  }
  for (const part of card.querySelectorAll(".quiz-number, .copy-link")) part.remove();
  const after = element("div", { className: "study-after", hidden: true });
  article.append(card, after);
  let tries = 0;
  article.addEventListener("answered", (event) => {
    const { right } = /** @type {CustomEvent} */ (event).detail;
    const { state, today } = page.view;
    const isPractice = tries++ > 0 || state.answers.some((answer) => answer.question === question && answer.day === today);
    after.replaceChildren(
      choices(page, article, question, right, isPractice, () => {
        tries = 0;
      }),
      element("div", { className: "study-next" }, button(nextWords(), onNext, "button primary")),
    );
    after.hidden = false;
  });
  return article;
};

/**
 * How well it went, as far as a reader knows it better; and taking it back.
 * @param {StudyPage} page @param {HTMLElement} article @param {string} question @param {boolean} right @param {boolean} isPractice @param {() => void} onUndone
 */
const choices = (page, article, question, right, isPractice, onUndone) => {
  const said = element("span", { role: "status", textContent: isPractice ? "For practice: your first answer of the day counts." : "" });
  const grade = (/** @type {number} */ given, /** @type {string} */ words) => async () => {
    const answer = await lastAnswer(page, question);
    if (!answer) return;
    await record({ kind: "grade", of: answer.id, grade: given });
    said.textContent = words;
  };
  const undo = button("Take it back", async () => {
    const answer = await lastAnswer(page, question);
    if (!answer) return;
    await record({ kind: "undo", of: answer.id });
    await page.refresh();
    onUndone();
    article.querySelector(".study-after")?.toggleAttribute("hidden", true);
    // "Clear" or "Try again": the card is as it was.
    /** @type {HTMLButtonElement | null} */ (article.querySelector("quiz-card[data-checked] .quiz-check"))?.click();
  });
  const own =
    right && !isPractice
      ? [
          button("I guessed", grade(2, "Noted as a guess: it comes back sooner.")),
          button("Easy", grade(4, "Noted as easy: it comes back later.")),
        ]
      : [];
  return element("div", { className: "study-grades" }, ...own, undo, said);
};

/** The latest answer to a question that was not taken back; it may be younger than what the page shows. @param {StudyPage} page @param {string} question */
const lastAnswer = async (page, question) => {
  await page.refresh();
  return page.view.state.answers.findLast((answer) => answer.question === question);
};
