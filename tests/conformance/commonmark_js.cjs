// For reference_parsers.py: reads lines with JSON arrays of Markdown documents, writes lines with arrays of their HTML. The first
// argument is the path of commonmark.js.
"use strict";

const commonmark = require(process.argv[2]);
const readline = require("node:readline");

const reader = new commonmark.Parser();
const writer = new commonmark.HtmlRenderer();

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const converted = JSON.parse(line).map((markdown) => writer.render(reader.parse(markdown)));
  process.stdout.write(JSON.stringify(converted) + "\n");
});
