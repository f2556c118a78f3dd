# ruff: noqa: T201  (prints its findings)
"""Contact sheets: `python -m tests.templates.contact_sheet OUT [ID|CATEGORY ...]` shows templates in both modes."""

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mdpublish_core import PageOptions, load_template, render
from mdpublish_core.errors import InvalidTheme
from mdpublish_core.templates import CATEGORIES, THEME_MODES, Template, ThemeMode
from mdpublish_core.templates.lint import lint_template
from tests.chromium import launched
from tests.templates.measurements import SPECIMEN, measure_template, violations
from tests.templates.sheets import sheet
from tests.templates.similarity import screenshot
from tests.templates.traits import MIN_DIFFERENT_TRAITS, difference

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page

THEMES = Path(__file__).parents[2] / "themes"
THUMBNAIL = (480, 600)
COLUMNS = 4
TALLEST = 5200
"""In px."""


def templates() -> dict[str, Template]:
    loaded = {}
    for category in CATEGORIES:
        for file in sorted((THEMES / category).glob("*.toml")):
            try:
                loaded[file.stem] = load_template(file)
            except InvalidTheme as error:
                print(f"cannot be read: {error}")
    return loaded


def main(out: Path, names: list[str]) -> None:
    everything = templates()
    chosen = [each for each in everything.values() if not names or each.id in names or each.category in names]
    out.mkdir(parents=True, exist_ok=True)
    with launched() as browser:
        page = browser.new_page()
        thumbnails: dict[str, Image] = {}
        for template in chosen:
            print(f"== {template.id}")
            _print_violations(page, template, everything)
            thumbnails |= {f"{template.id} {mode}": _thumbnail(page, template, out, mode) for mode in THEME_MODES}
    sheet(thumbnails, COLUMNS).save(out / "sheet.png")


def _print_violations(page: "Page", template: Template, everything: dict[str, Template]) -> None:
    for finding in lint_template(template):
        print(f"   {finding}")
    near = {other.id: difference(template, other) for other in everything.values() if other.id != template.id}
    for other, number in near.items():
        if number < MIN_DIFFERENT_TRAITS:
            print(f"   differs from {other} in {number} traits only")
    with TemporaryDirectory() as folder:
        for mode in THEME_MODES:
            measurements = measure_template(page, template, mode, Path(folder))
            broken = violations(template, measurements)
            declared = dict(template.exceptions)
            for check, problem in broken.items():
                print(f"   {mode}: {check}{' (declared)' if check in declared else ''}: {problem}")
            for check in declared.keys() - broken.keys():
                print(f"   {mode}: exceptions.{check} is not needed")
            print(
                f"   {mode}: {measurements.characters:g} characters a line, {measurements.characters_on_phones:g} on "
                f"phones, contrast at least {measurements.min_contrast:.2f}, {measurements.css_bytes} bytes of css"
            )


def _thumbnail(page: "Page", template: Template, out: Path, mode: ThemeMode) -> "Image":
    from PIL import Image

    shot = screenshot(page, template, mode)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.set_content(
        render(SPECIMEN, to="page", options=PageOptions(title="Specimen"), template=template, theme_mode=mode).html
    )
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    page.screenshot(
        path=out / f"{template.id}-{mode}.png", full_page=True, clip={"x": 0, "y": 0, "width": 1280, "height": height}
    )
    return Image.open(BytesIO(shot)).resize(THUMBNAIL, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
