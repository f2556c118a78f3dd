// Where the lines of a text are: a copy over the field, whose lines are elements. It shows them, marks dimmed and
// headings bold.

import { make } from "../elements.js";
import { commonEnds, lineAt } from "./edits.js";
import { search } from "./sync.js";

const STYLES = /** @type {const} */ ([
  "fontFamily", "fontSize", "lineHeight", "tabSize", "paddingTop", "paddingRight", "paddingBottom", "paddingLeft", "direction",
]);
// Beyond it, the field shows its text itself.
const MAX_LENGTH = 400_000;
// Lines in a box at first: with a key, the browser lays out the line, its box and the list of boxes, not all lines.
const BOX = 100;

const FENCE = /^[ >]*(?:(?:[-*+]|\d+[.)]) +)?(`{3,}|~{3,})(.*)/;
const MARK = /(^[ \t|:-]+$|^[ \t]*(?:(?:>|#{1,6}|[-*+](?: \[[ xX]\])?|\d+[.)])[ \t]+|>$)+|\*{1,3}|`+|~~|\||!?\[|\](?:\([^)\s]*\)?)?)/;
const CODE = "\0";

const keysOf = (/** @type {string} */ value) => {
  let fence = "";
  return value.split("\n").map((line) => {
    const [, mark = "", rest] = FENCE.exec(line) ?? [];
    const isCode = fence || mark;
    if (!fence) fence = mark;
    else if (mark.startsWith(fence) && !rest.trim()) fence = "";
    return isCode ? CODE + line : line;
  });
};

const dimmed = (/** @type {string} */ content) => Object.assign(make("span", { textContent: content }), { part: "mark" });

const lineOfKey = (/** @type {string} */ key) => {
  const made = document.createElement("div");
  made.dir = "auto";
  if (/^ {0,3}#{1,6}[ \t]/.test(key)) made.part = "heading";
  if (key.startsWith(CODE)) made.textContent = key.slice(1);
  else made.append(...key.split(MARK).map((part, index) => (index % 2 ? dimmed(part) : part)));
  if (!made.textContent) made.textContent = "\u200b";
  return made;
};

export const mirror = (/** @type {HTMLTextAreaElement} */ text) => {
  const copy = make("div", { className: "mirror", ariaHidden: "true", inert: true });
  text.after(copy);
  // Its own tree, so that no rule of the page is checked for each key.
  const shown = copy.attachShadow({ mode: "open" });
  const { get, set } = /** @type {Required<TypedPropertyDescriptor<string>>} */ (Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value"));
  let known = /** @type {string | null} */ (null);
  let keys = /** @type {string[]} */ ([]);
  let rows = /** @type {HTMLElement[]} */ ([]);

  // What has not changed stays: a key is one line.
  const lines = () => {
    const value = get.call(text);
    if (known === value) return rows;
    known = value;
    const next = keysOf(value);
    const { head, tail } = commonEnds(next, keys);
    const made = next.slice(head, next.length - tail).map(lineOfKey);
    const [after, last, end] = [rows[head], rows.at(-1), keys.length - tail];
    const old = rows.slice(head, end);
    rows = rows.slice(0, head).concat(made, rows.slice(end));
    if (last && made.length < BOX) {
      after ? after.before(...made) : last.after(...made);
      for (const each of old) each.remove();
    } else {
      shown.replaceChildren();
      for (let at = 0; at < rows.length; at += BOX) shown.append(make("div", {}, ...rows.slice(at, at + BOX)));
    }
    keys = next;
    text.classList.toggle("is-mirrored", value !== "" && value.length < MAX_LENGTH);
    return rows;
  };

  const fit = () => {
    const style = getComputedStyle(text);
    for (const name of STYLES) copy.style[name] = style[name];
    const { clientWidth: width, clientHeight: height, clientLeft, clientTop } = text;
    const box = { width, height, left: text.offsetLeft + clientLeft, top: text.offsetTop + clientTop };
    for (const [name, length] of Object.entries(box)) copy.style.setProperty(name, `${length}px`);
    copy.scrollTop = text.scrollTop;
  };

  // Scripts' changes are no input.
  const change = (/** @type {string} */ value) => {
    set.call(text, value);
    lines();
  };
  Object.defineProperty(text, "value", { get, set: change });
  text.addEventListener("input", lines);
  text.addEventListener("scroll", () => (copy.scrollTop = text.scrollTop), { passive: true });
  const watcher = new ResizeObserver(fit);
  for (const each of [text, text.parentElement ?? text]) watcher.observe(each);
  lines();
  fit();

  // In px from the top of the text; a part of a line counts.
  const topOf = (/** @type {number} */ line) => {
    const all = lines();
    const each = all[Math.min(Math.floor(line), all.length - 1)];
    return each.offsetTop + (line - Math.floor(line)) * each.offsetHeight;
  };
  const lineOf = (/** @type {number} */ top) => {
    const all = lines();
    const low = Math.max(0, search(all, (each) => each.offsetTop <= top));
    return low + Math.min(1, Math.max(0, (top - all[low].offsetTop) / (all[low].offsetHeight || 1)));
  };
  // Scrolls the line of an offset into view, a third from the top, unless it is seen.
  const reveal = (/** @type {number} */ offset) => {
    const top = topOf(lineAt(get.call(text), offset));
    if (top < text.scrollTop || top > text.scrollTop + text.clientHeight - 48) text.scrollTop = top - text.clientHeight / 3;
  };
  const goTo = (/** @type {number} */ offset) => {
    text.focus({ preventScroll: true });
    text.setSelectionRange(offset, offset);
    reveal(offset);
  };
  return { topOf, lineOf, reveal, goTo, elementOf: (/** @type {number} */ line) => lines()[line] };
};
