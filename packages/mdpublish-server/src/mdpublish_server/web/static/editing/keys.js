// The keys of the text: shortcuts, and what Enter and Tab do in items, quotes, code and tables.

import { COMMANDS, headingOf, indent, newLine } from "./commands.js";
import { selectionOf, write } from "./edits.js";
import { nextCell, rowBelow } from "./tables.js";

export const IS_MAC = /Mac|iP(hone|ad)/.test(navigator.platform);

const BY_KEY = /** @type {Record<string, Command>} */ ({
  KeyB: COMMANDS.bold,
  KeyI: COMMANDS.italic,
  KeyK: COMMANDS.link,
  KeyE: COMMANDS.code,
  "Shift+KeyX": COMMANDS.strike,
  "Shift+Period": COMMANDS.quote,
  "Shift+Digit7": COMMANDS.numbers,
  "Shift+Digit8": COMMANDS.bullets,
  "Shift+Digit9": COMMANDS.tasks,
  "Alt+Digit1": headingOf(1),
  "Alt+Digit2": headingOf(2),
  "Alt+Digit3": headingOf(3),
});

// As titles show them.
export const shown = (/** @type {string} */ keys) =>
  keys.replace(/(?:Key|Digit)/, "").replace("Period", ".").replace("Mod", IS_MAC ? "⌘" : "Ctrl").replace("Shift", IS_MAC ? "⇧" : "Shift").replaceAll("+", IS_MAC ? "" : "+");

export const keys = (/** @type {Workbench} */ form, /** @type {Record<string, KeyAction>} */ actions) => {
  const text = form.elements.content;
  // After Escape, Tab leaves the field, once.
  let isLeaving = false;

  const run = (/** @type {Event} */ event, /** @type {Edit | null} */ edit) => {
    if (!edit || text.readOnly) return false;
    event.preventDefault();
    write(text, edit);
    return true;
  };

  form.addEventListener("keydown", (event) => {
    const isMod = (IS_MAC ? event.metaKey : event.ctrlKey) && !(IS_MAC ? event.ctrlKey : event.metaKey);
    if (!isMod || event.isComposing) return;
    const name = `${event.altKey ? "Alt+" : ""}${event.shiftKey ? "Shift+" : ""}${event.code}`;
    const action = actions[name];
    if (action && (event.target === text || action.isEverywhere)) {
      event.preventDefault();
      action();
    } else if (event.target === text && BY_KEY[name]) run(event, BY_KEY[name](selectionOf(text)));
  });

  text.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Tab" && !isLeaving && !event.ctrlKey && !event.altKey && !event.metaKey && !("isSample" in text.dataset)) {
      const state = selectionOf(text);
      run(event, nextCell(state, event.shiftKey ? -1 : 1) ?? indent(state, event.shiftKey));
    }
    isLeaving = event.key === "Escape" || (isLeaving && event.key === "Shift");
  });

  // Not `keydown`, which the keyboards of phones do not have for Enter.
  text.addEventListener("beforeinput", (event) => {
    if (event.inputType !== "insertLineBreak" || event.isComposing || !event.cancelable || isShifted) return;
    const state = selectionOf(text);
    const edit = (state.start === state.end && rowBelow(state)) || newLine(state);
    run(event, edit);
  });
  let isShifted = false;
  for (const type of /** @type {const} */ (["keydown", "keyup"])) text.addEventListener(type, (event) => (isShifted = event.shiftKey));
};
