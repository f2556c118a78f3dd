import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from mdpublish_core.figures.fonts import (
    FONT_FAMILY,
    MONOSPACE,
    SANS_SERIF,
    SERIF,
    face_of_kind,
    face_styles,
    face_width,
    family_of,
    files_of,
    font_path,
    missing_characters,
    text_width,
)
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
from mdpublish_core import convert, social_image
from mdpublish_core.errors import MissingExtra
assert convert("# a").html
try:
    social_image("a")
except MissingExtra as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    name = package.replace("_", "-")
    assert run.stdout == f"{name} is not installed; run: pip install 'mdpublish-core[figures]'\n"


# Faces of images

LABELS = [
    "API gateway",
    "HTTP REQUEST",
    "Access control list",
    "DATABASE SERVER",
    "fetchUser()",
    "+getName(): String",
    "id:int",
    "Approve?",
    "Kubernetes cluster",
    "2024-01-01",
    "1,000 USD",
    "Über größer",
    "Привет мир",
    "Ωμέγα",
    "Quarterly revenue",
    "Jan Feb March",
]

FOLDER = face_styles()[face_of_kind(SERIF)][0].path.parent


def drawn(label: str, family: str, attributes: str = "") -> bytes:
    return render_png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><rect width="300" height="40" fill="#ffffff"/>'
        f'<text x="5" y="28" font-size="24" font-family="{family}" {attributes}>{label}</text></svg>'
    )


@pytest.mark.parametrize(
    ("families", "kind"),
    [
        ("'Helvetica Neue',Arial,sans-serif", SANS_SERIF),
        ("Charter, Georgia, serif", SERIF),
        ("ui-monospace,Menlo,monospace", MONOSPACE),
        ("-apple-system,system-ui", SANS_SERIF),
        ("Courier New", MONOSPACE),
        ("Times New Roman", SERIF),
        ("No Such Family", SANS_SERIF),
        ("", SANS_SERIF),
    ],
)
def test_image_has_the_kind_of_face_that_the_list_names(families: str, kind: str) -> None:
    assert family_of(families) == f"mdpublish {face_of_kind(kind)}"


def test_web_font_with_the_name_of_a_face_of_titles_is_drawn_in_its_kind() -> None:
    named = {face: family_of(f"'{face}',Georgia,serif") for face in face_styles()}

    assert named == dict.fromkeys(face_styles(), f"mdpublish {face_of_kind(SERIF)}")


def test_each_kind_has_a_regular_an_italic_and_a_bold_face() -> None:
    for kind in (SANS_SERIF, SERIF, MONOSPACE):
        styles = face_styles()[face_of_kind(kind)]
        assert [(style.weight, style.is_italic) for style in styles] == [(400, False), (400, True), (700, False)]


def test_kinds_and_styles_are_drawn_differently() -> None:
    images = {
        drawn("Agent", family, attributes)
        for family in ("Arial", "Georgia", "Courier")
        for attributes in ("", 'font-weight="bold"', 'font-style="italic"')
    }

    assert len(images) == 9


def test_label_is_no_wider_than_measured() -> None:
    """Up to a twentieth, for capital letters in serif; every box leaves more room than that."""
    for kind in (SANS_SERIF, SERIF, MONOSPACE):
        for style in face_styles()[face_of_kind(kind)]:
            for label in LABELS:
                width = text_width(label, 1.0) * (1.12 if style.weight > 400 else 1)
                limit = max(width, 0.61 * len(label)) if kind == MONOSPACE else width
                assert face_width(label, 1.0, style) <= 1.05 * limit, (style.path.name, label)


def test_symbol_leaves_the_letters_beside_it_in_their_face() -> None:
    for symbol in "→☃✓≤":
        assert drawn(f"Agent {symbol}", "Georgia") != drawn(f"Agent {symbol}", FONT_FAMILY)


def test_character_that_no_font_has_hides_nothing_that_follows() -> None:
    assert drawn("\U000effff ok \u05d0", "Georgia") == drawn("\N{WHITE SQUARE} ok \u05d0", "Georgia")


def test_image_is_the_same_whatever_fonts_are_installed(tmp_path: Path) -> None:
    """Fontconfig with no font at all, against this machine's."""
    (tmp_path / "fonts.conf").write_text("<fontconfig/>")
    program = (
        "import sys; sys.path.insert(0, '.')\nfrom hashlib import sha256\nfrom mdpublish_core import "
        "social_image\nfrom tests.core.test_figures_fonts import drawn\nimages = [drawn('Agent \u2192 \u041f', family, "
        "'font-weight=\"700\"') for family in ('Arial', 'Georgia', 'Menlo')]\nprint([sha256(each).hexdigest() for each "
        "in [*images, social_image('Title', template='ink')]])"
    )
    environments: tuple[dict[str, str], ...] = (
        {},
        {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "HOME": str(tmp_path)},
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, **each}, capture_output=True, text=True, check=True
        ).stdout
        for each in environments
    }

    assert len(runs) == 1


def test_faces_are_free_and_each_has_its_license() -> None:
    names = {style.path.name for styles in face_styles().values() for style in styles}
    licenses = {f"{name.lower().replace(' ', '-')}.OFL.txt" for name in face_styles()}

    assert {path.name for path in FOLDER.iterdir()} == names | licenses | {
        "faces.json",
        "symbols.ttf",
        "symbols.LICENSE.txt",
    }
    for name in licenses:
        assert "SIL OPEN FONT LICENSE" in (FOLDER / name).read_text("utf-8").upper()


def test_faces_are_small() -> None:
    """A wheel compresses them to half their size."""
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 2_350_000


def test_files_end_with_the_font_that_has_most_characters() -> None:
    assert files_of([family_of("Georgia")])[-1] == font_path()
    assert files_of([FONT_FAMILY]) == [font_path()]
