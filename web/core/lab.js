// What a simulator in the page knows without a page: its settings, where each is recorded, its address, its call, a guess beside a result. Pure.

/**
 * @typedef {number | string | boolean} Value
 * @typedef {object} Control a parameter of the simulator; `values` in the order of the slider
 * @property {string} name
 * @property {"int" | "float" | "str" | "bool"} type
 * @property {string} label
 * @property {string} unit
 * @property {string} one the unit of one
 * @property {Value[]} values
 * @property {Value} default
 *
 * @typedef {{ask: string, at: Record<string, Value>, unit: string, one: string, choices: string[]}} Prediction no choices: the answer is a number
 * @typedef {{controls: Control[], recorded: number, predict: Prediction}} Lab `recorded`: so many of the first controls, in all combinations
 * @typedef {Record<string, Value>} Setting
 * @typedef {{svg: string, table: (string | number)[][], result: string | number, says: string}} Frame
 */

/** @param {Lab} lab @returns {Setting} */
export const defaults = (lab) => Object.fromEntries(lab.controls.map((control) => [control.name, control.default]));

/** Where a setting's frame stands in the file of frames; -1 where it is not recorded. @param {Lab} lab @param {Setting} setting */
export const placeOf = (lab, setting) => {
  let place = 0;
  for (const [index, control] of lab.controls.entries()) {
    const at = control.values.indexOf(setting[control.name]);
    if (index >= lab.recorded && setting[control.name] !== control.default) return -1;
    if (index < lab.recorded) place = place * control.values.length + at;
  }
  return lab.recorded ? place : -1;
};

/** The setting that an address asks for; what it does not name, or names wrongly, stays at its default. @param {Lab} lab @param {string} stem @param {URLSearchParams} query */
export const settingIn = (lab, stem, query) => {
  const setting = defaults(lab);
  for (const { name, values } of lab.controls) {
    const asked = query.get(`${stem}.${name}`);
    const value = values.find((value) => String(value) === asked);
    if (value !== undefined) setting[name] = value;
  }
  return setting;
};

/** Writes a setting into an address's query: what differs from the defaults. @param {Lab} lab @param {string} stem @param {Setting} setting @param {URLSearchParams} query */
export const putSetting = (lab, stem, setting, query) => {
  for (const { name, default: usual } of lab.controls) {
    if (setting[name] === usual) query.delete(`${stem}.${name}`);
    else query.set(`${stem}.${name}`, String(setting[name]));
  }
};

/** Takes out of a query what names this simulator, whatever its controls were. @param {string} stem @param {URLSearchParams} query */
export const dropSetting = (stem, query) => {
  for (const name of [...query.keys()]) if (name.startsWith(`${stem}.`)) query.delete(name);
};

/** `33 words`, `1 word`, `16,384 bytes`, `yes`. @param {Control} control @param {Value} value */
export const sayValue = (control, value) => {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const unit = value === 1 ? control.one : control.unit;
  return `${typeof value === "number" ? value.toLocaleString("en") : value}${unit ? ` ${unit}` : ""}`;
};

/** Opens the line that carries the answer among what a program prints. */
export const ANSWER = "\u001eanswer ";

/** The last lines of the program: the call for this setting. A float stays one, though JSON would write 1. @param {Lab} lab @param {Setting} setting */
export const callFor = (lab, setting) => {
  const given = lab.controls.map(({ name, type }) => {
    const value = setting[name];
    if (type === "bool") return `${name}=${value ? "True" : "False"}`;
    return type === "float" ? `${name}=float(${value})` : `${name}=${JSON.stringify(value)}`;
  });
  return `\nimport json as _json\nprint(${JSON.stringify(ANSWER)} + _json.dumps(simulate(${given.join(", ")})))\n`;
};

/** What a program printed, apart from its answer. Throws where there is no answer of the right form. @param {string} output @returns {{frame: Frame, printed: string}} */
export const readOutput = (output) => {
  const start = output.lastIndexOf(ANSWER);
  if (start < 0) throw new Error("The model gave no answer.");
  return { frame: readFrame(output.slice(start + ANSWER.length)), printed: output.slice(0, start) };
};

/** @param {string} text @returns {Frame} */
const readFrame = (text) => {
  const { svg, table, result, says } = parsed(text);
  const rows = Array.isArray(table) && table.length > 1 && table.every((row) => Array.isArray(row) && row.length === table[0].length);
  if (typeof svg !== "string" || typeof says !== "string" || !rows || !["string", "number"].includes(typeof result))
    throw new Error('simulate() has to return {"svg": …, "table": …, "result": …, "says": …}.');
  return { svg, table, result, says };
};

/** @param {string} text @returns {Record<string, any>} */
const parsed = (text) => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

/** Opens the line that carries a signature. */
export const SIGNATURE = "\u001esignature ";

/**
 * What Python read in the signature of a changed model. It comes from the sandbox, so the form is checked. Throws where it has another one.
 * @param {string} output @returns {{controls: Control[], wrong: {line: number, message: string, hint: string}[]}}
 */
export const readSignature = (output) => {
  const start = output.lastIndexOf(SIGNATURE);
  const { controls, wrong } = (start >= 0 && JSON.parse(output.slice(start + SIGNATURE.length))) || {};
  if (!Array.isArray(controls) || !controls.every(isControl) || !Array.isArray(wrong) || !wrong.every(isWrong))
    throw new Error("The signature of simulate() could not be read.");
  return { controls, wrong };
};

const TYPES = { int: "number", float: "number", str: "string", bool: "boolean" };

/** @param {any} found @returns {found is Control} */
const isControl = (found) => {
  if (!areTexts(found, ["name", "type", "label", "unit", "one"])) return false;
  const type = TYPES[/** @type {keyof typeof TYPES} */ (found.type)];
  return (
    Array.isArray(found.values) &&
    found.values.every((/** @type {unknown} */ value) => typeof value === type) &&
    found.values.includes(found.default)
  );
};

/** @param {any} found */
const isWrong = (found) => areTexts(found, ["message", "hint"]) && Number.isSafeInteger(found.line);

/** @param {any} found @param {string[]} names */
const areTexts = (found, names) => names.every((name) => typeof found?.[name] === "string");

/**
 * A guess beside the result, in words, and the factor between the two: 1 for right, 0 where there is none.
 * @param {Prediction} asked @param {string | number} guess @param {string | number} result
 */
export const judge = (asked, guess, result) => {
  const unit = guess === 1 ? asked.one : asked.unit;
  const plain = (/** @type {string | number} */ value) =>
    typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 3 }) : value;
  const said = `You said ${plain(guess)}${unit ? ` ${unit}` : ""}`;
  if (guess === result) return { words: `${said}, and so does the model.`, factor: 1 };
  const numbers = typeof guess === "number" && typeof result === "number" && guess > 0 && result > 0;
  const factor = numbers ? Math.max(guess / result, result / guess) : 0;
  const far = factor >= 2 ? `: ${guess > result ? "too high" : "too low"} by a factor of ${round(factor)}` : "";
  return { words: `${said}, the model says ${plain(result)}${far}.`, factor };
};

/** @param {number} factor */
const round = (factor) => (factor < 10 ? factor.toFixed(1).replace(/\.0$/, "") : Math.round(factor).toLocaleString("en"));
