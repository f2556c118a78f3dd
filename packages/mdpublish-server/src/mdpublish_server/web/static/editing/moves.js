// Lines that move or are doubled: an item with what is in it, a fence as a whole, and between blank lines whole blocks.

import { lineAt, linesOf } from "./edits.js";
import { BLANK, ITEM, renumbered } from "./lists.js";

const FENCE = /^[ >]*(?:(?:[-*+]|\d+[.)]) +)?(`{3,}|~{3,})(.*)/;

// The number of the fence that each line is in, negative at its marks; 0 is outside.
const fencesOf = (/** @type {string[]} */ lines) => {
  let [fence, count] = ["", 0];
  return lines.map((line) => {
    const [, mark = "", rest = ""] = FENCE.exec(line) ?? [];
    if (!fence) {
      fence = mark;
      return mark ? -(count += 1) : 0;
    }
    const isEnd = mark.startsWith(fence) && !rest.trim();
    if (isEnd) fence = "";
    return isEnd ? -count : count;
  });
};

/** @type {(state: Selected) => Moving} */
const moving = (state) => {
  const { value } = state;
  const all = linesOf(state);
  const lines = value.split("\n");
  const fences = fencesOf(lines);
  const leadOf = (/** @type {number} */ index) => /^[\s>]*/.exec(lines[index])?.[0].length ?? 0;
  const isItem = (/** @type {number} */ index) => !fences[index] && ITEM.test(lines[index]);
  const isOpen = (/** @type {number} */ index) => Boolean(fences[index]) || (index in lines && !BLANK.test(lines[index]));
  const isJoined = (/** @type {number} */ one, /** @type {number} */ other) => fences[one] !== 0 && Math.abs(fences[one]) === Math.abs(fences[other]);
  // The last line of what is in an item.
  const bodyEnd = (/** @type {number} */ index) => {
    let end = index;
    if (isItem(index)) for (let each = index + 1; each < lines.length && (!isOpen(each) || leadOf(each) > leadOf(index)); each += 1) if (isOpen(each)) end = each;
    return end;
  };
  let first = lineAt(value, all.first);
  let last = first + all.lines.length - 1;
  const isCode = fences[first] > 0 && fences[first] === fences[last];
  if (!isCode) {
    while (isJoined(first, first - 1)) first -= 1;
    for (let index = first; index <= last; index += 1) last = Math.max(last, bodyEnd(index));
    while (isJoined(last, last + 1)) last += 1;
  }
  return { lines, fences, first, last, isCode, isItem, isOpen, isJoined, leadOf, bodyEnd };
};

const offsetIn = (/** @type {string[]} */ lines, /** @type {number} */ index) => lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);

/** @type {(state: Selected, step: number) => Edit | null} */
export const move = (state, step) => {
  const { lines, fences, isCode, isItem, isOpen, isJoined, leadOf, bodyEnd, ...moved } = moving(state);
  let { first, last } = moved;
  // Of what is beside it: the end that is nearer, and the one that is farther.
  let near = step < 0 ? first - 1 : last + 1;
  if (!(near in lines)) return null;
  const isBlock = !isCode && !isOpen(near);
  if (isBlock) {
    if (step < 0) while (isOpen(last + 1)) last += 1;
    else while (isOpen(first - 1)) first -= 1;
    while (near in lines && !isOpen(near)) near += step;
  }
  let far = near;
  if (!(near in lines) || (isCode && fences[near] !== fences[first])) return null;
  const level = leadOf(first);
  const isSibling = () => isItem(far) && leadOf(far) <= level;
  if (isBlock) {
    while (isOpen(far + step)) far += step;
    if (step > 0) far = Math.max(far, bodyEnd(near));
    // What is in the item above goes with it.
    else if (isItem(first)) while (far > 0 && (isOpen(far - 1) || leadOf(far) > level)) far -= 1;
  } else if (!isCode) {
    if (isItem(first) && step < 0) while (!isSibling() && isOpen(far - 1)) far -= 1;
    if (isItem(first) && step > 0 && leadOf(near) >= level) far = bodyEnd(near);
    while (isJoined(far, far + step)) far += step;
    // Above its first parent, an item would be in none.
    if (isItem(first) && step < 0 && leadOf(far) < level && !isItem(far - 1)) return null;
  }
  const [top, bottom] = step < 0 ? [far, last] : [first, far];
  const own = lines.slice(first, last + 1);
  const gap = step < 0 ? lines.slice(near + 1, first) : lines.slice(last + 1, near);
  const other = step < 0 ? lines.slice(far, near + 1) : lines.slice(near, far + 1);
  const parts = step < 0 ? [own, gap, other] : [other, gap, own];
  const start = offsetIn(lines, top);
  const shift = offsetIn(step < 0 ? [] : [...other, ...gap], Infinity) + start - offsetIn(lines, first);
  const end = offsetIn(lines, bottom + 1) - 1;
  const edit = { start, end, content: parts.flat().join("\n"), from: state.start + shift, to: Math.min(state.end + shift, end) };
  return renumbered(state, edit);
};

/** @type {(state: Selected, step: number) => Edit} */
export const double = (state, step) => {
  const { lines, first, last, isCode, isItem, isOpen } = moving(state);
  const content = lines.slice(first, last + 1).join("\n");
  const isApart = !isCode && !isItem(first) && content.trim() && !isOpen(first - 1) && !isOpen(last + 1);
  const written = (isApart ? "\n\n" : "\n") + content;
  const at = offsetIn(lines, last + 1) - 1;
  const shift = step < 0 ? 0 : written.length;
  return renumbered(state, { start: at, end: at, content: written, from: state.start + shift, to: state.end + shift });
};
