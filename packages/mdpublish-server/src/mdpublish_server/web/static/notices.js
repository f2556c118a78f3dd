// Notices about the text, below it: each selects the place that it is about, and writes its fix if it has one.

import { offsetOf, write } from "./editing/edits.js";
import { button, make } from "./elements.js";

/** @type {(text: string, line: number, column: number | null) => number} */
export const placeOf = (text, line, column) => {
  const before = offsetOf(text, line - 1);
  // Columns count characters, strings of this language units of UTF-16.
  const [whole] = /.*/.exec(text.slice(before)) ?? [""];
  return before + [...whole].slice(0, (column ?? 1) - 1).join("").length;
};

/** @type {(form: Workbench) => ShowNotices} */
export const notices = (form) => {
  const text = form.elements.content;
  const shown = form.querySelector("[data-notices]");
  const said = make("p", { className: "unseen", role: "status" });
  shown.after(said);

  const select = (/** @type {number} */ start, /** @type {string | null} */ source) => {
    const line = text.value.indexOf("\n", start);
    text.focus();
    text.setSelectionRange(start, start + (source?.length ?? ((line < 0 ? text.value.length : line) - start)));
  };

  const mend = (/** @type {number} */ start, /** @type {string} */ source, /** @type {string} */ fix) => {
    if (text.value.startsWith(source, start)) write(text, { start, end: start + source.length, content: fix, from: start });
  };

  const itemOf = (/** @type {Notice} */ { message, line, column, source, fix }) => {
    const item = make("li", {});
    const start = () => placeOf(text.value, line ?? 1, column);
    if (line) item.append(button(`Line ${line}`, () => select(start(), source)), ": ");
    const words = make("span", { textContent: message });
    words.dataset.message = "";
    item.append(words);
    if (line) item.dataset.line = String(line);
    if (fix !== null && source !== null) {
      const fixing = button("Fix", () => mend(start(), source, fix));
      fixing.dataset.fix = "";
      item.append(" ", fixing);
    }
    return item;
  };

  return (list) => {
    shown.replaceChildren(...list.map(itemOf));
    shown.hidden = list.length === 0;
    // Heard when the number changes, not while each letter is typed.
    const count = list.length ? `${list.length} ${list.length === 1 ? "notice" : "notices"} below the text` : "";
    if (said.textContent !== count) said.textContent = count;
  };
};
