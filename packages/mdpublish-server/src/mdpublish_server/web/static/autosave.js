// Saves a document while it is written, and does what its buttons say.

import { DocumentForm } from "./document-form.js";
import { make, offers } from "./elements.js";
import { localCopies } from "./local-copies.js";
import { Recovery } from "./recovery.js";
import { Saves } from "./saves.js";

const NO_DRAFT = { clear: () => () => {}, publish() {}, edited() {} };

const published = async (/** @type {DocumentForm} */ page) => {
  try {
    const { refresh, share } = await import("./share.js");
    await refresh(page);
    await share(page);
  } catch {
    page.tell("Published, but the link could not be loaded. Reload the page to share it");
  }
};

// Without a connection, the link is a link.
const shared = async (/** @type {MouseEvent} */ event, /** @type {DocumentForm} */ page) => {
  const link = /** @type {Element} */ (event.target).closest("[data-sharing]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest("[popover]")?.hidePopover();
  try {
    await (await import("./share.js")).share(page);
  } catch {
    location.assign(link.href);
  }
};

/** What the form's buttons do. @type {(event: SubmitEvent, saves: Saves, leave: () => void) => Promise<void>} */
const submit = async (event, saves, leave) => {
  const { page, running } = saves;
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const action = submitter?.value ?? "";
  if (["save", "publish"].includes(action)) {
    event.preventDefault();
    submitter?.closest("[popover]")?.hidePopover();
    if (submitter && "mine" in submitter.dataset) {
      saves.isContested = false;
      page.elements.content.focus();
    }
    const status = await saves.save(action);
    if (action === "publish" && status === 200) await published(page);
    // Signed out, the form itself asks for the password and keeps the text.
    if (status !== 401) return;
    leave();
    const asked = make("input", { type: "hidden", name: "do", value: action });
    page.form.append(asked);
    page.form.submit();
    asked.remove();
  } else if (running) {
    event.preventDefault();
    await running;
    page.form.requestSubmit(submitter);
  } else {
    leave();
  }
};

/** @type {(form: Workbench, changed: () => void) => Draft} */
export const autosave = (form, changed) => {
  if (form.dataset.autosave === "off") return NO_DRAFT;
  const page = new DocumentForm(form, changed);
  const saves = new Saves(page, localCopies());
  let isLeaving = false;
  const leave = () => {
    clearTimeout(saves.timer);
    isLeaving = true;
    // A download leaves the page where it is.
    setTimeout(() => (isLeaving = false), 3000);
  };
  // Returns whether there was something to keep.
  const keep = () => !saves.isSaved() && (saves.keep(), true);

  form.addEventListener("input", ({ target }) => /** @type {HTMLInputElement} */ (target).name && saves.edited());
  form.addEventListener("change", ({ target }) => /** @type {HTMLInputElement} */ (target).name === "folder" && page.isStored && saves.save("folder"));
  // Nothing is written into what is being composed.
  for (const type of ["compositionstart", "compositionend"]) form.addEventListener(type, () => (saves.isComposing = type.endsWith("start")));
  form.addEventListener("submit", (event) => submit(event, saves, leave));
  form.addEventListener("click", (event) => shared(event, page));
  addEventListener("beforeunload", (event) => !isLeaving && keep() && event.preventDefault());
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep() && saves.save());
  addEventListener("pagehide", () => saves.keep());
  // From the browser's memory, the page may be older than the document.
  addEventListener("pageshow", (event) => event.persisted && saves.isSaved() && location.reload());

  // Nothing is unsaved: no Save button, and no words either.
  if (page.isStored && saves.isSaved()) form.querySelector("[data-saved]").dataset.saved = "Saved";
  if (!saves.isSaved()) {
    queueMicrotask(changed);
    if (page.isStored) saves.edited();
    // A refused text is nowhere else.
    else if (page.elements.content.value) saves.keep();
  }
  // A reload of what answered a form would send it again, and publish what was refused and is stored by now.
  if (!page.isStored) history.replaceState(null, "", location.href);
  new Recovery(saves, offers(page.elements.content)).recover(true);
  return { ...NO_DRAFT, edited: () => saves.edited() };
};
