// Notices about the text: their places, their fixes, and the marks beside their lines.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Element, imported, openBrowser } from "./browser.js";

const { marks, notices, placeOf } = await imported("notices.js", "editing/marks.js");

beforeEach(openBrowser);

const LINES = { topOf: (line) => line * 20 };

// A form with a text and the notices about it; what is shown of them.
const shown = (value, ...list) => {
  const text = Object.assign(new Element("textarea"), { value });
  const [form, items] = [new Element("form"), new Element("ul")];
  items.dataset.notices = "";
  form.elements = { content: text };
  form.append(items);
  notices(form)(list.map((each) => ({ message: "Odd", line: 1, column: null, source: null, fix: null, ...each })));
  marks(form, LINES);
  const [gutter, bubble] = text.next;
  return { text, items, said: items.next[0], gutter, bubble };
};

for (const [line, column, offset] of [[1, null, 0], [1, 3, 3], [2, 1, 5], [2, 2, 6], [3, null, 8], [3, 9, 9]]) {
  test(`a notice at line ${line}, column ${column} is about offset ${offset}`, () => {
    // The emoji has two units.
    assert.equal(placeOf("a👍b\nde\nf", line, column), offset);
  });
}

test("a notice selects what it is about, or the rest of its line", () => {
  const { text, items } = shown("one two\nthree", { column: 5, source: "two" }, { line: 2, column: 3 }, { line: null });
  const selected = () => text.value.slice(text.selectionStart, text.selectionEnd);
  items.children[0].press("Line 1");
  assert.equal(selected(), "two");
  items.children[1].press("Line 2");
  assert.equal(selected(), "ree");
  assert.equal(items.children[2].children.length, 1);
});

test("a fix is written where its source still stands", () => {
  const { text, items } = shown("one two", { column: 5, source: "two", fix: "2" });
  const fix = items.querySelector("[data-fix]");
  text.value = "one three";
  fix.click();
  assert.equal(text.value, "one three");
  text.value = "one two";
  fix.click();
  assert.equal(text.value, "one 2");
});

for (const [count, words] of [[0, undefined], [1, "1 notice below the text"], [2, "2 notices below the text"]]) {
  test(`${count} notices are announced as ${words}`, () => {
    const { items, said } = shown("one", ...Array(count).fill({}));
    assert.deepEqual([said.textContent || undefined, items.hidden], [words, count === 0]);
  });
}

test("each line has one mark, beside it; it opens what is said of the line, with the fixes", () => {
  const { text, gutter, bubble } = shown("one\ntwo", { line: 2, message: "First" }, { message: "Other" }, { line: 2, message: "Second", source: "two", fix: "2" });
  assert.deepEqual(gutter.children.map(({ dataset, title, style }) => [dataset.line, title, style.top]), [["1", "First", "20px"], ["0", "Other", "0px"]]);
  gutter.children[0].click();
  assert.deepEqual(bubble.children.map(({ textContent }) => textContent), ["First", "Second"]);
  assert.ok(!bubble.hidden);
  bubble.children[1].press("Fix");
  assert.deepEqual([text.value, bubble.hidden], ["one\n2", true]);
});

test("a mark of a line that is scrolled away is hidden", () => {
  const { text, gutter } = shown("one\ntwo", { line: 1 }, { line: 2 }, { line: 9 });
  text.scrollTop = 10;
  text.dispatchEvent(new Event("scroll"));
  assert.deepEqual(gutter.children.map(({ hidden }) => hidden), [true, false, true]);
});
