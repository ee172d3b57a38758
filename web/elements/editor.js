// A small code editor in a reader's frame: CodeMirror with line numbers, indentation, undo, and the page's own code colors. Loaded by Edit.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/**
 * @typedef {object} EditorOptions
 * @property {string} text
 * @property {"python" | "glsl"} language
 * @property {string} label the editor's accessible name
 * @property {number} firstLine the number its first line has in the file
 * @property {() => void} [onChange]
 *
 * @typedef {object} Editor
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {(line: number, message: string) => void} markError `line` as the gutter shows it; a line that is not here is not marked
 * @property {() => void} clearErrors
 * @property {() => void} focus
 * @property {() => void} destroy
 */

const languages = {
  python: () => import("./editor-python.js"),
  glsl: () => import("./editor-glsl.js"),
};

/** Pygments' classes: an edited snippet looks as it did before. */
const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.self], class: "k" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], class: "kt" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: [tags.string, tags.special(tags.string), tags.escape], class: "s" },
  { tag: tags.number, class: "m" },
  { tag: tags.comment, class: "c" },
  { tag: tags.processingInstruction, class: "cp" },
  { tag: tags.meta, class: "nd" },
]);

/** @type {import("@codemirror/state").StateEffectType<number | null>} */
const setErrorLine = StateEffect.define();
const errorLine = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const effect = transaction.effects.find((found) => found.is(setErrorLine));
    if (!effect) return transaction.docChanged ? Decoration.none : marks;
    if (effect.value === null) return Decoration.none;
    return Decoration.set([Decoration.line({ class: "editor-error" }).range(transaction.state.doc.line(effect.value).from)]);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Mod-Enter runs the snippet: the frame listens for it. */
const keys = [...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap, indentWithTab];

/**
 * Opens an editor in `host`, which it fills.
 * @param {HTMLElement} host
 * @param {EditorOptions} options
 * @returns {Promise<Editor>}
 */
export async function openEditor(host, { text, language, label, firstLine, onChange }) {
  const { language: grammar } = await languages[language]();
  const hint = Object.assign(document.createElement("p"), {
    className: "editor-hint",
    id: `editor-hint-${crypto.getRandomValues(new Uint32Array(1))[0]}`,
    textContent: "Tab indents. To leave with the keyboard press Escape, then Tab.",
  });
  const error = Object.assign(document.createElement("p"), { className: "editor-message", hidden: true });
  const view = new EditorView({
    doc: text,
    extensions: [
      lineNumbers({ formatNumber: (line) => String(line + firstLine - 1) }),
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of(language === "python" ? "    " : "  "),
      EditorState.tabSize.of(4),
      bracketMatching(),
      grammar,
      syntaxHighlighting(colors),
      errorLine,
      keymap.of(keys),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": hint.id, autocapitalize: "off", spellcheck: "false" }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        error.hidden = true;
        onChange?.();
      }),
    ],
  });
  host.classList.add("editor", "highlight");
  host.replaceChildren(view.dom, error, hint);

  return {
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    markError(line, message) {
      const here = line - firstLine + 1;
      if (here < 1 || here > view.state.doc.lines) return;
      error.textContent = `Line ${line}: ${message}`;
      error.hidden = false;
      view.dispatch({ effects: [setErrorLine.of(here), EditorView.scrollIntoView(view.state.doc.line(here).from, { y: "nearest" })] });
    },
    clearErrors() {
      error.hidden = true;
      view.dispatch({ effects: setErrorLine.of(null) });
    },
    focus: () => view.focus(),
    destroy() {
      view.destroy();
      host.classList.remove("editor", "highlight");
      host.replaceChildren();
    },
  };
}
