// Where the lines of a text are: a copy of the field, out of sight, whose lines are elements.

const STYLES = [
  "fontFamily", "fontSize", "fontWeight", "fontStyle", "letterSpacing", "lineHeight", "tabSize", "textAlign",
  "paddingTop", "paddingRight", "paddingBottom", "paddingLeft", "direction",
];

export const mirror = (text) => {
  const copy = document.createElement("div");
  copy.className = "mirror";
  copy.setAttribute("aria-hidden", "true");
  copy.inert = true;
  text.after(copy);
  let known = null;
  let width = 0;

  const lines = () => {
    if (known === text.value && width === text.clientWidth) return copy.children;
    const style = getComputedStyle(text);
    for (const name of STYLES) copy.style[name] = style[name];
    known = text.value;
    width = text.clientWidth;
    copy.style.width = `${width}px`;
    copy.replaceChildren(
      ...known.split("\n").map((line) => {
        const made = document.createElement("div");
        made.dir = "auto";
        made.textContent = line || "\u200b";
        return made;
      }),
    );
    return copy.children;
  };

  // In px from the top of the text; a part of a line counts.
  const topOf = (line) => {
    const all = lines();
    const each = all[Math.min(Math.floor(line), all.length - 1)];
    return each.offsetTop + (line - Math.floor(line)) * each.offsetHeight;
  };
  const lineOf = (top) => {
    const all = lines();
    let low = 0;
    let high = all.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (all[middle].offsetTop <= top) low = middle;
      else high = middle - 1;
    }
    return low + Math.min(1, Math.max(0, (top - all[low].offsetTop) / (all[low].offsetHeight || 1)));
  };
  // Scrolls a line into view, a third from the top, unless it is seen.
  const reveal = (line) => {
    const top = topOf(line);
    if (top < text.scrollTop || top > text.scrollTop + text.clientHeight - 48) text.scrollTop = top - text.clientHeight / 3;
  };
  return { topOf, lineOf, reveal };
};
