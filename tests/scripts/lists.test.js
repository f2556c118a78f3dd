// Numbered lists count on whatever is done to them, lines move as wholes, and marks go around what is selected.

import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "./browser.js";
import { tested } from "./marked.js";

const { COMMANDS, indent, newLine, spliced, wrapped } = await imported("editing/commands.js");
const { block } = await imported("editing/edits.js");
const { double, move } = await imported("editing/moves.js");

for (const [mark, rows] of Object.entries({
  "*": [["a ‹word› b", "a *‹word›* b"], ["a *‹word›* b", "a **‹word›** b"], ["a ‹ word › b", "a  *‹word›*  b"], ["‹a\n\nb c\n›", "‹*a*\n\n*b c*›\n"], ["a¦", null], ["‹ › ", null], ["```\n‹x›\n```", null]],
  _: [["‹日本›", "_‹日本›_"]],
  "`": [["‹x›", "`‹x›`"], ["`‹x›`", "``‹x›``"], ["```\n‹x›", null]],
  "~": [["~‹x›~", "~~‹x›~~"]],
  "(": [["‹a\n\nb›", "(‹a\n\nb›)"], ["```\n‹x›\n```", "```\n(‹x›)\n```"]],
  "[": [["‹x›", "[‹x›]"]],
  '"': [["say ‹x›", 'say "‹x›"'], ["```\n‹x›", '```\n"‹x›"']],
  x: [["‹a›", null]],
  "{": [["‹a›", null]],
  constructor: [["‹a›", null]],
})) tested(`${mark} over a selection`, (state) => wrapped(state, mark), rows);

tested("Enter counts the items below", newLine, [
  ["1. a¦\n2. b\n3. c", "1. a\n2. ¦\n3. b\n4. c"],
  ["4) a¦\n5) b\n\nText.\n\n6) c", "4) a\n5) ¦\n6) b\n\nText.\n\n6) c"],
  ["1. a¦\n1. b\n1. c", "1. a\n1. ¦\n1. b\n1. c"],
  ["1. a¦\n   1. x\n   2. y\n2. b", "1. a\n2. ¦\n   1. x\n   2. y\n3. b"],
  ["1. a\n   1. x¦\n   2. y\n2. b", "1. a\n   1. x\n   2. ¦\n   3. y\n2. b"],
  ["> 1. a¦\n> 2. b\n\n2. c", "> 1. a\n> 2. ¦\n> 3. b\n\n2. c"],
  ["- 1. a¦", "- 1. a\n- ¦"],
  ["1. a¦\n\n   more\n\n2. b", "1. a\n2. ¦\n\n   more\n\n3. b"],
  ["1. a¦\n\n```\n2. b\n```\n", "1. a\n2. ¦\n\n```\n2. b\n```\n"],
  ["1. a¦\n2. b\n   ```\n   9. x\n   ```\n3. c", "1. a\n2. ¦\n3. b\n   ```\n   9. x\n   ```\n4. c"],
  ["1. a¦\n2. b\n2) c", "1. a\n2. ¦\n3. b\n2) c"],
  ["1. a¦\n2. b\n# H\n3. c", "1. a\n2. ¦\n3. b\n# H\n3. c"],
  ["1. a¦\n2. b\nlazy\n3. c", "1. a\n2. ¦\n3. b\nlazy\n4. c"],
  ["8. a¦\n9. b\n   - x\n     y\n\n   more", "8. a\n9. ¦\n10. b\n    - x\n      y\n\n    more"],
  ["> 8. a¦\n> 9. b\n>    - x\n>\n>    more", "> 8. a\n> 9. ¦\n> 10. b\n>     - x\n>\n>     more"],
  ["1. a\n   1. b\n   2. ¦\n2. c", "1. a\n   1. b\n2. ¦\n3. c"],
  ["1. [x] a¦\n2. [ ] b", "1. [x] a\n2. [ ] ¦\n3. [ ] b"],
]);

for (const [isOut, rows] of [
  [false, [
    ["1. a\n2. b¦\n3. c", "1. a\n   1. b¦\n2. c"],
    ["1. a\n‹2. b\n3. c›\n4. d", "1. a\n   ‹1. b\n   2. c›\n2. d"],
    ["1. a\n   1. b\n2. c¦\n3. d", "1. a\n   1. b\n   2. c¦\n2. d"],
    ["9. a\n10. b¦\n    c\n11. d", "9. a\n    1. b¦\n    c\n10. d"],
  ]],
  [true, [
    ["1. a\n   1. b¦\n   2. c\n2. d", "1. a\n2. b¦\n   1. c\n3. d"],
    ["1. a\n   1. b\n   2. c¦\n   3. d\n2. e", "1. a\n   1. b\n2. c¦\n   1. d\n3. e"],
  ]],
]) tested(isOut ? "Shift+Tab in a numbered list" : "Tab in a numbered list", (state) => indent(state, isOut), rows);

tested("numbers in a list that goes on", COMMANDS.numbers, [["1. a\n2. b\nc¦", "1. a\n2. b\n3. c¦"], ["1. a\n‹b\nc›\n2. d", "1. a\n‹2. b\n3. c›\n4. d"]]);

for (const [type, data, rows] of [
  ["deleteContentBackward", null, [
    ["1. a\n‹2. b\n›3. c\n4. d", "1. a\n¦2. c\n3. d"],
    ["‹1. a\n›2. b\n3. c", "¦1. b\n2. c"],
    ["3. a\n‹4. b\n5. c\n›6. d", "3. a\n¦4. d"],
    ["1. a¦\n2. b", null],
    ["1. a\n¦x\n2. b", null],
    ["1. a\n2. ‹b›\n4. c", null],
    ["‹a\n›7. b\n9. c", null],
    ["9. a\n‹10. b\n›11. c\n\n    d", "9. a\n¦10. c\n\n    d"],
    ["‹1. a\n›2. a", "¦1. a"],
    ["9. x\n‹10. a\n11. b\n›12. c\n    - d", "9. x\n¦10. c\n    - d"],
    ["8. x\n‹9. a\n›10. c\n    - d\n\n    e\nlazy", "8. x\n¦9. c\n   - d\n\n   e\nlazy"],
    ["```\n‹1. a\n›2. b\n```", null],
  ]],
  ["deleteContentForward", null, [["1. a¦\n2. b\n3. c", "1. a¦2. b\n2. c"]]],
  ["deleteByDrag", null, [["‹1. a\n›2. b", null]]],
  ["insertFromPaste", "x\n2. y", [["1. ¦\n2. b", "1. x\n2. y¦\n3. b"], ["‹1. a›\n2. b", null]]],
  ["insertFromPaste", "x", [["1. ¦\n3. b", null]]],
]) tested(`${type} ${JSON.stringify(data)}`, (state) => spliced(state, type, data), rows);

for (const [step, rows] of [
  [-1, [
    ["a\nb¦\nc", "b¦\na\nc"],
    ["¦a\nb", null],
    ["1. a\n2. b¦\n3. c", "1. b¦\n2. a\n3. c"],
    ["1. a\n   - x\n2. b¦\n   - y\n3. c", "1. b¦\n   - y\n2. a\n   - x\n3. c"],
    ["1. a\n‹2. b\n3. c›", "‹1. b\n2. c›\n3. a"],
    ["One.\n\nTwo\nlines¦.", "One.\n\nlines¦.\nTwo"],
    ["One.\n\n\nTw¦o\nlines.\n\nEnd.", "Tw¦o\nlines.\n\n\nOne.\n\nEnd."],
    ["```\na\n\nb\n```\n\nx¦", "x¦\n\n```\na\n\nb\n```"],
    ["```\na\nb¦\n```", "```\nb¦\na\n```"],
    ["```\na¦\nb\n```", null],
    ["x\n\n```¦\na\n```", "```¦\na\n```\n\nx"],
    ["1. a\n\n   more\n\n2. b¦", "1. b¦\n\n2. a\n\n   more"],
    ["- a\n  - x¦", null],
    ["- z\n- a\n  - x¦", "- z\n  - x¦\n- a"],
    ["> 1. a\n> 2. b¦", "> 1. b¦\n> 2. a"],
    ["8. a\n9. b\n10. c¦\n    d", "8. a\n9. c¦\n   d\n10. b"],
  ]],
  [1, [
    ["a¦\nb\nc", "b\na¦\nc"],
    ["a\nb¦", null],
    ["1. a¦\n   - x\n2. b\n   - y\n3. c", "1. b\n   - y\n2. a¦\n   - x\n3. c"],
    ["3. a¦\n4. b", "3. b\n4. a¦"],
    ["One¦.\n\n```\na\n\nb\n```\n\nx", "```\na\n\nb\n```\n\nOne¦.\n\nx"],
    ["```\na¦\n```", null],
    ["1. a¦\n\n   more\n\n2. b\n\n   end", "1. b\n\n   end\n\n2. a¦\n\n   more"],
    ["1. a\n   - x¦\n2. b\n   - y", "1. a\n2. b\n   - x¦\n   - y"],
    ["x¦\n\n", null],
  ]],
]) tested(`moving by ${step}`, (state) => move(state, step), rows);

for (const [step, rows] of [
  [1, [["a¦\nb", "a\na¦\nb"], ["1. a¦\n2. b", "1. a\n2. a¦\n3. b"], ["‹- a\n  - b›\n- c", "- a\n  - b\n‹- a\n  - b›\n- c"], ["One¦.\n\nTwo.", "One.\n\nOne¦.\n\nTwo."], ["```\nx¦\n```", "```\nx\nx¦\n```"], ["```¦\nx\n```", "```\nx\n```\n\n```¦\nx\n```"]]],
  [-1, [["a¦\nb", "a¦\na\nb"], ["1. a\n   - x\n2. b¦", "1. a\n   - x\n2. b¦\n3. b"]]],
]) tested(`doubling by ${step}`, (state) => double(state, step), rows);

tested("a block", (state) => block(state, "X"), [
  ["a **b¦ c** d", "a **b c**\n\nX¦\n\n d"],
  ["a `b¦`", "a `b`\n\nX¦\n"],
  ["a [b¦](c)", "a [b](c)\n\nX¦\n"],
  ["a¦ **b**", "a\n\nX¦\n\n **b**"],
]);
tested("a table below what is selected", COMMANDS.table, [["‹a› b", "a\n\n| ‹Column› | Column |\n| ------ | ------ |\n|        |        |\n\n b"]]);

// The same numbers each run.
const numbersOf = (seed) => () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const PARTS = ["1. one", "2. two", "   1. in", "   - dot", "7) paren", "", "Text", "> 1. quoted", "> 2. more", "```", "10. ten", "    code", "# Head", "a **bold** b"];
const MOVES = [(state) => move(state, 1), (state) => move(state, -1)];
const DELETIONS = [(state) => newLine(state), (state) => spliced(state, "deleteContentBackward", null)];
const EDITS = [
  ...MOVES, ...DELETIONS, ...Object.values(COMMANDS), (state) => indent(state, false), (state) => indent(state, true),
  (state) => double(state, 1), (state) => double(state, -1), (state) => wrapped(state, "*"),
];
const lettersOf = (text) => (text.match(/[a-z]/g) ?? []).sort();

test("300 random sequences keep every letter but what is deleted, and the selection is in the text", () => {
  const random = numbersOf(86);
  const any = (list) => list[Math.floor(random() * list.length)];
  for (let run = 0; run < 300; run += 1) {
    let value = Array.from({ length: 8 }, () => any(PARTS)).join("\n");
    for (let step = 0; step < 8; step += 1) {
      const ends = [random(), random()].map((share) => Math.floor(share * (value.length + 1))).sort((one, other) => one - other);
      const state = { value, start: ends[0], end: random() < 0.5 ? ends[0] : ends[1] };
      const command = any(EDITS);
      const edit = command(state);
      if (!edit) continue;
      const { start, end, content, from = start + content.length, to = from } = edit;
      const next = value.slice(0, start) + content + value.slice(end);
      assert.ok(start >= 0 && start <= end && end <= value.length && from >= 0 && from <= to && to <= next.length, JSON.stringify({ state, edit }));
      const letters = lettersOf(next);
      if (MOVES.includes(command)) assert.deepEqual(letters, lettersOf(value), JSON.stringify({ state, edit }));
      else if (!DELETIONS.includes(command)) for (const letter of lettersOf(value)) assert.ok(letters.splice(letters.indexOf(letter) >>> 0, 1).length, JSON.stringify({ state, edit, letter }));
      value = next;
    }
  }
});
