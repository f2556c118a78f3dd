// Converts with turndown and its plugin for GFM, for importing.py: reads a JSON list of HTML on standard input, prints the Markdown of each,
// and the median milliseconds of CPU time of all. Arguments: the folder that npm installed into, and how many rounds.
"use strict";

const { createRequire } = require("node:module");
const [folder, rounds] = [process.argv[2], Number(process.argv[3])];
const load = createRequire(`${folder}/package.json`);
const TurndownService = load("turndown");
const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" }).use(load("turndown-plugin-gfm").gfm);
const pages = JSON.parse(require("node:fs").readFileSync(0, "utf8"));

// null where it throws, as it does for some pages of other programs' tests.
const convert = (html) => {
  try {
    return service.turndown(html);
  } catch {
    return null;
  }
};

let markdown;
const once = () => {
  const start = process.cpuUsage();
  markdown = pages.map(convert);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const times = Array.from({ length: rounds }, once).sort((a, b) => a - b);
console.log(JSON.stringify({ markdown, milliseconds: times[Math.floor(rounds / 2)] }));
