// Faults of a page's layout, as sentences.
() => {
  const faults = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.add(`scrolls sideways by ${root.scrollWidth - innerWidth} px`);

  // Boxes of lines of text, by the block that they belong to; `region` is what they scroll in, in emails `.scroll`.
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("svg, math, style, script, .enlarge ~ *")) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // Heads of stacked rows are for screen readers alone.
    const head = parent.closest("thead");
    if (head && getComputedStyle(head).clipPath !== "none") continue;
    const region = parent.closest("pre, .table, div.math, .scroll");
    const block = parent.closest("p, li, dt, dd, h1, h2, h3, h4, h5, h6, td, th, pre, summary, figcaption, caption, nav, footer, div");
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 2 || box.height < 4) continue;
      const shown = node.textContent.trim().slice(0, 24);
      if (!region && (box.left < -1 || box.right > innerWidth + 1)) faults.add(`${shown}: outside of the window, ${Math.round(box.left)} to ${Math.round(box.right)} px`);
      const edges = region?.getBoundingClientRect();
      const left = Math.max(box.left, edges?.left ?? -Infinity), right = Math.min(box.right, edges?.right ?? Infinity);
      if (right - left > 2) lines.push({ left, right, top: box.top + box.height * 0.2, bottom: box.bottom - box.height * 0.2, block, shown });
    }
    if (innerWidth >= 1280 && parent.closest("td, th")) {
      for (const word of node.textContent.matchAll(/[^\s\u200b\u2e80-\u9fff]+/g)) {
        if (word[0].length > 16) continue;
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const tops = new Set([...range.getClientRects()].filter(box => box.width).map(box => Math.round(box.top)));
        if (tops.size > 1) faults.add(`${word[0]}: on ${tops.size} lines`);
      }
    }
  }

  lines.sort((one, other) => one.top - other.top);
  for (const [at, one] of lines.entries()) {
    for (let next = at + 1; next < lines.length && lines[next].top < one.bottom; next++) {
      const other = lines[next];
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - other.top;
      if (one.block !== other.block && width > 3 && height > 3) faults.add(`${one.shown}: over ${other.shown}`);
    }
  }

  for (const region of document.querySelectorAll("pre, .table, div.math, figure")) {
    if (region.scrollWidth <= region.clientWidth + 1 || !region.checkVisibility()) continue;
    const what = region.className || region.localName;
    if (innerWidth >= 1280 && region.localName !== "pre") faults.add(`${what}: scrolls`);
    const style = getComputedStyle(region);
    const shade = getComputedStyle(region, "::after");
    const isShaded = shade.position === "sticky" && shade.boxShadow !== "none";
    if (style.maskImage === "none" && !isShaded && !region.classList.contains("pinned")) faults.add(`${what}: scrolls without a cue`);
  }

  for (const picture of document.querySelectorAll("figure svg, figure img, p img")) {
    if (!picture.checkVisibility() || picture.closest(".enlarge ~ *")) continue;
    const box = picture.getBoundingClientRect();
    const region = picture.closest(".drawing")?.getBoundingClientRect() ?? { right: innerWidth };
    if (box.left < -1 || box.right > Math.max(region.right, 0) + 1) faults.add(`${picture.localName}: outside of its place`);
  }
  return [...faults];
}
