import subprocess
import sys
import unicodedata

import pytest

from mdpublish_core.figures.fonts import FONT_FAMILY, font_path, missing_characters, text_width
from mdpublish_core.figures.rasterizer import render_png
from tests.core.png_images import PngImage

pytestmark = pytest.mark.needs("resvg_py")


def rendered_width(string: str, size: int) -> int:
    """Width of a line in px, up to its last painted column."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="{2 * size}"><rect width="900" height="{2 * size}" '
        f'fill="#ffffff"/><text x="0" y="{size * 1.4}" font-family="{FONT_FAMILY}" font-size="{size}">{string}</text></svg>'
    )
    return max(PngImage.decode(render_png(svg)).columns(0, 2 * size)) + 1


@pytest.mark.parametrize(
    "string", ["Hamburgefonts", "WAVE To Yo", "iiiiillll", "Ærøskøbing Ω", "Привет, мир", "שלום עולם", "office flow"]
)
def test_width_is_what_resvg_draws_or_a_little_more(string: str) -> None:
    measured, drawn = text_width(string, 40), rendered_width(string, 40)

    # Side bearings are measured but not painted. Kerned characters are closer together.
    assert 0.9 * measured - 4 < drawn <= measured + 1


def test_joined_characters_are_measured_separately() -> None:
    assert rendered_width("مرحبا بالعالم", 40) <= text_width("مرحبا بالعالم", 40) + 1


def test_width_grows_with_the_size() -> None:
    assert text_width("abc", 30) == pytest.approx(3 * text_width("abc", 10))


def test_marks_and_joiners_take_no_room() -> None:
    assert text_width("e\u0301\u200d", 10) == text_width("e", 10)


@pytest.mark.parametrize("string", ["漢", "🎉", "한"])
def test_what_the_font_lacks_is_taken_to_be_an_em_wide_or_more(string: str) -> None:
    assert text_width(string, 10) >= 10


def test_what_the_font_lacks_is_named() -> None:
    assert missing_characters("a漢\u0301\u200d🎉é") == {"漢", "🎉"}


def test_font_has_the_scripts_that_it_is_chosen_for() -> None:
    alphabet = {
        chr(code)
        for first, last in (
            (0x20, 0x24F),
            (0x370, 0x3FF),
            (0x400, 0x45F),
            (0x5D0, 0x5EA),
            (0x627, 0x63A),
            (0x641, 0x64A),
        )
        for code in range(first, last + 1)
        if unicodedata.category(chr(code)) not in {"Cc", "Cn"}
    }

    assert missing_characters(alphabet) == frozenset()


def test_font_is_a_file_that_a_package_ships() -> None:
    assert font_path().is_file()
    assert "site-packages" in font_path().parts


@pytest.mark.parametrize("package", ["ziafont", "resvg_py"])
def test_without_the_extra_the_core_works_and_images_name_what_to_install(package: str) -> None:
    program = f"""
import sys
sys.modules[{package!r}] = None
from mdpublish_core import MissingExtra, convert, social_image
assert convert("# a").html
try:
    social_image("a")
except MissingExtra as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    name = package.replace("_", "-")
    assert run.stdout == f"{name} is not installed; install mdpublish-core[figures]\n"


def test_importing_the_core_loads_no_engine() -> None:
    program = "import sys, mdpublish_core, mdpublish_core.social_images; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert not {"resvg_py", "ziafont"} & set(run.stdout.split())
