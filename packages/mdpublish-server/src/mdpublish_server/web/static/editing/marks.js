// Notices at their lines: a mark beside each, which says what it is and offers the fix. The list below the text has
// them all.

import { button, make } from "../elements.js";

export const marks = (/** @type {Workbench} */ form, /** @type {Lines} */ lines) => {
  const text = form.elements.content;
  const list = form.querySelector("[data-notices]");
  // Screen readers have the list.
  const gutter = make("div", { className: "gutter", ariaHidden: "true" });
  const bubble = make("div", { className: "bubble", hidden: true });
  text.after(gutter, bubble);

  const place = () => {
    for (const mark of /** @type {HTMLCollectionOf<HTMLElement>} */ (gutter.children)) {
      const top = lines.topOf(Number(mark.dataset.line)) - text.scrollTop;
      mark.style.top = `${text.offsetTop + top}px`;
      mark.hidden = top < 0 || top > text.clientHeight - 16;
    }
    bubble.hidden = true;
  };

  const messageOf = (/** @type {HTMLElement} */ item) => item.querySelector("[data-message]").textContent;

  const copyOf = (/** @type {HTMLElement} */ item) => {
    const copy = make("p", { textContent: messageOf(item) });
    const fix = item.querySelector("[data-fix]");
    if (fix) copy.append(" ", button("Fix", () => ((bubble.hidden = true), fix.click())));
    return copy;
  };

  const open = (/** @type {HTMLElement} */ mark, /** @type {HTMLElement[]} */ items) => {
    bubble.replaceChildren(...items.map(copyOf));
    bubble.hidden = false;
    bubble.style.top = `${mark.offsetTop + 24}px`;
  };

  const show = () => {
    const byLine = Map.groupBy ? Map.groupBy(list.querySelectorAll("[data-line]"), (item) => Number(item.dataset.line)) : new Map();
    gutter.replaceChildren(
      ...[...byLine].map(([line, items]) => {
        const mark = button("!", () => open(mark, items), { className: "", tabIndex: -1, title: messageOf(items[0]) });
        mark.dataset.line = String(line - 1);
        return mark;
      }),
    );
    place();
  };

  text.addEventListener("scroll", place, { passive: true });
  text.addEventListener("input", () => gutter.childElementCount && requestAnimationFrame(place));
  new ResizeObserver(place).observe(text);
  new MutationObserver(show).observe(list, { childList: true });
  addEventListener("pointerdown", ({ target }) => [bubble, gutter].some((each) => each.contains(/** @type {Node} */ (target))) || (bubble.hidden = true));
  show();
};
