// What the toolbar's buttons and the keys do: each takes a text with its selection, and returns an edit.

import { block, fenceAt, isUrl, linesOf } from "./edits.js";
import { BLANK, renumbered } from "./lists.js";

const ITEM = /^(\s*(?:> ?)*\s*)([-*+]|\d{1,9}[.)])(\s+)(\[[ xX]\]\s+)?/;
const QUOTE = /^(?:\s*> ?)+/;
const MARKED = /^\s*(?:>|(?:[-*+]|\d{1,9}[.)])\s)/;
const INDENT = "  ";

/** Marks around the selection, or around the word at the caret; what has them loses them. @type {(mark: string) => Command} */
const around = (mark) => ({ value, start, end }) => {
  const size = mark.length;
  if (start === end) {
    if (value.startsWith(mark, start)) return { start, end, content: "", from: start + size };
    start -= /[\p{L}\p{N}_-]*$/u.exec(value.slice(0, start))?.[0].length ?? 0;
    end += /^[\p{L}\p{N}_-]*/u.exec(value.slice(end))?.[0].length ?? 0;
  }
  const picked = value.slice(start, end);
  const content = picked.trim();
  if (picked.startsWith(mark) && picked.endsWith(mark) && picked.length > 2 * size) {
    return { start, end, content: picked.slice(size, -size), from: start, to: end - 2 * size };
  }
  if (value.slice(start - size, start) === mark && value.startsWith(mark, end) && content) {
    return { start: start - size, end: end + size, content: picked, from: start - size, to: end - size };
  }
  const from = start + picked.indexOf(content);
  const to = from + content.length;
  return { start: from, end: to, content: `${mark}${content}${mark}`, from: from + size, to: to + size };
};

/** Rewrites each line of the selection that has text, or the only one. @type {(rewrite: Rewrite) => Command} */
const eachLine = (rewrite) => (state) => {
  const { first, last, lines } = linesOf(state);
  const written = lines.map((line, index) => (line.trim() || lines.length === 1 ? rewrite(line, index) : line));
  const content = written.join("\n");
  if (state.start !== state.end) return { start: first, end: last, content, from: first, to: first + content.length };
  return { start: first, end: last, content, from: Math.max(first, state.start + content.length - (last - first)) };
};

// Goes through the levels; at the last one back to text.
const heading = eachLine((line) => {
  const [mark = "", level = ""] = /^(#{1,6})\s+/.exec(line) ?? [];
  const content = line.slice(mark.length);
  return level.length === 3 ? content : `${level}# ${content}`;
});

export const headingOf = (/** @type {number} */ level) => eachLine((line) => `${"#".repeat(level)} ${line.replace(/^#{1,6}\s+/, "")}`);

// Blank lines around what has left a list or quote: else Markdown reads lines that follow a paragraph as lines of it.
/** @type {(value: string, edit: Edit, isNear?: (line: string) => boolean) => Edit} */
const apart = (value, { start, end, content, from = start + content.length, to = from }, isNear = (line) => !BLANK.test(line)) => {
  const outer = (QUOTE.exec(content)?.[0] ?? "").trimEnd();
  const [above] = value.slice(0, start).split("\n").slice(-2, -1);
  const [below] = value.slice(end + 1).split("\n", 1);
  const within = (/** @type {string} */ line) => line.slice(line.startsWith(outer) ? outer.length : 0);
  // A blank line that stands there leaves the quote too.
  const isGap = above !== undefined && BLANK.test(above) && above.startsWith(outer);
  const before = isGap || isNear(within(above ?? "")) ? `${outer}\n` : "";
  const after = isNear(within(below)) ? `\n${below.startsWith(outer) ? outer : ""}` : "";
  const first = isGap ? start - above.length - 1 : start;
  const shift = first + before.length - start;
  return { start: first, end, content: before + content + after, from: from + shift, to: to + shift };
};

// Takes marks off the lines of the selection if all have them, else puts them on.
/** @type {(isMarked: (line: string) => boolean, strip: Rewrite, mark: Rewrite) => Command} */
const toggle = (isMarked, strip, mark) => (state) => {
  const { lines } = linesOf(state);
  const isOff = lines.some(isMarked) && lines.every((line) => !line.trim() || isMarked(line));
  const edit = eachLine(isOff ? strip : mark)(state);
  return isOff ? apart(state.value, edit, (line) => MARKED.test(line)) : edit;
};

const quote = toggle((line) => line.startsWith(">"), (line) => line.replace(/^> ?/, ""), (line) => `> ${line}`);

/** @type {(has: (parts: string[]) => boolean, markerOf: (index: number) => string) => Command} */
const list = (has, markerOf) =>
  toggle((line) => has(ITEM.exec(line)?.slice(2) ?? []), (line) => line.replace(ITEM, "$1"), (line, index) => {
    const [whole = "", indent] = ITEM.exec(line) ?? /^(\s*)/.exec(line) ?? [];
    return `${indent}${markerOf(index)}${line.slice(whole.length)}`;
  });

const bullets = list(([mark, , task]) => /[-*+]/.test(mark) && !task, () => "- ");
const numbered = list(([mark]) => /\d/.test(mark), (index) => `${index + 1}. `);
const numbers = (/** @type {Selected} */ state) => renumbered(state, numbered(state));
const tasks = list(([, , task]) => Boolean(task), () => "- [ ] ");

/** @type {(open: string, close: string, inline: Command) => Command} */
const fenced = (open, close, inline) => (state) => {
  const { value, start, end } = state;
  const picked = value.slice(start, end);
  const isAlone = start === end && !linesOf(state).lines[0].trim();
  if (!picked.includes("\n") && !isAlone) return inline(state);
  return block(state, `${open}\n${picked.trim()}\n${close}`, open.length + 1, open.length + 1 + picked.trim().length);
};

const linked = (/** @type {string} */ mark) => (/** @type {Selected} */ { value, start, end }) => {
  const picked = value.slice(start, end);
  const isTarget = isUrl(picked);
  const content = isTarget ? `${mark}[](${picked.trim()})` : `${mark}[${picked}](https://)`;
  const from = start + mark.length + (isTarget || !picked ? 1 : picked.length + 3);
  return { start, end, content, from, to: isTarget || !picked ? from : from + 8 };
};

export const callout = (/** @type {string} */ kind) => (/** @type {Selected} */ state) => {
  const picked = state.value.slice(state.start, state.end).trim();
  return block(state, `> [!${kind}]\n> ${picked.replaceAll("\n", "\n> ")}`);
};

// Below what is selected.
const table = (/** @type {Selected} */ { value, end }) => block({ value, start: end, end }, "| Column | Column |\n| ------ | ------ |\n|        |        |", 2, 8);

/** The line that Enter begins: it continues an item or a quote, and one that is empty ends. @type {(state: Selected) => Edit | null} */
export const newLine = (state) => {
  const { value, start, end } = state;
  const first = value.lastIndexOf("\n", start - 1) + 1;
  const line = value.slice(first, start);
  const fence = fenceAt(value, start);
  if (fence) {
    const [indent] = /^[ \t>]*/.exec(line) ?? [];
    return indent ? { start, end, content: `\n${indent}` } : null;
  }
  const item = ITEM.exec(line);
  const [prefix] = item ?? QUOTE.exec(line) ?? [];
  if (!prefix) return null;
  const { last, lines } = linesOf({ value, start: first, end });
  if (!lines.join("\n").slice(prefix.length).trim()) {
    const [nested, quotes] = (item && /^((?: *> ?)*)(?<!>)(?: {2,4}|\t)/.exec(line)) ?? [];
    if (nested) return renumbered(state, { start: first, end: start, content: quotes + line.slice(nested.length) });
    const outer = item ? item[1].trimEnd() : prefix.replace(/> ?$/, "");
    return apart(value, { start: first, end: last, content: outer.replace(/>$/, "> ") });
  }
  if (!item) return { start, end, content: `\n${prefix}` };
  const [, indent, mark, space, task] = item;
  const next = /\d/.test(mark) ? `${Number.parseInt(mark, 10) + 1}${mark.at(-1)}` : mark;
  return renumbered(state, { start, end, content: `\n${indent}${next}${space}${task ? "[ ] " : ""}` });
};

// Tab moves items, by the width of the marker that they go under, and lines of code, within their quote; elsewhere it
// leaves the field.
export const indent = (/** @type {Selected} */ state, /** @type {boolean} */ isOut) => {
  const { value, start, end } = state;
  const { first, last, lines } = linesOf(state);
  const fence = fenceAt(value, start);
  const isCode = fence !== null;
  if (!isCode && !ITEM.test(lines[0])) return null;
  if (isCode && start === end && !isOut) return { start, end, content: INDENT };
  const [, , mark = "-"] = ITEM.exec(lines[0]) ?? [];
  const step = isCode ? INDENT : " ".repeat(mark.length + 1);
  const [quotes = ""] = QUOTE.exec(isCode ? fence.indent : lines[0]) ?? [];
  const move = (/** @type {string} */ line) => {
    if (!line.startsWith(quotes)) return line;
    const inner = line.slice(quotes.length);
    return quotes + (isOut ? inner.replace(/^(\t| {1,4})/, (all) => all.slice(Math.min(all.length, step.length))) : step + inner);
  };
  const moved = lines.map((line) => (line.trim() ? move(line) : line));
  const content = moved.join("\n");
  const shift = moved[0].length - lines[0].length;
  const from = Math.max(first, start + shift);
  return renumbered(state, { start: first, end: last, content, from, to: start === end ? from : first + content.length });
};

export const PAIRS = new Map(Object.entries({ "*": "*", _: "_", "`": "`", "~": "~", "(": ")", "[": "]", '"': '"' }));

/** What a mark that is typed does to a selection: it goes around it, and around each paragraph of it. In code, brackets do. @type {(state: Selected, mark: string) => Edit | null} */
export const wrapped = ({ value, start, end }, mark) => {
  const close = PAIRS.get(mark);
  const picked = value.slice(start, end);
  if (!close || !picked.trim() || (mark === close && mark !== '"' && fenceAt(value, start))) return null;
  let count = 0;
  const content = picked.replace(mark === close && mark !== '"' ? /\S(?:[^]*?\S)??(?=\s*(?:\n[ \t]*\n|$))/g : /\S(?:[^]*\S)?/, (part) => ((count += 1), `${mark}${part}${close}`));
  const from = start + picked.search(/\S/) + (count > 1 ? 0 : 1);
  const to = start + content.trimEnd().length - (count > 1 ? 0 : 1);
  return { start, end, content, from, to };
};

/** What a browser's deletion or paste does to numbers: none, if it is within a line. @type {(state: Selected, type: string, data: string | null) => Edit | null} */
export const spliced = (state, type, data) => {
  let { start, end } = state;
  if (start === end && type === "deleteContentBackward") start -= 1;
  if (start === end && type === "deleteContentForward") end += 1;
  const isPaste = type === "insertFromPaste" && start === end && data?.includes("\n");
  if (!isPaste && (!/^delete(?:Content|ByCut)/.test(type) || !state.value.slice(Math.max(0, start), end).includes("\n"))) return null;
  const edit = { start, end, content: isPaste ? data ?? "" : "" };
  const mended = renumbered(state, edit);
  return mended === edit ? null : mended;
};

export const COMMANDS = {
  bold: around("**"),
  italic: around("_"),
  strike: around("~~"),
  heading,
  link: linked(""),
  image: linked("!"),
  quote,
  code: fenced("```", "```", around("`")),
  formula: fenced("$$", "$$", around("$")),
  bullets,
  numbers,
  tasks,
  table,
};
