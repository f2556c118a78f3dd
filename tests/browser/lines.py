from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

_CHARACTERS = """paragraphs => [...document.querySelectorAll(paragraphs)].flatMap(paragraph => {
  const lines = new Map();
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange();
    for (let at = 0; at < walker.currentNode.length; at++) {
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const bottom = Math.round(range.getBoundingClientRect().bottom / 8);
      lines.set(bottom, (lines.get(bottom) || 0) + 1);
    }
  }
  return [...lines.values()].slice(0, -1);
})"""


def characters_a_line(page: "Page", paragraphs: str) -> list[int]:
    """Return the lengths of all lines but the last of each paragraph."""
    offsets: list[int] = page.evaluate(_CHARACTERS, paragraphs)
    return offsets
