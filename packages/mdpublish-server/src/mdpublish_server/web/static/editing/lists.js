// Numbered lists count on after an edit; the first number, the delimiter and the widths of what is in an item are kept.

import { commonEnds, fenceAt, lineAt } from "./edits.js";

export const ITEM = /^(\s*(?:> ?)*\s*)(?:(\d{1,9})([.)])|([-*+]))(\s+|$)/;
const FENCE = /^([ >]*(?:(?:[-*+]|\d+[.)]) +)?)(`{3,}|~{3,})(.*)/;
export const BLANK = /^[ \t>]*$/;
const BREAKS = /^[ >]*(?:#{1,6}\s|([-*_])(?:\s*\1){2,}\s*$)/;

const quotesIn = (/** @type {string} */ prefix) => prefix.split(">").length - 1;
// Where what a line has begins, for who is in so many quotes.
/** @type {(prefix: string, quotes: number) => number} */
const columnOf = (prefix, quotes) => (quotesIn(prefix) < quotes ? -1 : prefix.split(">").slice(0, quotes + 1).join(">").replaceAll("\t", "    ").length);

// The items that each line is in, the innermost one last; an item's own line has it too.
const parse = (/** @type {string[]} */ lines) => {
  /** @type {ListItem[]} */
  let open = [];
  let fence = "";
  let isGap = true;
  return lines.map((line, index) => {
    const [, , mark = "", rest = ""] = FENCE.exec(line) ?? [];
    if (fence) {
      if (mark.startsWith(fence) && !rest.trim()) fence = "";
      return open;
    }
    const [prefix] = /^[\s>]*/.exec(line) ?? [""];
    if (BLANK.test(line)) {
      open = open.filter(({ quotes }) => quotes <= quotesIn(prefix));
      isGap = true;
      return open;
    }
    const isIn = (/** @type {ListItem} */ { quotes, content }) => columnOf(prefix, quotes) >= content;
    const within = open.slice(0, open.findIndex((item) => !isIn(item)) >>> 0);
    const [whole, lead = "", number, delimiter, bullet = "", space] = ITEM.exec(line) ?? [];
    const quotes = quotesIn(lead);
    const column = columnOf(lead, quotes);
    const isCode = column - (within.at(-1)?.content ?? (quotes && lead.lastIndexOf(">") + 2)) >= 4;
    const wasGap = isGap;
    isGap = false;
    if (whole === undefined || isCode || BREAKS.test(line)) {
      if (wasGap || mark || BREAKS.test(line)) open = within;
      fence = mark;
      return within;
    }
    const [before] = open.slice(within.length);
    const kind = delimiter ?? bullet;
    const isSame = before?.quotes === quotes && before.list.kind === kind;
    const list = isSame ? before.list : { kind, items: [], level: `${within.length},${quotes},${kind}`, parent: within.at(-1) };
    const width = lead.length + (number ?? "").length + 1;
    // A code block in the item, or nothing, is one column behind the mark.
    const inner = width + (space.length > 4 || !space ? 1 : space.length) - lead.length + column;
    const item = { list, index, quotes, number: number ?? "", lead, content: inner, shift: 0 };
    list.items.push(item);
    fence = FENCE.test(line) ? mark : "";
    open = [...within, item];
    return open;
  });
};

// A paragraph at the margin ends what is before: between two of them is all that numbers depend on.
const ENDS = /\n\n(?![\s>\d*+`~-])/g;

/** @type {(value: string, start: number, end: number) => [number, number]} */
const surroundings = (value, start, end) => {
  const ends = Array.from(value.matchAll(ENDS), ({ index }) => index);
  const above = ends.findLast((at) => at + 2 <= start) ?? -2;
  return [above < 0 || fenceAt(value, above + 2) ? 0 : above + 2, ends.find((at) => at >= end) ?? value.length];
};

/** The edit with the numbers that it makes wrong. @type {(state: Selected, edit: Edit) => Edit} */
export const renumbered = ({ value }, edit) => {
  const { start, end, content, from = start + content.length, to = from } = edit;
  const [begin, finish] = surroundings(value, start, end);
  const next = value.slice(begin, start) + content + value.slice(end, finish);
  const [old, now] = [value.slice(begin, finish), next].map((each) => each.split("\n"));
  const { head: first, tail: below } = commonEnds(now, old);
  const [oldLast, last] = [old, now].map(({ length }) => length - below - 1);
  const signs = (/** @type {string[]} */ lines) => lines.map((line) => ITEM.exec(line)?.slice(1, 5) ?? "").join("\n");
  if (oldLast === last && signs(old.slice(first, last + 1)) === signs(now.slice(first, last + 1))) return edit;

  const [before, after] = [parse(old), parse(now)];
  const isTouched = (/** @type {ListItem | undefined} */ item) => item !== undefined && item.index >= first && item.index <= last;
  /** @type {(all: ListItem[][], index: number) => ListItem | undefined} */
  const itemAt = (all, index) => all[index]?.findLast((item) => item.index === index);
  const oldOf = (/** @type {number} */ index) => (index < first ? index : index > last ? index - last + oldLast : oldLast === last ? index : -1);
  const lists = new Set(after.slice(first, last + 2).flatMap((items) => items.map(({ list }) => list)));
  let isChanged = false;
  for (const { items, kind, level, parent } of lists) {
    if (!/[.)]/.test(kind)) continue;
    const [lead] = items;
    const known = items.map(({ index }) => itemAt(before, oldOf(index)));
    const [was] = known;
    if (was && !items.some(isTouched) && known.every((item) => item?.list === was.list) && was.list.items.length === items.length) continue;
    const gone = lead.index < first ? undefined : before.slice(first, oldLast + 1).flat().find(({ index, list }) => index >= first && list.level === level && list.items[0].index === index);
    const wasInner = was && was.list.items[0] !== was;
    const isMoved = isTouched(parent) || oldOf(parent?.index ?? -1) !== (was?.list.parent?.index ?? -1);
    const begun = Number(gone ? gone.number : wasInner && isMoved ? 1 : lead.number);
    const others = items.filter((item) => !isTouched(item)).map(({ number }) => number);
    const step = others.length > 1 && others.every((number) => number === others[0]) ? 0 : 1;
    for (const [index, item] of items.entries()) {
      const number = String((step ? begun : Number(others[0])) + index * step);
      if (number === item.number || number.length > 9) continue;
      isChanged = true;
      item.shift = number.length - item.number.length;
      now[item.index] = item.lead + number + now[item.index].slice(item.lead.length + item.number.length);
    }
  }
  if (!isChanged) return edit;

  // What is in an item stays in it when its number gets longer.
  const fitted = now.map((line, index) => {
    const shift = after[index].reduce((sum, item) => sum + (item.index < index ? item.shift : 0), 0);
    const [prefix] = /^[\s>]*>|^/.exec(line) ?? [""];
    if (!shift || BLANK.test(line)) return line;
    return prefix + (shift > 0 ? " ".repeat(shift) + line.slice(prefix.length) : line.slice(prefix.length).replace(new RegExp(`^ {0,${-shift}}`), ""));
  });
  let { head, tail } = commonEnds(fitted, old);
  // Whole lines that only come or go would leave a line end behind.
  if (head + tail === Math.min(fitted.length, old.length)) head ? (head -= 1) : (tail -= 1);
  const lengthOf = (/** @type {string[]} */ lines) => lines.reduce((sum, line) => sum + line.length + 1, 0);
  const moved = (/** @type {number} */ offset) => {
    if (offset < begin) return offset;
    const line = lineAt(next, offset - begin);
    const column = offset - begin - lengthOf(next.split("\n").slice(0, line));
    const longer = fitted[line].length - next.split("\n")[line].length;
    return begin + lengthOf(fitted.slice(0, line)) + Math.max(0, column && column + longer);
  };
  const written = fitted.slice(head, fitted.length - tail).join("\n");
  const [cut, rest] = [begin + lengthOf(old.slice(0, head)), finish - lengthOf(old.slice(old.length - tail))];
  return { start: cut, end: rest, content: written, from: moved(from), to: moved(to) };
};
