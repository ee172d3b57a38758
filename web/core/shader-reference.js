// What a shader computed, computed again on the CPU in 64 bits from the same input. Pure: texels in, a verdict out.

/**
 * Texels as rows of RGBA floats: `input` is what the first pass wrote, `result` what the last pass into a texture wrote.
 * @typedef {{width: number, height: number, input: Float32Array, result: Float32Array}} Texels
 * @typedef {{agrees: boolean, words: string}} Verdict
 */

// Of the sum of magnitudes. Rounding in 32 bits loses 6e-8 an addition, less than this for a hundred in a row; one lost term of a thousand is more.
const TOLERANCE = 1e-5;

/** @param {number} x */
const said = (x) => (Number.isFinite(x) ? x.toLocaleString("en-US", { maximumSignificantDigits: 7 }) : String(x));

/** The x of texel (0, 0) holds the sum of the x of all texels. @param {Texels} texels @returns {Verdict} */
const sum = ({ width, height, input, result }) => {
  let total = 0;
  let size = 0;
  for (let texel = 0; texel < width * height; texel++) {
    total += input[texel * 4];
    size += Math.abs(input[texel * 4]);
  }
  const agrees = Math.abs(result[0] - total) <= TOLERANCE * size;
  return { agrees, words: `Sum of the input: ${said(result[0])} on the GPU, ${said(total)} on the CPU.` };
};

/** The x of the input is a square matrix A, its y a matrix B, row by row; the x of the result is A times B. @param {Texels} texels @returns {Verdict} */
const product = ({ width: n, input, result }) => {
  let worst = 0;
  let wrong = 0;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      let total = 0;
      let size = 0;
      for (let k = 0; k < n; k++) {
        const term = input[(row * n + k) * 4] * input[(k * n + column) * 4 + 1];
        total += term;
        size += Math.abs(term);
      }
      const off = Math.abs(result[(row * n + column) * 4] - total);
      if (!(off <= TOLERANCE * size)) wrong++;
      worst = Math.max(worst, off);
    }
  }
  const count = (n * n).toLocaleString("en-US");
  const words = `${count} elements of ${n} products each: the largest distance between GPU and CPU is ${worst.toPrecision(2)}.`;
  return { agrees: wrong === 0, words: wrong ? `${words} ${wrong.toLocaleString("en-US")} of them are off.` : words };
};

/** By the name that a shader says: `// check: sum`. @type {Record<string, (texels: Texels) => Verdict>} */
export const REFERENCES = { sum, product };
