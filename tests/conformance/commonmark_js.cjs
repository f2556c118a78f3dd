// Converts for judges.py: a line on standard input is a JSON array of Markdown texts, a line on standard output the array
// of their HTML. The first argument is the path of commonmark.js.
"use strict";

const commonmark = require(process.argv[2]);
const readline = require("node:readline");

const reader = new commonmark.Parser();
const writer = new commonmark.HtmlRenderer();

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const converted = JSON.parse(line).map((markdown) => writer.render(reader.parse(markdown)));
  process.stdout.write(JSON.stringify(converted) + "\n");
});
