"""Checks of templates in a browser; `nox -s templates` prints a table.

Theme files list exceptions with reasons. One that does not apply is a fault.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode
from mdpublish_core.templates.theme import TYPOGRAPHY_RULES
from tests.templates.measurements import Measurements, measure_template, violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

Measured = dict[tuple[str, ThemeMode], Measurements]

every_template = pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
every_mode = pytest.mark.parametrize("mode", THEME_MODES)

HEAD = "template               mode  letters phone contrast  size lead  h1 … h6                        css  shift"


@pytest.fixture(scope="module")
def measured() -> Iterator[Measured]:
    facts: Measured = {}
    yield facts
    print(f"\n{HEAD}")  # noqa: T201  (the table)
    for (name, mode), measurements in facts.items():
        scale = " ".join(f"{size:.2f}" for size in measurements.scale)
        print(  # noqa: T201
            f"{name:22} {mode:5} {measurements.characters:7.4g} {measurements.characters_on_phones:5.4g} "
            f"{measurements.min_contrast:8.2f} {measurements.size:5.4g} {measurements.leading:.2f}  {scale} {measurements.css_bytes:5} {measurements.shift:6.3f}"
        )
    for template in list_templates():
        for check, reason in template.exceptions:
            print(f"{template.id}: {check} is broken on purpose: {reason}")  # noqa: T201


@pytest.mark.short
@every_mode
@every_template
def test_template_breaks_only_what_it_gives_a_reason_for(
    window: "Page", measured: Measured, template: Template, mode: ThemeMode, tmp_path: Path
) -> None:
    facts = measured[template.id, mode] = measure_template(window, template, mode, tmp_path)

    broken = violations(template, facts)

    assert broken.keys() == dict(template.exceptions).keys() & TYPOGRAPHY_RULES.keys(), broken
