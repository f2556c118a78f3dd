// Reads documents with Atlassian's own schemas: lines of `{adf}`, `{html}`, `{wiki}`, or `{markdown, peer}` for another converter,
// and writes what was understood.
const fs = require("fs");
const path = require("path");

const [modules, file] = process.argv.slice(2);
const load = (name) => require(path.join(modules, name));
const { JSDOM } = load("jsdom");
const { window } = new JSDOM("");
Object.assign(global, { window, document: window.document, DOMParser: window.DOMParser, HTMLElement: window.HTMLElement });
const { defaultSchema } = load("@atlaskit/adf-schema/schema-default");
const { DOMParser, Node } = load("@atlaskit/editor-prosemirror/model");
const Ajv = load("ajv");
const full = JSON.parse(fs.readFileSync(path.join(modules, "@atlaskit/adf-schema/dist/json-schema/v1/full.json"), "utf8"));
const validate = new Ajv({ schemaId: "id", meta: false, unknownFormats: "ignore", validateSchema: false })
  .addMetaSchema(load("ajv/lib/refs/json-schema-draft-04.json"))
  .compile(full);

const PEERS = {
  marklassian: (markdown) => import(path.join(modules, "marklassian/dist/index.js")).then((each) => each.markdownToAdf(markdown)),
  "md-to-adf": (markdown) => JSON.parse(JSON.stringify(load("md-to-adf")(markdown))),
};

const wikiReader = () => {
  const { WikiMarkupTransformer } = load("@atlaskit/editor-wikimarkup-transformer");
  return new WikiMarkupTransformer(defaultSchema);
};
let reader;

const read = async ({ adf, html, wiki, markdown, peer }) => {
  if (peer === "jira2md") return read({ wiki: load("jira2md").to_jira(markdown) });
  if (wiki !== undefined) {
    reader = reader || wikiReader();
    return { tree: reader.parse(wiki).toJSON() };
  }
  if (peer) {
    try {
      return await read({ adf: await PEERS[peer](markdown) });
    } catch (error) {
      return { problems: [String(error)] };
    }
  }
  if (html !== undefined) {
    const parent = document.createElement("div");
    parent.innerHTML = html;
    return { tree: DOMParser.fromSchema(defaultSchema).parse(parent).toJSON() };
  }
  const problems = validate(adf) ? [] : validate.errors.slice(0, 3).map((each) => `${each.dataPath} ${each.message}`);
  try {
    const node = Node.fromJSON(defaultSchema, adf);
    node.check();
    return { tree: node.toJSON(), problems };
  } catch (error) {
    return { problems: [...problems, String(error)] };
  }
};

const main = async () => {
  for (const line of fs.readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    process.stdout.write(`${JSON.stringify(await read(JSON.parse(line)))}\n`);
  }
};

main();
