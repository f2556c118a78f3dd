// The draft of the home page: two tabs, a full browser, texts set aside, and what is forgotten once it is published.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Element, imported, openBrowser } from "./browser.js";

const { TabDraft, forgetPublished, readAside, readDraft, readList, writeAside, writeDraft } = await imported("drafts.js", "draft-texts.js", "storage.js");

let page;
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  page = openBrowser();
});

// A tab whose text was typed, or is the sample where nothing was.
const newTab = (content) => {
  const text = new Element("textarea");
  const [said, offered] = [[], []];
  text.value = content ?? "Sample";
  text.defaultValue = "Sample";
  if (content === undefined) text.dataset.isSample = "";
  const say = (words, ...buttons) => said.push({ words: words.trim(), buttons });
  const offer = (words, ...actions) => offered.push({ words, actions: new Map(actions) });
  const draft = new TabDraft(text, say, offer);
  const type = (written) => {
    text.value = written;
    draft.edited();
    mock.timers.tick(400);
  };
  const choose = (label) => offered.at(-1).actions.get(label)();
  return { text, draft, said, offered, type, choose };
};

const isHeld = (draft) => {
  const event = new Event("beforeunload", { cancelable: true });
  draft.handleEvent(event);
  return event.defaultPrevented;
};

test("what is typed is stored after a moment, once", () => {
  const { draft, text } = newTab("");
  text.value = "Mine";
  draft.edited();
  mock.timers.tick(399);
  assert.equal(readDraft(), null);
  mock.timers.tick(1);
  assert.equal(readDraft(), "Mine");
  assert.ok(!draft.isUnsaved);
});

test("the sample is never stored", () => {
  const { draft, text } = newTab();
  draft.edited();
  draft.save();
  assert.ok(draft.isUnsaved);
  assert.equal(readDraft(), null);
  delete text.dataset.isSample;
  draft.save();
  assert.ok(!draft.isUnsaved);
  assert.equal(readDraft(), "Sample");
});

test("an empty text removes the draft", () => {
  const { type } = newTab("");
  type("Mine");
  type(" \n");
  assert.equal(readDraft(), null);
});

test("the page opens with the draft in place of the sample", () => {
  writeDraft("Mine");
  const { draft, text, said } = newTab();
  draft.open();
  assert.deepEqual([text.value, "isSample" in text.dataset, said.length], ["Mine", false, 1]);
});

test("what was typed before the script ran contests the draft", () => {
  writeDraft("Stored");
  const { draft, text, offered } = newTab();
  text.value = "Typed early";
  draft.open();
  assert.deepEqual([text.value, offered.at(-1).words], ["Typed early", "Another tab changed your draft."]);
});

test("a tab does not store over what another has written", () => {
  const [one, other] = [newTab(""), newTab("")];
  one.type("One's");
  other.type("Other's");
  assert.equal(readDraft(), "One's");
  assert.equal(other.offered.at(-1).words, "Another tab changed your draft.");
  other.type("Other's, longer");
  assert.equal(readDraft(), "One's");
});

test("who keeps mine sets the other text aside", () => {
  const [one, other] = [newTab(""), newTab("")];
  one.type("One's");
  other.type("Other's");
  other.choose("Keep mine");
  assert.deepEqual([readDraft(), readAside()], ["Other's", ["One's"]]);
  assert.equal(other.offered.at(-1).words, "The other text is set aside in this browser.");
});

test("who takes the other tab's text sets mine aside, and can change both again", () => {
  const [one, other] = [newTab(""), newTab("")];
  one.type("One's");
  other.type("Other's");
  other.choose("Use the other tab’s text");
  assert.deepEqual([other.text.value, readAside()], ["One's", ["Other's"]]);
  other.choose("Use it instead");
  assert.deepEqual([other.text.value, readDraft(), readAside()], ["Other's", "Other's", ["One's"]]);
});

test("a decision that another tab made ends the contest", () => {
  const [one, other] = [newTab(""), newTab("")];
  one.type("One's");
  other.type("Other's");
  one.type("Other's");
  other.draft.look();
  assert.deepEqual([other.draft.isContested, other.offered.at(-1).words], [false, ""]);
});

test("a tab hears that another stored something", () => {
  const tab = newTab("Mine");
  writeDraft("Theirs");
  tab.draft.look();
  assert.ok(tab.draft.isContested);
});

test("what is discarded comes back with Undo", () => {
  writeAside(["Older", "Oldest"]);
  const { draft, said, offered, choose } = newTab("Mine");
  draft.offerAside();
  assert.equal(offered.at(-1).words, "2 other texts are set aside in this browser.");
  choose("Discard it");
  assert.deepEqual(readAside(), ["Oldest"]);
  said.at(-1).buttons[0].click();
  assert.deepEqual(readAside(), ["Older", "Oldest"]);
});

test("a full browser says that it keeps nothing, and the page asks before it is left", () => {
  const { draft, said, type } = newTab("");
  localStorage.isFull = true;
  type("Mine");
  assert.match(said.at(-1).words, /^This browser keeps no drafts/);
  assert.ok(isHeld(draft));
  localStorage.isFull = false;
  assert.ok(!isHeld(draft));
  assert.equal(readDraft(), "Mine");
});

test("where there is no room for both texts, none is replaced", () => {
  const [one, other] = [newTab(""), newTab("")];
  one.type("One's");
  other.type("Other's");
  localStorage.isFull = true;
  other.choose("Use the other tab’s text");
  assert.deepEqual([other.text.value, readDraft(), other.said.at(-1).words], ["Other's", "One's", "The browser has no room for both texts; copy one of them first."]);
  assert.ok(other.draft.isContested);
});

test("a chosen text that the browser has no room for is not lost by leaving", () => {
  const tab = newTab("Mine");
  writeDraft("Theirs");
  tab.draft.look();
  // The text set aside fits, the longer one does not.
  localStorage.setItem = (key, value) => {
    if (value === "Mine") throw new Error("QuotaExceededError");
    localStorage.values.set(key, value);
  };
  tab.choose("Keep mine");
  const leaving = new Event("beforeunload", { cancelable: true });
  page.dispatchEvent(leaving);
  assert.ok(leaving.defaultPrevented);
});

test("Clear removes the draft and what was set aside; Undo brings both back", () => {
  const { draft, text, type } = newTab("");
  type("Mine");
  writeAside(["Older"]);
  const undo = draft.clear();
  text.value = "";
  assert.deepEqual([readDraft(), readAside()], [null, []]);
  undo();
  assert.deepEqual([text.value, readAside()], ["Mine", ["Older"]]);
});

test("Clear leaves what another tab wrote", () => {
  const [one, other] = [newTab(""), newTab("")];
  one.type("One's");
  other.type("Other's");
  other.draft.clear();
  assert.equal(readDraft(), "One's");
});

test("what was published is forgotten, unless another tab has written meanwhile", () => {
  const { draft, type } = newTab("");
  type("Mine");
  draft.publish();
  forgetPublished();
  assert.equal(readDraft(), null);

  type("Mine");
  draft.publish();
  writeDraft("Theirs");
  forgetPublished();
  forgetPublished();
  assert.equal(readDraft(), "Theirs");
});

test("a double click publishes once", () => {
  const { draft } = newTab("Mine");
  const submit = (isPrimary = true) => {
    const event = Object.assign(new Event("submit", { cancelable: true }), { submitter: { classList: { contains: () => isPrimary } } });
    draft.submit(event);
    return !event.defaultPrevented;
  };
  assert.deepEqual([submit(), submit(), submit(false)], [true, false, true]);
  mock.timers.tick(3000);
  assert.ok(submit());
});

test("storage that is refused or spoiled holds nothing", () => {
  localStorage.values.set("list", "{");
  assert.deepEqual(readList("list"), []);
  delete globalThis.localStorage;
  assert.deepEqual([readDraft(), writeDraft("Mine"), writeDraft(null)], [null, false, true]);
});
