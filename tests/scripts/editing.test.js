// What the keys and buttons of the editor write.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Element, imported, openBrowser } from "./browser.js";
import { applied, stateOf, tested } from "./marked.js";

const { COMMANDS, callout, headingOf, indent, newLine } = await imported("editing/commands.js");
const { commonEnds, fenceAt, isUrl, lineAt, linesOf, offsetOf, write } = await imported("editing/edits.js");
const { changed, nextCell, rowBelow, tableAt } = await imported("editing/tables.js");
const { sized } = await imported("editing/images.js");
const { find } = await imported("editing/find.js");
const { formatOf, track } = await imported("pastes.js");
const { read } = await imported("files.js");

beforeEach(openBrowser);

tested("bold", COMMANDS.bold, [
  ["a ‹word› b", "a **‹word›** b"],
  ["a **‹word›** b", "a ‹word› b"],
  ["a ‹**word**› b", "a ‹word› b"],
  ["a wo¦rd b", "a **‹word›** b"],
  ["a ‹ word › b", "a  **‹word›**  b"],
  ["a **¦** b", "a ****¦ b"],
  ["Grü¦ße", "**‹Grüße›**"],
]);

tested("heading", COMMANDS.heading, [
  ["Ti¦tle", "# Ti¦tle"],
  ["# Ti¦tle", "## Ti¦tle"],
  ["### Ti¦tle", "Ti¦tle"],
]);

tested("heading 2", headingOf(2), [["# Ti¦tle", "## Ti¦tle"], ["‹a\nb›", "‹## a\n## b›"]]);

tested("bullets", COMMANDS.bullets, [
  ["¦", "- ¦"],
  ["‹one\n\ntwo›", "‹- one\n\n- two›"],
  ["‹- one\n- two›", "‹one\ntwo›"],
  ["- [ ] t¦ask", "- t¦ask"],
  ["1. o¦ne", "- o¦ne"],
]);

tested("numbers", COMMANDS.numbers, [["‹a\nb›", "‹1. a\n2. b›"], ["‹- a\n- b›", "‹1. a\n2. b›"]]);
tested("tasks", COMMANDS.tasks, [["a¦", "- [ ] a¦"], ["- [x] a¦", "a¦"]]);
tested("quote", COMMANDS.quote, [
  ["‹a\nb›", "‹> a\n> b›"],
  ["‹> a\n> b›", "‹a\nb›"],
  // What leaves the quote stays no line of it.
  ["> a\n> b¦\n> c", "> a\n\nb¦\n\n> c"],
]);

tested("code", COMMANDS.code, [
  ["‹x›", "`‹x›`"],
  ["¦", "```\n¦\n```\n"],
  ["‹a\nb›", "```\n‹a\nb›\n```\n"],
]);

tested("link", COMMANDS.link, [
  ["‹text›", "[text](‹https://›)"],
  ["‹https://example.org›", "[¦](https://example.org)"],
  ["¦", "[¦](https://)"],
]);

tested("callout", callout("TIP"), [["text¦", "text\n\n> [!TIP]\n> ¦\n"], ["‹a\nb›", "> [!TIP]\n> a\n> b¦\n"]]);

tested("Enter", newLine, [
  ["- one¦", "- one\n- ¦"],
  ["9. one¦", "9. one\n10. ¦"],
  ["- [x] one¦", "- [x] one\n- [ ] ¦"],
  ["> one¦", "> one\n> ¦"],
  ["- ¦", "¦"],
  ["plain¦", null],
  ["```\n  a¦\n```", "```\n  a\n  ¦\n```"],
  ["```\na¦\n```", null],
]);

for (const [isOut, rows] of [
  [false, [["- a¦", "  - a¦"], ["1. a¦", "   1. a¦"], ["‹- a\n- b›", "  ‹- a\n  - b›"], ["```\na¦\n```", "```\na  ¦\n```"], ["plain¦", null]]],
  [true, [["  - a¦", "- a¦"], ["- a¦", "- a¦"], ["```\n  a¦\n```", "```\na¦\n```"]]],
]) tested(isOut ? "Shift+Tab" : "Tab", (state) => indent(state, isOut), rows);

const TABLE = "| a | b |\n| - | - |\n| c | d |";
tested("Tab in a table", (state) => nextCell(state, 1), [
  [TABLE.replace("a", "a¦"), "| a   | ‹b›   |\n| --- | --- |\n| c   | d   |"],
  [TABLE.replace("b", "b¦"), "| a   | b   |\n| --- | --- |\n| ‹c›   | d   |"],
  [TABLE.replace("d", "d¦"), "| a   | b   |\n| --- | --- |\n| c   | d   |\n| ¦    |     |"],
  ["no ¦table", null],
  ["```\n| a¦ |\n| - |\n```", null],
]);
tested("Shift+Tab in a table", (state) => nextCell(state, -1), [[TABLE.replace("c", "c¦"), "| a   | ‹b›   |\n| --- | --- |\n| c   | d   |"], [TABLE.replace("a", "a¦"), "| ‹a›   | b   |\n| --- | --- |\n| c   | d   |"]]);
tested("Enter in a table", rowBelow, [
  [TABLE.replace("b", "b¦"), "| a   | b   |\n| --- | --- |\n| c   | ‹d›   |"],
  ["| a |\n| - |\n| ¦ |", "| a |\n| - |\n\n¦"],
]);
for (const [name, cell, after] of [
  ["Align right", "a", "|   ‹a› | b   |\n| --: | --- |\n|   c | d   |"],
  ["Row below", "a", "| a   | b   |\n| --- | --- |\n| ¦    |     |\n| c   | d   |"],
  ["Row below", "d", "| a   | b   |\n| --- | --- |\n| c   | d   |\n|     | ¦    |"],
  ["Delete row", "d", "| a   | ‹b›   |\n| --- | --- |"],
  ["Delete row", "a", "| ‹a›   | b   |\n| --- | --- |\n| c   | d   |"],
  ["Column after", "a", "| a   | ¦    | b   |\n| --- | --- | --- |\n| c   |     | d   |"],
  ["Delete column", "a", "| ‹b›   |\n| --- |\n| d   |"],
]) {
  tested(name, (state) => changed(state, name), [[TABLE.replace(cell, `${cell}¦`), after]]);
}

test("a row below the delimiters is the first one, and gets the caret", () => {
  const state = stateOf("| a |\n| -¦ |\n| c |");
  assert.equal(applied(state, changed(state, "Row below")), "| a   |\n| --- |\n| ¦    |\n| c   |");
});

test("columns are as wide as what they show, in Chinese and with emoji", () => {
  const state = stateOf("| 名前 | 👍 |\n|-|-|\n| a¦ | b |");
  assert.equal(applied(state, nextCell(state, 1)), "| 名前 | 👍  |\n| ---- | --- |\n| a    | ‹b›   |");
});

test("pipes in code and escaped ones divide no cells", () => {
  assert.deepEqual(tableAt(stateOf("| a \\| b | `c|d`¦ |\n| - | - |")).rows[0], ["a \\| b", "`c|d`"]);
});

test("a change of a table that is gone changes nothing", () => {
  assert.equal(changed(stateOf("no ¦table"), "Row below"), null);
});

test("lines and offsets", () => {
  const value = "a\nbc\n\nd";
  assert.deepEqual(linesOf({ value, start: 3, end: 6 }), { first: 2, last: 5, lines: ["bc", ""] });
  assert.deepEqual([0, 2, 5, 6].map((offset) => lineAt(value, offset)), [0, 1, 2, 3]);
  assert.deepEqual([0, 1, 2, 3, 9].map((line) => offsetOf(value, line)), [0, 2, 5, 6, 7]);
});

test("a fence ends with a mark of its kind and length", () => {
  const value = "> ````js\n> ```\n> ````\nend";
  assert.equal(fenceAt(value, 10).mark, "````");
  assert.equal(fenceAt(value, value.length), null);
});

for (const [one, other, head, tail] of [["abc", "abd", 2, 0], ["xbc", "abc", 0, 2], ["aa", "aaa", 2, 0], ["", "a", 0, 0], [["a", "b"], ["a", "c", "b"], 1, 1]]) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} have common ends`, () => assert.deepEqual(commonEnds(one, other), { head, tail }));
}

const fieldOf = (value) => Object.assign(new Element("textarea"), { value });

test("an edit goes through the browser, whose Undo takes it back, and else into the value", () => {
  for (const command of [document.execCommand, () => false]) {
    document.execCommand = command;
    const text = fieldOf("one three");
    const heard = [];
    text.addEventListener("input", () => heard.push(text.value));
    write(text, { start: 4, end: 4, content: "two ", from: 4, to: 7 });
    assert.deepEqual([text.value, text.selectionStart, text.selectionEnd], ["one two three", 4, 7]);
    assert.equal(heard.length, command() === false ? 1 : 0);
  }
});

test("a text that cannot be changed is not", () => {
  const text = Object.assign(fieldOf("a"), { readOnly: true });
  write(text, { start: 0, end: 1, content: "b" });
  assert.equal(text.value, "a");
});

const found = (value) => {
  const text = fieldOf(value);
  const open = find({ elements: { content: text } }, { reveal() {} });
  open();
  const row = text.previous;
  const [sought, count] = row.children;
  const other = row.children.find(({ placeholder }) => placeholder === "Replace with");
  const seek = (wanted) => {
    sought.value = wanted;
    sought.dispatchEvent(new Event("input"));
  };
  return { text, row, count, other, seek };
};

test("find goes from match to match, and around", () => {
  const { text, row, count, seek } = found("Ab ab aB");
  const at = [];
  seek("AB");
  for (const label of ["↓", "↓", "↓", "↑", "↑"]) {
    at.push(text.selectionStart);
    row.press(label);
  }
  assert.deepEqual([at, text.selectionStart, count.textContent], [[0, 3, 6, 0, 6], 3, "2 of 3"]);
  seek("x");
  assert.equal(count.textContent, "None");
});

test("replace takes the match, replace all every one, also with what it seeks", () => {
  const { text, row, count, other, seek } = found("a b a c a");
  seek("a");
  other.value = "aa";
  row.press("Replace");
  assert.equal(text.value, "aa b a c a");
  row.press("All");
  assert.deepEqual([text.value, count.textContent], ["aaaa b aa c aa", "4 replaced"]);
});

for (const [label, sought, value, expected] of [
  ["Match case", "ab", "Ab ab aB", "1 of 1"],
  ["Whole words", "ab", "abc ab_ ab. (ab)", "1 of 2"],
  ["Whole words", "schön", "schöner schön", "1 of 1"],
  ["Whole words", "a.b", "axb a.b", "1 of 1"],
]) {
  test(`${label} in ${JSON.stringify(value)}`, () => {
    const { row, count, seek } = found(value);
    seek(sought);
    const all = count.textContent;
    const toggle = row.children.find(({ ariaLabel }) => ariaLabel === label);
    toggle.click();
    assert.deepEqual([count.textContent, toggle.ariaPressed], [expected, "true"]);
    toggle.click();
    assert.deepEqual([count.textContent.slice(1), toggle.ariaPressed], [all.slice(1), "false"]);
  });
}

test("what is typed while the search is open is counted", () => {
  const { text, count, seek } = found("a b");
  seek("a");
  text.value = "a b a";
  text.dispatchEvent(new Event("input"));
  assert.equal(count.textContent, "1 of 2");
});

for (const [name, edit, expected] of [
  ["before it", { start: 0, end: 0, content: "xx" }, [6, 9]],
  ["after it", { start: 8, end: 8, content: "xx" }, [4, 7]],
  ["in it", { start: 5, end: 6, content: "long" }, [4, 10]],
  ["over its beginning", { start: 2, end: 5, content: "-" }, [2, 5]],
  ["over all of it", { start: 0, end: 8, content: "" }, [0, 0]],
]) {
  test(`a part of the text stays itself after an edit ${name}`, () => {
    const text = fieldOf("abc 123 d");
    const part = track(text, 4, 7);
    text.value = text.value.slice(0, edit.start) + edit.content + text.value.slice(edit.end);
    text.dispatchEvent(new Event("input"));
    assert.deepEqual([part.start, part.end], expected);
    part.release();
    text.value = `long before ${text.value}`;
    text.dispatchEvent(new Event("input"));
    assert.deepEqual([part.start, part.end], expected);
  });
}

for (const [name, type, format] of [["a.PNG", "", "image"], ["x", "image/webp", "image"], ["a.docx", "", "docx"], ["a.HTM", "", "htm"], ["a.md", "text/markdown", undefined]]) {
  test(`${name} of type ${JSON.stringify(type)} is ${format}`, () => assert.equal(formatOf({ name, type }), format));
}

const file = (name, content, size = content.length) => ({ name, size, arrayBuffer: async () => new TextEncoder().encode(content).buffer });

test("a text file is opened with line ends of one kind", async () => {
  assert.equal(await read(file("a.md", "one\r\ntwo")), "one\ntwo");
});

for (const [opened, message] of [
  [file("a.exe", ""), /^a\.exe cannot be opened/],
  [file("a.txt", "", 2_500_000), "a.txt must be at most 1 MB (got 2.5 MB); split it."],
  [{ name: "a.md", size: 2, arrayBuffer: async () => new Uint8Array([0xff, 0xfe]).buffer }, "a.md is not text in UTF-8; save it as UTF-8."],
]) {
  test(`a file that cannot be read says why: ${message}`, () => assert.rejects(read(opened), { message }));
}

for (const [content, isOne] of [["https://example.org/a?b", true], [" mailto:a@b.c ", true], ["example.org", false], ["https://a b", false]]) {
  test(`${JSON.stringify(content)} ${isOne ? "is" : "is not"} a URL`, () => assert.equal(isUrl(content), isOne));
}

const IMAGE = "![A rose](https://example.org/a.png)";
const SIZED = '<img src="https://example.org/a.png" alt="A rose" width="200">';
tested("an image in 200 px", (state) => sized(state, "200 px wide"), [
  ["![A ¦rose](https://example.org/a.png)", `${SIZED}¦`],
  [`x ${IMAGE}¦`, `x ${SIZED}¦`],
  [`x ¦${IMAGE} y ${IMAGE}`, `x ${SIZED}¦ y ${IMAGE}`],
  ['<img src="https://example.org/a.png" alt="A¦ rose" width="600" />', `${SIZED}¦`],
  [`| [${IMAGE}¦](https://example.org) |`, `| [${SIZED}¦](https://example.org) |`],
  [`¦ ${IMAGE}`, null],
  ['![a "b"¦](c.png)', null],
  ["![a¦](b.png 'c')", null],
]);
tested("an image in its own width", (state) => sized(state, "Its own width"), [[`${SIZED}¦ x`, `${IMAGE}¦ x`], [`${IMAGE}¦`, `${IMAGE}¦`]]);
