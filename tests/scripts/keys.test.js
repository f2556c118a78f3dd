// The keys of the text: shortcuts, Enter and Tab, and when they are left to the browser.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Element, imported, openBrowser } from "./browser.js";

const { IS_MAC, keys, shown } = await imported("editing/keys.js");

beforeEach(openBrowser);

const typed = (value, actions = {}, given = {}) => {
  const text = Object.assign(new Element("textarea"), { value, selectionStart: value.length, selectionEnd: value.length }, given);
  const form = new Element("form");
  form.elements = { content: text };
  keys(form, actions);
  // The form hears what its field does.
  const press = (type, properties, target = text) => {
    const event = Object.assign(new Event(type, { cancelable: true }), { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...properties });
    target.dispatchEvent(event);
    if (type === "keydown") {
      const bubbled = Object.assign(new Event(type, { cancelable: true }), { ...properties, [IS_MAC ? "metaKey" : "ctrlKey"]: properties.isMod });
      Object.defineProperty(bubbled, "target", { value: target });
      form.dispatchEvent(bubbled);
      return event.defaultPrevented || bubbled.defaultPrevented;
    }
    return event.defaultPrevented;
  };
  return { text, press };
};

test("a shortcut writes at the caret, and is not the browser's", () => {
  const { text, press } = typed("word");
  assert.ok(press("keydown", { code: "KeyB", isMod: true }));
  assert.equal(text.value, "**word**");
  assert.ok(!press("keydown", { code: "KeyB" }));
});

test("some actions work wherever the focus is, others in the text alone", () => {
  const ran = [];
  const actions = { KeyS: Object.assign(() => ran.push("save"), { isEverywhere: true }), KeyF: () => ran.push("find") };
  const { press } = typed("", actions);
  for (const code of ["KeyS", "KeyF"]) press("keydown", { code, isMod: true }, new Element("input"));
  press("keydown", { code: "KeyF", isMod: true });
  assert.deepEqual(ran, ["save", "find"]);
});

test("Tab moves an item; after Escape it leaves the field, once", () => {
  const { text, press } = typed("- a");
  assert.ok(press("keydown", { key: "Tab" }));
  assert.equal(text.value, "  - a");
  press("keydown", { key: "Escape" });
  assert.ok(!press("keydown", { key: "Tab" }));
  assert.ok(press("keydown", { key: "Tab", shiftKey: true }));
  assert.equal(text.value, "- a");
});

test("Enter continues an item, and Shift+Enter is the browser's", () => {
  const { text, press } = typed("- a");
  assert.ok(press("beforeinput", { inputType: "insertLineBreak" }));
  assert.equal(text.value, "- a\n- ");
  press("keydown", { key: "Shift", shiftKey: true });
  assert.ok(!press("beforeinput", { inputType: "insertLineBreak" }));
});

test("marks go around a selection, Alt and arrows move lines, with Shift they are doubled", () => {
  const { text, press } = typed("1. a\n2. b", {}, { selectionStart: 8, selectionEnd: 9 });
  assert.ok(press("beforeinput", { inputType: "insertText", data: "*" }));
  assert.equal(text.value, "1. a\n2. *b*");
  assert.ok(!press("beforeinput", { inputType: "insertText", data: "b" }));
  assert.ok(press("keydown", { key: "ArrowUp", altKey: true }));
  assert.equal(text.value, "1. *b*\n2. a");
  assert.ok(press("keydown", { key: "ArrowDown", altKey: true, shiftKey: true }));
  assert.equal(text.value, "1. *b*\n2. *b*\n3. a");
  assert.ok(!press("keydown", { key: "ArrowDown", altKey: true, ctrlKey: true }));
});

test("AltGr types, and is no shortcut", () => {
  const ran = [];
  const { press } = typed("", { "Alt+Digit7": () => ran.push("quiet") });
  press("keydown", { code: "Digit7", altKey: true, isMod: true, getModifierState: () => true });
  press("keydown", { code: "Digit7", altKey: true, isMod: true, getModifierState: () => false });
  assert.deepEqual(ran, ["quiet"]);
});

for (const [name, given, properties] of [
  ["a text that cannot be changed", { readOnly: true }, {}],
  ["what a keyboard composes", {}, { isComposing: true }],
  ["what a keyboard composes in Safari", {}, { keyCode: 229, inputType: "insertCompositionText" }],
]) {
  test(`${name} is left alone`, () => {
    const { text, press } = typed("- a", {}, given);
    press("keydown", { key: "Tab", ...properties });
    press("keydown", { key: "ArrowUp", altKey: true, ...properties });
    press("keydown", { code: "KeyB", isMod: true, ...properties });
    for (const inputType of ["insertLineBreak", "insertText", "deleteContentBackward"]) press("beforeinput", { inputType, data: "*", ...properties });
    assert.equal(text.value, "- a");
  });
}

test("titles show keys as people know them", () => {
  assert.equal(shown("Mod+Shift+Digit8"), IS_MAC ? "⌘⇧8" : "Ctrl+Shift+8");
});
