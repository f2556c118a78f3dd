// The saves of a document, one request at a time: what is stored, what is on its way, and what another contests.

import { same, TEXT } from "./fields.js";

const DELAY = 1200;
const KEEP = 250;
const RETRY = 5000;
const NOTHING = { content: null };

/** @type {(stored: StoredDocument, text: KnownText) => boolean} */
const isOf = (stored, text) => TEXT.every((name) => stored[name] === text[name] || (name === "title" && !text.title));

export class Saves {
  constructor(/** @type {import("./document-form.js").DocumentForm} */ page, /** @type {LocalCopies} */ copies) {
    this.page = page;
    this.copies = copies;
    this.saved = /** @type {KnownText} */ (page.isStored ? page.original : NOTHING);
    // What may have arrived, the newest last.
    this.sent = /** @type {DocumentText[]} */ ([]);
    // Of what is sent next: `save` makes a revision of what it replaces.
    this.kind = "autosave";
    // While the person has not chosen one of two texts, nothing is saved; this is the revision of the other one.
    this.other = page.conflict.hidden ? null : page.elements.revision.value;
    this.running = /** @type {Promise<number> | null} */ (null);
    this.timer = this.keeping = 0;
  }

  isSaved = () => same(this.saved, this.page.read());

  edited() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), KEEP);
    if (this.other) return;
    this.page.tell("");
    this.schedule(DELAY);
  }

  keep() {
    clearTimeout(this.keeping);
    const { page, other } = this;
    // A text that another contests follows no revision.
    if (!this.isSaved()) this.copies.keep(page.path(), page.read(), other ? "" : page.elements.revision.value);
  }

  schedule(/** @type {number} */ delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), delay);
  }

  // Returns the status of the response, if the text was sent.
  async save(/** @type {string | undefined} */ pressed = undefined) {
    clearTimeout(this.timer);
    while (this.running) await this.running;
    // Only now: what was on its way resets it. Nothing that readers see is tried again by itself.
    if (pressed !== "publish" && pressed !== "folder") this.kind = pressed ?? this.kind;
    const action = pressed ?? this.kind;
    if (this.other) return undefined;
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

  // A revision of this page's text that it did not know, as after a change of settings elsewhere, is no conflict.
  async insist(/** @type {"publish" | "folder"} */ action) {
    const status = await this.save(action);
    return status === 409 && !this.other ? this.save(action) : status;
  }

  async send(/** @type {DocumentText} */ mine, /** @type {string} */ action) {
    const { revision, nonce, folder } = this.page.elements;
    const body = new URLSearchParams({ ...mine, revision: revision.value, nonce: nonce.value, do: action });
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
    else if (result?.stored) this.meet(result.stored);
    else this.refuse(response, result?.error?.message ?? result?.error ?? "The server did not answer as expected");
    return response.status;
  }

  accept(/** @type {StoredDocument} */ stored, /** @type {DocumentText} */ mine, /** @type {string} */ action) {
    if (action === this.kind) this.kind = "autosave";
    this.adopt(stored, mine);
    if (!this.isSaved()) this.schedule(DELAY);
    else this.page.tell("Saved");
  }

  refuse(/** @type {Response} */ { status, headers }, /** @type {string} */ reason) {
    this.page.tell(`Not saved. ${reason}.`);
    if (status === 429 || status >= 500) this.schedule(Number(headers.get("Retry-After")) * 1000 || RETRY);
  }

  adopt(/** @type {StoredDocument} */ stored, /** @type {DocumentText} */ mine) {
    const isNew = this.page.path() !== stored.path;
    this.saved = mine;
    this.sent = [];
    this.copies.forget(this.page.path());
    if (!this.isSaved()) this.keep();
    this.page.show(stored);
    if (!isNew) return;
    // What its front matter says, of what was not changed meanwhile.
    const now = this.page.read();
    for (const name of TEXT.slice(2)) {
      if (now[name] === mine[name]) this.page.write({ [name]: stored[name] });
      mine[name] = stored[name];
    }
  }

  meet(/** @type {StoredDocument} */ stored) {
    // Published or so elsewhere, or what this page sent without hearing of it.
    const known = [this.saved, ...this.sent].find((text) => isOf(stored, text));
    if (known) {
      this.adopt(stored, /** @type {DocumentText} */ ({ ...known }));
      return this.schedule(0);
    }
    this.other = stored.revision;
    this.page.contest(true);
    this.keep();
    this.page.showConflict(stored);
    return this.page.tell("Not saved");
  }

  // The person keeps the text of this page.
  overrule() {
    this.page.elements.revision.value = this.other ?? "";
    this.other = null;
    this.page.contest(false);
    this.saved = NOTHING;
  }
}
