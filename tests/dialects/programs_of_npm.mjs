// Reads a JSON list of texts from standard input, and prints a list of what a program of npm makes of them, or null.
// Arguments: the folder in which the packages are installed, and the program.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { text as contentOf } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const load = async (name) => {
  const packaged = JSON.parse(readFileSync(`${folder}/node_modules/${name}/package.json`, "utf8"));
  const entry = packaged.exports?.["."]?.import ?? packaged.exports?.["."]?.default ?? packaged.exports?.["."] ?? packaged.exports;
  const path = typeof entry === "string" ? entry : (entry?.default ?? packaged.module ?? packaged.main ?? "index.js");
  return import(pathToFileURL(`${folder}/node_modules/${name}/${path}`));
};

const markdownIt = async (options) => {
  const reader = require("markdown-it")({ html: true, linkify: true, ...options });
  return (text) => reader.render(text);
};

const remark = async () => {
  const [{ unified }, parse, gfm, rehype, stringify] = await Promise.all(
    ["unified", "remark-parse", "remark-gfm", "remark-rehype", "rehype-stringify"].map(load),
  );
  const processor = unified()
    .use(parse.default)
    .use(gfm.default)
    .use(rehype.default, { allowDangerousHtml: true })
    .use(stringify.default, { allowDangerousHtml: true });
  return async (text) => String(await processor.process(text));
};

// What Docusaurus rewrites before MDX: comments of HTML, ids of headings and titles of directives.
const compatible = (text) =>
  text
    .replace(/<!--([\s\S]*?)-->/g, "{/*$1*/}")
    .replace(/^(#{1,6} .*?)\{(#[\w-]+)\}[ \t]*$/gm, "$1\\{$2}")
    .replace(/^(:{3,}[ \t]*\w+)[ \t]+([^[\]{}\n]+)$/gm, "$1[$2]");

const mdx = async () => {
  const [{ compile }, gfm, directive] = await Promise.all(["@mdx-js/mdx", "remark-gfm", "remark-directive"].map(load));
  const remarkPlugins = [gfm.default, directive.default, () => containers];
  return async (text) => String(await compile(compatible(text), { jsx: true, remarkPlugins }));
};

// Directives are nothing for MDX itself: here, elements of their name.
const containers = (tree) => {
  for (const node of tree.children ?? []) {
    if (/Directive$/.test(node.type)) node.data = { hName: `x-${node.name}`, hProperties: node.attributes };
    containers(node);
  }
};

const programs = {
  "markdown-it": () => markdownIt({}),
  Obsidian: () => markdownIt({ breaks: true }),
  remark,
  MDX: mdx,
};

const convert = await programs[program]();
const pages = [];
for (const text of JSON.parse(await contentOf(process.stdin))) {
  try {
    pages.push(await convert(text));
  } catch {
    pages.push(null);
  }
}
process.stdout.write(JSON.stringify(pages));
