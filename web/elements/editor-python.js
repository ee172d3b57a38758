// Python for the editor, without the completion that comes with the whole package.
export { pythonLanguage as language } from "@codemirror/lang-python";
