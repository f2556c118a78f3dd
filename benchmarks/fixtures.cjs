// Prints the HTML of to-markdown's tests as JSON, for imports.py: runs their file (argument 1) with a converter that keeps its input.
"use strict";

const cases = [];
const nothing = () => {};
const names = { QUnit: { module: nothing }, equal: nothing, expect: nothing, throws: nothing, asyncTest: nothing };
Object.assign(globalThis, names, { test: (_name, body) => body() });
const source = require("node:fs").readFileSync(process.argv[2], "utf8");
new Function("module", "require", source)({ exports: {} }, () => (html) => cases.push(html));
console.log(JSON.stringify(cases.filter((html) => typeof html === "string")));
