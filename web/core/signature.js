// The controls that a changed simulator asks for: its signature, read in the sandbox by the very code that reads the site's own.
import problem from "../../src/gpubites/problem.py";
import simulator from "../../src/gpubites/simulator.py";
import { SIGNATURE } from "./lab.js";

const MODULES = { "gpubites.problem": problem, "gpubites.simulator": simulator };

/** A program that reads the signature in `code` and runs none of it. @param {string} code */
export const signatureReader = (code) => `
import json, sys
from types import ModuleType
for name, text in ${JSON.stringify(Object.entries(MODULES))}:
    module = sys.modules[name] = ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
controls, wrong = module.read_controls(${JSON.stringify(code)})
for name in ${JSON.stringify(Object.keys(MODULES))}:
    del sys.modules[name]
print(${JSON.stringify(SIGNATURE)} + json.dumps({"controls": [control.data for control in controls], "wrong": [each._asdict() for each in wrong]}))
`;
