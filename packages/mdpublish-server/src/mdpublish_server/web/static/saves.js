// The saves of a document, one request at a time: what is stored, what is on its way, and what another contests.

import { same, TEXT } from "./fields.js";

const DELAY = 1200;
const KEEP = 250;
const RETRY = 5000;

/** @type {(stored: StoredDocument, text: KnownText) => boolean} */
const isOf = (stored, text) => TEXT.every((name) => stored[name] === text[name] || (name === "title" && !text.title));

export class Saves {
  constructor(/** @type {import("./document-form.js").DocumentForm} */ page, /** @type {LocalCopies} */ copies) {
    this.page = page;
    this.copies = copies;
    this.saved = /** @type {KnownText} */ (JSON.parse(page.elements.base.value || '{"content":null}'));
    // What may have arrived, the newest last.
    this.sent = /** @type {DocumentText[]} */ ([]);
    // Of what is sent next: `save` makes a revision of what it replaces.
    this.kind = "autosave";
    // While the person has not chosen, of lines that another changed too, nothing is saved.
    this.isContested = this.isBehind = !page.conflict.hidden;
    this.isComposing = false;
    this.running = /** @type {Promise<number> | null} */ (null);
    this.timer = this.keeping = 0;
  }

  isSaved = () => same(this.saved, this.page.read());

  edited() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), KEEP);
    if (this.isContested) return;
    this.page.tell("");
    this.schedule(DELAY);
  }

  keep() {
    clearTimeout(this.keeping);
    const { page } = this;
    if (!this.isSaved()) this.copies.keep(page.path(), page.read(), page.elements.base.value);
  }

  schedule(/** @type {number} */ delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), delay);
  }

  // Returns the status of the response, if the text was sent.
  async save(/** @type {string | undefined} */ pressed = undefined) {
    clearTimeout(this.timer);
    let status;
    while (this.running) status = await this.running;
    // What was merged meanwhile is not published before its author has seen it, as the service does.
    if (pressed === "publish" && status === 202) return status;
    // Only now: what was on its way resets it. Nothing that readers see is tried again by itself.
    if (pressed !== "publish" && pressed !== "folder") this.kind = pressed ?? this.kind;
    const action = pressed ?? this.kind;
    if (this.isContested) return undefined;
    const mine = this.page.read();
    // A text that was autosaved is sent once more, so that it becomes a revision.
    if (action === "autosave" && this.isSaved()) return this.page.tell("Saved");
    if (!mine.content) return this.page.tell("Not saved: the text is empty");
    this.page.tell("Saving …");
    try {
      return await (this.running = this.send(mine, action));
    } finally {
      this.running = null;
    }
  }

  /** @type {(mine: DocumentText, action: string) => Promise<number>} */
  async send(mine, action) {
    const { revision, nonce, folder, base } = this.page.elements;
    const body = new URLSearchParams({ ...mine, revision: revision.value, nonce: nonce.value, do: action });
    // What the text was, to merge it with what another saved.
    if (this.isBehind) for (const [name, value] of [["base", base.value || "{}"], ...this.page.choices()]) body.set(name, String(value));
    // Once it is chosen: the first letters of a name are no folder.
    if (folder && (action === "folder" || !this.page.isStored)) body.set("folder", folder.value);
    this.sent = [...this.sent.slice(-9), mine];
    let response, result;
    try {
      response = await fetch(this.page.path(), { method: "POST", body, headers: { Accept: "application/json" } });
      result = await response.json();
    } catch {
      this.page.tell("Not saved: no connection. The text is kept in this browser. Trying again …");
      this.schedule(RETRY);
      return 0;
    }
    if (response.ok) this.accept(result, mine, action);
    else if (result?.stored) return this.meet(result, mine, action);
    else this.refuse(response, result?.error?.message ?? result?.error ?? "The server did not answer as expected");
    return response.status;
  }

  accept(/** @type {StoredDocument} */ stored, /** @type {DocumentText} */ mine, /** @type {string} */ action) {
    const { page } = this;
    if (action === this.kind) this.kind = "autosave";
    const isNew = page.path() !== stored.path;
    // What is typed meanwhile is merged next.
    const isLater = this.isComposing || !same(mine, page.read());
    this.copies.forget(page.path());
    page.contest("");
    page.show(stored);
    if (stored.merged && !isLater) {
      page.take(isNew ? { ...stored, title: mine.title } : stored);
      mine = page.read();
    }
    this.follow(stored, mine, Boolean(stored.merged) && isLater);
    clearTimeout(this.timer);
    if (this.isSaved()) return page.tell(stored.says);
    this.keep();
    return this.schedule(DELAY);
  }

  refuse(/** @type {Response} */ { status, headers }, /** @type {string} */ reason) {
    this.page.tell(`Not saved. ${reason}.`);
    if (status === 429 || status >= 500) this.schedule(Number(headers.get("Retry-After")) * 1000 || RETRY);
  }

  // What is sent next is a change of `base`, which the service merges where this page `isBehind`.
  follow(/** @type {Pick<StoredDocument, "title">} */ { title }, /** @type {KnownText} */ base, /** @type {boolean} */ isBehind) {
    this.saved = base;
    this.sent = [];
    this.isBehind = isBehind;
    this.page.elements.base.value = JSON.stringify({ ...base, title: base.title || title });
  }

  meet(/** @type {Met} */ { stored, conflict }, /** @type {DocumentText} */ mine, /** @type {string} */ action) {
    const { page } = this;
    // Published or so elsewhere, or what this page sent without hearing of it.
    const known = [this.saved, ...this.sent].find((text) => isOf(stored, text));
    const wasBehind = this.isBehind && !known;
    this.isBehind = true;
    if (known) this.follow(stored, known, true);
    if (page.path() !== stored.path) page.move(stored.path);
    if (!wasBehind) return this.send(mine, action);
    this.isContested = Boolean(conflict);
    page.contest(conflict);
    this.keep();
    page.tell("Not saved");
    // Another was faster once more.
    if (!conflict) this.schedule(RETRY);
    return 409;
  }
}
