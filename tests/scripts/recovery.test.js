// Texts that closed pages left in this browser: taken, offered, discarded, and back.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { imported } from "./browser.js";
import { newCopies, newPage, TEXT } from "./documents.js";

const { Recovery, Saves } = await imported("recovery.js", "saves.js");

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

const row = (content, given = {}) => ({ path: "/documents/1", page: content, text: { ...TEXT, content }, revision: "r1", time: 0, ...given });

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
  ["it follows another revision", [row("Left", { revision: "r0" })], true],
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

test("a text that follows another revision replaces what becomes a revision", async () => {
  const { saves, offered, found } = recovery([row("Left", { revision: "r0" })]);
  await found.recover(true);
  await offered.at(-1).actions.get("Use it")();
  assert.equal(saves.kind, "save");
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
