// A document that is written, and the rows of this browser's database, without a browser.

export const TEXT = { content: "One", title: "", template_id: "ink", theme_mode: "light", description: "", page_width: "" };
// A form without elements: what is written, and what it was told.
export const newPage = (text = {}, given = {}) => ({
  text: { ...TEXT, ...text },
  told: [],
  action: "/documents/1",
  isStored: true,
  conflict: { hidden: true },
  elements: { revision: { value: "r1" }, nonce: { value: "n" }, base: { value: JSON.stringify(TEXT) } },
  chosen: {},
  changed() {},
  path() {
    return this.action;
  },
  read() {
    return { ...this.text };
  },
  write(written) {
    Object.assign(this.text, written);
  },
  tell(message) {
    this.told.push(message);
  },
  contest(blocks) {
    this.conflict.hidden = !blocks;
    this.shown = blocks;
  },
  choices() {
    return Object.entries(this.chosen);
  },
  take({ content }) {
    this.text.content = content;
  },
  move(path) {
    this.action = path;
  },
  show(stored) {
    this.elements.revision.value = stored.revision;
    this.action = stored.path;
  },
  ...given,
});

// Keeps rows as the browser's database does.
export const newCopies = (rows = []) => ({
  rows,
  kept: [],
  dropped: [],
  async keep(path, text, base) {
    this.kept.push({ path, content: text.content, base: base && JSON.parse(base).content });
    return [path];
  },
  async forget(path) {
    this.dropped.push(path);
  },
  async drop(row) {
    this.dropped.push(row);
  },
  async left(_path, again) {
    this.again = again;
    return this.rows;
  },
});
