// Rows of what a command does: ‹ and › enclose the selection, and ¦ is the caret.

import assert from "node:assert/strict";
import { test } from "node:test";

export const stateOf = (marked) => {
  const value = marked.replace(/[‹›¦]/g, "");
  const start = marked.search(/[‹¦]/);
  const last = marked.indexOf("›");
  return { value, start, end: last < 0 ? start : last - 1 };
};

export const applied = ({ value }, edit) => {
  if (!edit) return null;
  const { start, end, content, from = start + content.length, to = from } = edit;
  const written = value.slice(0, start) + content + value.slice(end);
  return from === to ? `${written.slice(0, from)}¦${written.slice(from)}` : `${written.slice(0, from)}‹${written.slice(from, to)}›${written.slice(to)}`;
};

export const tested = (name, command, rows) => {
  for (const [before, after] of rows) {
    test(`${name}: ${JSON.stringify(before)}`, () => assert.equal(applied(stateOf(before), command(stateOf(before))), after));
  }
};
