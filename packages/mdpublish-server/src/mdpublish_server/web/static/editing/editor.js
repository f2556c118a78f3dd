// The editor around the field: loaded after the first paint. The field works without it.

import { count } from "./count.js";
import { lineAt } from "./edits.js";
import { find } from "./find.js";
import { keys } from "./keys.js";
import { marks } from "./marks.js";
import { mirror } from "./mirror.js";
import { samples } from "./samples.js";
import { sync } from "./sync.js";
import { toolbar } from "./toolbar.js";

const everywhere = (/** @type {() => unknown} */ action) => Object.assign(action, { isEverywhere: true });

// Chooses image files, which are stored.
const chooser = (/** @type {(files: File[]) => void} */ take) => {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: "image/*", multiple: true });
  input.addEventListener("change", () => take([...(input.files ?? [])]));
  return () => {
    input.value = "";
    input.click();
  };
};

export const editor = (/** @type {Workbench} */ form, /** @type {Say} */ say, /** @type {Pasting} */ { bringFiles }) => {
  const text = form.elements.content;
  const lines = mirror(text);
  const openFind = find(form, (offset) => lines.reveal(lineAt(text.value, offset)));
  const saving = form.querySelector("button[name=do][value=save]:not([data-mine])");
  keys(form, {
    KeyF: openFind,
    KeyH: openFind,
    KeyS: everywhere(() => (saving ? saving.click() : say("Your text is kept in this browser while you write."))),
    Enter: everywhere(() => form.querySelector("button.primary:not([hidden])")?.click()),
  });
  count(form);
  marks(form, lines);
  sync(form, lines);
  if (!text.readOnly) {
    const images = /** @type {Record<string, () => void>} */ ("takesImages" in text.dataset ? { image: chooser(bringFiles) } : {});
    toolbar(form, { find: openFind, diagram: samples(form), ...images });
  }
};
