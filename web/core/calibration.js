// What readers guessed before a simulator answered: a private record, one entry per guess, in the store of this device.
import { readAll, write } from "./store.js";

/**
 * @typedef {object} Guess
 * @property {string} lab the figure's id
 * @property {string} ask the question
 * @property {string | number} guess
 * @property {string | number} result of the model
 * @property {number} factor between the two: 1 is right, 0 where there is none
 * @property {number} updated when, in milliseconds
 */

/** Never rejects: a guess that cannot be kept is still shown. @param {Omit<Guess, "updated">} guess */
export const keepGuess = (guess) => write("guesses", [{ ...guess, updated: Date.now() }]).catch(() => {});

/** The guesses of one lab, oldest first. @param {string} lab @returns {Promise<Guess[]>} */
export const guessesOf = (lab) => readAll("guesses", lab);
