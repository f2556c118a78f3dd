// The form of a document: what is written in it, and what it shows of what is stored.

import { pageOf } from "./elements.js";
import { current, original, TEXT } from "./fields.js";

export class DocumentForm {
  constructor(/** @type {Workbench} */ form, /** @type {() => void} */ changed) {
    this.form = form;
    this.elements = form.elements;
    this.changed = changed;
    this.conflict = form.querySelector("[data-conflict]");
    this.isStored = form.dataset.autosave === "stored";
    this.original = original(form, TEXT);
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

  contest(/** @type {boolean} */ isContested) {
    this.conflict.hidden = !isContested;
    for (const each of this.form.querySelectorAll(".titling button[name=do]:not([aria-describedby])")) each.disabled = isContested;
  }

  showConflict(/** @type {StoredDocument} */ stored) {
    this.form.querySelector("[data-stored]").value = stored.content;
    this.form.querySelector("[data-stored-title]").textContent = stored.title;
    this.showDifference();
    this.conflict.firstElementChild?.scrollIntoView({ block: "nearest" });
  }

  // The lines in which both differ, as the server compares them.
  async showDifference() {
    const place = this.form.querySelector("[data-difference]");
    try {
      const body = new URLSearchParams({ ...this.read(), revision: this.elements.revision.value });
      const response = await fetch(`${this.path()}/difference`, { method: "POST", body });
      const page = await pageOf(response);
      place.replaceChildren(...(response.ok ? page.body.childNodes : []));
    } catch {
      place.replaceChildren();
    }
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
    for (const part of this.form.querySelectorAll("[data-when-changed]")) part.hidden = !isChanged;
    for (const part of this.form.querySelectorAll("[data-when-unchanged]")) part.hidden = isChanged;
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
