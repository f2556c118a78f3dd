// What is shown where there is room: the text, its preview or both; and a quiet mode, of nothing but the text. The
// browser remembers it. Whatever is chosen, a button leads back.

import { button } from "../elements.js";
import { read, store } from "../storage.js";

const VIEW_KEY = "mdpublish:view";

// What each is called, and its key.
export const VIEWS = /** @type {Record<string, [label: string, keys: string]>} */ ({
  text: ["Text alone", "Mod+Alt+Digit4"],
  both: ["Text and preview", "Mod+Alt+Digit5"],
  page: ["Preview alone", "Mod+Alt+Digit6"],
  quiet: ["Quiet mode", "Mod+Alt+Digit7"],
});

export const views = (/** @type {Workbench} */ form) => {
  const text = form.elements.content;
  const { dataset } = document.documentElement;
  const show = (/** @type {string} */ name) => {
    dataset.view = name;
    back.textContent = name === "quiet" ? "Leave quiet mode" : VIEWS.both[0];
    back.hidden = name === "both";
    (name === "page" ? form.querySelector("[data-place]") : text).parentElement?.append(back);
  };
  const choose = (/** @type {string} */ name) => {
    // The same again leads back.
    const next = dataset.view === name ? "both" : name;
    show(next);
    store(VIEW_KEY, next);
    (next === "page" ? back : text).focus({ preventScroll: true });
  };
  const back = button("", () => choose("both"), { className: "plain back" });
  const stored = read(VIEW_KEY) ?? "";
  show(Object.hasOwn(VIEWS, stored) ? stored : "both");
  return choose;
};
