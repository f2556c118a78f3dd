// Find and replace: a row above the text, and a mark behind each match. A second Ctrl+F is the browser's.

import { button, make } from "../elements.js";
import { write } from "./edits.js";

const MAX_MARKS = 2000;
const FOUND_STYLE = "::highlight(found) { background: color-mix(in srgb, #f5b100 45%, transparent); }";

// Where in the nodes of an element its text is at a column.
/** @type {(element: Node, column: number) => [Node, number]} */
const pointIn = (element, column) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let [node, rest] = [walker.nextNode(), column];
  for (; node && rest > (node.nodeValue?.length ?? 0); node = walker.nextNode()) rest -= node.nodeValue?.length ?? 0;
  return [node ?? element, node ? rest : 0];
};

/** @type {(lines: Lines, value: string, all: Match[]) => void} */
const markMatches = (lines, value, all) => {
  if (!globalThis.CSS?.highlights) return;
  let [line, offset] = [0, 0];
  const ranges = all.slice(0, MAX_MARKS).map(([start, end]) => {
    for (let next = value.indexOf("\n", offset) + 1; next && next <= start; next = value.indexOf("\n", offset) + 1) [line, offset] = [line + 1, next];
    const range = document.createRange();
    const element = lines.elementOf(line);
    range.setStart(...pointIn(element, start - offset));
    range.setEnd(...pointIn(element, end - offset));
    return range;
  });
  const root = /** @type {ShadowRoot} */ (lines.elementOf(0).getRootNode());
  if (!root.adoptedStyleSheets.length) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(FOUND_STYLE);
    root.adoptedStyleSheets = [sheet];
  }
  CSS.highlights.set("found", new Highlight(...ranges));
};

export const find = (/** @type {Workbench} */ form, /** @type {Lines} */ lines) => {
  const text = form.elements.content;
  const field = (/** @type {string} */ label) => make("input", { type: "search", placeholder: label, ariaLabel: label, autocomplete: "off", spellcheck: false });
  const [sought, other] = [field("Find"), field("Replace with")];
  const count = make("span", { className: "muted", role: "status" });
  const row = make("div", { className: "finding-row", hidden: true, role: "search" });
  let at = 0;

  /** @type {() => Match[]} */
  const matches = () => {
    if (!sought.value) return [];
    const literal = sought.value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    const pattern = isOn(whole) ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal;
    return Array.from(text.value.matchAll(new RegExp(pattern, isOn(cased) ? "gu" : "giu")), ({ 0: { length }, index }) => [index, index + length]);
  };

  const tell = (/** @type {number} */ index, /** @type {Match[]} */ all) => {
    count.textContent = sought.value ? (all.length ? `${index + 1} of ${all.length}` : "None") : "";
    markMatches(lines, text.value, all);
  };

  // Selects the match after `at`, or the one before it.
  const go = (/** @type {number} */ step) => {
    const all = matches();
    const next = step > 0 ? all.findIndex(([start]) => start > at) : all.findLastIndex(([start]) => start < at);
    const index = next < 0 && step < 0 ? all.length - 1 : Math.max(next, 0);
    tell(index, all);
    if (!all.length) return;
    [at] = all[index];
    text.setSelectionRange(...all[index]);
    lines.reveal(at);
  };
  const again = () => {
    at = text.selectionStart - 1;
    go(1);
  };

  const replace = () => {
    const [start, end] = [text.selectionStart, text.selectionEnd];
    if (!matches().some((each) => each[0] === start && each[1] === end)) return go(1);
    write(text, { start, end, content: other.value });
    at = start + other.value.length - 1;
    other.focus();
    return go(1);
  };

  // In one step.
  const replaceAll = () => {
    const all = matches();
    if (!all.length) return tell(0, all);
    const [start, end] = [all[0][0], all[all.length - 1][1]];
    const parts = all.map(([, from], each) => other.value + text.value.slice(from, all[each + 1]?.[0] ?? end));
    write(text, { start, end, content: parts.join("") });
    other.focus();
    count.textContent = `${all.length} replaced`;
    return undefined;
  };

  const close = () => {
    row.hidden = true;
    markMatches(lines, "", []);
    text.focus({ preventScroll: true });
  };

  /** @type {(label: string, action: () => void, title?: string) => HTMLButtonElement} */
  const press = (label, action, title) => button(label, action, { className: "small", title: title ?? "", ariaLabel: title ?? label });
  const isOn = (/** @type {HTMLElement} */ each) => each.ariaPressed === "true";
  const turn = (/** @type {HTMLElement} */ each) => {
    each.ariaPressed = String(!isOn(each));
    again();
  };
  const cased = press("Aa", () => turn(cased), "Match case");
  const whole = press("“W”", () => turn(whole), "Whole words");
  cased.ariaPressed = whole.ariaPressed = "false";
  const isWritable = !text.readOnly;
  row.append(
    sought, count, cased, whole, press("↑", () => go(-1), "Previous match"), press("↓", () => go(1), "Next match"),
    ...(isWritable ? [other, press("Replace", replace), press("All", replaceAll, "Replace all")] : []),
    press("×", close, "Close"),
  );
  text.before(row);

  sought.addEventListener("input", again);
  // Of what is typed meanwhile.
  text.addEventListener("input", () => {
    if (row.hidden) return;
    const all = matches();
    tell(Math.max(0, all.findIndex(([start]) => start >= at)), all);
  });
  row.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === sought) go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === other) replace();
    else return;
    event.preventDefault();
  });

  return () => {
    const picked = text.value.slice(text.selectionStart, text.selectionEnd);
    row.hidden = false;
    if (picked && !picked.includes("\n")) sought.value = picked;
    at = text.selectionStart - 1;
    sought.select();
    sought.focus();
    if (sought.value) go(1);
  };
};
