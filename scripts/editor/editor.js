/* The editor of the lab in a browser tab: CodeMirror 6 with Python, in the colours of all pages. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const style = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--expected)" },
  { tag: [tags.string, tags.docString], color: "var(--good)" },
  { tag: tags.number, color: "var(--pending)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.definition(tags.variableName), tags.definition(tags.className)], fontWeight: "600" },
]);
const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--sunk)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--focus) 9%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--visited) !important" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--sunk)" },
});

/* The page's policy allows the styles that carry it. */
const NONCE = EditorView.cspNonce.of("editor");

/* Shows one of many texts, each with a history of its own. */
export class Editor {
  #view;
  #states = new Map();
  #name = "";

  constructor(parent, changed) {
    this.#view = new EditorView({ parent, extensions: NONCE });
    this.changed = changed;
  }

  #extensions(label, readOnly) {
    return [
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
      indentUnit.of("    "), EditorState.tabSize.of(4), EditorState.readOnly.of(readOnly),
      readOnly ? [] : new LanguageSupport(pythonLanguage), syntaxHighlighting(style), theme, NONCE,
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) this.changed(this.#name, update.state.doc.toString()); }),
    ];
  }

  /* Show a text under its name, as it was left if it is known. */
  show(name, text, { label, readOnly = false }) {
    if (this.#name) this.#states.set(this.#name, this.#view.state);
    this.#name = name;
    const known = this.#states.get(name);
    const isSame = known && known.doc.toString() === text;
    this.#view.setState(isSame ? known : EditorState.create({ doc: text, extensions: this.#extensions(label, readOnly) }));
  }

  /* Put the cursor into a line, and show it. */
  goTo(number) {
    const line = this.#view.state.doc.line(Math.min(Math.max(number, 1), this.#view.state.doc.lines));
    this.#view.dispatch({ selection: { anchor: line.from, head: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    this.#view.focus();
  }

  forget(name) {
    this.#states.delete(name);
    if (this.#name === name) this.#name = "";
  }
}
