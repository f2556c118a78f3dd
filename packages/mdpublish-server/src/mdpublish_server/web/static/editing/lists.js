// Numbered lists count on after an edit; the first number, the delimiter and the widths of what is in an item are kept.

import { commonEnds, fenceAt, fencesOf, lineAt, offsetIn } from "./edits.js";

export const LIST_ITEM = /^(\s*(?:> ?)*\s*)(?:(\d{1,9})([.)])|([-*+]))(\s+|$)/;
export const BLANK = /^[ \t>]*$/;
const BREAKS = /^[ >]*(?:#{1,6}\s|([-*_])(?:\s*\1){2,}\s*$)/;
// A paragraph at the margin ends what is before: between two of them is all that numbers depend on.
const PARAGRAPH = /\n\n(?![\s>\d*+`~-])/g;

// Where what a line has begins, for who is in so many quotes.
const columnOf = (/** @type {string} */ prefix, /** @type {number} */ quotes) => {
  const parts = prefix.split(">");
  return parts.length <= quotes ? -1 : parts.slice(0, quotes + 1).join(">").replaceAll("\t", "    ").length;
};

/** The items that each line is in, the innermost one last; an item's own line has it too. @type {(lines: string[]) => ListItem[][]} */
const itemsOf = (lines) => {
  const fences = fencesOf(lines);
  /** @type {ListItem[]} */
  let open = [];
  let isGap = true;
  return lines.map((line, index) => {
    const fence = fences[index];
    if (fence && fence.first < index) return open;
    const [prefix] = /^[\s>]*/.exec(line) ?? [""];
    const outer = open.findIndex(({ quotes, content }) => columnOf(prefix, quotes) < content) >>> 0;
    const within = open.slice(0, outer);
    const wasGap = isGap;
    isGap = BLANK.test(line);
    if (isGap) {
      open = open.filter(({ quotes }) => columnOf(prefix, quotes) >= 0);
      return open;
    }
    const [whole, lead = "", number = "", delimiter, bullet, space] = LIST_ITEM.exec(line) ?? [];
    const quotes = lead.split(">").length - 1;
    const column = columnOf(lead, quotes);
    const isCode = column - (within.at(-1)?.content ?? (quotes && lead.lastIndexOf(">") + 2)) >= 4;
    const isBreak = BREAKS.test(line);
    if (whole === undefined || isCode || isBreak) {
      // What goes on a paragraph is in its item, too.
      if (wasGap || fence || isBreak) open = within;
      return within;
    }
    const kind = delimiter ?? bullet;
    const before = open[outer];
    const list = before?.quotes === quotes && before.list.kind === kind ? before.list : { kind, items: [], level: `${within.length},${quotes},${kind}`, parent: within.at(-1) };
    // Behind the mark, code or nothing is one column away.
    const item = { list, index, quotes, number, lead, content: column + number.length + 1 + (space.length > 4 ? 1 : space.length || 1), shift: 0 };
    list.items.push(item);
    open = [...within, item];
    return open;
  });
};

const itemAt = (/** @type {ListItem[][]} */ all, /** @type {number} */ index) => all[index]?.findLast((item) => item.index === index);

// Numbers the items of the lists that an edit of lines changes, and returns whether it had to.
/** @type {(before: ListItem[][], after: ListItem[][], first: number, last: number, oldLast: number) => boolean} */
const recount = (before, after, first, last, oldLast) => {
  let isChanged = false;
  const isTouched = (/** @type {ListItem | undefined} */ item) => item !== undefined && item.index >= first && item.index <= last;
  const lists = new Set(after.slice(first, last + 2).flatMap((items) => items.map(({ list }) => list)));
  for (const { items, kind, level, parent } of lists) {
    const [lead] = items;
    const known = items.map(({ index }) => (index > last ? itemAt(before, index - last + oldLast) : index < first || oldLast === last ? itemAt(before, index) : undefined));
    const old = known[0]?.list;
    const isSame = old && old.items.length === items.length && known.every((item, index) => item?.list === old && item.number === items[index].number);
    if (isSame || !/[.)]/.test(kind)) continue;
    const gone = before.slice(first, oldLast + 1).flat().find(({ index, list }) => lead.index >= first && index >= first && list.level === level && list.items[0].index === index);
    const isMoved = old && old.items[0] !== known[0] && (isTouched(parent) || old.level !== level);
    const others = items.filter((item) => !isTouched(item)).map(({ number }) => number);
    const step = others.length > 1 && others.every((number) => number === others[0]) ? 0 : 1;
    const begun = Number(step ? (gone ?? (isMoved ? { number: 1 } : lead)).number : others[0]);
    for (const [index, item] of items.entries()) {
      const number = String(begun + index * step);
      item.shift = number.length - item.number.length;
      isChanged ||= number !== item.number;
      item.number = number;
    }
  }
  return isChanged;
};

/** The edit with the numbers that it makes wrong. @type {(state: Selected, edit: Edit) => Edit} */
export const renumbered = ({ value }, edit) => {
  const { start, end, content, from = start + content.length, to = from } = edit;
  const ends = Array.from(value.matchAll(PARAGRAPH), ({ index }) => index);
  const above = (ends.findLast((at) => at + 2 <= start) ?? -2) + 2;
  const begin = fenceAt(value, above) ? 0 : above;
  const finish = ends.find((at) => at >= end) ?? value.length;
  const next = value.slice(begin, start) + content + value.slice(end, finish);
  const [old, now] = [value.slice(begin, finish), next].map((each) => each.split("\n"));
  const changed = commonEnds(now, old);
  const [oldLast, last] = [old, now].map(({ length }) => length - changed.tail - 1);
  const after = itemsOf(now);
  if (!recount(itemsOf(old), after, changed.head, last, oldLast)) return edit;

  // What is in an item stays in it when its number gets longer.
  const fitted = now.map((line, index) => {
    const item = itemAt(after, index);
    const counted = item?.number ? line.replace(/^(\D*)\d+/, `$1${item.number}`) : line;
    const shift = BLANK.test(line) ? 0 : after[index].reduce((sum, each) => sum + (each === item ? 0 : each.shift), 0);
    return shift > 0 ? counted.replace(/^[\s>]*>|^/, `$&${" ".repeat(shift)}`) : counted.replace(new RegExp(`^([\\s>]*>|) {0,${-shift}}`), "$1");
  });
  let { head, tail } = commonEnds(fitted, old);
  // Whole lines that only come or go would leave a line end behind.
  if (head + tail === Math.min(fitted.length, old.length)) head ? (head -= 1) : (tail -= 1);
  const moved = (/** @type {number} */ offset) => {
    const line = lineAt(next, Math.max(0, offset - begin));
    const isLead = next[offset - begin - 1] === "\n";
    return offset + offsetIn(fitted, line) - offsetIn(now, line) + (isLead || offset <= begin ? 0 : fitted[line].length - now[line].length);
  };
  return {
    start: begin + offsetIn(old, head),
    end: finish - offsetIn(old.slice(old.length - tail)),
    content: fitted.slice(head, fitted.length - tail).join("\n"),
    from: moved(from),
    to: moved(to),
  };
};
