"""Whether the labels of a drawing fit: measured in a browser, by what is seen and not by how it is written."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from playwright.sync_api import Page

SLACK = 1.0
"""By how many px a label may be wider than its box: browsers round what they measure."""

_MEASURE = """
(slack) => {
  const svg = document.querySelector('svg');
  const frame = svg.getBoundingClientRect();
  const shapes = [];
  for (const shape of svg.querySelectorAll('rect, polygon, circle, ellipse, path')) {
    if (shape.closest('defs, marker, clipPath, mask, pattern')) continue;
    const style = getComputedStyle(shape);
    if (style.fill === 'none' || style.fill === 'transparent' || style.display === 'none') continue;
    const box = shape.getBoundingClientRect();
    if (box.width > 4 && box.height > 4) shapes.push({shape, box});
  }
  const holds = (shape, x, y) => {
    const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
    return shape.isPointInFill(point);
  };
  const labels = [], misfits = [], overlaps = [];
  for (const text of svg.querySelectorAll('text')) {
    const said = text.textContent.trim();
    if (!said || text.closest('defs, marker')) continue;
    const box = text.getBoundingClientRect();
    if (!box.width) continue;
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    labels.push({said, box, turned: box.height > 3 * parseFloat(getComputedStyle(text).fontSize)});
    if (box.left < frame.left - slack || box.right > frame.right + slack
        || box.top < frame.top - slack - 2 || box.bottom > frame.bottom + slack + 2) {
      misfits.push(`${said}: passes the drawing's edge`);
      continue;
    }
    const before = text.previousElementSibling;
    if (before && before.tagName === 'circle') {
      // A name beside a point stands in no box.
      const point = before.getBoundingClientRect();
      if (x < point.left || x > point.right || y < point.top || y > point.bottom) continue;
    }
    if (before && before.getBBox && before.getAttribute('transform') && before.getAttribute('transform') === text.getAttribute('transform')) {
      // Both are turned: what they measure is told by their own axes.
      if (text.getBBox().width > before.getBBox().width + slack) misfits.push(`${said}: wider than its turned box`);
      continue;
    }
    let best = null;
    for (const {shape, box: ground} of shapes) {
      if (x < ground.left || x > ground.right || y < ground.top || y > ground.bottom) continue;
      // A stripe behind many labels is no box.
      if (ground.height > 6 * box.height && ground.width < 2 * box.height) continue;
      if (best && ground.width * ground.height >= best.width * best.height) continue;
      if (holds(shape, x, y)) best = ground;
    }
    if (best && (box.left < best.left - slack || box.right > best.right + slack)) {
      misfits.push(`${said}: ${box.width.toFixed(1)} px in a box of ${best.width.toFixed(1)}`);
    }
  }
  for (let one = 0; one < labels.length; one++) {
    for (let other = one + 1; other < labels.length; other++) {
      const a = labels[one], b = labels[other];
      if (a.turned || b.turned) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 3 && high > 5) overlaps.push(`${a.said} / ${b.said}`);
    }
  }
  return {labels: labels.length, misfits, overlaps};
}
"""


@dataclass(frozen=True, slots=True)
class Fitting:
    """What a browser measured in one drawing."""

    labels: int
    """How many texts it has."""

    misfits: tuple[str, ...]
    """Those that are wider than the smallest filled shape that they stand in the middle of, or pass the drawing's edge."""

    overlaps: tuple[str, ...]
    """Pairs of those that stand on one another."""


def fitting(page: "Page", svg: str) -> Fitting:
    """Return how the labels of an SVG document fit, in a page of a browser whose content is replaced.

    A label's box is found by where it is seen: the smallest filled shape around its middle, so that markup does not matter.
    """
    page.set_content(f'<!doctype html><body style="margin:20px;width:max-content">{svg}')
    found = cast("dict[str, object]", page.evaluate(_MEASURE, SLACK))
    return Fitting(
        cast("int", found["labels"]),
        tuple(cast("list[str]", found["misfits"])),
        tuple(cast("list[str]", found["overlaps"])),
    )
