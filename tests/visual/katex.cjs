// Reads lines of JSON, each a list of [formula, display]; writes a line for each, a list of MathML or errors.
const katex = require(process.argv[2]);
// \message must not print to standard output.
console.log = () => {};
const options = { output: process.argv[3] || "mathml", throwOnError: true, strict: "ignore", trust: true };
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const answers = JSON.parse(line).map(([tex, displayMode]) => {
    try {
      return { html: katex.renderToString(tex, { ...options, displayMode }), error: null };
    } catch (error) {
      return { html: null, error: String(error.message) };
    }
  });
  process.stdout.write(JSON.stringify(answers) + "\n");
});
