// Times marked, or marked and juice, for node.py: reads a Markdown text on standard input, prints the median milliseconds.
// Arguments: the folder that npm installed into, how many rounds, and for juice the stylesheet, else nothing.
"use strict";

const { createRequire } = require("node:module");
const [folder, rounds, css] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const load = createRequire(`${folder}/package.json`);
const { marked } = load("marked");
const module_ = css ? load("juice") : null;
const juice = module_ && (module_.default ?? module_);
const markdown = require("node:fs").readFileSync(0, "utf8");

const convert = () => {
  const html = marked.parse(markdown);
  return juice ? juice.inlineContent(`<div class="mdpublish-swiss-light">${html}</div>`, css) : html;
};
const once = () => {
  const start = process.hrtime.bigint();
  convert();
  return Number(process.hrtime.bigint() - start) / 1e6;
};
for (let warm = 0; warm < rounds; warm++) once();
const times = Array.from({ length: rounds }, once).sort((a, b) => a - b);
console.log(times[Math.floor(rounds / 2)]);
