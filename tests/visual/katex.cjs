// Reads lines of JSON, each a list of [formula, display]; answers each with what KaTeX makes of them: MathML, or why it does not.
const katex = require(process.argv[2]);
// What a formula prints by \message is no answer.
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
