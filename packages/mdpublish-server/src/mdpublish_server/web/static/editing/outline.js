// The headings of a text, as a list that leads to them.

import { fencesOf } from "./edits.js";

/** Where each heading is, and what it says; those in code are none. @type {(value: string) => { level: number, label: string, offset: number }[]} */
export const headingsOf = (value) => {
  const lines = value.split("\n");
  const fences = fencesOf(lines);
  const found = [];
  let [offset, before] = [0, ""];
  for (const [index, line] of lines.entries()) {
    const [, signs, label] = (!fences[index] && /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line)) || [];
    const [under] = (before.trim() && /^ {0,3}(?:=+|-+)[ \t]*$/.exec(line)) || [];
    if (label) found.push({ level: signs.length, label, offset });
    else if (under) found.push({ level: under.includes("=") ? 1 : 2, label: before.trim(), offset: offset - before.length - 1 });
    before = fences[index] || signs || under || /^(?: {4}|\t| *(?:>|[-*+] |\d+[.)] |\|)|[-*_ ]+$)/.test(line) ? "" : line;
    offset += line.length + 1;
  }
  return found.map((each) => ({ ...each, label: each.label.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`~]|\b_+|_+\b/g, "") }));
};
