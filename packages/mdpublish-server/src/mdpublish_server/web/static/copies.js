// The Copy buttons: a destination's HTML and text on the clipboard, as `mdpublish copy` writes them.

import { request } from "./preview.js";

const load = async (form, place) => {
  const response = await request(form, "/copy", place);
  const placed = await response.json();
  if (!response.ok) throw new Error(placed.error);
  const flavors = {};
  if (placed.html !== null) flavors["text/html"] = placed.html;
  if (placed.plain_text !== null) flavors["text/plain"] = placed.plain_text;
  return flavors;
};

// Byte-exact, but only while the click is handled.
const copyByEvent = (flavors) => {
  const set = (event) => {
    for (const [type, content] of Object.entries(flavors)) event.clipboardData.setData(type, content);
    event.preventDefault();
  };
  document.addEventListener("copy", set, { once: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", set);
  return done;
};

// The click still counts for some seconds.
const copyLate = async (loading) => {
  if (copyByEvent(await loading.done)) return;
  throw new Error("The browser does not allow copying; download the file instead.");
};

const copy = async (loading) => {
  if (loading.flavors && copyByEvent(loading.flavors)) return;
  if (!navigator.clipboard?.write || typeof ClipboardItem === "undefined") return copyLate(loading);
  // Safari forgets the click at the first await: the item is written at once, with promises.
  const part = (type) => loading.done.then((flavors) => new Blob([flavors[type] ?? ""], { type }));
  const item = new ClipboardItem({ "text/html": part("text/html"), "text/plain": part("text/plain") });
  try {
    return await navigator.clipboard.write([item]);
  } catch {
    // Without permission; or the load failed, whose reason is clearer.
    return copyLate(loading);
  }
};

export const copies = (form, say) => {
  const loads = new Map();

  // Loading starts when the pointer or the focus reaches a button, so that a click finds its result.
  const loaded = (place) => {
    const key = ["content", "template_id", "theme_mode"].map((name) => form.elements[name].value).join("\0");
    const known = loads.get(place);
    if (known?.key === key) return known;
    const loading = { key, flavors: null, done: load(form, place) };
    loading.done.then(
      (flavors) => (loading.flavors = flavors),
      () => loads.get(place) === loading && loads.delete(place),
    );
    loads.set(place, loading);
    return loading;
  };

  for (const button of form.querySelectorAll("[data-copy]")) {
    const { copy: place } = button.dataset;
    const label = button.textContent;
    for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => loaded(place));
    button.addEventListener("click", async () => {
      say(`Copying for ${label} …`);
      try {
        await copy(loaded(place));
        say(`Copied. Paste into ${label}.`);
      } catch (error) {
        say(error.message || "The text could not be copied; try again.");
      }
    });
  }
};
