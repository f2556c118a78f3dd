// Keeps the text in this browser until it is published or cleared. Of the texts of several tabs, none is lost.

import { isOfDraft, readAside, readDraft, readPublished, rememberPublished, writeAside, writeDraft } from "./draft-texts.js";
import { button, offers } from "./elements.js";
import { restored } from "./restored.js";

const SAVE_DELAY = 400;

export class TabDraft {
  constructor(/** @type {HTMLTextAreaElement} */ text, /** @type {Say} */ say, /** @type {Offer} */ offer) {
    this.text = text;
    this.say = say;
    this.offer = offer;
    this.timer = 0;
    // What this tab knows to be stored; another value is another tab's.
    this.seen = readDraft();
    // While another tab's text waits for a decision, nothing is stored over it.
    this.isContested = false;
    // Whether this tab changed the text and has not stored it.
    this.isUnsaved = false;
    this.isLeaving = this.isPublishing = false;
  }

  isSample = () => "isSample" in this.text.dataset;

  handleEvent(/** @type {BeforeUnloadEvent} */ event) {
    this.save();
    if (!this.isLeaving && this.isUnsaved && this.text.value.trim() !== "") event.preventDefault();
  }

  // Browsers keep no page in memory that listens without need.
  mark(/** @type {boolean} */ isUnsaved) {
    this.isUnsaved = isUnsaved;
    (isUnsaved ? addEventListener : removeEventListener)("beforeunload", this);
  }

  replace(/** @type {string} */ content) {
    this.text.value = content;
    delete this.text.dataset.isSample;
    this.text.dispatchEvent(new Event("input"));
  }

  offerAside() {
    const aside = readAside().filter((each) => each !== this.text.value);
    writeAside(aside);
    if (!aside.length) return this.offer("");
    const count = aside.length > 1 ? `${aside.length} other texts are` : "The other text is";
    const message = `${count} set aside in this browser.`;
    return this.offer(message, ["Use it instead", () => this.useAside()], ["Discard it", () => this.discardAside()]);
  }

  discardAside() {
    const before = readAside();
    writeAside(before.slice(1));
    this.offerAside();
    this.say("Discarded. ", button("Undo", () => (writeAside(before), this.offerAside(), this.say(""))));
    this.text.focus();
  }

  choose(/** @type {string} */ chosen, /** @type {string[]} */ aside) {
    // First, so that no text is nowhere.
    if (!writeAside(aside)) return this.say("The browser has no room for both texts; copy one of them first.");
    this.isContested = false;
    this.seen = readDraft();
    if (chosen !== this.text.value) this.replace(chosen);
    this.mark(true);
    this.save();
    this.offerAside();
    return this.text.focus();
  }

  useAside() {
    const [first, ...others] = readAside();
    this.choose(first, [...others, this.text.value]);
  }

  contest() {
    clearTimeout(this.timer);
    if (this.isContested) return;
    this.isContested = true;
    const { text } = this;
    this.offer(
      "Another tab changed your draft.",
      ["Use the other tab’s text", () => this.choose(readDraft() ?? "", [text.value, ...readAside()])],
      ["Keep mine", () => this.choose(text.value, [readDraft() ?? "", ...readAside()])],
    );
  }

  edited() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_DELAY);
    this.mark(true);
  }

  save() {
    clearTimeout(this.timer);
    if (!this.isUnsaved || this.isContested || this.isSample()) return;
    const value = this.text.value.trim() === "" ? null : this.text.value;
    const stored = readDraft();
    if (stored !== null && stored !== this.seen && stored !== value) this.contest();
    // What is stored is not written again: another tab may write at this moment, and this process not see it yet.
    else if (stored === value || writeDraft(value)) {
      this.seen = value;
      this.mark(false);
    } else this.say("This browser keeps no drafts; the text is lost when the page is closed.");
  }

  // Another tab stored something, maybe while this page was in the back/forward cache.
  look() {
    const stored = readDraft();
    if (stored === null || stored === this.text.value) {
      this.seen = stored;
      this.isContested = false;
      this.offerAside();
    } else if (!this.isSample() && stored !== this.seen) {
      this.contest();
    }
  }

  // Returns what undoes it.
  clear() {
    clearTimeout(this.timer);
    const [content, aside] = [this.text.value, readAside()];
    // Not what another tab wrote.
    if (!this.isContested) writeDraft(null);
    writeAside([]);
    this.seen = readDraft();
    this.isContested = false;
    this.offer("");
    this.mark(false);
    return () => {
      writeAside(aside);
      this.replace(content);
      this.offerAside();
      this.say("");
    };
  }

  publish() {
    this.save();
    rememberPublished(this.text.value);
  }

  submit(/** @type {SubmitEvent} */ event) {
    const isPrimary = Boolean(event.submitter?.classList.contains("primary"));
    // A double click.
    if (isPrimary && this.isPublishing) return event.preventDefault();
    this.isPublishing = isPrimary;
    this.isLeaving = true;
    // A download leaves the page where it is.
    return setTimeout(() => (this.isLeaving = this.isPublishing = false), 3000);
  }

  // What the page begins with: the sample, what was typed before this script ran, a text that the server returned, or
  // what is stored.
  open() {
    const { text, seen } = this;
    if (this.isSample() && text.value !== text.defaultValue) this.adopt(text.value);
    if (this.isSample() && seen) {
      this.adopt(seen);
      this.say("Your draft, kept in this browser. Clear removes it.");
    } else if (this.isSample() && readPublished()) {
      this.adopt(readPublished() ?? "");
      this.say("The text that you published.");
    } else if (!this.isSample() && seen !== null && seen !== text.value) {
      this.contest();
      this.mark(true);
    }
    if (!this.isContested) this.offerAside();
  }

  adopt(/** @type {string} */ content) {
    if (content !== this.text.value) this.text.value = content;
    delete this.text.dataset.isSample;
    queueMicrotask(() => this.text.dispatchEvent(new Event("input")));
  }
}

export const drafts = (/** @type {Workbench} */ form, /** @type {Say} */ say) => {
  const draft = new TabDraft(form.elements.content, say, offers(form.elements.content));
  addEventListener("storage", ({ key }) => isOfDraft(key) && draft.look());
  addEventListener("pagehide", () => draft.save());
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    draft.isPublishing = false;
    draft.look();
    // Without one, the server makes one: a nonce that was used would lead to what it made.
    form.elements.nonce.value = "";
    restored(form).catch(() => say("No connection. The text is kept in this browser."));
  });
  form.addEventListener("submit", (event) => draft.submit(event));
  draft.open();
  return draft;
};
