// The workbench. Without scripts, its buttons submit the form: to the frame, to a file, or to publish or save.

import { autosave } from "./autosave.js";
import { copies } from "./copies.js";
import { drafts, forgetPublished } from "./drafts.js";
import { current, original, same } from "./fields.js";
import { files } from "./files.js";
import { button, notices } from "./notices.js";
import { preview, request } from "./preview.js";
import { tabs } from "./tabs.js";

const form = document.getElementById("workbench");
const text = form.elements.content;
const status = form.querySelector("[data-status]");

const say = (message, ...actions) => {
  status.textContent = message;
  status.append(...actions);
};

for (const part of form.querySelectorAll("[data-script]")) part.hidden = false;

const STYLE = ["template_id", "theme_mode"];

const isDocument = "autosave" in form.dataset;
// "Publish" of the home page makes a document for who is signed in.
if (isDocument) forgetPublished();

const edited = () => {
  draft.save();
  shown.update();
};

const shown = preview(form, say, notices(form, edited), copies(form, say));
const draft = isDocument ? autosave(form, () => shown.update()) : drafts(form, say);
tabs(form);

const replace = (content) => {
  text.value = content;
  delete text.dataset.isSample;
  edited();
};

// In one step, which the browser undoes, too.
const write = (content) => {
  text.focus();
  text.select();
  document.execCommand("insertText", false, content);
};

// What a chat window or a terminal spoiled is repaired, unless the text was changed meanwhile; without an answer, it stays.
const repair = async () => {
  const pasted = text.value;
  const response = await request(form, "/repair", "page").catch(() => null);
  const { markdown, summary } = response?.ok ? await response.json() : {};
  if (!summary || text.value !== pasted) return;
  write(markdown);
  say(`${summary}. `, button("Undo", () => write(pasted)));
};

text.addEventListener("input", () => {
  delete text.dataset.isSample;
  // Undo would take back what is typed now.
  if (status.childElementCount) say("");
  edited();
});
for (const name of ["title", "description", "page_width"]) form.elements[name]?.addEventListener("input", shown.update);

// The sample gives way to what is typed or pasted.
text.addEventListener("focus", () => "isSample" in text.dataset && text.select());

document.addEventListener("paste", (event) => {
  const field = event.target.closest?.("textarea, input, select");
  if (field && field !== text) return;
  const isWhole = !text.readOnly && text.selectionEnd - text.selectionStart === text.value.length;
  const pasted = event.clipboardData.getData("text/plain");
  if (!pasted) return;
  if (field && !("isSample" in text.dataset)) {
    // The browser pastes.
    if (isWhole) setTimeout(repair);
    return;
  }
  if (isDocument && (text.value || text.readOnly)) return;
  event.preventDefault();
  replace(pasted);
  text.focus();
  repair();
});

files(form, say, replace);
// The frame shows the sample at first, which is not the text of a form that was refused, or that came from the gallery.
if (!isDocument && !("isSample" in text.dataset && same(original(form, STYLE), current(form, STYLE)))) shown.update();

form.querySelector("[data-sample]")?.addEventListener("click", () => {
  const before = text.value;
  if (!("isSample" in text.dataset) && before.trim() && !confirm("Replace your text with the sample?")) return;
  draft.clear();
  text.value = text.defaultValue;
  text.dataset.isSample = "";
  shown.update();
  say("Loaded the sample.");
});
form.querySelector("[data-clear]")?.addEventListener("click", () => {
  draft.clear();
  text.value = "";
  delete text.dataset.isSample;
  shown.update();
  text.focus();
  say("Cleared, here and in this browser.");
});

// The draft stays until the published page is there: a request may fail.
form.addEventListener("submit", (event) => {
  if (event.submitter?.classList.contains("primary")) draft.publish();
});
