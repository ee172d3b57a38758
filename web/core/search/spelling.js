// Typing errors: one edit in a word of up to seven letters, two in a longer one. Two letters swapped are one edit.

/** How many edits are forgiven. @param {string} word */
export const forgiven = (word) => (word.length > 7 ? 2 : word.length > 2 ? 1 : 0);

/**
 * Insertions, deletions, replacements and swaps of neighbors between two words; more than `most` where there are more.
 * @param {string} one @param {string} other @param {number} most
 */
export const editsBetween = (one, other, most) => {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [beforeLast, last] = [/** @type {number[]} */ ([]), Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let edits = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (swapped) edits = Math.min(edits, beforeLast[column - 2] + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    [beforeLast, last] = [last, current];
  }
  return last[other.length];
};
