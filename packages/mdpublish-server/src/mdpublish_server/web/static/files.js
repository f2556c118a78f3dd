// Opens a text file: chosen with the button, or dropped anywhere on the page.

import { formatOf } from "./pastes.js";

const MAX_BYTES = 1_000_000;
const NAMES = /\.(md|markdown|mdown|mkd|txt|text)$/i;

export const read = async (/** @type {File} */ file) => {
  if (!NAMES.test(file.name)) {
    throw new Error(`${file.name} cannot be opened; choose Markdown or text (.md, .txt), .docx, .html, .csv, .eml, .ipynb or an image.`);
  }
  if (file.size > MAX_BYTES) {
    const size = (file.size / MAX_BYTES).toFixed(1);
    throw new Error(`${file.name} must be at most 1 MB (got ${size} MB); split it.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()).replaceAll("\r\n", "\n");
  } catch {
    throw new Error(`${file.name} is not text in UTF-8; save it as UTF-8.`);
  }
};

/** @type {(form: Workbench, say: Say, replace: (content: string) => void, pasting: Pasting) => void} */
export const files = (form, say, replace, { bringFiles }) => {
  const text = form.elements.content;
  const frame = form.querySelector("iframe");
  const chooser = form.querySelector("[data-file]");

  const open = async (/** @type {File[]} */ chosen) => {
    if (chosen.length && chosen.every(formatOf)) return bringFiles(chosen);
    try {
      if (chosen.length !== 1) throw new Error("Drop one file at a time.");
      const [file] = chosen;
      const content = await read(file);
      const isOwn = text.value.trim() && !("isSample" in text.dataset) && text.value !== content;
      if (isOwn && !confirm(`Replace your text with ${file.name}?`)) return;
      replace(content);
      say(`Opened ${file.name}.`);
    } catch (error) {
      say(/** @type {Error} */ (error).message);
    }
    return undefined;
  };

  const mark = (/** @type {boolean} */ isOver) => form.classList.toggle("is-dropping", isOver);

  const watch = (/** @type {Window} */ target) => {
    const holdsFiles = (/** @type {DragEvent} */ event) => !text.readOnly && event.dataTransfer?.types.includes("Files");
    const over = (/** @type {DragEvent} */ event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      mark(true);
    };
    target.addEventListener("dragenter", over);
    target.addEventListener("dragover", over);
    target.addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));
    target.addEventListener("drop", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      mark(false);
      open([...(event.dataTransfer?.files ?? [])]);
    });
  };

  form.querySelector("[data-open]")?.addEventListener("click", () => chooser?.click());
  chooser?.addEventListener("change", async () => {
    if (chooser.files?.length) await open([...chooser.files]);
    chooser.value = ""; // so that the same file can be opened again
  });
  watch(window);
  // A frame gets the events over it, and after a navigation it has another window.
  watch(frame.contentWindow);
  frame.addEventListener("load", () => watch(frame.contentWindow));
};
