"""Contrast of words with the pixels behind them: color, gradient or image."""

import re
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from playwright.sync_api import Page

# Visible text: its color, whether it is large (WCAG 2.2, 1.4.3), and its lines' clipped boxes.
_WORDS = """() => {
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const style = getComputedStyle(walker.currentNode.parentElement);
    let [left, top, right, bottom] = [-scrollX, -scrollY, Infinity, Infinity];
    let opacity = style.visibility === "visible" ? 1 : 0;
    for (let at = walker.currentNode.parentElement; at !== document.body; at = at.parentElement) {
      const {opacity: own, overflowX} = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      opacity *= own;
      if (overflowX !== "visible") {
        [left, top] = [Math.max(left, box.left + at.clientLeft), Math.max(top, box.top + at.clientTop)];
        [right, bottom] = [
          Math.min(right, box.left + at.clientLeft + at.clientWidth), Math.min(bottom, box.top + at.clientTop + at.clientHeight),
        ];
      }
    }
    if (!text || !opacity) continue;
    const size = parseFloat(style.fontSize);
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const boxes = [...range.getClientRects()]
      .map(box => [Math.max(box.left, left), Math.max(box.top, top), Math.min(box.right, right), Math.min(box.bottom, bottom)])
      .filter(([left, top, right, bottom]) => right - left > 4 && bottom - top > 4);
    words.push({
      text: text.slice(0, 30), colour: style.color, boxes,
      isLarge: size >= 24 || (size >= 18.66 && style.fontWeight >= 700),
    });
  }
  return words;
}"""

# What scrolls fades out at its edge, words and ground alike, and is seen whole when it is scrolled.
_HIDE_GLYPHS = """*, *::before, *::after, *::marker, *::first-letter {
  color: transparent !important; text-decoration-color: transparent !important; text-shadow: none !important;
  animation: none !important; mask: none !important;
}"""

EDGE = 0.2
"""Share of a line's height that adjacent borders may cover."""

FEW = 10
"""Percentage of pixels to ignore, such as grid lines."""


class Word(NamedTuple):
    shown: str
    contrast: float
    is_large: bool


def seen_words(page: "Page", width: int) -> list[Word]:
    """Measure in a window as high as the page. Hides the page's glyphs."""
    from PIL import Image

    page.set_viewport_size({"width": width, "height": 800})
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(height, 16_000)})
    words = page.evaluate(_WORDS)
    page.add_style_tag(content=_HIDE_GLYPHS)
    light = _luminance(Image.open(BytesIO(page.screenshot())).convert("RGB"))
    return [
        Word(word["text"], _contrast(light, word["colour"], word["boxes"]), word["isLarge"])
        for word in words
        if word["boxes"]
    ]


def _contrast(light: "NDArray[np.float64]", color: str, boxes: list[list[float]]) -> float:
    import numpy as np

    luminance = float(_luminance([int(channel) for channel in re.findall(r"\d+", color)[:3]]))
    ratios = [21.0]
    for left, top, right, bottom in boxes:
        edge = (bottom - top) * EDGE
        background = light[int(top + edge) : int(bottom - edge) + 1, int(left + 1) : int(right - 1) + 1]
        if background.size:
            ratios += [_ratio(luminance, float(each)) for each in np.percentile(background, (FEW, 100 - FEW))]
    return min(ratios)


def _ratio(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def _luminance(rgb: object) -> "NDArray[np.float64]":
    import numpy as np

    channels = np.asarray(rgb, dtype=np.float64) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    result: NDArray[np.float64] = linear @ np.array([0.2126, 0.7152, 0.0722])
    return result
