// Notices about the text, below it: each selects the place that it is about, and writes its fix if it has one.

import { write } from "./editing/edits.js";

const offsetOf = (text, notice) => {
  const lines = text.split("\n");
  const before = lines.slice(0, notice.line - 1).join("\n").length + (notice.line > 1 ? 1 : 0);
  // Columns count characters, strings of this language units of UTF-16.
  const head = [...(lines[notice.line - 1] ?? "")].slice(0, (notice.column ?? 1) - 1).join("");
  return before + head.length;
};

export const button = (label, action) => {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "plain";
  made.textContent = label;
  made.addEventListener("click", action);
  return made;
};

export const notices = (form) => {
  const text = form.elements.content;
  const shown = form.querySelector("[data-notices]");
  const said = document.createElement("p");
  said.className = "unseen";
  said.setAttribute("role", "status");
  shown.after(said);

  const select = (notice) => {
    const start = offsetOf(text.value, notice);
    const line = text.value.indexOf("\n", start);
    text.focus();
    text.setSelectionRange(start, start + (notice.source?.length ?? ((line < 0 ? text.value.length : line) - start)));
  };

  const fix = (notice) => {
    const start = offsetOf(text.value, notice);
    if (!text.value.startsWith(notice.source, start)) return;
    write(text, { start, end: start + notice.source.length, content: notice.fix, from: start });
  };

  return (list) => {
    shown.replaceChildren(
      ...list.map((notice) => {
        const item = document.createElement("li");
        if (notice.line) item.append(button(`Line ${notice.line}`, () => select(notice)), ": ");
        const message = document.createElement("span");
        message.dataset.message = "";
        message.textContent = notice.message;
        item.append(message);
        if (notice.line) item.dataset.line = notice.line;
        if (notice.fix !== null && notice.source !== null) {
          const fixing = button("Fix", () => fix(notice));
          fixing.dataset.fix = "";
          item.append(" ", fixing);
        }
        return item;
      }),
    );
    shown.hidden = list.length === 0;
    // Heard when the number changes, not while each letter is typed.
    const count = list.length ? `${list.length} ${list.length === 1 ? "notice" : "notices"} below the text` : "";
    if (said.textContent !== count) said.textContent = count;
  };
};
