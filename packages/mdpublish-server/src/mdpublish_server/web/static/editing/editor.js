// The editor around the field: loaded after the first paint. The field works without it.

import { count } from "./count.js";
import { find } from "./find.js";
import { keys } from "./keys.js";
import { marks } from "./marks.js";
import { mirror } from "./mirror.js";
import { samples } from "./samples.js";
import { suggest } from "./slash.js";
import { sync } from "./sync.js";
import { toolbar } from "./toolbar.js";
import { VIEWS } from "./views.js";

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

/** @type {(form: Workbench, say: Say, pasting: Pasting, view: (name: string) => void) => void} */
export const editor = (form, say, { bringFiles }, view) => {
  const text = form.elements.content;
  const lines = mirror(text);
  const openFind = find(form, lines);
  let press = (/** @type {string} */ _) => {};
  const saving = form.querySelector("button[name=do][value=save]:not([data-mine])");
  keys(form, {
    KeyF: openFind,
    KeyH: openFind,
    "Alt+KeyO": everywhere(() => press("outline")),
    ...Object.fromEntries(Object.entries(VIEWS).map(([name, [, key]]) => [key.slice("Mod+".length), everywhere(() => view(name))])),
    KeyS: everywhere(() => (saving ? saving.click() : say("Your text is kept in this browser while you write."))),
    Enter: everywhere(() => form.querySelector("button.primary:not([hidden])")?.click()),
  });
  count(form);
  marks(form, lines);
  sync(form, lines);
  if (!text.readOnly) {
    const images = /** @type {Record<string, () => void>} */ ("takesImages" in text.dataset ? { image: chooser(bringFiles) } : {});
    const actions = { find: openFind, diagram: samples(form, say), ...images };
    press = toolbar(form, actions, { goTo: lines.goTo, say, view });
    text.addEventListener("input", (event) => /** @type {InputEvent} */ (event).data === "/" && suggest(form, lines, actions));
  }
};
