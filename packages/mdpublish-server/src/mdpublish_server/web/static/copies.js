// The Copy buttons: a destination's HTML and text on the clipboard, as `mdpublish copy` writes them. Each says in which
// form the text arrives, for those that had the pointer or the focus and for the place that the preview shows. What was
// used last comes first.

import { read, store } from "./storage.js";
import { modeOf, request } from "./preview.js";

const USED = "mdpublish-copied";

const load = async (/** @type {Workbench} */ form, /** @type {string} */ place) => {
  const response = await request(form, "/copy", place);
  const placed = await response.json();
  if (!response.ok) throw new Error(placed.error);
  const flavors = /** @type {Copied["flavors"]} */ ({});
  if (placed.html !== null) flavors["text/html"] = placed.html;
  if (placed.plain_text !== null) flavors["text/plain"] = placed.plain_text;
  return { flavors, delivery: placed.delivery };
};

// Byte-exact, but only while the click is handled.
const copyByEvent = (/** @type {Copied["flavors"]} */ flavors) => {
  const set = (/** @type {ClipboardEvent} */ event) => {
    for (const [type, content] of Object.entries(flavors)) event.clipboardData?.setData(type, content);
    event.preventDefault();
  };
  document.addEventListener("copy", set, { once: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", set);
  return done;
};

// The click still counts for some seconds.
const copyLate = async (/** @type {Loading} */ loading) => {
  if (copyByEvent((await loading.done).flavors)) return;
  throw new Error("The browser does not allow copying; download the file instead.");
};

const copy = async (/** @type {Loading} */ loading, /** @type {string[]} */ types) => {
  if (loading.flavors && copyByEvent(loading.flavors)) return;
  if (!navigator.clipboard?.write || typeof ClipboardItem === "undefined") return copyLate(loading);
  // Safari forgets the click at the first await: the item is written at once, with promises.
  const part = (/** @type {string} */ type) => {
    const blob = loading.done.then(({ flavors }) => new Blob([flavors[type] ?? ""], { type }));
    // The click says why.
    blob.catch(() => {});
    return blob;
  };
  const item = new ClipboardItem(Object.fromEntries(types.map((type) => [type, part(type)])));
  try {
    return await navigator.clipboard.write([item]);
  } catch {
    // Without permission; or the load failed, whose reason is clearer.
    return copyLate(loading);
  }
};

/** @type {(form: Workbench, say: Say) => Arrive} */
export const copies = (form, say) => {
  const loads = /** @type {Map<string, Loading>} */ (new Map());
  // What each place's clipboard held last, for when there is no connection.
  const last = /** @type {Map<string, Copied & { key: string }>} */ (new Map());
  const buttons = [...form.querySelectorAll("[data-copy]")];
  const noteOf = (/** @type {HTMLElement} */ button) => /** @type {HTMLElement} */ (button.lastElementChild);
  const usual = new Map(buttons.map((button) => [button, noteOf(button).textContent]));
  const used = buttons.find(({ dataset }) => dataset.copy === read(USED));
  if (used && used !== buttons[0]) buttons[0].before(used);
  if (used) used.dataset.used = "";

  const describe = (/** @type {HTMLElement} */ button, delivery = "") => {
    const note = noteOf(button);
    note.textContent = note.title = delivery || (usual.get(button) ?? "");
  };

  const point = async (/** @type {HTMLElement} */ button) => {
    // Heard for the button that has the focus, not while somebody types.
    noteOf(button).ariaLive = button === document.activeElement ? "polite" : "off";
    try {
      const { delivery, isOld } = await loaded(button.dataset.copy ?? "").done;
      if (!isOld) describe(button, delivery);
    } catch {
      // A click says why.
    }
  };

  // Loading starts when the pointer or the focus reaches a button, so that a click finds its result.
  const keyOf = () => [form.elements.content.value, form.elements.template_id.value, modeOf(form, "")].join("\0");
  const loaded = (/** @type {string} */ place) => {
    const key = keyOf();
    const known = loads.get(place);
    if (known?.key === key) return known;
    const loading = /** @type {Loading} */ ({ key, flavors: null, done: load(form, place) });
    loading.done = loading.done.catch((error) => {
      loads.delete(place);
      // `fetch` raises it without a connection.
      if (!(error instanceof TypeError)) throw error;
      const before = last.get(place);
      if (!before) throw new Error("No connection: the text could not be converted. Check it and copy again; the text is kept.");
      return { ...before, isOld: before.key !== key };
    });
    loading.done.then((result) => {
      loading.flavors = result.flavors;
      if (!result.isOld) last.set(place, { ...result, key });
    }, () => {});
    loads.set(place, loading);
    return loading;
  };

  // The text as it is, without the service.
  for (const button of form.querySelectorAll("[data-copy-source]")) {
    button.addEventListener("click", () => {
      const isCopied = copyByEvent({ "text/plain": form.elements.content.value });
      say(isCopied ? "Copied as Markdown." : "The browser does not allow copying; download the file instead.");
    });
  }

  for (const button of buttons) {
    const { copy: place = "" } = button.dataset;
    const label = button.querySelector("b").textContent;
    for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => point(button));
    button.addEventListener("click", async () => {
      say(`Copying ${place === "plain-text" ? "as" : "for"} ${label} …`);
      try {
        const loading = loaded(place);
        await copy(loading, "text" in button.dataset ? ["text/plain"] : ["text/html", "text/plain"]);
        const { isOld } = await loading.done;
        const old = `No connection: copied for ${label} as it was before your last changes.`;
        store(USED, place);
        say(isOld ? old : place === "plain-text" ? "Copied as plain text." : `Copied. Paste into ${label}.`);
      } catch (error) {
        say(/** @type {Error} */ (error).message || "The text could not be copied; try again.");
      }
    });
  }

  // For the preview, which shows another text or place.
  return (place, delivery) => {
    const key = keyOf();
    for (const button of buttons) {
      if (button.dataset.copy === place) describe(button, delivery);
      else if (loads.get(button.dataset.copy ?? "")?.key !== key) describe(button);
    }
  };
};
