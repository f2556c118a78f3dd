// Shares a document without leaving it: a panel with what the page of its access has, whose forms are sent from there.

import { copies } from "./copies.js";
import { button, make, pageOf } from "./elements.js";
import { same } from "./fields.js";
import { localEnd } from "./ends.js";
import { copiedLink } from "./links.js";
import { localTimes } from "./site.js";

const LOST = "No connection: nothing was changed. Try again.";

const renew = (/** @type {ParentNode} */ shown, /** @type {ParentNode} */ fresh, /** @type {string[]} */ ...selectors) => {
  for (const selector of selectors) {
    const [part, next] = [shown, fresh].map((root) => root.querySelector(selector));
    if (part && next) part.replaceWith(document.adoptNode(next));
  }
};

/** Shows the state as it is now; the text stays. @type {(page: import("./document-form.js").DocumentForm) => Promise<void>} */
export const refresh = async (page) => {
  const { form } = page;
  const fresh = await pageOf(await fetch(page.path()));
  // Saved meanwhile, which the response may not know.
  const isChanged = form.querySelector("[data-when-changed]")?.hidden === false;
  renew(form, fresh, ".titling > .facts", ".doing");
  // Another revision of the same text, which a choice made.
  const stored = /** @type {Workbench | null} */ (fresh.querySelector("#workbench"))?.elements;
  if (stored && same(JSON.parse(stored.base.value), JSON.parse(page.elements.base.value))) page.elements.revision.value = stored.revision.value;
  for (const part of form.querySelectorAll(".doing [data-script]")) part.hidden = false;
  if (isChanged) page.mark(true);
  localTimes(form);
};

// Saved once it is chosen; of other fields, each letter might end or open access.
const isChosen = (/** @type {HTMLInputElement} */ { name, type }) => name === "slug" || (["radio", "checkbox"].includes(type) && name !== "no_password");

class Panel {
  constructor(/** @type {import("./document-form.js").DocumentForm} */ page) {
    this.page = page;
    this.path = `${page.path()}/access`;
    this.dialog = make("dialog", { className: "panel" });
    this.sent = /** @type {Promise<unknown>} */ (Promise.resolve());
    this.isWarned = false;
    this.dialog.addEventListener("submit", (event) => this.submit(event));
    this.dialog.addEventListener("change", ({ target }) => this.choose(/** @type {HTMLInputElement} */ (target)));
    this.dialog.addEventListener("input", ({ target }) => this.need(/** @type {HTMLInputElement} */ (target)));
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.leave());
    this.dialog.addEventListener("cancel", (event) => this.leave(event));
    this.dialog.addEventListener("close", () => this.close());
  }

  // One after another: Enter in a field chooses what it has, then sends the form.
  async send(/** @type {HTMLFormElement} */ form, /** @type {URLSearchParams} */ body) {
    const response = this.sent.then(() => fetch(form.action, { method: "POST", body }));
    this.sent = response.catch(() => {});
    return response;
  }

  // What the page has. Signed out or deleted meanwhile, it is another one.
  async read(/** @type {Response} */ response) {
    const main = (await pageOf(response)).querySelector("main");
    if (!main.querySelector("[data-access]")) location.assign(this.path);
    // Of the page; in the panel, the browser would complain of it.
    main.querySelector("[autofocus]")?.removeAttribute("autofocus");
    return main;
  }

  async show(/** @type {Response} */ response) {
    const main = await this.read(response);
    main.querySelector(".back")?.remove();
    this.dialog.replaceChildren(button("×", () => this.leave(), { className: "cross", ariaLabel: "Close" }), ...main.childNodes);
    this.dialog.ariaLabel = this.dialog.querySelector("h1").textContent;
    for (const part of this.dialog.querySelectorAll("[data-script]")) part.hidden = false;
    this.saving().hidden = !this.dialog.querySelector("[role=alert]");
    this.isWarned = false;
    localTimes(this.dialog);
    localEnd(this.dialog);
    const form = this.dialog.querySelector("[data-copying]");
    copies(form, (message) => (form.querySelector("[data-status]").textContent = message));
  }

  saving = () => this.dialog.querySelector("[data-access] .actions");

  // What is not saved at once needs the button.
  need(/** @type {HTMLInputElement} */ field) {
    if (field.form && "access" in field.form.dataset && !isChosen(field)) this.isWarned = this.saving().hidden = false;
  }

  // What is written and not saved is dropped at the second attempt.
  leave(/** @type {Event | undefined} */ event = undefined) {
    event?.preventDefault();
    if (this.isWarned || this.saving().hidden) return this.dialog.close();
    this.isWarned = true;
    this.tell("Not saved yet. Press Save, or close once more to drop it.", "error");
    this.dialog.scrollTop = 0;
  }

  tell(/** @type {string} */ message, className = "notice") {
    this.dialog.querySelector("h1 + [role]")?.remove();
    if (message) this.dialog.querySelector("h1").after(make("p", { className, role: className === "error" ? "alert" : "status", textContent: message }));
  }

  // Saved at once. What is written in the other fields stays.
  async choose(/** @type {HTMLInputElement} */ field) {
    const { name, type, value, checked, form } = field;
    if (!form || !("access" in form.dataset) || !isChosen(field)) return;
    const body = new URLSearchParams({ [name]: type === "checkbox" && !checked ? "no" : value });
    try {
      const main = await this.read(await this.send(form, body));
      const refusal = main.querySelector("[role=alert]");
      // Of a slug, it is beside its field.
      const reason = refusal?.id === "slug-error" ? "" : refusal?.textContent;
      this.tell(reason ?? "Saved.", refusal ? "error" : "notice");
      renew(this.dialog, main, ".sharing", ...(name === "slug" ? [".field:has([name=slug])"] : []));
      if (!document.activeElement?.matches("input, textarea")) this.invalid()?.focus();
      copiedLink(this.dialog);
      await refresh(this.page);
    } catch {
      this.tell(LOST, "error");
    }
  }

  invalid = () => this.dialog.querySelector("[aria-invalid]");

  async open() {
    await this.show(await fetch(this.path));
    document.body.append(this.dialog);
    this.dialog.showModal();
    const copy = copiedLink(this.dialog);
    copy?.focus();
  }

  async submit(/** @type {SubmitEvent} */ event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    // Its buttons are downloads.
    if ("copying" in form.dataset) return;
    event.preventDefault();
    const body = new URLSearchParams(/** @type {never} */ (new FormData(form, event.submitter)));
    const { name, value } = /** @type {HTMLInputElement} */ (document.activeElement);
    try {
      await this.show(await this.send(form, body));
      copiedLink(this.dialog);
      const fields = /** @type {HTMLInputElement[]} */ ([...this.dialog.querySelectorAll("input, textarea, button")]);
      (this.invalid() ?? fields.find((each) => name && each.name === name && (each.type !== "radio" || each.value === value)) ?? fields[0]).focus();
      await refresh(this.page);
    } catch {
      this.tell(LOST, "error");
    }
  }

  close() {
    this.dialog.remove();
    // What opened it may have been replaced, or hidden.
    const openers = /** @type {HTMLElement[]} */ ([...this.page.form.querySelectorAll("[data-sharing], .more")]);
    if (document.activeElement === document.body) openers.find((each) => each.checkVisibility())?.focus();
  }
}

/** @type {(page: import("./document-form.js").DocumentForm) => Promise<void>} */
export const share = async (page) => {
  if (!document.querySelector("dialog[open]")) await new Panel(page).open();
};
