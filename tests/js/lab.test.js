import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ANSWER,
  callFor,
  defaults,
  dropSetting,
  judge,
  placeOf,
  putSetting,
  readOutput,
  readSignature,
  SIGNATURE,
  sayValue,
  settingIn,
} from "../../web/core/lab.js";
import { mayStand } from "../../web/core/safe-svg.js";

const control = (name, type, values, more) => ({ name, type, values, label: name, unit: "", default: values[0], ...more });
const lab = {
  controls: [
    control("stride", "int", [1, 2, 3], { unit: "words", one: "word" }),
    control("wide", "bool", [false, true]),
    control("load", "float", [0.5, 1]),
  ],
  recorded: 2,
  predict: { ask: "How many?", at: {}, unit: "passes", one: "pass", choices: [] },
};

test("a setting's place counts the last recorded control fastest", () => {
  const places = [1, 2, 3].flatMap((stride) => [false, true].map((wide) => placeOf(lab, { stride, wide, load: 0.5 })));
  assert.deepEqual(places, [0, 1, 2, 3, 4, 5]);
});

test("what is not recorded has no place", () => {
  assert.equal(placeOf(lab, { stride: 1, wide: false, load: 1 }), -1);
  assert.equal(placeOf({ ...lab, recorded: 0 }, defaults(lab)), -1);
});

test("an address holds what differs from the defaults, and brings it back", () => {
  const query = new URLSearchParams("level=easy&lab.stride=3");
  putSetting(lab, "lab", { stride: 1, wide: true, load: 1 }, query);
  assert.equal(query.toString(), "level=easy&lab.wide=true&lab.load=1");
  assert.deepEqual(settingIn(lab, "lab", query), { stride: 1, wide: true, load: 1 });
});

test("a wrong address leaves the default", () => {
  assert.deepEqual(settingIn(lab, "lab", new URLSearchParams("lab.stride=99&lab.wide=maybe&other.load=1")), defaults(lab));
});

test("the setting of a model that is gone leaves the address, and no other lab's does", () => {
  const query = new URLSearchParams("lab.gone=1&laboratory.stride=2&lab.stride=3&level=easy");
  dropSetting("lab", query);
  assert.equal(query.toString(), "laboratory.stride=2&level=easy");
});

test("the call is Python, and a float stays one", () => {
  assert.match(callFor(lab, { stride: 2, wide: true, load: 1 }), /simulate\(stride=2, wide=True, load=float\(1\)\)/);
  const text = { ...lab, controls: [control("gpu", "str", ['H100 "SXM"'])] };
  assert.match(callFor(text, { gpu: 'H100 "SXM"' }), /simulate\(gpu="H100 \\"SXM\\""\)/);
});

test("an answer is found among what the program printed", () => {
  const frame = { svg: "<svg/>", table: [["a"], [1]], result: 1, says: "One." };
  assert.deepEqual(readOutput(`hello\n${ANSWER}${JSON.stringify(frame)}\n`), { frame, printed: "hello\n" });
});

for (const [what, output] of Object.entries({
  "no answer": "hello\n",
  "an answer that is no frame": `${ANSWER}[1]`,
  "an answer that is no JSON": `${ANSWER}{`,
  "a table without rows": `${ANSWER}${JSON.stringify({ svg: "", table: [["a"]], result: 1, says: "" })}`,
  "a result of another kind": `${ANSWER}${JSON.stringify({ svg: "", table: [["a"], [1]], result: {}, says: "" })}`,
}))
  test(`${what} is told`, () => assert.throws(() => readOutput(output)));

const signature = (found) => readSignature(`${SIGNATURE}${JSON.stringify(found)}\n`);
const wrong = { line: 3, message: "no", hint: "" };

test("a signature's controls and problems are read", () => {
  assert.deepEqual(signature({ controls: lab.controls.map((each) => ({ one: "", ...each })), wrong: [] }).controls.length, 3);
  assert.deepEqual(signature({ controls: [], wrong: [wrong] }).wrong, [wrong]);
});

for (const [what, found] of Object.entries({
  "nothing at all": null,
  "controls that are none": { controls: [7], wrong: [] },
  "a default that cannot be chosen": { controls: [control("stride", "int", [1, 2], { one: "", default: 3 })], wrong: [] },
  "values of another type": { controls: [control("stride", "int", [1, "<b>"], { one: "" })], wrong: [] },
  "a type that is a name of every object": { controls: [control("stride", "constructor", [1, 2], { one: "" })], wrong: [] },
  "a label that is no text": { controls: [control("stride", "int", [1, 2], { one: "", label: {} })], wrong: [] },
  "a problem without a line": { controls: [], wrong: [{ ...wrong, line: "3" }] },
}))
  test(`a signature with ${what} is refused`, () => assert.throws(() => signature(found), /could not be read/));

test("a program without a signature is refused", () => assert.throws(() => readSignature("hello\n"), /could not be read/));

test("one is not many", () => {
  assert.deepEqual(
    [1, 2].map((value) => sayValue(lab.controls[0], value)),
    ["1 word", "2 words"],
  );
});

test("a guess stands beside the result, with the factor between them", () => {
  assert.deepEqual(judge(lab.predict, 1, 1), { words: "You said 1 pass, and so does the model.", factor: 1 });
  assert.deepEqual(judge(lab.predict, 8, 1), { words: "You said 8 passes, the model says 1: too high by a factor of 8.", factor: 8 });
  assert.deepEqual(judge(lab.predict, 100, 101).words, "You said 100 passes, the model says 101.");
  assert.deepEqual(judge({ ...lab.predict, unit: "" }, "static", "continuous"), {
    words: "You said static, the model says continuous.",
    factor: 0,
  });
  assert.equal(judge(lab.predict, 0, 5).factor, 0);
});

test("a value is said with its unit", () => {
  assert.equal(sayValue(lab.controls[0], 16384), "16,384 words");
  assert.equal(sayValue(lab.controls[1], true), "yes");
});

test("a picture brings no address and no handler", () => {
  assert.equal(mayStand("class", "hot-line dash"), true);
  assert.equal(mayStand("d", "M0 1.5h-3z"), true);
  for (const [name, value] of [
    ["onload", "alert(1)"],
    ["href", "#x"],
    ["style", "fill:red"],
    ["fill", "url(#x)"],
    ["fill", "URL(https://example.com/)"],
    ["class", "a:b"],
  ])
    assert.equal(mayStand(name, value), false, `${name}=${value}`);
});
