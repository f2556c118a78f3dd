"""Hosted font files match their table, may be redistributed, and are small."""

import re
from hashlib import sha256
from importlib.resources import files

import pytest

from mdpublish_core import Template, list_templates
from mdpublish_core.templates.hosted_fonts import hosted_families
from mdpublish_core.templates.web_fonts import font_files

CONTENTS = {entry.name: entry.read_bytes() for entry in (files("mdpublish_server.web") / "static" / "fonts").iterdir()}
FONTS = sorted(name for name in CONTENTS if name.endswith(".woff2"))

MAX_BYTES = 60 * 1024
"""For all fonts of a template."""

MAX_TOTAL_BYTES = 1_600 * 1024
"""For all fonts and licenses: every installation includes them."""


def test_table_lists_exactly_the_files_there_are() -> None:
    listed = [name for family in hosted_families().values() for style in family.styles for name in style.files]

    assert sorted(listed) == FONTS
    assert len(FONTS) + len(hosted_families()) == len(CONTENTS)


@pytest.mark.parametrize("name", FONTS)
def test_file_is_named_after_its_content(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+-[1-9]00(-italic)?(-extended)?\.[0-9a-f]{8}\.woff2", name)
    assert name.split(".")[1] == sha256(CONTENTS[name]).hexdigest()[:8]
    assert CONTENTS[name].startswith(b"wOF2")


@pytest.mark.parametrize("family", hosted_families())
def test_licence_of_a_family_lets_it_be_changed_under_its_name(family: str) -> None:
    licence = CONTENTS[f"{family.lower().replace(' ', '-')}.OFL.txt"].decode()

    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    statement = licence.partition("This Font Software is licensed")[0]
    assert "Copyright" in statement
    reserved = re.findall(r"eserved Font (?:Family )?Names? (.*)", statement)
    assert bool(reserved) == ("eserved" in statement)
    assert not any(family.lower() in names.lower() for names in reserved)


@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_fonts_of_a_template_stay_within_sixty_kilobytes(template: Template) -> None:
    assert sum(len(CONTENTS[name]) for name in font_files(template)) <= MAX_BYTES


def test_all_that_is_hosted_is_small() -> None:
    assert sum(map(len, CONTENTS.values())) <= MAX_TOTAL_BYTES
