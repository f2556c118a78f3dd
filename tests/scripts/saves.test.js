// How a document is saved: order, conflicts, lost connections and responses, two tabs.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { imported } from "./browser.js";
import { newCopies, newPage, TEXT } from "./documents.js";

const { Saves } = await imported("saves.js");

const STEPS = 10;

// The service: what each request gets, in order, and what it was sent.
const serve = (...results) => {
  const sent = [];
  globalThis.fetch = async (path, { body }) => {
    sent.push({ path, ...Object.fromEntries(body) });
    const result = results.shift() ?? {};
    if (result instanceof Error) throw result;
    const { status = 200, headers = {}, ...content } = result;
    await result.until;
    return { ok: status < 300, status, headers: new Headers(headers), json: async () => content.body };
  };
  return sent;
};

const stored = (revision, text = {}) => ({ ...TEXT, path: "/documents/1", revision, is_changed: false, says: "Saved", ...text });
const saved = (revision, text) => ({ body: stored(revision, text) });
const refused = (status, body, headers) => ({ status, body, headers });

const settle = async () => {
  for (let step = 0; step < STEPS; step += 1) await Promise.resolve();
};
const pass = async (milliseconds) => {
  mock.timers.tick(milliseconds);
  await settle();
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("what cannot be published now is not published later", async () => {
  const [page, sent] = [newPage({ content: "Two" }), serve(new TypeError("offline"), saved("r2"))];
  const saves = new Saves(page, newCopies());
  assert.equal(await saves.save("publish"), 0);
  await pass(5000);
  assert.deepEqual(sent.map(({ do: action }) => action), ["publish", "autosave"]);
});

test("another revision of the same text does not stand in the way of publishing", async () => {
  const [page, sent] = [newPage(), serve(refused(409, { stored: stored("r2") }), saved("r3"))];
  assert.equal(await new Saves(page, newCopies()).save("publish"), 200);
  assert.deepEqual(sent.map(({ revision, do: action }) => [revision, action]), [["r1", "publish"], ["r1", "publish"]]);
});

test("what is typed is kept after a moment and sent after another", async () => {
  const [page, copies, sent] = [newPage(), newCopies(), serve(saved("r2"))];
  const saves = new Saves(page, copies);
  page.text.content = "Two";
  saves.edited();

  await pass(250);
  assert.deepEqual(copies.kept, [{ path: "/documents/1", content: "Two", base: "One" }]);
  assert.equal(sent.length, 0);

  await pass(1000);
  assert.deepEqual(sent.map(({ content, revision, do: action }) => [content, revision, action]), [["Two", "r1", "autosave"]]);
  assert.deepEqual(copies.dropped, ["/documents/1"]);
  assert.equal(page.told.at(-1), "Saved");
  assert.ok(saves.isSaved());
});

test("keys put a save off, so that a text is sent once", async () => {
  const [page, sent] = [newPage(), serve(saved("r2"))];
  const saves = new Saves(page, newCopies());
  for (const content of ["T", "Tw", "Two"]) {
    page.text.content = content;
    saves.edited();
    await pass(1000);
  }
  await pass(1200);
  assert.deepEqual(sent.map(({ content }) => content), ["Two"]);
});

test("a second save waits for the first, and follows its revision", async () => {
  const first = Promise.withResolvers();
  const [page, sent] = [newPage({ content: "Two" }), serve({ ...saved("r2"), until: first.promise }, saved("r3"))];
  const saves = new Saves(page, newCopies());
  const both = [saves.save()];
  await settle();
  page.text.content = "Three";
  both.push(saves.save("save"));
  await settle();
  assert.equal(sent.length, 1);

  first.resolve();
  assert.deepEqual(await Promise.all(both), [200, 200]);
  assert.deepEqual(sent.map(({ content, revision, do: action }) => [content, revision, action]), [["Two", "r1", "autosave"], ["Three", "r2", "save"]]);
});

test("what was typed while a save was on its way is sent next", async () => {
  const first = Promise.withResolvers();
  const [page, copies, sent] = [newPage({ content: "Two" }), newCopies(), serve({ ...saved("r2"), until: first.promise }, saved("r3"))];
  const saves = new Saves(page, copies);
  saves.save();
  page.text.content = "Three";
  first.resolve();
  await settle();
  assert.deepEqual(copies.kept.map(({ content }) => content), ["Three"]);
  await pass(1200);
  assert.deepEqual(sent.map(({ content }) => content), ["Two", "Three"]);
});

test("Save makes a revision of a text that was autosaved", async () => {
  const [page, sent] = [newPage({ content: "Two" }), serve(saved("r2"), saved("r3"), saved("r4"))];
  const saves = new Saves(page, newCopies());
  await saves.save();
  await saves.save();
  await saves.save("save");
  page.text.content = "Three";
  await saves.save();
  assert.deepEqual(sent.map(({ do: action }) => action), ["autosave", "save", "autosave"]);
});

test("an empty text is not sent", async () => {
  const [page, sent] = [newPage({ content: "" }), serve()];
  assert.equal(await new Saves(page, newCopies()).save(), undefined);
  assert.deepEqual([sent, page.told], [[], ["Not saved: the text is empty"]]);
});

for (const [name, result, milliseconds] of [
  ["without a connection", new TypeError("Failed to fetch"), 5000],
  ["when the service is busy", refused(503, { error: { message: "Busy" } }), 5000],
  ["when it says when", refused(429, { error: { message: "Slow down" } }, { "Retry-After": "7" }), 7000],
]) {
  test(`a save is tried again ${name}`, async () => {
    const [page, sent] = [newPage({ content: "Two" }), serve(result, saved("r2"))];
    const saves = new Saves(page, newCopies());
    await saves.save();
    assert.match(page.told.at(-1), /^Not saved/);
    await pass(milliseconds - 1);
    assert.equal(sent.length, 1);
    await pass(1);
    assert.equal(sent.length, 2);
    assert.ok(saves.isSaved());
  });
}

test("what is refused is told, and not sent again until it is changed", async () => {
  const [page, sent] = [newPage({ content: "Two" }), serve(refused(422, { error: { message: "Too long" } }))];
  assert.equal(await new Saves(page, newCopies()).save(), 422);
  await pass(60_000);
  assert.deepEqual([sent.length, page.told.at(-1)], [1, "Not saved. Too long."]);
});

for (const [body, reason] of [[null, "The server did not answer as expected"], [{}, "The server did not answer as expected"], [{ error: "Down" }, "Down"]]) {
  test(`a response that says nothing, ${JSON.stringify(body)}, stops no later save`, async () => {
    const [page, sent] = [newPage({ content: "Two" }), serve(refused(400, body), saved("r2"))];
    const saves = new Saves(page, newCopies());
    await saves.save();
    assert.equal(page.told.at(-1), `Not saved. ${reason}.`);
    await saves.save();
    assert.equal(sent.length, 2);
    assert.ok(saves.isSaved());
  });
}

test("a save that fails unexpectedly stops no later one", async () => {
  const [page, sent] = [newPage({ content: "Two" }), serve(saved("r2"), saved("r2"))];
  const saves = new Saves(page, newCopies());
  page.show = () => {
    throw new Error("No heading");
  };
  await assert.rejects(saves.save());
  page.text.content = "Three";
  await assert.rejects(saves.save());
  assert.equal(sent.length, 2);
});

const met = (content, conflict = "") => refused(409, { stored: stored("r9", { content }), conflict });
const MERGED = "Saved. Merged changes from another tab";
const merged = (content, says = MERGED) => ({ status: 202, body: { ...stored("r10", { content, says }), merged: [[0, 0, ""]] } });
const bases = (sent) => sent.map(({ base }) => base && JSON.parse(base).content);

test("what another tab saved is merged with what this one was", async () => {
  const [page, copies, sent] = [newPage({ content: "Mine" }), newCopies(), serve(met("Theirs"), merged("Mine Theirs"), saved("r11"))];
  const saves = new Saves(page, copies);
  assert.equal(await saves.save(), 202);
  assert.deepEqual([page.text.content, page.told.at(-1)], ["Mine Theirs", "Saved. Merged changes from another tab"]);
  page.text.content = "Mine Theirs!";
  await saves.save();
  assert.deepEqual(bases(sent), [undefined, "One", undefined]);
  assert.deepEqual(sent.map(({ revision }) => revision), ["r1", "r1", "r10"]);
});

test("what was merged when it was to be published is told, and not published", async () => {
  const says = "Saved, not published. Merged changes from another tab";
  const [page, sent] = [newPage({ content: "Mine" }), serve(met("Theirs"), merged("Mine Theirs", says))];
  assert.equal(await new Saves(page, newCopies()).save("publish"), 202);
  assert.deepEqual(sent.map((each) => each.do), ["publish", "publish"]);
  assert.deepEqual([page.text.content, page.told.at(-1)], ["Mine Theirs", says]);
});

test("what was merged while Publish was pressed is not published", async () => {
  const [page, sent] = [newPage({ content: "Mine" }), serve(met("Theirs"), merged("Mine Theirs"), saved("r11"))];
  const saves = new Saves(page, newCopies());
  const [, status] = await Promise.all([saves.save(), saves.save("publish")]);
  assert.deepEqual([status, sent.map((each) => each.do), page.told.at(-1)], [202, ["autosave", "autosave"], MERGED]);
  assert.equal(await saves.save("publish"), 200);
});

for (const [name, isComposing, typed] of [["typed", false, "Mine, too"], ["composed", true, "Mine"]]) {
  test(`what is ${name} meanwhile stays, and is merged next`, async () => {
    const [page, sent] = [newPage({ content: "Mine" }), serve(met("Theirs"), merged("Mine Theirs"), merged("Mine, too Theirs"))];
    const saves = new Saves(page, newCopies());
    const saving = saves.save();
    page.text.content = typed;
    saves.isComposing = isComposing;
    await saving;
    assert.equal(page.text.content, typed);
    page.text.content = "Mine, too";
    saves.isComposing = false;
    saves.edited();
    await pass(1200);
    assert.deepEqual(bases(sent), [undefined, "One", "Mine"]);
    assert.equal(page.text.content, "Mine, too Theirs");
    assert.ok(saves.isSaved());
  });
}

test("of the same block, nothing is sent until the person has chosen", async () => {
  const [page, copies, sent] = [newPage({ content: "Mine" }), newCopies(), serve(met("Theirs"), met("Theirs", "<p>Both"), met("Theirs", "<p>Others"), merged("Mine Theirs"))];
  const saves = new Saves(page, copies);
  assert.equal(await saves.save(), 409);
  assert.deepEqual([page.conflict.hidden, page.shown, page.told.at(-1)], [false, "<p>Both", "Not saved"]);
  assert.deepEqual(copies.kept.at(-1), { path: "/documents/1", content: "Mine", base: "One" });

  page.text.content = "Mine, too";
  saves.edited();
  await pass(60_000);
  await saves.save("save");
  assert.equal(sent.length, 2);
  assert.equal(copies.kept.at(-1).content, "Mine, too");

  page.chosen = { "choice-1": "both" };
  saves.isContested = false;
  assert.equal(await saves.save("save"), 409);
  assert.deepEqual([sent[2].base, sent[2]["choice-1"], page.shown], [JSON.stringify(TEXT), "both", "<p>Others"]);
  saves.isContested = false;
  assert.equal(await saves.save("save"), 202);
  assert.deepEqual([page.conflict.hidden, page.text.content], [true, "Mine Theirs"]);
});

test("who is overtaken once more tries again", async () => {
  const [page, sent] = [newPage({ content: "Mine" }), serve(met("Theirs"), met("Later"), merged("Mine Later"))];
  const saves = new Saves(page, newCopies());
  await saves.save();
  assert.ok(page.conflict.hidden);
  await pass(5000);
  assert.deepEqual([bases(sent), page.text.content], [[undefined, "One", "One"], "Mine Later"]);
});

test("what arrived although its response was lost is no conflict", async () => {
  const [page, sent] = [newPage({ content: "Two" }), serve(new TypeError("Lost"), refused(409, { stored: stored("r2", { content: "Two" }) }), saved("r3"))];
  const saves = new Saves(page, newCopies());
  await saves.save();
  page.text.content = "Three";
  await pass(5000);
  assert.ok(page.conflict.hidden);
  assert.deepEqual(sent.map(({ content }) => content), ["Two", "Three", "Three"]);
  assert.deepEqual(bases(sent), [undefined, undefined, "Two"]);
  assert.ok(saves.isSaved());
});

test("a document published elsewhere is no conflict", async () => {
  const [page, sent] = [newPage({ content: "Two" }), serve(refused(409, { stored: stored("r5") }), saved("r6"))];
  await new Saves(page, newCopies()).save();
  assert.deepEqual([sent[1].content, bases(sent)[1], page.conflict.hidden], ["Two", "One", true]);
});

test("a new document gets its path, and what its front matter says is merged", async () => {
  const front = { ...stored("r1", { content: "Two", path: "/documents/7", template_id: "swiss", description: "Theirs" }), merged: [] };
  const [page, copies, sent] = [newPage({ content: "Two" }, { action: "/documents/new", isStored: false }), newCopies(), serve({ body: front }, saved("r2", { path: "/documents/7" }))];
  page.elements.base.value = "";
  const saves = new Saves(page, copies);
  assert.ok(!saves.isSaved());
  const saving = saves.save();
  page.text.description = "Mine";
  await saving;
  assert.equal(page.action, "/documents/7");
  assert.deepEqual(copies.dropped, ["/documents/new"]);
  await pass(1200);
  assert.deepEqual([sent[1].path, sent[1].description, bases(sent)[1]], ["/documents/7", "Mine", "Two"]);
});
