// Texts that closed pages left in this browser: taken, offered, discarded, and back.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { imported, openBrowser } from "./browser.js";
import { newCopies, newPage, TEXT } from "./documents.js";

const { Recovery, Saves, readAside, readDraft, writeAside, writeDraft } = await imported("recovery.js", "saves.js", "draft-texts.js");

beforeEach(() => {
  openBrowser();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

const row = (content, given = {}) => ({ path: "/documents/1", page: content, text: { ...TEXT, content }, base: JSON.stringify(TEXT), time: 0, ...given });

const recovery = (rows, page = newPage()) => {
  const [copies, offered] = [newCopies(rows), []];
  const saves = new Saves(page, copies);
  const offer = (words, ...actions) => offered.push({ words, actions: new Map(actions) });
  return { page, copies, saves, offered, found: new Recovery(saves, offer) };
};

test("a page that opens takes the text that a closed one left, and Undo takes it back", async () => {
  const left = row("Left");
  const { page, copies, offered, found } = recovery([left]);
  await found.recover(true);
  assert.equal(page.text.content, "Left");
  assert.deepEqual([copies.kept[0].content, copies.dropped], ["Left", [left]]);
  offered.at(-1).actions.get("Undo")();
  assert.deepEqual([page.text.content, offered.at(-1).words], ["One", ""]);
});

for (const [name, rows, isNew] of [
  ["two texts were left", [row("Newer"), row("Older")], true],
  ["it does not say what it was", [row("Left", { base: undefined })], true],
  ["the page is in use", [row("Left")], false],
]) {
  test(`a text is offered, not taken, where ${name}`, async () => {
    const { page, offered, found } = recovery(rows);
    await found.recover(isNew);
    assert.equal(page.text.content, "One");
    await offered.at(-1).actions.get("Use it")();
    assert.equal(page.text.content, rows[0].text.content);
  });
}

test("a text is merged with what was saved since, or replaces what becomes a revision", async () => {
  for (const [base, kind] of [[JSON.stringify({ ...TEXT, content: "Zero" }), "autosave"], [undefined, "save"]]) {
    const { page, saves, offered, found } = recovery([row("Left", { base })]);
    await found.recover(false);
    await offered.at(-1).actions.get("Use it")();
    assert.deepEqual([saves.kind, saves.isBehind, page.elements.base.value], [kind, Boolean(base), base ?? JSON.stringify(TEXT)]);
    // What is stored is not what it was: the service says whether both changed the same lines.
    assert.equal(saves.saved.content, base ? "Zero" : "One");
  }
});

test("what is discarded comes back with Undo", async () => {
  const { page, copies, offered, found } = recovery([row("Left")]);
  await found.recover(false);
  offered.at(-1).actions.get("Discard it")();
  assert.deepEqual([page.text.content, copies.dropped.length], ["One", 1]);
  await offered.at(-1).actions.get("Undo")();
  assert.equal(page.text.content, "Left");
});

test("a text that the page shows anyway is dropped, and one of a page that closes later is offered", async () => {
  const { copies, offered, found } = recovery([row("One")]);
  await found.recover(true);
  assert.deepEqual([copies.dropped.length, offered], [1, []]);
  copies.rows = [row("Later")];
  await copies.again();
  assert.match(offered[0].words, /^This browser keeps a text of /);
});

const NEW = () => newPage({ content: "" }, { action: "/documents/new", original: { ...TEXT, content: "" } });
const SIGNED_OUT = "This browser keeps a text that you wrote before you signed in.";

test("a new document is offered what was written before signing in, first, and drops it once it is kept", async () => {
  writeDraft("Guest's");
  const { page, copies, offered, found } = recovery([row("Left", { path: "/documents/new" })], NEW());
  await found.recover(true);
  assert.deepEqual([page.text.content, offered.at(-1).words, readDraft()], ["", SIGNED_OUT, "Guest's"]);
  await offered.at(-1).actions.get("Use it")();
  assert.deepEqual([page.text.content, copies.kept[0].content, readDraft()], ["Guest's", "Guest's", null]);
});

test("what was set aside is offered after the draft, and a stored document is offered neither", async () => {
  writeDraft("Guest's");
  writeAside(["Older"]);
  const stored = recovery([]);
  await stored.found.recover(true);
  assert.deepEqual(stored.offered, []);
  for (const left of [["Older"], []]) {
    const { offered, found } = recovery([], NEW());
    await found.recover(true);
    assert.equal(offered.at(-1).words, SIGNED_OUT);
    offered.at(-1).actions.get("Discard it")();
    assert.deepEqual([readDraft(), readAside()], [null, left]);
  }
});

test("a guest's text is nowhere lost: where the browser keeps no copy, and after Undo", async () => {
  writeDraft("Guest's");
  const refusing = recovery([], NEW());
  refusing.copies.keep = async () => undefined;
  await refusing.found.recover(true);
  await refusing.offered.at(-1).actions.get("Use it")();
  assert.equal(readDraft(), "Guest's");
  const { page, offered, found } = recovery([], NEW());
  await found.recover(true);
  await offered.at(-1).actions.get("Use it")();
  offered.at(-1).actions.get("Undo")();
  assert.deepEqual([page.text.content, readDraft(), readAside()], ["", null, ["Guest's"]]);
});
