// The toolbar: one stop of Tab, arrow keys within it, and menus of what has kinds.

import { make } from "../elements.js";
import { callout, COMMANDS } from "./commands.js";
import { selectionOf, write } from "./edits.js";
import { icon } from "./icons.js";
import { sized, WIDTHS } from "./images.js";
import { headingsOf } from "./outline.js";
import { shown } from "./keys.js";
import { changed, changes, tableAt } from "./tables.js";
import { VIEWS } from "./views.js";

const CALLOUTS = ["Note", "Tip", "Important", "Warning", "Caution"];

// Names, what titles say, keys; an empty row begins a group.
const BUTTONS = [
  ["heading", "Heading"],
  ["bold", "Bold", "Mod+KeyB"],
  ["italic", "Italic", "Mod+KeyI"],
  ["link", "Link", "Mod+KeyK"],
  [],
  ["bullets", "Bullet list", "Mod+Shift+Digit8"],
  ["numbers", "Numbered list", "Mod+Shift+Digit7"],
  ["tasks", "Task list", "Mod+Shift+Digit9"],
  [],
  ["quote", "Quote", "Mod+Shift+Period"],
  ["code", "Code", "Mod+KeyE"],
  ["callout", "Callout"],
  ["table", "Table"],
  ["formula", "Formula"],
  ["diagram", "Diagram or chart"],
  ["image", "Image"],
  [],
  ["find", "Find and replace", "Mod+KeyF"],
  ["outline", "Outline", "Mod+Alt+KeyO"],
  ["view", "View"],
];

/** Puts a list below a place of the window, or above it. @type {(list: HTMLElement, place: { left: number, top: number, bottom: number }) => void} */
export const placeList = (list, { left, top, bottom }) => {
  const isAbove = bottom + list.offsetHeight > (visualViewport?.height ?? innerHeight) && top > list.offsetHeight;
  list.style.left = `${Math.max(4, Math.min(left, document.documentElement.clientWidth - list.offsetWidth - 4)) + scrollX}px`;
  list.style.top = `${(isAbove ? top - list.offsetHeight : bottom) + scrollY}px`;
};

// A menu below a button. Escape and whatever is pressed beside it close it; Escape leads back to where the focus was.
/** @type {(button: HTMLElement, labels: string[], choose: (label: string, index: number) => void, at?: number) => void} */
const menu = (button, labels, choose, at = 0) => {
  const before = document.activeElement === document.body ? button : /** @type {HTMLElement} */ (document.activeElement);
  const list = make("div", { className: "menu", role: "menu", ariaLabel: button.ariaLabel });
  const close = (isKept = false) => {
    list.remove();
    removeEventListener("pointerdown", outside, true);
    button.setAttribute("aria-expanded", "false");
    if (isKept) before.focus({ preventScroll: true });
  };
  const outside = (/** @type {Event} */ { target }) => !list.contains(/** @type {Node} */ (target)) && close();
  for (const [index, label] of labels.entries()) {
    const item = make("button", { type: "button", textContent: label, tabIndex: -1, role: "menuitem" });
    item.addEventListener("click", () => {
      close();
      choose(label, index);
    });
    list.append(item);
  }
  list.addEventListener("keydown", (event) => {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    event.stopPropagation();
    if (step) items[(items.findIndex((each) => each === document.activeElement) + step + items.length) % items.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") close(true);
    else return;
    event.preventDefault();
  });
  document.body.append(list);
  placeList(list, button.getBoundingClientRect());
  button.setAttribute("aria-expanded", "true");
  /** @type {HTMLElement} */ (list.children[at]).focus();
  addEventListener("pointerdown", outside, true);
};

export const toolbar = (/** @type {Workbench} */ form, /** @type {Record<string, () => void>} */ actions, /** @type {ToolbarParts} */ { goTo, say, view }) => {
  const text = form.elements.content;
  const bar = form.querySelector("[data-formatting]");
  Object.assign(bar, { role: "toolbar", ariaLabel: "Formatting" });
  bar.setAttribute("aria-controls", text.id);

  const run = (/** @type {(state: Selected) => Edit | null} */ command) => {
    const edit = command(selectionOf(text));
    if (edit) write(text, edit);
  };
  /** @type {Record<string, (button: HTMLElement) => void>} */
  const presses = {
    ...Object.fromEntries(Object.entries(COMMANDS).map(([name, command]) => [name, () => run(command)])),
    callout: (button) => menu(button, CALLOUTS, (kind) => run(callout(kind.toUpperCase()))),
    table: (button) =>
      tableAt(selectionOf(text)) ? menu(button, Object.keys(changes), (name) => run((state) => changed(state, name))) : run(COMMANDS.table),
    outline: (button) => {
      const found = headingsOf(text.value);
      if (!found.length) return say("There are no headings yet: a line that begins with # is one.");
      const top = Math.min(...found.map(({ level }) => level));
      const here = found.findLastIndex(({ offset }) => offset <= text.selectionStart);
      return menu(button, found.map(({ level, label }) => "\u2003".repeat(level - top) + label), (_, index) => goTo(found[index].offset), Math.max(here, 0));
    },
    view: (button) => {
      // Where there is no room for both, tabs lead to the preview.
      const isNarrow = matchMedia("(max-width: 56.24rem)").matches;
      const names = Object.keys(VIEWS).filter((name) => !isNarrow || /both|quiet/.test(name));
      const labels = names.map((name) => `${VIEWS[name][0]} (${shown(VIEWS[name][1])})`);
      menu(button, labels, (_, index) => view(names[index]), Math.max(0, names.indexOf(document.documentElement.dataset.view ?? "")));
    },
    ...actions,
    image: (button) => {
      const add = actions.image ?? (() => run(COMMANDS.image));
      if (!sized(selectionOf(text))) return add();
      return menu(button, [...WIDTHS, "Another image"], (name, index) => (WIDTHS[index] ? run((state) => sized(state, name)) : add()));
    },
  };

  for (const [name, label, keys] of BUTTONS) {
    if (!name) {
      bar.append(make("span", {}));
      continue;
    }
    const made = make("button", { type: "button", tabIndex: -1, title: keys ? `${label} (${shown(keys)})` : label, ariaLabel: label });
    made.dataset.name = name;
    bar.append(made);
    if (keys) made.setAttribute("aria-keyshortcuts", keys.replace("Mod", "Control").replace(/Key|Digit/, "").replace("Period", "."));
    if (["callout", "table", "image", "outline", "view"].includes(name)) made.setAttribute("aria-haspopup", "menu");
    made.append(icon(name));
    // The text keeps the focus, and a phone its keyboard.
    made.addEventListener("pointerdown", (event) => event.preventDefault());
    made.addEventListener("click", () => {
      stop(made);
      presses[name](made);
    });
  }
  const buttons = [...bar.querySelectorAll("button")];
  const stop = (/** @type {HTMLElement} */ chosen) => {
    for (const each of buttons) each.tabIndex = each === chosen ? 0 : -1;
  };
  stop(buttons[0]);
  bar.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((each) => each === document.activeElement);
    const last = buttons.length - 1;
    const to = new Map([["ArrowRight", at === last ? 0 : at + 1], ["ArrowLeft", at ? at - 1 : last], ["Home", 0], ["End", last]]).get(event.key);
    if (to === undefined || at < 0) return;
    event.preventDefault();
    stop(buttons[to]);
    buttons[to].focus();
  });
  bar.classList.add("is-ready");
  return (/** @type {string} */ name) => presses[name](/** @type {HTMLElement} */ (buttons.find(({ dataset }) => dataset.name === name)));
};
