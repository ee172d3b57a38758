// GLSL for the editor: C++'s grammar is near enough for color and indentation.
export { cppLanguage as language } from "@codemirror/lang-cpp";
