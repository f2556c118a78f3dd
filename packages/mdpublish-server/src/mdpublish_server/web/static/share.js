// Shares a document without leaving it: a panel with what the page of its access has, whose forms are sent from there.

import { copies } from "./copies.js";
import { button, make } from "./elements.js";
import { copiedLink } from "./links.js";
import { localTimes } from "./site.js";

// What the server writes of a document's state, and of what can be done about it.
const STATE = /** @type {const} */ ([".titling > .facts", ".doing", ".settings > .choice"]);

const LOST = "No connection: nothing was changed. Try again.";

const parsed = async (/** @type {Response} */ response) => new DOMParser().parseFromString(await response.text(), "text/html");

/** Shows the state as it is now; the text stays. @type {(page: import("./document-form.js").DocumentForm) => Promise<void>} */
export const refresh = async (page) => {
  const { form } = page;
  const fresh = await parsed(await fetch(page.path()));
  // Saved meanwhile, which the response may not know.
  const isChanged = form.querySelector("[data-when-changed]")?.hidden === false;
  for (const selector of STATE) {
    const [part, next] = [form, fresh].map((root) => root.querySelector(selector));
    if (part && next) part.replaceWith(document.adoptNode(next));
  }
  const stored = /** @type {Workbench | null} */ (fresh.querySelector("#workbench"));
  if (stored) page.showOptions(stored);
  for (const part of form.querySelectorAll(".doing [data-script]")) part.hidden = false;
  if (isChanged) page.mark(true);
  localTimes(form);
  // The sheet below has the primary action, too.
  form.querySelector(".publishing button")?.remove();
  const primary = form.querySelector(".doing button.primary");
  if (primary) form.querySelector(".publishing").append(primary.cloneNode(true));
};

class Panel {
  constructor(/** @type {import("./document-form.js").DocumentForm} */ page) {
    this.page = page;
    this.path = `${page.path()}/access`;
    this.dialog = make("dialog", { className: "panel" });
    this.dialog.addEventListener("submit", (event) => this.submit(event));
    this.dialog.addEventListener("change", ({ target }) => this.choose(/** @type {HTMLInputElement} */ (target)));
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => this.close());
  }

  // What the page has. Signed out or deleted meanwhile, it is another one.
  async read(/** @type {Response} */ response) {
    const main = (await parsed(response)).querySelector("main");
    if (!main.querySelector("[data-access]")) location.assign(this.path);
    return main;
  }

  async show(/** @type {Response} */ response) {
    const main = await this.read(response);
    main.querySelector("[data-back]")?.remove();
    this.dialog.replaceChildren(button("×", () => this.dialog.close(), { className: "cross", ariaLabel: "Close" }), ...main.childNodes);
    this.dialog.ariaLabel = this.dialog.querySelector("h1").textContent;
    for (const part of this.dialog.querySelectorAll("[data-script]")) part.hidden = false;
    localTimes(this.dialog);
    const form = this.dialog.querySelector("[data-copying]");
    copies(form, (message) => (form.querySelector("[data-status]").textContent = message));
  }

  tell(/** @type {string} */ message, className = "notice") {
    this.dialog.querySelector("h1 + [role]")?.remove();
    this.dialog.querySelector("h1").after(make("p", { className, role: className === "error" ? "alert" : "status", textContent: message }));
  }

  // Saved at once. What is written in the other fields stays.
  async choose(/** @type {HTMLInputElement} */ { name, type, value, checked, form }) {
    if (!form || !("access" in form.dataset) || !(["radio", "checkbox"].includes(type) || name === "slug") || name === "no_password") return;
    const body = new URLSearchParams({ [name]: type === "checkbox" && !checked ? "no" : value });
    try {
      const main = await this.read(await fetch(form.action, { method: "POST", body }));
      const refusal = main.querySelector("#error");
      this.tell(refusal?.textContent ?? "Saved.", refusal ? "error" : "notice");
      const [shown, next] = [this.dialog, main].map((root) => root.querySelector(".sharing"));
      if (shown && next) shown.replaceWith(document.adoptNode(next));
      copiedLink(this.dialog);
      await refresh(this.page);
    } catch {
      this.tell(LOST, "error");
    }
  }

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
      await this.show(await fetch(form.action, { method: "POST", body }));
      copiedLink(this.dialog);
      const fields = /** @type {HTMLInputElement[]} */ ([...this.dialog.querySelectorAll("input, textarea, button")]);
      (fields.find((each) => name && each.name === name && (each.type !== "radio" || each.value === value)) ?? fields[0]).focus();
      await refresh(this.page);
    } catch {
      this.tell(LOST, "error");
    }
  }

  close() {
    this.dialog.remove();
    // What opened it may have been replaced.
    if (document.activeElement === document.body) this.page.form.querySelector("[data-sharing]")?.focus();
  }
}

/** @type {(page: import("./document-form.js").DocumentForm) => Promise<void>} */
export const share = async (page) => {
  if (!document.querySelector("dialog[open]")) await new Panel(page).open();
};
