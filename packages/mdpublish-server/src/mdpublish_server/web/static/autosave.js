// Saves a document while it is written. Slug, visibility, badge and source wait for the Save button: readers would see
// each step.

import { offers } from "./drafts.js";
import { current, original, same, TEXT } from "./fields.js";
import { localCopies } from "./local-copies.js";

const DELAY = 1200;
const KEEP = 250;
const RETRY = 5000;
const OPTIONS = ["slug", "visibility", "hide_badge", "show_source", "offer_pdf"];

export const autosave = (form, changed) => {
  if (form.dataset.autosave === "off") return { clear() {}, publish() {}, save() {} };
  const { elements } = form;
  const shown = form.querySelector("[data-saved]");
  const conflict = form.querySelector("[data-conflict]");
  const heading = document.querySelector("h1");
  let timer = 0;
  let running = null;
  let isLeaving = false;
  // What may have arrived, the newest last.
  let sent = [];
  // Of what is sent next: `save` makes a revision of what it replaces.
  let kind = "autosave";
  // While the person has not chosen one of two texts, nothing is saved; this is the revision of the other one.
  let other = conflict.hidden ? null : elements.revision.value;

  const contest = (revision) => {
    other = revision;
    conflict.hidden = !revision;
    for (const each of form.querySelectorAll(".titling button[name=do]:not([aria-describedby])")) each.disabled = revision;
  };
  const read = (names) => current(form, names);
  const isStored = form.dataset.autosave === "stored";
  let saved = isStored ? original(form, TEXT) : { content: null };
  const options = original(form, OPTIONS);
  const areOptionsSaved = () => same(options, read(OPTIONS));
  const isSaved = () => same(saved, read(TEXT)) && areOptionsSaved();

  const tell = (message) => {
    // What it says decides whether the Save button is shown.
    shown.textContent = shown.dataset.saved = message;
  };
  const copies = localCopies();
  const offer = offers(elements.content);
  let keeping = 0;
  const keep = () => {
    clearTimeout(keeping);
    const mine = read(TEXT);
    // A text that another contests follows no revision.
    if (!same(saved, mine)) copies.keep(form.getAttribute("action"), mine, other ? "" : elements.revision.value);
  };
  // What is discarded stays until something else is saved.
  const put = (text) => {
    for (const name of TEXT) if (name in text) elements[name].value = text[name];
    changed();
    edited();
  };
  const take = async (row) => {
    const before = read(TEXT);
    // What it replaces may be another's.
    if (row.revision !== elements.revision.value) kind = "save";
    put(row.text);
    await copies.keep(form.getAttribute("action"), row.text, elements.revision.value);
    copies.drop(row);
    const done = () => offer("");
    offer("This browser kept a text that was not saved; here it is.", ["Undo", () => done(put(before))], ["OK", done]);
  };
  const discard = (row) => {
    copies.drop(row);
    offer("Discarded.", ["Undo", () => take(row)], ["OK", () => offer("")]);
  };
  // Only a page that opens takes a text by itself; another is in use.
  const recover = async (isNew) => {
    const rows = await copies.left(form.getAttribute("action"), recover);
    for (const each of rows) if (same(each.text, read(TEXT))) copies.drop(each);
    const [row, ...older] = rows.filter((each) => !same(each.text, read(TEXT)));
    if (!row) return undefined;
    if (isNew && !older.length && isStored && row.revision === elements.revision.value && isSaved()) return take(row);
    return offer(
      `This browser keeps a text of ${new Date(row.time).toLocaleString()} that was not saved.`,
      ["Use it", () => take(row)],
      ["Discard it", () => discard(row)],
    );
  };

  const schedule = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(() => save(), delay);
  };

  // A new document has a path from now on, and what its front matter says.
  const move = (stored, mine) => {
    const former = form.getAttribute("action");
    for (const name of ["formaction", "href"]) {
      for (const each of form.querySelectorAll(`[${name}^="${former}"]`)) {
        each.setAttribute(name, each.getAttribute(name).replace(former, stored.path));
      }
    }
    form.setAttribute("action", stored.path);
    for (const part of form.querySelectorAll("[data-once-stored]")) part.hidden = false;
    history.replaceState(null, "", stored.path);
    for (const name of TEXT.slice(2)) {
      if (elements[name].value === mine[name]) elements[name].value = stored[name];
      saved[name] = stored[name];
    }
  };

  const adopt = (stored, mine) => {
    saved = mine;
    sent = [];
    copies.forget(form.getAttribute("action"));
    if (!same(saved, read(TEXT))) keep();
    elements.revision.value = stored.revision;
    for (const part of form.querySelectorAll("[data-when-changed]")) part.hidden = !stored.is_changed;
    document.title = document.title.replace(heading.textContent, () => stored.title);
    heading.textContent = stored.title;
    if (form.getAttribute("action") !== stored.path) move(stored, mine);
  };

  const isOf = (stored, text) => TEXT.every((name) => stored[name] === text[name] || (name === "title" && !text.title));

  // The lines in which both differ, as the server compares them.
  const showDifference = async () => {
    const place = form.querySelector("[data-difference]");
    try {
      const body = new URLSearchParams({ ...read(TEXT), revision: elements.revision.value });
      const response = await fetch(`${form.getAttribute("action")}/difference`, { method: "POST", body });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      place.replaceChildren(...(response.ok ? page.body.childNodes : []));
    } catch {
      place.replaceChildren();
    }
  };

  const meet = (stored) => {
    // Published or so elsewhere, or what this page sent without hearing of it.
    const known = [saved, ...sent].find((text) => isOf(stored, text));
    if (known) {
      adopt(stored, { ...known });
      return schedule(0);
    }
    contest(stored.revision);
    form.querySelector("[data-stored]").value = stored.content;
    form.querySelector("[data-stored-title]").textContent = stored.title;
    keep();
    showDifference();
    conflict.firstElementChild.scrollIntoView({ block: "nearest" });
    tell("Not saved");
  };

  const send = async (mine, action) => {
    const hidden = { revision: elements.revision.value, nonce: elements.nonce.value, do: action };
    const fields = new URLSearchParams({ ...mine, ...hidden });
    sent = [...sent.slice(-9), mine];
    let response, result;
    try {
      response = await fetch(form.getAttribute("action"), {
        method: "POST",
        body: fields,
        headers: { Accept: "application/json" },
      });
      result = await response.json();
    } catch {
      tell("Not saved: no connection. The text is kept in this browser. Trying again …");
      return schedule(RETRY);
    }
    if (response.ok) {
      if (action === kind) kind = "autosave";
      adopt(result, mine);
      if (!same(saved, read(TEXT))) schedule(DELAY);
      else tell(areOptionsSaved() ? "Saved" : "Text saved; press Save for the settings");
    } else if (result.stored) {
      meet(result.stored);
    } else {
      tell(`Not saved. ${result.error.message}.`);
      if (response.status === 429 || response.status >= 500) {
        schedule(Number(response.headers.get("Retry-After")) * 1000 || RETRY);
      }
    }
    return response.status;
  };

  const save = async (pressed) => {
    clearTimeout(timer);
    while (running) await running;
    // Only now: what was on its way resets it.
    kind = pressed ?? kind;
    if (other) return undefined;
    const mine = read(TEXT);
    // A text that was autosaved is sent once more, so that it becomes a revision.
    if (kind === "autosave" && same(saved, mine)) {
      tell(areOptionsSaved() ? "Saved" : "Press Save for the settings");
      return undefined;
    }
    if (!mine.content) return tell("Not saved: the text is empty");
    tell("Saving …");
    running = send(mine, kind);
    const status = await running;
    running = null;
    return status;
  };

  const edited = () => {
    clearTimeout(keeping);
    keeping = setTimeout(keep, KEEP);
    if (other) return;
    tell("");
    schedule(DELAY);
  };

  const leave = () => {
    clearTimeout(timer);
    isLeaving = true;
    // A download leaves the page where it is.
    setTimeout(() => (isLeaving = false), 3000);
  };

  form.addEventListener("input", (event) => event.target.name && edited());
  form.addEventListener("submit", async (event) => {
    const { submitter } = event;
    if (submitter?.value === "save" && areOptionsSaved()) {
      event.preventDefault();
      submitter.closest("[popover]")?.hidePopover();
      if ("mine" in submitter.dataset && other) {
        elements.revision.value = other;
        contest(null);
        saved = { content: null };
        elements.content.focus();
      }
      // Signed out, the form itself asks for the password and keeps the text.
      if ((await save("save")) !== 401) return;
      leave();
      form.submit();
    } else if (running) {
      event.preventDefault();
      await running;
      form.requestSubmit(submitter);
    } else {
      leave();
    }
  });
  form.querySelector("[data-theirs]").addEventListener("click", leave);
  addEventListener("beforeunload", (event) => !isLeaving && !isSaved() && (keep(), event.preventDefault()));
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && !isSaved() && (keep(), save()));
  addEventListener("pagehide", keep);
  // From the browser's memory, the page may be older than the document.
  addEventListener("pageshow", (event) => event.persisted && isSaved() && location.reload());

  if (!isSaved()) {
    queueMicrotask(changed);
    if (isStored) edited();
    // A refused text is nowhere else.
    else if (elements.content.value) keep();
  }
  // A reload of what answered a form would send it again, and publish what was refused and is stored by now.
  if (!isStored) history.replaceState(null, "", location.href);
  recover(true);
  return { clear() {}, publish() {}, save: edited };
};
