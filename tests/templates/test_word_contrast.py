"""Words contrast with the pixels behind them, such as patterns, panels and gradients."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode
from tests.templates.measurements import large_contrast, published
from tests.templates.word_contrast import Word, seen_words

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

every_template = pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
every_mode = pytest.mark.parametrize("mode", THEME_MODES)


@pytest.mark.parametrize("width", [1280, 320])
@every_mode
@every_template
def test_words_stand_out_from_their_background(
    window: "Page", template: Template, mode: ThemeMode, width: int, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    file.write_text(published(template, mode), "utf-8")
    window.goto(file.as_uri())

    words = seen_words(window, width)

    large = large_contrast(template)
    assert len(words) > 150
    assert [word for word in words if word.contrast < (large if word.is_large else template.contrast)] == []


def test_words_on_a_image_are_seen_on_it(window: "Page") -> None:
    window.set_content(
        '<body style="background: linear-gradient(90deg, #000 50%, #fff 50%)"><p style="color: #fff; width: 40%">dark</p>'
        '<p style="color: #fff; margin-left: 60%">light</p><p style="opacity: 0">hidden</p>'
    )

    assert seen_words(window, 1000) == [Word("dark", 21.0, False), Word("light", 1.0, False)]  # noqa: FBT003
