// For mhchem_parser.py: reads lines with JSON arrays of pairs of a command and its argument, writes lines with arrays of TeX, null where
// mhchemParser fails. The first argument is the path of mhchemParser.js.
"use strict";

const { mhchemParser } = require(process.argv[2]);
const readline = require("node:readline");

const convert = ([command, text]) => {
  try {
    return mhchemParser.toTex(text, command);
  } catch {
    return null;
  }
};

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  process.stdout.write(JSON.stringify(JSON.parse(line).map(convert)) + "\n");
});
