// Notices at their lines: a mark beside each, which says what it is and offers the fix. The list below the text has
// them all.

import { button } from "../notices.js";

export const marks = (form, lines) => {
  const text = form.elements.content;
  const list = form.querySelector("[data-notices]");
  const gutter = document.createElement("div");
  const bubble = document.createElement("div");
  gutter.className = "gutter";
  bubble.className = "bubble";
  bubble.hidden = true;
  // Screen readers have the list.
  gutter.setAttribute("aria-hidden", "true");
  text.after(gutter);
  gutter.after(bubble);

  const place = () => {
    for (const mark of gutter.children) {
      const top = lines.topOf(Number(mark.dataset.line)) - text.scrollTop;
      mark.style.top = `${text.offsetTop + top}px`;
      mark.hidden = top < 0 || top > text.clientHeight - 16;
    }
    bubble.hidden = true;
  };

  const open = (mark, items) => {
    bubble.replaceChildren(
      ...items.map((item) => {
        const copy = document.createElement("p");
        copy.textContent = item.querySelector("[data-message]").textContent;
        const fix = item.querySelector("[data-fix]");
        if (fix) {
          copy.append(
            " ",
            button("Fix", () => {
              bubble.hidden = true;
              fix.click();
            }),
          );
        }
        return copy;
      }),
    );
    bubble.hidden = false;
    bubble.style.top = `${mark.offsetTop + 24}px`;
  };

  const show = () => {
    const byLine = Map.groupBy ? Map.groupBy(list.querySelectorAll("[data-line]"), (item) => Number(item.dataset.line)) : new Map();
    gutter.replaceChildren(
      ...[...byLine].map(([line, items]) => {
        const mark = document.createElement("button");
        Object.assign(mark, { type: "button", tabIndex: -1, textContent: "!", title: items[0].querySelector("[data-message]").textContent });
        mark.dataset.line = line - 1;
        mark.addEventListener("click", () => open(mark, items));
        return mark;
      }),
    );
    place();
  };

  text.addEventListener("scroll", place, { passive: true });
  text.addEventListener("input", () => gutter.childElementCount && requestAnimationFrame(place));
  new ResizeObserver(place).observe(text);
  new MutationObserver(show).observe(list, { childList: true });
  addEventListener("pointerdown", (event) => !bubble.contains(event.target) && !gutter.contains(event.target) && (bubble.hidden = true));
  show();
};
