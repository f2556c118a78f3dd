"""Fragments stay within their container."""

from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates, render
from mdpublish_core.templates import Template
from tests.templates.measurements import SPECIMEN

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

SLACK = 40
"""In px; list markers and backgrounds may overflow, words may not."""

_OUTSIDE = """slack => {
  const place = document.querySelector("#place");
  const {left, right} = place.getBoundingClientRect();
  const outside = (box, most) => box.width > 0 && (box.left < left - most || box.right > right + most);
  const found = [];
  for (const element of place.querySelectorAll(":not(style, .table *, pre *, math *)")) {
    if (outside(element.getBoundingClientRect(), slack)) found.push(element.tagName);
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if (outside(range.getBoundingClientRect(), 1)) found.push(node.data.trim().slice(0, 30));
    }
  }
  return found;
}"""


@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_fragment_stays_in_its_place(window: "Page", template: Template) -> None:
    window.set_viewport_size({"width": 1440, "height": 900})
    fragment = render(SPECIMEN, template=template).html
    window.set_content(f'<!DOCTYPE html><div id="place" style="margin: 40px 0 0 400px; width: 620px">{fragment}</div>')

    assert window.evaluate(_OUTSIDE, SLACK) == []


def test_what_reaches_out_is_reported(window: "Page") -> None:
    window.set_content(
        '<div id="place" style="width: 200px; margin: 0 300px"><p style="margin-left: -60px">words</p></div>'
    )

    assert window.evaluate(_OUTSIDE, SLACK) == ["P", "words"]
