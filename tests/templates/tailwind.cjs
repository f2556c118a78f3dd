// Prints the stylesheet of Tailwind Typography's `prose`. Run in a folder whose `node_modules` has tailwindcss and the plug-in.
const fs = require("node:fs"), path = require("node:path");
const modules = path.resolve("node_modules");
const {compile} = require(path.join(modules, "tailwindcss/dist/lib.js"));

const loadModule = async id => ({module: require(path.join(modules, id)), base: modules, path: id});
const loadStylesheet = async id => ({
  content: fs.readFileSync(path.join(modules, id === "tailwindcss" ? "tailwindcss/index.css" : id), "utf8"), base: modules, path: id,
});

compile('@import "tailwindcss"; @plugin "@tailwindcss/typography";', {base: modules, loadModule, loadStylesheet})
  .then(compiler => process.stdout.write(compiler.build(["prose", "mx-auto", "px-5", "py-10"])));
