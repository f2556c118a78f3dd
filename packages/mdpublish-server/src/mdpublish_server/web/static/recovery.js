// Texts of a document that closed pages left in this browser: taken, offered or discarded. For a new one, also what was
// written on the home page without an account.

import { dropGuestText, readAside, readGuestTexts, writeAside } from "./draft-texts.js";
import { same } from "./fields.js";

/** @type {(content: string) => LeftText} */
const guestRow = (content) => ({ path: "", page: "", text: { content }, base: "", time: 0 });

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
    const left = await copies.left(page.path(), () => this.recover());
    const rows = [...(page.path().endsWith("/new") ? readGuestTexts().map(guestRow) : []), ...left];
    for (const each of rows) if (same(each.text, page.read())) this.drop(each);
    const [row, ...older] = rows.filter((each) => !same(each.text, page.read()));
    if (!row) return undefined;
    if (isNew && !older.length && page.isStored && row.base && saves.isSaved()) return this.take(row);
    return this.offer(
      row.page ? `This browser keeps a text of ${new Date(row.time).toLocaleString()} that was not saved.` : "This browser keeps a text that you wrote before you signed in.",
      ["Use it", () => this.take(row)],
      ["Discard it", () => this.discard(row)],
    );
  }

  drop(/** @type {LeftText} */ row) {
    if (row.page) this.copies.drop(row);
    else dropGuestText(row.text.content ?? "");
  }

  write(/** @type {Partial<DocumentText>} */ text) {
    this.page.write(text);
    this.page.changed();
    this.saves.edited();
  }

  async take(/** @type {LeftText} */ row) {
    const { page, saves } = this;
    const { base } = page.elements;
    const before = page.read();
    // It is merged with what another saved meanwhile, or replaces that.
    if (row.base) saves.follow({ title: "" }, JSON.parse(row.base), true);
    else saves.kind = "save";
    this.write(row.text);
    // Where nothing can be kept, it stays where it is.
    if (await this.copies.keep(page.path(), page.read(), base.value)) this.drop(row);
    const undo = () => {
      if (!row.page) writeAside([row.text.content ?? "", ...readAside()]);
      this.write(before);
      this.offer("");
    };
    this.offer("This browser kept a text that was not saved; here it is.", ["Undo", undo], ["OK", () => this.offer("")]);
  }

  // What is discarded stays until something else is saved.
  discard(/** @type {LeftText} */ row) {
    this.drop(row);
    this.offer("Discarded.", ["Undo", () => this.take(row)], ["OK", () => this.offer("")]);
  }
}
