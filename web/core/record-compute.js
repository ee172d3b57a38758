// Runs one compute lab and hands its outcome to the recorder. Bundled on its own, run in a headless browser, never part of a page.
import { report } from "./compute.js";
import { runCompute } from "./run-compute.js";

/** @param {string} code @param {import("./compute.js").Plan} plan */
const recordCompute = async (code, plan) => {
  const { values, device } = await runCompute(code, plan, new AbortController().signal).catch((problem) => {
    throw new Error(problem.line ? `line ${problem.line}: ${problem.message}` : problem.message);
  });
  return { ...report(plan, values), device, values: [...values] };
};

Object.assign(globalThis, { recordCompute });
