// Find and replace: a row above the text. A second Ctrl+F is the browser's.

import { button, make } from "../elements.js";
import { write } from "./edits.js";

export const find = (/** @type {Workbench} */ form, /** @type {(offset: number) => void} */ reveal) => {
  const text = form.elements.content;
  const field = (/** @type {string} */ label) => make("input", { type: "search", placeholder: label, ariaLabel: label, autocomplete: "off", spellcheck: false });
  const [sought, other] = [field("Find"), field("Replace with")];
  const count = make("span", { className: "muted", role: "status" });
  const row = make("div", { className: "finding-row", hidden: true, role: "search" });
  let at = 0;

  const matches = () => {
    const [value, wanted] = [text.value.toLowerCase(), sought.value.toLowerCase()];
    const found = [];
    if (wanted && value.length === text.value.length) {
      for (let index = value.indexOf(wanted); index >= 0; index = value.indexOf(wanted, index + wanted.length)) found.push(index);
    }
    return found;
  };

  const tell = (/** @type {number} */ index, /** @type {number[]} */ all) => {
    count.textContent = sought.value ? (all.length ? `${index + 1} of ${all.length}` : "None") : "";
  };

  // Selects the match after `at`, or the one before it.
  const go = (/** @type {number} */ step) => {
    const all = matches();
    const next = step > 0 ? all.findIndex((index) => index > at) : all.findLastIndex((index) => index < at);
    const index = next < 0 && step < 0 ? all.length - 1 : Math.max(next, 0);
    tell(index, all);
    if (!all.length) return;
    at = all[index];
    text.setSelectionRange(at, at + sought.value.length);
    reveal(at);
  };

  const replace = () => {
    const [start, end] = [text.selectionStart, text.selectionEnd];
    if (!sought.value || text.value.slice(start, end).toLowerCase() !== sought.value.toLowerCase()) return go(1);
    write(text, { start, end, content: other.value });
    at = start + other.value.length - 1;
    other.focus();
    return go(1);
  };

  // In one step.
  const replaceAll = () => {
    const all = matches();
    if (!all.length) return tell(0, all);
    const [start, end] = [all[0], all[all.length - 1] + sought.value.length];
    const parts = all.map((index, each) => other.value + text.value.slice(index + sought.value.length, all[each + 1] ?? end));
    write(text, { start, end, content: parts.join("") });
    other.focus();
    count.textContent = `${all.length} replaced`;
    return undefined;
  };

  const close = () => {
    row.hidden = true;
    text.focus({ preventScroll: true });
  };

  /** @type {(label: string, action: () => void, title?: string) => HTMLButtonElement} */
  const press = (label, action, title) => button(label, action, { className: "small", title: title ?? "", ariaLabel: title ?? label });
  const isWritable = !text.readOnly;
  row.append(
    sought, count, press("↑", () => go(-1), "Previous match"), press("↓", () => go(1), "Next match"),
    ...(isWritable ? [other, press("Replace", replace), press("All", replaceAll, "Replace all")] : []),
    press("×", close, "Close"),
  );
  text.before(row);

  sought.addEventListener("input", () => {
    at = text.selectionStart - 1;
    go(1);
  });
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === sought) go(event.shiftKey ? -1 : 1);
    else if (event.key === "Enter" && event.target === other) replace();
    else return;
    event.preventDefault();
  });

  return () => {
    const picked = text.value.slice(text.selectionStart, text.selectionEnd);
    row.hidden = false;
    if (picked && !picked.includes("\n")) sought.value = picked;
    at = text.selectionStart - 1;
    sought.select();
    sought.focus();
    if (sought.value) go(1);
  };
};
