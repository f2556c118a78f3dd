// Find and replace: a row above the text. A second Ctrl+F is the browser's.

import { write } from "./edits.js";

const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

export const find = (form, reveal) => {
  const text = form.elements.content;
  const field = (label) => make("input", { type: "search", placeholder: label, ariaLabel: label, autocomplete: "off", spellcheck: false });
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

  const tell = (index, all) => {
    count.textContent = sought.value ? (all.length ? `${index + 1} of ${all.length}` : "None") : "";
  };

  // Selects the match after the caret, or the one before it.
  const go = (step) => {
    const all = matches();
    const next = all.findIndex((index) => index >= at);
    const index = step > 0 ? Math.max(next, 0) : (next < 0 ? all.length : next || all.length) - 1;
    tell(index, all);
    if (!all.length) return;
    const start = all[index];
    text.setSelectionRange(start, start + sought.value.length);
    at = step > 0 ? start + 1 : start;
    reveal(start);
  };

  const replace = () => {
    const [start, end] = [text.selectionStart, text.selectionEnd];
    if (!sought.value || text.value.slice(start, end).toLowerCase() !== sought.value.toLowerCase()) return go(1);
    write(text, { start, end, content: other.value });
    at = start + other.value.length;
    other.focus();
    return go(1);
  };

  // In one step.
  const replaceAll = () => {
    const all = matches();
    if (!all.length) return tell(0, all);
    const [start, end] = [all[0], all.at(-1) + sought.value.length];
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

  const press = (label, action, title) => {
    const made = make("button", { type: "button", className: "small", textContent: label, title: title ?? "", ariaLabel: title ?? label });
    made.addEventListener("click", action);
    return made;
  };
  const isWritable = !text.readOnly;
  row.append(
    sought, count, press("↑", () => go(-1), "Previous match"), press("↓", () => go(1), "Next match"),
    ...(isWritable ? [other, press("Replace", replace), press("All", replaceAll, "Replace all")] : []),
    press("×", close, "Close"),
  );
  text.before(row);

  sought.addEventListener("input", () => {
    at = text.selectionStart;
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
    at = text.selectionStart;
    sought.select();
    sought.focus();
    if (sought.value) go(1);
  };
};
