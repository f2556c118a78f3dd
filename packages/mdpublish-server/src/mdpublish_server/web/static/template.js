// A template's page: its frame shows the sample, or the text that is open beside it. The text is the workbench's draft.

import { drafts } from "./drafts.js";
import { DELAY, LOST, arrival, parsed, replaceIn, request, ring } from "./preview.js";
import { read, store } from "./storage.js";

const OPEN = "mdpublish-trial";

const form = document.getElementById("template");
const frame = form.querySelector("iframe");
const mine = form.querySelector("[data-mine]");
const status = form.querySelector("[data-status]");
const text = form.elements.content;

let timer = 0;
let running = /** @type {AbortController | null} */ (null);
let sample = /** @type {Element | null} */ (null);
let isChanged = false;

form.querySelector("[data-form]").hidden = true;

const say = (/** @type {string} */ message) => {
  status.textContent = message;
};

const arrived = arrival(frame);
ring(frame);

const show = (/** @type {Element} */ page) => {
  const { documentElement: shown } = frame.contentDocument;
  if (page === shown) return;
  sample ??= shown;
  replaceIn(frame, page);
};

const load = async () => {
  running?.abort();
  const own = (running = new AbortController());
  await arrived;
  if (!mine.open || !text.value.trim()) return sample && show(sample);
  try {
    const response = await request(form, "/preview", "page", { signal: own.signal });
    const { html } = await response.json();
    if (own !== running) return;
    show(parsed(frame, html));
    say("");
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (name !== "AbortError") say(error instanceof RangeError ? message : LOST);
  }
};

const update = () => {
  clearTimeout(timer);
  timer = setTimeout(load, DELAY);
};

text.addEventListener("input", () => {
  delete text.dataset.isSample;
  isChanged = true;
  draft.edited();
  update();
});

// A draft that it restores is seen at once and needs no message.
const draft = drafts(form, (message) => isChanged && say(message));

mine.addEventListener("toggle", () => {
  if (mine.open && !text.value) text.focus();
  // Where it is refused, the next template opens with the sample.
  store(OPEN, mine.open ? "1" : "", "sessionStorage");
  load();
});

if (text.value && read(OPEN, "sessionStorage")) mine.open = true;

form.addEventListener("submit", (event) => {
  // A new document takes the text along: it is no draft then.
  if (event.submitter?.matches("[value=start]")) draft.publish();
  if (!event.submitter?.matches("[data-use]")) return;
  // Where the browser keeps no draft, the form carries the text.
  if (isChanged) draft.save();
  if (draft.isUnsaved) return;
  event.preventDefault();
  const { template_id, theme_mode } = form.elements;
  location.assign(`/?${new URLSearchParams({ template_id: template_id.value, theme_mode: theme_mode.value })}`);
});

addEventListener("pagehide", () => isChanged && draft.save());
