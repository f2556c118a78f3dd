// The form of a document: what is written in it, and what it shows of what is stored.

import { write } from "./editing/edits.js";
import { current, TEXT } from "./fields.js";

export class DocumentForm {
  constructor(/** @type {Workbench} */ form, /** @type {() => void} */ changed) {
    this.form = form;
    this.elements = form.elements;
    this.changed = changed;
    this.conflict = form.querySelector("[data-conflict]");
    this.isStored = form.dataset.autosave === "stored";
  }

  path = () => this.form.getAttribute("action") ?? "";
  read = () => current(this.form, TEXT);

  write(/** @type {Partial<DocumentText>} */ text) {
    for (const name of TEXT) if (name in text) this.elements[name].value = text[name] ?? "";
  }

  tell(/** @type {string} */ message) {
    const shown = this.form.querySelector("[data-saved]");
    // What it says decides whether the Save button is shown.
    shown.textContent = shown.dataset.saved = message;
  }

  // Shows blocks to choose from; without any, nothing is contested.
  contest(/** @type {string} */ blocks) {
    if (this.conflict.hidden && !blocks) return;
    this.conflict.hidden = !blocks;
    for (const each of this.form.querySelectorAll(".titling button[name=do]:not([aria-describedby])")) each.disabled = Boolean(blocks);
    this.form.querySelector("[data-difference]").replaceChildren(...new DOMParser().parseFromString(blocks, "text/html").body.childNodes);
    if (blocks) this.conflict.firstElementChild?.scrollIntoView({ block: "nearest" });
  }

  choices = () => [...new FormData(this.form)].filter(([name]) => name.startsWith("choice-"));

  // What another tab saved comes in place, from the end on, so that caret, scroll and undo stay.
  take(/** @type {StoredDocument} */ { merged, content: _, ...rest }) {
    const { content: text } = this.elements;
    const { scrollTop } = text;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    for (const [start, end, content] of merged ?? []) {
      const moved = (/** @type {number} */ at) => (at < end ? Math.min(at, start + content.length) : at + content.length - end + start);
      write(text, { start, end, content, from: moved(text.selectionStart), to: moved(text.selectionEnd) });
    }
    this.write(rest);
    this.changed();
    text.scrollTop = scrollTop;
    focused.focus({ preventScroll: true });
  }

  show(/** @type {StoredDocument} */ stored) {
    const heading = document.querySelector("h1");
    this.elements.revision.value = stored.revision;
    this.mark(stored.is_changed);
    document.title = document.title.replace(heading.textContent, () => stored.title);
    heading.textContent = stored.title;
    if (this.path() !== stored.path) this.move(stored.path);
  }

  // Readers see an older text.
  mark(/** @type {boolean} */ isChanged) {
    for (const part of this.form.querySelectorAll("[data-when-changed], [data-when-unchanged]")) part.hidden = "whenChanged" in part.dataset !== isChanged;
  }

  // A new document has a path from now on.
  move(/** @type {string} */ path) {
    const former = this.path();
    for (const name of ["formaction", "href"]) {
      for (const each of this.form.querySelectorAll(`[${name}^="${former}"]`)) {
        each.setAttribute(name, (each.getAttribute(name) ?? "").replace(former, path));
      }
    }
    this.form.setAttribute("action", path);
    for (const part of this.form.querySelectorAll("[data-once-stored]")) part.hidden = false;
    history.replaceState(null, "", path);
  }
}
