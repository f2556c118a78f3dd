// The keys of the text: shortcuts, what Enter and Tab do in items, quotes, code and tables, marks that are typed around a
// selection, and lines that are moved.

import { COMMANDS, headingOf, indent, newLine, PAIRS, spliced, wrapped } from "./commands.js";
import { selectionOf, write } from "./edits.js";
import { double, move } from "./moves.js";
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
  keys.replace(/(?:Key|Digit)/, "").replace("Period", ".").replace("Mod", IS_MAC ? "⌘" : "Ctrl").replace("Shift", IS_MAC ? "⇧" : "Shift").replace("Alt", IS_MAC ? "⌥" : "Alt").replaceAll("+", IS_MAC ? "" : "+");

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

  // What a keyboard composes is its own; Safari says so by the number alone.
  const isComposed = (/** @type {KeyboardEvent} */ event) => event.isComposing || event.keyCode === 229;

  form.addEventListener("keydown", (event) => {
    const isMod = (IS_MAC ? event.metaKey : event.ctrlKey) && !(IS_MAC ? event.ctrlKey : event.metaKey);
    // AltGr, which types, is Ctrl and Alt on Windows.
    if (!isMod || isComposed(event) || event.getModifierState?.("AltGraph")) return;
    const name = `${event.altKey ? "Alt+" : ""}${event.shiftKey ? "Shift+" : ""}${event.code}`;
    const action = actions[name];
    if (action && (event.target === text || action.isEverywhere)) {
      event.preventDefault();
      action();
    } else if (event.target === text && BY_KEY[name]) run(event, BY_KEY[name](selectionOf(text)));
  });

  text.addEventListener("keydown", (event) => {
    if (isComposed(event) || event.defaultPrevented) return;
    const isPlain = !event.ctrlKey && !event.metaKey;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step && event.altKey && isPlain && !text.readOnly) {
      event.preventDefault();
      run(event, (event.shiftKey ? double : move)(selectionOf(text), step));
    } else if (event.key === "Tab" && !isLeaving && isPlain && !event.altKey && !("isSample" in text.dataset)) {
      const state = selectionOf(text);
      run(event, nextCell(state, event.shiftKey ? -1 : 1) ?? indent(state, event.shiftKey));
    }
    isLeaving = event.key === "Escape" || (isLeaving && event.key === "Shift");
  });

  // Not `keydown`, which the keyboards of phones do not have for Enter.
  text.addEventListener("beforeinput", (event) => {
    const { inputType, data } = event;
    // A letter waits for nothing: of a long text, where the selection is takes milliseconds.
    if (event.isComposing || !event.cancelable || (inputType === "insertText" && !PAIRS.has(data ?? ""))) return;
    const state = selectionOf(text);
    if (inputType === "insertText") run(event, wrapped(state, data ?? ""));
    else if (inputType === "insertLineBreak") isShifted || run(event, (state.start === state.end && rowBelow(state)) || newLine(state));
    else run(event, spliced(state, inputType, data));
  });
  let isShifted = false;
  for (const type of /** @type {const} */ (["keydown", "keyup"])) text.addEventListener(type, (event) => (isShifted = event.shiftKey));
};
