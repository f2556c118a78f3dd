"""Hosted font files match their table, may be redistributed, and are small."""

import re
from collections import Counter
from hashlib import sha256
from importlib.resources import files

import pytest

from mdpublish_core import Template, list_templates
from mdpublish_core.templates.hosted_fonts import formula_font, hosted_families, hosted_files
from mdpublish_core.templates.web_fonts import font_files
from tests.remarks import remark

CONTENTS = {entry.name: entry.read_bytes() for entry in (files("mdpublish_server.web") / "static" / "fonts").iterdir()}
FONTS = sorted(name for name in CONTENTS if name.endswith(".woff2"))

MAX_BYTES = 60 * 1024
"""For all fonts of a template."""

MAX_TOTAL_BYTES = 1_800 * 1024
"""For all fonts and licenses: every installation includes them."""


def test_table_lists_exactly_the_files_there_are() -> None:
    assert sorted(hosted_files()) == FONTS
    assert len(FONTS) + len(hosted_families()) + 1 == len(CONTENTS)  # and a license each


@pytest.mark.parametrize("name", FONTS)
def test_file_is_named_after_its_content(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+-[1-9]00(-italic)?(-extended)?\.[0-9a-f]{8}\.woff2", name)
    assert name.split(".")[1] == sha256(CONTENTS[name]).hexdigest()[:8]
    assert CONTENTS[name].startswith(b"wOF2")


@pytest.mark.parametrize("family", [*hosted_families(), formula_font().name])
def test_licence_of_a_family_lets_it_be_changed_under_its_name(family: str) -> None:
    licence = CONTENTS[f"{family.lower().replace(' ', '-')}.OFL.txt"].decode()

    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    statement = licence.partition("This Font Software is licensed")[0]
    assert "Copyright" in statement
    reserved = re.findall(r"eserved Font (?:Family )?Names? (.*)", statement)
    assert bool(reserved) == ("eserved" in statement)
    assert not any(family.lower() in names.lower() for names in reserved)


def hosted_by(template: Template) -> set[str]:
    hosted = template.fonts.hosted
    return {name for name in (hosted.body, hosted.heading, hosted.mono) if name}


def test_fonts_of_a_template_stay_within_sixty_kilobytes(pytestconfig: pytest.Config) -> None:
    sizes = {each.id: sum(len(CONTENTS[name]) for name in font_files(each)) for each in list_templates()}

    for template in list_templates():
        families = ", ".join(sorted(hosted_by(template))) or "none"
        remark(pytestconfig, f"{template.id}: {families}; {sizes[template.id] / 1024:.1f} KB of fonts")
    assert {each: size for each, size in sizes.items() if size > MAX_BYTES} == {}


def test_templates_have_many_families_and_few_share_a_pair() -> None:
    """A phone has Roboto and Noto alone: there, hosted families are what tells templates apart."""
    templates = list_templates()
    pairs = Counter((each.fonts.hosted.body, each.fonts.hosted.heading) for each in templates if hosted_by(each))

    assert len(set().union(*map(hosted_by, templates))) >= 28
    assert {pair: count for pair, count in pairs.items() if count > 4} == {}


def test_font_of_formulas_is_small() -> None:
    first, second = (len(CONTENTS[name]) for name, _ in formula_font().parts)

    assert first <= 105 * 1024
    assert second <= 145 * 1024


def test_all_that_is_hosted_is_small() -> None:
    assert sum(map(len, CONTENTS.values())) <= MAX_TOTAL_BYTES
