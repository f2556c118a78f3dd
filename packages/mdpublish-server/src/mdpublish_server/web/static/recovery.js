// Texts of a document that closed pages left in this browser: taken, offered or discarded.

import { same } from "./fields.js";

export class Recovery {
  constructor(/** @type {import("./saves.js").Saves} */ saves, /** @type {Offer} */ offer) {
    this.saves = saves;
    this.page = saves.page;
    this.copies = saves.copies;
    this.offer = offer;
  }

  // Only a page that opens takes a text by itself; another is in use.
  async recover(isNew = false) {
    const { copies, page, saves } = this;
    const rows = await copies.left(page.path(), () => this.recover());
    for (const each of rows) if (same(each.text, page.read())) copies.drop(each);
    const [row, ...older] = rows.filter((each) => !same(each.text, page.read()));
    if (!row) return undefined;
    const isNext = page.isStored && row.revision === page.elements.revision.value && saves.isSaved();
    if (isNew && !older.length && isNext) return this.take(row);
    return this.offer(
      `This browser keeps a text of ${new Date(row.time).toLocaleString()} that was not saved.`,
      ["Use it", () => this.take(row)],
      ["Discard it", () => this.discard(row)],
    );
  }

  write(/** @type {DocumentText} */ text) {
    this.page.write(text);
    this.page.changed();
    this.saves.edited();
  }

  async take(/** @type {LocalCopy} */ row) {
    const { elements: { revision } } = this.page;
    const before = this.page.read();
    // What it replaces may be another's.
    if (row.revision !== revision.value) this.saves.kind = "save";
    this.write(row.text);
    await this.copies.keep(this.page.path(), row.text, revision.value);
    this.copies.drop(row);
    const undo = () => (this.write(before), this.offer(""));
    this.offer("This browser kept a text that was not saved; here it is.", ["Undo", undo], ["OK", () => this.offer("")]);
  }

  // What is discarded stays until something else is saved.
  discard(/** @type {LocalCopy} */ row) {
    this.copies.drop(row);
    this.offer("Discarded.", ["Undo", () => this.take(row)], ["OK", () => this.offer("")]);
  }
}
