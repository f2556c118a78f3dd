// Lines that move or are doubled: an item with what is in it, a fence as a whole, and between blank lines whole blocks.

import { fencesOf, lineAt, linesOf, offsetIn } from "./edits.js";
import { BLANK, LIST_ITEM, renumbered } from "./lists.js";

/** @type {(state: Selected) => Moving} */
const moving = (state) => {
  const lines = state.value.split("\n");
  const fences = fencesOf(lines);
  const leadOf = (/** @type {number} */ index) => /^[\s>]*/.exec(lines[index])?.[0].length ?? 0;
  const isItem = (/** @type {number} */ index) => !fences[index] && LIST_ITEM.test(lines[index]);
  const isOpen = (/** @type {number} */ index) => Boolean(fences[index]) || (index in lines && !BLANK.test(lines[index]));
  // The last line of what is in an item, or of a fence.
  const endOf = (/** @type {number} */ index) => {
    let end = fences[index]?.last ?? index;
    if (isItem(index)) for (let each = index + 1; each < lines.length && (!isOpen(each) || leadOf(each) > leadOf(index)); each += 1) if (isOpen(each)) end = each;
    return end;
  };
  const touched = linesOf(state);
  let first = lineAt(state.value, touched.first);
  let last = first + touched.lines.length - 1;
  const fence = fences[first];
  const isCode = fence !== null && first > fence.first && last < fence.last;
  if (!isCode) {
    first = fence?.first ?? first;
    for (let index = first; index <= last; index += 1) last = Math.max(last, endOf(index));
  }
  return { lines, fences, first, last, isCode, isItem, isOpen, leadOf, endOf };
};

/** @type {(state: Selected, step: number) => Edit | null} */
export const move = (state, step) => {
  const { lines, fences, isCode, isItem, isOpen, leadOf, endOf, ...moved } = moving(state);
  let { first, last } = moved;
  const isUp = step < 0;
  // Of what is beside it: the end that is nearer, and the one that is farther.
  let near = isUp ? first - 1 : last + 1;
  const isBlock = !isCode && !isOpen(near);
  if (isBlock) {
    if (isUp) while (isOpen(last + 1)) last += 1;
    else while (isOpen(first - 1)) first -= 1;
    while (near in lines && !isOpen(near)) near += step;
  }
  const fence = fences[near];
  if (!(near in lines) || (isCode && (near === fence?.first || near === fence?.last))) return null;
  const [level, isList] = [leadOf(first), isItem(first)];
  let far = near;
  if (isBlock) {
    while (isOpen(far + step)) far += step;
    // What is in the item above goes with it.
    if (isUp && isList) while (far > 0 && (isOpen(far - 1) || leadOf(far) > level)) far -= 1;
    if (!isUp) far = Math.max(far, endOf(near));
  } else if (isUp && !isCode) {
    if (isList) while (isOpen(far - 1) && !(isItem(far) && leadOf(far) <= level)) far -= 1;
    far = fences[far]?.first ?? far;
    // Above its first parent, an item would be in none.
    if (isList && leadOf(far) < level && !isItem(far - 1)) return null;
  } else if (!isCode && (fence || (isList && leadOf(near) >= level))) far = endOf(near);
  const [top, bottom] = isUp ? [far, last] : [first, far];
  const own = lines.slice(first, last + 1);
  const [above, gap, below] = isUp ? [own, lines.slice(near + 1, first), lines.slice(far, near + 1)] : [lines.slice(near, far + 1), lines.slice(last + 1, near), own];
  const [start, end] = [offsetIn(lines, top), offsetIn(lines, bottom + 1) - 1];
  const shift = start - offsetIn(lines, first) + (isUp ? 0 : offsetIn([...above, ...gap]));
  const content = [...above, ...gap, ...below].join("\n");
  return renumbered(state, { start, end, content, from: state.start + shift, to: Math.min(state.end + shift, end) });
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
