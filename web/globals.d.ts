/** What the bundler puts in place of these names (web/build.mjs). */
declare const PYTHON_PACK: import("./core/python-pack").PythonPack;
