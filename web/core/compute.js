// A compute lab as values: what its buffers begin with, what is right, and how an outcome is said. Page and recorder use the same. Pure.

/**
 * @typedef {{role: "input" | "scratch" | "output", name: string, count: number, type: "u32" | "f32", below: number}} Buffer
 * @typedef {{entry: string, workgroups: [number, number]}} Pass
 * @typedef {"sum" | "prefix sum" | "histogram" | "matrix product"} What
 * @typedef {{buffers: Buffer[], passes: Pass[], check: {output: string, what: What, inputs: string[]}}} Plan
 * @typedef {Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>} Values
 */

const SHOWN = 8;

/** Zeros, or for an input the same pseudo-random whole numbers each time. @param {Buffer} buffer @param {number} place in the list of buffers @returns {Values} */
export const fill = ({ count, type, below }, place) => {
  const values = new (type === "f32" ? Float32Array : Uint32Array)(count);
  if (!below) return values;
  let state = place + 1;
  for (let index = 0; index < count; index += 1) {
    // The generator of "Numerical Recipes"; its upper bits are the better ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    values[index] = (state >>> 16) % below;
  }
  return values;
};

/** @type {Record<What, (inputs: Values[], output: Values) => void>} */
const reference = {
  sum([values], output) {
    for (const value of values) output[0] += value;
  },
  "prefix sum"([values], output) {
    let sum = 0;
    for (const [index, value] of values.entries()) {
      sum += value;
      output[index] = sum;
    }
  },
  histogram([values], output) {
    for (const value of values) output[value] += 1;
  },
  "matrix product"([left, right], output) {
    const size = Math.sqrt(output.length);
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        let sum = 0;
        for (let inner = 0; inner < size; inner += 1) sum += left[row * size + inner] * right[inner * size + column];
        output[row * size + column] = sum;
      }
    }
  },
};

/** What the output has to hold, by the CPU. @param {Plan} plan @returns {Values} */
export const rightOutput = ({ buffers, check }) => {
  const at = (/** @type {string} */ name) => buffers.findIndex((buffer) => buffer.name === name);
  const output = fill(buffers[at(check.output)], 0);
  reference[check.what](
    check.inputs.map((name) => fill(buffers[at(name)], at(name))),
    output,
  );
  return output;
};

/**
 * What came out, and whether it is right.
 * @param {Plan} plan @param {Values} values
 * @returns {{text: string, right: boolean}}
 */
export const report = (plan, values) => {
  const { passes, check } = plan;
  const right = rightOutput(plan);
  const wrong = [...values.keys()].filter((index) => values[index] !== right[index]);
  const lines = [
    ...passes.map(({ entry, workgroups: [x, y] }) => `${entry}: ${y > 1 ? `${x} x ${y}` : x} workgroup${x * y > 1 ? "s" : ""}`),
    `${check.output}: ${shown(values)}`,
  ];
  if (!wrong.length) lines.push(values.length > 1 ? `All ${values.length} values equal the CPU's.` : "Equal to the CPU's.");
  else {
    const [first] = wrong;
    const where = values.length > 1 ? `${check.output}[${first}]` : check.output;
    if (values.length > 1) lines.push(`${wrong.length} of ${values.length} values differ from the CPU's.`);
    lines.push(`${where} is ${values[first]}, the CPU says ${right[first]}.`);
  }
  return { text: `${lines.join("\n")}\n`, right: !wrong.length };
};

/** @param {Values} values */
const shown = (values) => {
  const some = [...values.slice(0, SHOWN)].join(" ");
  return values.length > SHOWN ? `${some} … (${values.length} values)` : some;
};
