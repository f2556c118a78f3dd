// Diagrams and charts to begin with: a dialog with a picture of the one that is chosen.

import { make } from "../elements.js";
import { arrival, parsed, replaceIn } from "../preview.js";
import { block, selectionOf, write } from "./edits.js";
import { ask } from "./service.js";

// By name: the fence's language, and its source.
let known = /** @type {Record<string, string[]>} */ ({});

const sourceOf = (/** @type {string} */ name) => `\`\`\`${known[name][0]}\n${known[name][1]}\n\`\`\``;

/** @type {(form: Workbench, say: Say) => () => Promise<void>} */
export const samples = (form, say) => {
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
  return async () => {
    try {
      if (!kinds.length) known = await (await fetch("/static/samples.json")).json();
    } catch {
      return say("No connection: the diagrams could not be loaded. Try again.");
    }
    if (!dialog.isConnected) {
      kinds.append(...Object.keys(known).map((name) => new Option(name, name)));
      kinds.value = "Flowchart";
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
