// The text and its preview show the same part, in every place: words that stand once in both, in order, hold them
// together.

import { commonEnds, lineAt, offsetOf } from "./edits.js";
import { watch } from "./watch.js";

const WORDS = /[\p{L}\p{N}]+/gu;
const RUNS = [1, 2, 3];
const DELAY = 150;
const NARROW = matchMedia("(max-width: 56.24rem)");

const wordsOf = (/** @type {string} */ content) => Array.from(content.matchAll(WORDS), (match) => ({ word: match[0].toLowerCase(), at: match.index }));

// From one node to another, if they are given.
/** @type {(root: Element, from?: TextNode, to?: TextNode) => { word: string, node: TextNode, at: number }[]} */
const wordsIn = (root, from, to) => {
  const words = [];
  const walker = /** @type {{ currentNode: Node, nextNode(): TextNode | null }} */ (root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT));
  if (from) walker.currentNode = from;
  for (let node = from ?? walker.nextNode(); node; node = node === to ? null : walker.nextNode()) {
    if (/^(style|script|title|desc|annotation)$/i.test(node.parentElement.tagName)) continue;
    for (const { word, at } of wordsOf(node.data)) words.push({ word, node, at });
  }
  return words;
};

// Where each run of words is that stands there once.
const places = (/** @type {{ word: string }[]} */ words, /** @type {number} */ size) => {
  const found = new Map();
  for (let index = 0; index + size <= words.length; index += 1) {
    let key = words[index].word;
    for (let more = 1; more < size; more += 1) key += ` ${words[index + more].word}`;
    found.set(key, found.has(key) ? -1 : index);
  }
  return found;
};

// The longest sequence of pairs that rises on both sides.
const rising = (/** @type {[number, number][]} */ pairs) => {
  const tails = /** @type {number[]} */ ([]);
  const before = new Array(pairs.length);
  for (const [index, [, other]] of pairs.entries()) {
    const low = search(tails, (tail) => pairs[tail][1] < other) + 1;
    before[index] = low ? tails[low - 1] : -1;
    tails[low] = index;
  }
  const kept = /** @type {[number, number][]} */ ([]);
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]) kept.push(pairs[index]);
  return kept.reverse();
};

/** @type {(source: string, root: Element, from?: TextNode, to?: TextNode) => Anchor[]} */
export const align = (source, root, from, to) => {
  const [ours, theirs] = [wordsOf(source), wordsIn(root, from, to)];
  const pairs = new Map();
  for (const size of RUNS) {
    const there = places(theirs, size);
    for (const [key, index] of places(ours, size)) if (index >= 0 && there.get(key) >= 0) pairs.set(index, there.get(key));
  }
  const sorted = [...pairs].sort(([one], [other]) => one - other);
  return rising(sorted).map(([index, other]) => ({ at: ours[index].at, node: theirs[other].node, inNode: theirs[other].at }));
};

// Around what was changed in the text, anchors stay; all are made anew once many are gone.
/** @type {(known: Anchors, value: string, root: Element) => Anchors} */
export const realign = (known, value, root) => {
  const stay = known.list.filter(({ node }) => root.contains(node));
  const { head, tail } = commonEnds(value, known.value);
  const more = value.length - known.value.length;
  const above = stay.slice(0, search(stay, ({ at }) => at < value.lastIndexOf("\n", head)) + 1);
  const end = value.indexOf("\n", value.length - tail);
  const below = stay.slice(end < 0 ? stay.length : search(stay, ({ at }) => at + more < end) + 1).map((each) => ({ ...each, at: each.at + more }));
  if (above.length + below.length <= known.full / 2) {
    const list = align(value, root);
    return { value, list, full: list.length };
  }
  const [first, last] = [above.at(-1), below[0]];
  const start = first?.at ?? 0;
  const between = align(value.slice(start, last?.at), root, first?.node, last?.node).filter(({ at }) => at || !first);
  return { value, list: [...above, ...between.map((each) => ({ ...each, at: each.at + start })), ...below], full: known.full };
};

/** The last item that is before; none is -1. @type {<Item>(list: ArrayLike<Item>, isBefore: (item: Item) => boolean) => number} */
export const search = (list, isBefore) => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle])) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

export const sync = (/** @type {Workbench} */ form, /** @type {Lines} */ lines) => {
  const text = form.elements.content;
  const frame = form.querySelector("iframe[name=preview]");
  let known = /** @type {Anchors} */ ({ value: "", list: [], full: 0 });
  // Whether the preview is another one since.
  let isOld = true;
  let driver = /** @type {HTMLElement | null} */ (text);
  let isQueued = false;
  // Whether the preview is where the text was scrolled to, and is to be there in the next version, too.
  let isLed = false;
  let led = 0;
  let lastLine = -1;
  let timer = 0;

  const anchors = () => {
    const { value } = text;
    if (isOld || known.value !== value) known = realign(known, value, frame.contentDocument.body);
    isOld = false;
    return known.list;
  };
  const topOf = (/** @type {Anchor} */ { node }) => node.parentElement.getBoundingClientRect().top + frame.contentWindow.scrollY;
  const sourceTop = (/** @type {Anchor} */ { at }) => lines.topOf(lineAt(text.value, at));
  const ends = () => frame.contentDocument.documentElement.scrollHeight;

  const lead = (/** @type {number} */ top) => {
    frame.contentWindow.scrollTo({ top, behavior: "instant" });
    led = frame.contentWindow.scrollY;
  };

  // The point between two anchors that is as far from one as the other point is.
  /** @type {(point: number, low: number, high: number, from: number, to: number) => number} */
  const between = (point, low, high, from, to) => (high === low ? from : from + ((to - from) * (point - low)) / (high - low));

  const showPart = () => {
    isLed = true;
    const list = anchors();
    if (!list.length) return;
    const line = lines.lineOf(text.scrollTop);
    const offset = offsetOf(text.value, Math.floor(line));
    const index = search(list, ({ at }) => at <= offset);
    const [above, below] = [list[index], list[index + 1]];
    const low = above ? sourceTop(above) : 0;
    const high = below ? sourceTop(below) : text.scrollHeight;
    const top = between(text.scrollTop, low, high, above ? topOf(above) : 0, below ? topOf(below) : ends());
    const isEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 2;
    lead(text.scrollTop < 4 ? 0 : isEnd ? ends() : top - 8);
  };

  const showSource = () => {
    const list = anchors();
    const { scrollY, innerHeight } = frame.contentWindow;
    const index = search(list, (anchor) => topOf(anchor) <= scrollY + 8);
    const [above, below] = [list[index], list[index + 1]];
    const [from, to] = [above ? sourceTop(above) : 0, below ? sourceTop(below) : text.scrollHeight];
    const top = between(scrollY + 8, above ? topOf(above) : 0, below ? topOf(below) : ends(), from, to);
    text.scrollTop = scrollY < 4 ? 0 : scrollY + innerHeight >= ends() - 2 ? text.scrollHeight : top;
  };

  const follow = (/** @type {HTMLElement} */ source) => {
    if (driver !== source || isQueued || NARROW.matches || !frame.contentDocument?.body) return;
    isQueued = true;
    requestAnimationFrame(() => {
      isQueued = false;
      (source === text ? showPart : showSource)();
    });
  };

  // Where the caret is, if the preview does not show it and the text does: a paste leaves the caret at its end, and the
  // text where it was.
  const reveal = () => {
    if (document.activeElement !== text || !frame.contentDocument?.body) return;
    const line = lineAt(text.value, text.selectionStart);
    if (line === lastLine || driver !== text) return;
    lastLine = line;
    const down = lines.topOf(line) - text.scrollTop;
    if (down < 0 || down > text.clientHeight) return;
    const list = anchors();
    const anchor = list[Math.max(0, search(list, ({ at }) => at <= text.selectionStart))];
    if (!anchor) return;
    const top = topOf(anchor);
    const { scrollY, innerHeight } = frame.contentWindow;
    if (top >= scrollY && top <= scrollY + innerHeight - 40) return;
    isLed = false;
    lead(top - innerHeight / 3);
  };

  /** @type {import("./watch.js").Clicked} */
  const goTo = (element, node, offset) => {
    const list = anchors();
    const inside = node && element.contains(node) ? node : element;
    const isBefore = (/** @type {Anchor} */ anchor) =>
      anchor.node === inside ? anchor.inNode <= offset : Boolean(anchor.node.compareDocumentPosition(inside) & Node.DOCUMENT_POSITION_FOLLOWING);
    const first = inside === element && list.find((anchor) => element.contains(anchor.node));
    const anchor = first || list[Math.max(0, search(list, isBefore))];
    if (!anchor) return;
    form.dispatchEvent(new CustomEvent("editing:write"));
    driver = null;
    lines.goTo(anchor.at);
  };

  // Whoever scrolls the preview without being in the text, or with the mouse over it: not what was led there.
  const scrolled = () => {
    const isOurs = Math.abs(frame.contentWindow.scrollY - led) <= 1;
    if (!isOurs && (document.activeElement !== text || frame.matches(":hover"))) driver = frame;
    follow(frame);
  };

  for (const type of ["pointermove", "wheel", "touchstart", "keydown", "focus"]) text.addEventListener(type, () => (driver = text), { passive: true });
  text.addEventListener("scroll", () => follow(text), { passive: true });
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(reveal, DELAY);
  });
  watch(frame, scrolled, goTo);
  for (const type of ["load", "rendered"]) frame.addEventListener(type, () => ((isOld = true), isLed && follow(text)));
};
