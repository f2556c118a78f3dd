"""Hosted font files match their table, may be redistributed, and are small."""

import re
from collections import Counter
from hashlib import sha256

import pytest

from mdpublish_core import Template, list_templates
from mdpublish_core.templates.hosted_fonts import FONT_FOLDER, formula_font, hosted_families, hosted_files
from mdpublish_core.templates.web_fonts import font_files
from tests.remarks import remark

CONTENTS = {entry.name: entry.read_bytes() for entry in FONT_FOLDER.iterdir()}
FONTS = sorted(name for name in CONTENTS if name.endswith(".woff2"))

MAX_BYTES = 84 * 1024
"""For all files of a family: four styles of text, two files each."""

MAX_REQUESTED_BYTES = 70 * 1024
"""For those that an English page of a template requests: regular and bold text, headings, and code."""

MAX_TOTAL_BYTES = 3_100 * 1024
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


def requested_by(template: Template) -> set[str]:
    """Files of an English page with headings, bold text and code, none of it italic."""
    hosted, families = template.fonts.hosted, hosted_families()
    upright = {
        style.latin
        for name in (hosted.body, hosted.heading)
        if name
        for style in families[name].styles
        if not style.is_italic
    }
    code = {families[hosted.mono].styles[0].latin} if hosted.mono else set()
    return (upright | code) & set(font_files(template))


def test_files_of_a_family_are_small() -> None:
    sizes = {
        name: sum(len(CONTENTS[file]) for style in family.styles for file in style.files)
        for name, family in hosted_families().items()
    }
    assert {name: size for name, size in sizes.items() if size > MAX_BYTES} == {}


def test_page_of_a_template_requests_few_bytes(pytestconfig: pytest.Config) -> None:
    sizes = {each.id: sum(len(CONTENTS[name]) for name in requested_by(each)) for each in list_templates()}

    for template in list_templates():
        families = ", ".join(sorted(hosted_by(template))) or "none"
        remark(pytestconfig, f"{template.id}: {families}; {sizes[template.id] / 1024:.1f} KB of fonts")
    assert {each: size for each, size in sizes.items() if size > MAX_REQUESTED_BYTES} == {}


def test_only_templates_that_imitate_a_system_leave_text_and_code_to_it() -> None:
    left = {each.id for each in list_templates() if not (each.fonts.hosted.body and each.fonts.hosted.mono)}

    assert left == {"github", "terminal"}


def test_templates_have_many_families_and_few_share_a_pair() -> None:
    """A phone has Roboto and Noto alone: there, hosted families are what tells templates apart."""
    templates = list_templates()
    pairs = Counter((each.fonts.hosted.body, each.fonts.hosted.heading) for each in templates if hosted_by(each))

    assert len(set().union(*map(hosted_by, templates))) >= 44
    bodies = Counter(each.fonts.hosted.body for each in templates)
    codes = Counter(each.fonts.hosted.mono for each in templates)
    assert {pair: count for pair, count in pairs.items() if count > 3} == {}
    assert {body: count for body, count in bodies.items() if count > 4} == {}
    assert {code: count for code, count in codes.items() if count > 13} == {}


def test_font_of_formulas_is_small() -> None:
    first, second = (len(CONTENTS[name]) for name, _ in formula_font().parts)

    assert first <= 105 * 1024
    assert second <= 145 * 1024


def test_all_that_is_hosted_is_small() -> None:
    assert sum(map(len, CONTENTS.values())) <= MAX_TOTAL_BYTES
