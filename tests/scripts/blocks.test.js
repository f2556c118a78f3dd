// The list of blocks, the outline, and the views.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Element, imported, openBrowser } from "./browser.js";
import { tested } from "./marked.js";

const { callout, COMMANDS, headingOf } = await imported("editing/commands.js");
const { headingsOf } = await imported("editing/outline.js");
const { blockInstead, blocksFor } = await imported("editing/slash.js");
const { views } = await imported("editing/views.js");

beforeEach(openBrowser);

for (const [query, expected] of [
  ["hea", ["Heading 1", "Heading 2", "Heading 3"]],
  ["LIST", ["Bullet list", "Numbered list", "Task list"]],
  ["chart", ["Diagram or chart"]],
  ["art", []],
  ["usr", []],
]) {
  test(`/${query} leaves ${expected.length} blocks`, () => assert.deepEqual(blocksFor(query), expected));
}

test("every block is there at first", () => assert.equal(blocksFor("").length, 14));

for (const [name, command, rows] of [
  ["heading", headingOf(2), [["/he¦", "## ¦"], ["a\n\n/¦\n\nb", "a\n\n## ¦\n\nb"]]],
  ["list", COMMANDS.bullets, [["a\n\n/b¦", "a\n\n- ¦"]]],
  ["number", COMMANDS.numbers, [["1. a\n/¦\n2. b", "1. a\n2. ¦\n3. b"]]],
  ["table", COMMANDS.table, [["a\n\n/t¦\n\nb", "a\n\n| ‹Column› | Column |\n| ------ | ------ |\n|        |        |\n\nb"]]],
  ["code", COMMANDS.code, [["/code¦", "```\n¦\n```\n"]]],
  ["callout", callout("NOTE"), [["/call¦", "> [!NOTE]\n> ¦\n"]]],
]) tested(`a ${name} in place of what was typed`, (state) => blockInstead(state, /\/\w*$/.exec(state.value.slice(0, state.start))[0].length, command), rows);

for (const [value, expected] of [
  ["# One\n\ntext\n\n## Two ##\n", [[1, "One", 0], [2, "Two", 13]]],
  ["Title\n===\n\nPart\n---\n", [[1, "Title", 0], [2, "Part", 11]]],
  ["```\n# no\n```\n# yes", [[1, "yes", 13]]],
  ["> ~~~\n> # no\n> ~~~\n\n    # no\n#no\n####### no", []],
  ["- a\n---\n\n| a |\n---\n\n***\n---", []],
  ["### A **bold** [link](https://a.b) `x` _y_ snake_case", [[3, "A bold link x y snake_case", 0]]],
  ["", []],
]) {
  test(`the outline of ${JSON.stringify(value)}`, () => assert.deepEqual(headingsOf(value).map(({ level, label, offset }) => [level, label, offset]), expected));
}

const opened = () => {
  const [box, places] = [new Element("div"), new Element("div")];
  const text = Object.assign(new Element("textarea"), { parentElement: box });
  const form = Object.assign(new Element("form"), { elements: { content: text }, querySelector: () => ({ parentElement: places }) });
  document.documentElement = { dataset: {} };
  const choose = views(form);
  return { choose, text, box, places, shown: () => document.documentElement.dataset.view };
};

test("a view is remembered, the same key leads back, and so does a button that is seen", () => {
  const { choose, shown, text } = opened();
  assert.equal(shown(), "both");
  choose("quiet");
  assert.equal(document.activeElement, text);
  const again = opened();
  assert.deepEqual([again.shown(), again.box.children.at(-1).textContent, again.box.children.at(-1).hidden], ["quiet", "Leave quiet mode", false]);
  again.choose("page");
  const [back] = again.places.children;
  assert.deepEqual([document.activeElement, back.textContent], [back, "Text and preview"]);
  back.click();
  assert.deepEqual([again.shown(), back.hidden], ["both", true]);
  again.choose("text");
  again.choose("text");
  assert.equal(again.shown(), "both");
});

test("a view that is none is both", () => {
  localStorage.setItem("mdpublish:view", "toString");
  assert.equal(opened().shown(), "both");
});
