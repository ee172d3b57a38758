// A small code editor in a reader's frame: CodeMirror with line numbers, indentation, undo, and the page's own code colors. Loaded by Edit.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/**
 * @typedef {object} EditorOptions
 * @property {string} text
 * @property {"python" | "glsl"} language
 * @property {string} label the editor's accessible name
 * @property {number} firstLine the number its first line has in the file
 * @property {string} [hint] what to know about this text, in a sentence
 * @property {() => void} [onChange]
 *
 * @typedef {object} Editor
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {(line: number, message: string, text?: string) => void} markError says it below the line, which is counted as the gutter does. Where
 *   the line is not here but before or after, that is said at this end, with its `text`.
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

/** A message between two lines. */
class Message extends WidgetType {
  /** @param {string} text */
  constructor(text) {
    super();
    this.text = text;
  }

  toDOM() {
    return Object.assign(document.createElement("p"), { className: "editor-message", textContent: this.text });
  }
}

/** @typedef {{at: number, line: boolean, text: string}} Mark `at` is a place in the text, `line` whether the line there is the one meant */

/** @type {import("@codemirror/state").StateEffectType<Mark | null>} */
const setMark = StateEffect.define();
const mark = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const effect = transaction.effects.find((found) => found.is(setMark));
    if (!effect) return transaction.docChanged ? Decoration.none : marks;
    if (effect.value === null) return Decoration.none;
    const { at, line: isMeant, text } = effect.value;
    const line = transaction.state.doc.lineAt(at);
    const before = at === 0 && !isMeant;
    const message = Decoration.widget({ widget: new Message(text), block: true, side: before ? -1 : 1 }).range(before ? 0 : line.to);
    return Decoration.set(isMeant ? [Decoration.line({ class: "editor-error" }).range(line.from), message] : [message]);
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
export async function openEditor(host, { text, language, label, firstLine, hint: toKnow = "", onChange }) {
  const { language: grammar } = await languages[language]();
  const hint = Object.assign(document.createElement("p"), {
    className: "editor-hint",
    id: `editor-hint-${crypto.getRandomValues(new Uint32Array(1))[0]}`,
    textContent: toKnow,
  });
  const keysHint = Object.assign(document.createElement("span"), {
    className: "editor-keys",
    textContent: " Tab indents. To leave with the keyboard press Escape, then Tab.",
  });
  hint.append(keysHint);
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
      mark,
      keymap.of(keys),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": hint.id, autocapitalize: "off", spellcheck: "false" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange?.();
      }),
    ],
  });
  host.classList.add("editor", "highlight");
  host.replaceChildren(view.dom, hint);

  return {
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    markError(line, message, text = "") {
      const { doc } = view.state;
      const here = line - firstLine + 1;
      const isHere = here >= 1 && here <= doc.lines;
      const at = here < 1 ? 0 : isHere ? doc.line(here).from : doc.length;
      const said = isHere
        ? `Line ${line}: ${message}`
        : `Line ${line}, ${here < 1 ? "before" : "after"} this part: ${text.trim()}\n${message}`;
      view.dispatch({ effects: [setMark.of({ at, line: isHere, text: said }), EditorView.scrollIntoView(at, { y: "nearest" })] });
    },
    clearErrors: () => view.dispatch({ effects: setMark.of(null) }),
    focus: () => view.focus(),
    destroy() {
      view.destroy();
      host.classList.remove("editor", "highlight");
      host.replaceChildren();
    },
  };
}
