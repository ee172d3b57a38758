// A warp's request, step by step: what has been served after so many steps, and the words for it. Pure.

/** `0-2, 5` as 0, 1, 2, 5. @param {string} ranges */
export const numbersIn = (ranges) =>
  ranges.split(", ").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

/** The step after `step` of `most`, or before it; 0 is the whole picture, which stands between the last step and the first. @param {number} step @param {number} by @param {number} most */
export const stepFrom = (step, by, most) => (step + by + most + 1) % (most + 1);

/**
 * @param {number} step from 1 @param {string} unit sector or wavefront @param {string[]} shares the lanes of each
 */
export const sayStep = (step, unit, shares) => {
  if (step > shares.length) return shares.length === 1 ? `Its one ${unit} is served.` : `All ${shares.length} ${unit}s are served.`;
  const lanes = shares[step - 1];
  return `${unit[0].toUpperCase()}${unit.slice(1)} ${step} of ${shares.length}: ${/\D/.test(lanes) ? "lanes" : "lane"} ${lanes}.`;
};
