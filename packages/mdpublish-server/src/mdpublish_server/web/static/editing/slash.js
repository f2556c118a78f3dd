// Blocks by name: `/` where a line begins opens a list of them, and what is typed behind it leaves those that have it.

import { make } from "../elements.js";
import { callout, COMMANDS, headingOf } from "./commands.js";
import { block, fenceAt, lineAt, selectionOf, write } from "./edits.js";
import { placeList } from "./toolbar.js";

const BLOCKS = /** @type {Record<string, Command | string>} */ ({
  "Heading 1": headingOf(1),
  "Heading 2": headingOf(2),
  "Heading 3": headingOf(3),
  "Bullet list": COMMANDS.bullets,
  "Numbered list": COMMANDS.numbers,
  "Task list": COMMANDS.tasks,
  Table: COMMANDS.table,
  Code: COMMANDS.code,
  Quote: COMMANDS.quote,
  Callout: callout("NOTE"),
  "Diagram or chart": "diagram",
  Formula: COMMANDS.formula,
  Image: "image",
  Rule: (state) => block(state, "---\n\n"),
});

// What is typed from a `/` on that begins its line.
const blockTyped = (/** @type {HTMLTextAreaElement} */ { value, selectionStart: start, selectionEnd: end }) =>
  (start === end && /^[ \t]*(\/[\p{L}\d ]*)$/u.exec(value.slice(value.lastIndexOf("\n", start - 1) + 1, start))?.[1]) || "";

/** The blocks with a word that begins so. */
export const blocksFor = (/** @type {string} */ query) => Object.keys(BLOCKS).filter((label) => ` ${label.toLowerCase()}`.includes(` ${query.toLowerCase()}`));

/** The edit that puts a block in place of what was typed before the caret. @type {(state: Selected, length: number, command: Command) => Edit} */
export const blockInstead = ({ value, start }, length, command) => {
  const at = start - length;
  const edit = command({ value: value.slice(0, at) + value.slice(start), start: at, end: at });
  return { ...edit, end: edit.end + length };
};

/** @type {(form: Workbench, lines: Lines, actions: Record<string, () => void>) => void} */
export const suggest = (form, lines, actions) => {
  const text = form.elements.content;
  if (blockTyped(text) !== "/" || document.getElementById("blocks") || fenceAt(text.value, text.selectionStart)) return;
  const closing = new AbortController();
  const { signal } = closing;
  const list = make("div", { className: "menu", id: "blocks", role: "listbox", ariaLabel: "Blocks" });
  let at = 0;

  const close = () => {
    closing.abort();
    list.remove();
    for (const name of ["controls", "activedescendant", "autocomplete"]) text.removeAttribute(`aria-${name}`);
  };
  const go = (/** @type {number} */ to) => {
    const options = /** @type {HTMLElement[]} */ ([...list.children]);
    at = (to + options.length) % options.length;
    for (const [index, option] of options.entries()) option.ariaSelected = String(index === at);
    options[at].scrollIntoView({ block: "nearest" });
    text.setAttribute("aria-activedescendant", options[at].id);
  };
  const choose = (/** @type {string} */ label) => {
    const { length } = blockTyped(text);
    const [state, chosen] = [selectionOf(text), BLOCKS[label]];
    close();
    if (typeof chosen !== "string") return write(text, blockInstead(state, length, chosen));
    if (!actions[chosen]) return write(text, blockInstead(state, length, COMMANDS.image));
    write(text, { start: state.start - length, end: state.start, content: "" });
    return actions[chosen]();
  };
  const show = () => {
    const query = blockTyped(text);
    const labels = query ? blocksFor(query.slice(1)) : [];
    if (!labels.length) return close();
    list.replaceChildren(...labels.map((textContent) => make("div", { id: `block ${textContent}`.replaceAll(" ", "-"), role: "option", textContent })));
    const { left, top } = text.getBoundingClientRect();
    const line = top + lines.topOf(lineAt(text.value, text.selectionStart)) - text.scrollTop;
    placeList(list, { left: left + 20, top: line, bottom: line + 26 });
    return go(0);
  };
  // Before the keys of the text.
  const press = (/** @type {Event} */ event, /** @type {string} */ key) => {
    // The caret may have left it just now.
    if (!blockTyped(text)) return close();
    if (key === "ArrowDown") go(at + 1);
    else if (key === "ArrowUp") go(at - 1);
    else if (key === "Enter" || key === "Tab") choose(list.children[at].textContent ?? "");
    else if (key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  document.body.append(list);
  text.setAttribute("aria-controls", list.id);
  text.setAttribute("aria-autocomplete", "list");
  // The text keeps the focus.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => target !== list && choose(/** @type {HTMLElement} */ (target).textContent ?? ""));
  for (const type of ["blur", "scroll"]) text.addEventListener(type, close, { signal });
  text.addEventListener("input", show, { signal });
  document.addEventListener("selectionchange", () => blockTyped(text) || close(), { signal });
  const first = { capture: true, signal };
  form.addEventListener("keydown", (event) => event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || press(event, event.key), first);
  form.addEventListener("beforeinput", (event) => event.inputType === "insertLineBreak" && press(event, "Enter"), first);
  show();
};
