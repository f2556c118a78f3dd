// The workbench. Without scripts, its buttons submit the form: to the frame, to a file, or to publish or save.

import { copies } from "./copies.js";
import { dock } from "./dock.js";
import { forgetPublished } from "./draft-texts.js";
import { drafts } from "./drafts.js";
import { views } from "./editing/views.js";
import { button } from "./elements.js";
import { files } from "./files.js";
import { notices } from "./notices.js";
import { pastes } from "./pastes.js";
import { isDark, preview, showMode } from "./preview.js";

const form = document.getElementById("workbench");
const text = form.elements.content;
const status = form.querySelector("[data-status]");

const QUIET = 4000;
let saidAt = -QUIET;

/** @type {Say} */
const say = (message, ...actions) => {
  saidAt = performance.now();
  status.textContent = message;
  status.append(...actions);
};

// What the preview says waits until what was done has been read.
const remark = (/** @type {string} */ message) => {
  if (performance.now() - saidAt > QUIET) status.textContent = message;
};

for (const part of form.querySelectorAll("[data-script]")) part.hidden = false;

const isDocument = "autosave" in form.dataset;
// "Publish" of the home page makes a document for who is signed in.
if (isDocument) forgetPublished();

const edited = () => {
  draft.edited();
  shown.update();
};

// A dark page of a light site was chosen before the page was reloaded.
if (location.pathname === "/" && !isDocument && !location.search.includes("theme_mode") && (isDark.matches || form.elements.theme_mode.value === "light")) form.dataset.unchosen = "";

const shown = preview(form, remark, notices(form), copies(form, say));
// The home page does without what saves a document.
const draft = isDocument ? (await import("./autosave.js")).autosave(form, () => shown.update()) : drafts(form, say);
dock(form);
const view = views(form);

const replace = (/** @type {string} */ content) => {
  text.value = content;
  delete text.dataset.isSample;
  edited();
};

const pasting = pastes(form, say);

text.addEventListener("input", (event) => {
  delete text.dataset.isSample;
  // Its Undo would take back what is typed now.
  if (status.childElementCount) say(/** @type {InputEvent} */ (event).inputType === "historyUndo" ? "" : (status.firstChild?.textContent ?? "").trim());
  edited();
});
for (const name of /** @type {const} */ (["title", "description", "page_width"])) form.elements[name]?.addEventListener("input", shown.update);

// A new document begins with typing.
if (isDocument && !text.value && !text.readOnly && document.activeElement === document.body) text.focus();

// The sample gives way to what is typed or pasted.
text.addEventListener("focus", () => "isSample" in text.dataset && text.select());

files(form, say, replace, pasting);
// The frame shows the sample at first, which is not the text of a form that was refused, or that came from the gallery.
// The browser may have put another style back.
const { template_id: select, theme_mode: modes } = form.elements;
const isAsSent = [...select.options].every((each) => each.selected === each.defaultSelected) && [...modes].every((each) => each.checked === each.defaultChecked);
if (!isDocument && !("isSample" in text.dataset && isAsSent)) shown.update();

// What the clipboard has, as if it had been pasted.
form.querySelector("[data-paste]")?.addEventListener("click", async () => {
  try {
    const [item] = await navigator.clipboard.read();
    const clipboardData = new DataTransfer();
    for (const type of item.types) if (type.startsWith("text/")) clipboardData.setData(type, await (await item.getType(type)).text());
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
  } catch {
    say("The browser does not let pages read the clipboard; paste with the keyboard or the menu.");
  }
  text.focus();
});
form.querySelector("[data-sample]")?.addEventListener("click", () => {
  const undo = draft.clear();
  text.value = text.defaultValue;
  text.dataset.isSample = "";
  shown.update();
  say("Loaded the sample. ", button("Undo", undo));
});
form.querySelector("[data-clear]")?.addEventListener("click", () => {
  const undo = draft.clear();
  text.value = "";
  delete text.dataset.isSample;
  shown.update();
  text.focus();
  say("Cleared, here and in this browser. ", button("Undo", undo));
});

// The picker is loaded when it is first opened; without it, the gallery itself, with the text, where it takes it along.
form.querySelector("[data-picker]")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const opener = /** @type {Found["[data-picker]"]} */ (event.currentTarget);
  try {
    await (await import("./picker.js")).pick();
  } catch {
    if (opener.type === "submit") form.requestSubmit(opener);
  }
});

// After the first paint, which does not wait for it. Where it cannot be loaded, the field is a field.
requestAnimationFrame(() =>
  setTimeout(() => import("./editing/editor.js").then(({ editor }) => editor(form, say, pasting, view), () => {})),
);

// The draft stays until the published page is there: a request may fail.
form.addEventListener("submit", ({ submitter }) => {
  const isPublished = submitter?.classList.contains("primary");
  showMode(form, isPublished || /html$/.test(submitter?.getAttribute("formaction") ?? "") ? "page" : "");
  setTimeout(() => showMode(form));
  if (isPublished) draft.publish();
});
