// What holds a text and its preview together.

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "./browser.js";

const { align, realign, search } = await imported("editing/sync.js");

const rendered = (...passages) => {
  const nodes = passages.map((data) => ({ data, parentElement: { tagName: data.startsWith("<") ? "STYLE" : "P" } }));
  const walker = () => ({ currentNode: null, nextNode() { return (this.currentNode = nodes[nodes.indexOf(this.currentNode) + 1] ?? null); } });
  return { nodes, root: { contains: (node) => nodes.includes(node), ownerDocument: { createTreeWalker: walker } } };
};

test("words that stand once in text and preview hold them together, in order", () => {
  const { root, nodes } = rendered("Title", "<style", "first same same", "second");
  assert.deepEqual(
    align("# Title\n\nfirst same\nsame\n\nsecond", root).map(({ at, node, inNode }) => [at, nodes.indexOf(node), inNode]),
    [[2, 0, 0], [9, 2, 0], [15, 2, 6], [20, 2, 11], [26, 3, 0]],
  );
});

test("what the preview has in another order holds nothing together twice", () => {
  const { root } = rendered("two", "one", "three");
  assert.deepEqual(align("one two three", root).map(({ at }) => at), [4, 8]);
});

for (const [name, from, to] of [
  ["a word in a paragraph", 5, ["five long words"]],
  ["a paragraph more", 5, ["5 five", "another"]],
  ["a paragraph less", 5, []],
  ["the first", 0, ["zeroth"]],
  ["the last", 11, ["the end"]],
  ["a word that is there, too", 5, ["5 five 6"]],
]) {
  test(`what holds text and preview together stays around ${name}`, () => {
    const parts = Array.from({ length: 12 }, (_, index) => `Part${index} of all`);
    const { root, nodes } = rendered(...parts);
    const whole = (known) => realign(known, parts.join("\n\n"), root);
    const before = whole({ value: "", list: [], full: 0 });
    parts.splice(from, 1, ...to);
    nodes.splice(from, 1, ...rendered(...to).nodes);
    const { list, full } = whole(before);

    const firsts = (anchors) => anchors.filter(({ inNode }) => inNode === 0);
    assert.deepEqual(firsts(list), firsts(whole({ value: "", list: [], full: 0 }).list));
    assert.deepEqual([full, before.list.filter(({ node }) => nodes.includes(node)).every((each) => list.some(({ node }) => node === each.node))], [before.full, true]);
  });
}

for (const [offset, index] of [[0, -1], [1, 0], [4, 1], [9, 2]]) {
  test(`the last of 1, 3 and 5 up to ${offset} is number ${index}`, () => assert.equal(search([1, 3, 5], (each) => each <= offset), index));
}
