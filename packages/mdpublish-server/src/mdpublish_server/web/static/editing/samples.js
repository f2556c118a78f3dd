// Diagrams and charts to begin with: a dialog with a picture of the one that is chosen.

import { make } from "../elements.js";
import { arrival, parsed, replaceIn } from "../preview.js";
import { block, selectionOf, write } from "./edits.js";
import { ask } from "./service.js";

const chart = (/** @type {string} */ type, /** @type {object[]} */ ...datasets) => `{ "type": "${type}", "data": {
  "labels": ["Q1", "Q2", "Q3", "Q4"],
  "datasets": [
    ${datasets.map((each) => JSON.stringify(each)).join(",\n    ")}
  ]
} }`;
const SALES = { label: "2025", data: [12, 19, 8, 15] };
const COSTS = { label: "2026", data: [14, 17, 13, 21] };

// By name: the fence's language, and its source.
const SAMPLES = /** @type {Record<string, string[]>} */ ({
  Flowchart: ["mermaid", "flowchart LR\n  A[Write] --> B{Ready?}\n  B -->|yes| C[Publish]\n  B -->|no| A"],
  Sequence: ["mermaid", "sequenceDiagram\n  Anna->>Server: Save\n  Server-->>Anna: Saved"],
  Gantt: ["mermaid", "gantt\n  title Launch\n  dateFormat YYYY-MM-DD\n  Draft :a, 2026-01-05, 7d\n  Review :b, after a, 4d"],
  Class: ["mermaid", "classDiagram\n  Animal <|-- Duck\n  Animal : +int age\n  Duck : +swim()"],
  State: ["mermaid", "stateDiagram-v2\n  [*] --> Draft\n  Draft --> Published\n  Published --> [*]"],
  "Entity relation": ["mermaid", "erDiagram\n  CUSTOMER ||--o{ ORDER : places\n  ORDER ||--|{ ITEM : has"],
  Timeline: ["mermaid", "timeline\n  title History\n  2024 : Idea\n  2025 : First release\n  2026 : Today"],
  Mindmap: ["mermaid", "mindmap\n  root((Plan))\n    Goals\n    Budget\n      Staff\n    Dates"],
  Journey: ["mermaid", "journey\n  title My day\n  section Work\n    Write: 5: Me\n    Review: 3: Me, Anna"],
  Quadrant: ["mermaid", "quadrantChart\n  x-axis Low effort --> High effort\n  y-axis Low value --> High value\n  Search: [0.3, 0.8]\n  Themes: [0.7, 0.4]"],
  "Git graph": ["mermaid", "gitGraph\n  commit\n  branch feature\n  commit\n  checkout main\n  merge feature"],
  Graphviz: ["dot", "digraph {\n  rankdir=LR\n  Paste -> Preview -> Copy\n  Preview -> Publish\n}"],
  "Bar chart": ["chart", chart("bar", SALES, COSTS)],
  "Line chart": ["chart", chart("line", SALES, COSTS)],
  "Pie chart": ["chart", chart("pie", SALES)],
  "Doughnut chart": ["chart", chart("doughnut", SALES)],
  "Radar chart": ["chart", chart("radar", SALES, COSTS)],
  "Scatter chart": ["chart", '{ "type": "scatter", "data": { "datasets": [\n  { "label": "Tests", "data": [{ "x": 1, "y": 2 }, { "x": 2, "y": 5 }, { "x": 4, "y": 4 }] }\n] } }'],
});

const sourceOf = (/** @type {string} */ name) => `\`\`\`${SAMPLES[name][0]}\n${SAMPLES[name][1]}\n\`\`\``;

export const samples = (/** @type {Workbench} */ form) => {
  const text = form.elements.content;
  const first = form.querySelector("iframe[name=preview]").getAttribute("src");
  const dialog = make("dialog", { className: "samples" });
  let arrived = Promise.resolve();
  let asked = 0;
  dialog.setAttribute("aria-labelledby", "samples-title");
  dialog.innerHTML = `<form method="dialog"><h2 id="samples-title">Diagram or chart</h2>
<div class="sampled"><label class="unseen" for="sample">Kind</label><select id="sample" size="9"></select>
<iframe title="The chosen diagram" sandbox="allow-same-origin" tabindex="-1"></iframe></div>
<div class="choice"><button class="primary" value="insert">Insert</button><button value="">Cancel</button></div></form>`;
  const [kinds, frame] = [dialog.querySelector("select"), dialog.querySelector("iframe")];
  kinds.append(...Object.keys(SAMPLES).map((name) => new Option(name, name)));
  kinds.value = "Flowchart";

  const show = async () => {
    const mine = (asked += 1);
    try {
      const { html } = await ask(form, "/preview", { content: sourceOf(kinds.value), place: "page", template_id: form.elements.template_id.value, theme_mode: form.elements.theme_mode.value });
      await arrived;
      if (mine === asked) replaceIn(frame, parsed(frame, html));
    } catch {
      // The names say what they are.
    }
  };

  kinds.addEventListener("change", show);
  const back = () => text.focus({ preventScroll: true });
  // The next keys may come before the event `close`.
  const finish = (/** @type {string} */ result) => {
    dialog.close(result);
    const source = sourceOf(kinds.value);
    if (result === "insert") write(text, block(selectionOf(text), source, source.indexOf("\n") + 1, source.length - 4));
    else back();
  };
  kinds.addEventListener("dblclick", () => finish("insert"));
  dialog.addEventListener("submit", (event) => {
    event.preventDefault();
    finish(/** @type {HTMLButtonElement} */ (event.submitter).value);
  });
  dialog.addEventListener("close", () => dialog.returnValue || back());
  return () => {
    if (!dialog.isConnected) {
      document.body.append(dialog);
      frame.src = first ?? "";
      arrived = arrival(frame);
    }
    dialog.returnValue = "";
    // Chromium gives a text that it focuses again after a dialog no selection, if the mouse was used there.
    text.blur();
    dialog.showModal();
    kinds.focus();
    show();
  };
};
