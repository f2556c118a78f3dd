"""In emails and documents, words have enough contrast in the styles that each reader keeps."""

from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates, render
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode
from tests.templates.measurements import PALE_WORDS, SPECIMEN

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

every_template = pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
every_mode = pytest.mark.parametrize("mode", THEME_MODES)


@pytest.mark.parametrize("destination", ["email", "google-docs", "word", "onenote"])
@every_mode
@every_template
def test_every_word_can_be_read(window: "Page", template: Template, mode: ThemeMode, destination: str) -> None:
    html = render(SPECIMEN, to=destination, template=template, theme_mode=mode, media_url=data_url).text
    window.set_content(html)

    words = window.evaluate(PALE_WORDS, {"printed": False, "least": 4.5, "large": 3})

    # OneNote and Docs use a row of dashes as a rule.
    assert [word for word in words["pale"] if set(word.partition(":")[0]) != {"─"}] == []
