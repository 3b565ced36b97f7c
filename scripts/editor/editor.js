/* The editor of the lab in a browser tab: CodeMirror 6 with Python, in the colours of all pages. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, ViewPlugin } from "@codemirror/view";
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
  ".cm-line.at": { backgroundColor: "var(--here-soft)", boxShadow: "inset 4px 0 0 var(--here)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--sunk)" },
});

/* The page's policy allows the styles that carry it. */
const NONCE = EditorView.cspNonce.of("editor");

/* The line that a solver has come to, which is followed on a page beside. */
const setMark = StateEffect.define();
const mark = StateField.define({
  create: () => Decoration.none,
  update: (marked, { effects, changes }) => {
    const set = effects.find((effect) => effect.is(setMark));
    if (!set) return marked.map(changes);
    return set.value === null ? Decoration.none : Decoration.set(Decoration.line({ class: "at" }).range(set.value));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/* What of a long line goes on in the next row is indented by as much as the line, and by two signs more. */
const hanging = (view) => {
  const ranges = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      const width = /^ */.exec(line.text)[0].length + 2;
      ranges.push(Decoration.line({ attributes: { style: `text-indent: -${width}ch; padding-left: calc(6px + ${width}ch)` } }).range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(ranges, true);
};
const hangingIndent = ViewPlugin.fromClass(class {
  constructor(view) { this.decorations = hanging(view); }
  update({ docChanged, viewportChanged, view }) { if (docChanged || viewportChanged) this.decorations = hanging(view); }
}, { decorations: ({ decorations }) => decorations });

/* Shows one of many texts, each with a history of its own. */
export class Editor {
  #view;
  #states = new Map();
  #name = "";

  constructor(parent, changed) {
    this.#view = new EditorView({ parent, extensions: [NONCE, EditorView.editable.of(false)] });
    this.changed = changed;
  }

  #extensions(label, readOnly) {
    return [
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
      highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
      indentUnit.of("    "), EditorState.tabSize.of(4), EditorState.readOnly.of(readOnly),
      readOnly ? [] : new LanguageSupport(pythonLanguage), syntaxHighlighting(style), theme, NONCE,
      EditorView.lineWrapping, hangingIndent, mark,
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
      EditorView.updateListener.of((update) => { if (update.docChanged) this.changed(this.#name, update.state.doc.toString()); }),
    ];
  }

  /* Show a text under its name, as it was left if it is known. */
  show(name, text, { label, readOnly = false }) {
    if (this.#name) {
      this.mark();
      this.#states.set(this.#name, this.#view.state);
    }
    this.#name = name;
    const known = this.#states.get(name);
    const isSame = known && known.doc.toString() === text;
    this.#view.setState(isSame ? known : EditorState.create({ doc: text, extensions: this.#extensions(label, readOnly) }));
  }

  #line(number) {
    return this.#view.state.doc.line(Math.min(Math.max(number, 1), this.#view.state.doc.lines));
  }

  /* Put the cursor into a line, and show it. */
  goTo(number) {
    const line = this.#line(number);
    this.#view.dispatch({ selection: { anchor: line.from, head: line.to }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
    this.#view.focus();
  }

  /* Mark a line, and show it; with none, mark nothing. */
  mark(number = null) {
    const from = number === null ? null : this.#line(number).from;
    this.#view.dispatch({ effects: [setMark.of(from), ...(number === null ? [] : [EditorView.scrollIntoView(from, { y: "center" })])] });
  }

  /* Put another text in place of the one that is shown, as an edit that can be undone. */
  replace(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  forget(name) {
    this.#states.delete(name);
    if (this.#name === name) this.#name = "";
  }
}
