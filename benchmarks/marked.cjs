// Times marked for run.py: reads a Markdown text on standard input, prints the median milliseconds of one conversion.
// Arguments: the path of marked, and how many rounds.
"use strict";

const { marked } = require(process.argv[2]);
const rounds = Number(process.argv[3]);
const markdown = require("node:fs").readFileSync(0, "utf8");

const once = () => {
  const start = process.hrtime.bigint();
  marked.parse(markdown);
  return Number(process.hrtime.bigint() - start) / 1e6;
};
for (let warm = 0; warm < rounds; warm++) once();
const times = Array.from({ length: rounds }, once).sort((a, b) => a - b);
console.log(times[Math.floor(rounds / 2)]);
