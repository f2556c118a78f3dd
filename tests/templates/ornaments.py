"""Where text meets an ornament: what a theme paints on the page behind its content."""

from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page

# Contents are hidden, so that only the grounds of the page, its sheet, its sections and its wide elements remain.
_HIDDEN = """
header *, main *, footer * { visibility: hidden !important; }
main > h1:first-child, main > h1:first-child::before, main > .part::before, main > .part, :is(main, .part) > .wide { visibility: visible !important; }
main > h1:first-child { color: transparent !important; text-decoration: none !important; text-shadow: none !important; transform: none !important; }
"""

# Slanted edges cut the boxes of lines, not letters. What an inset cuts off is a shadow as large as the window.
_UNCUT = """() => {
  for (const title of document.querySelectorAll("main > h1:first-child"))
    if (getComputedStyle(title).clipPath.startsWith("polygon")) title.style.clipPath = "none";
}"""

# In px of the window, without what is scrolled out of its region or clipped.
_RECTANGLES = """() => {
  scrollTo(0, 0);
  const rectangles = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), parent = walker.currentNode.parentElement;
    if (!text || parent.closest("svg, style, script, .enlarge") || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const region = parent.closest("pre, .table, div.math");
    const edge = region ? region.getBoundingClientRect().left + region.clientLeft : 0;
    const room = {left: edge, right: region ? edge + region.clientWidth : innerWidth};
    for (const box of range.getClientRects()) {
      const left = Math.max(box.left, room.left), right = Math.min(box.right, room.right);
      if (right - left > 2 && box.height > 4) rectangles.push([left, box.top, right, box.bottom, text.slice(0, 30)]);
    }
  }
  return rectangles;
}"""


def collisions(page: "Page", max_contrast: float) -> list[str]:
    """Return texts whose background's brightness varies by more than `max_contrast`, at three scroll positions."""
    rectangles: list[tuple[float, float, float, float, str]] = page.evaluate(_RECTANGLES)
    page.add_style_tag(content=_HIDDEN)
    page.evaluate(_UNCUT)
    height, end = page.evaluate("[innerHeight, document.documentElement.scrollHeight]")
    collided: dict[str, float] = {}
    for top in sorted({0, max(0, (end - height) // 2), max(0, end - height)}):
        page.evaluate("top => scrollTo(0, top)", top)
        screenshot = _brightness(page)
        for left, upper, right, lower, words in rectangles:
            box = (int(left) + 1, int(upper - top) + 2, int(right), int(lower - top) - 1)
            if box[1] < 0 or box[3] > height or box[2] - box[0] < 2 or box[3] - box[1] < 2:
                continue
            grays = screenshot.crop(box).tobytes()
            ratio = (_luminance(max(grays)) + 0.05) / (_luminance(min(grays)) + 0.05)
            if ratio > max_contrast:
                collided[words] = max(ratio, collided.get(words, 0.0))
    return [f"{words!r}: {ratio:.2f}" for words, ratio in collided.items()]


def _brightness(page: "Page") -> "Image":
    from PIL import Image

    return Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("L")


def _luminance(gray: float) -> float:
    value = gray / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
