"""The table of outputs: each writes a document, and what is written of a destination is what the library returns for it."""

import json

import pytest

from mdpublish_core import convert, parse, render_page, slack_messages, to_docx
from mdpublish_core.writers import DESTINATIONS
from mdpublish_core.writers.outputs import FILES, OUTPUTS, SAVED, complete_file_of, output_of, page_of

MARKDOWN = "# Hi\n\n*There* you are.\n"


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_output_of_a_destination_is_its_conversion(destination: str) -> None:
    conversion = convert(MARKDOWN, destination=destination)

    assert output_of(destination).write(parse(MARKDOWN), {}).content.decode() == conversion.html
    plain_text = conversion.html if DESTINATIONS[destination].is_text else conversion.plain_text
    assert output_of(destination, is_text=True).write(parse(MARKDOWN), {}).content.decode() == plain_text


def test_files_are_those_of_the_librarys_functions() -> None:
    written = {name: each.write(parse(MARKDOWN), {}).content for name, each in FILES.items()}

    assert written["page"].decode() == render_page(parse(MARKDOWN))
    assert written["docx"] == to_docx(MARKDOWN)
    assert [json.loads(line) for line in written["blocks"].splitlines()] == list(slack_messages(parse(MARKDOWN)))
    assert b"\nSubject: Hi" in b"\n" + written["eml"]


def test_options_that_an_output_has_and_the_style_count() -> None:
    options = {"title": "Title", "lang": "fr", "subject": "Subject", "contents": True, "unknown": 1}

    page = OUTPUTS["page"].write(parse(MARKDOWN), options, template="nord").content.decode()
    mail = OUTPUTS["eml"].write(parse("text"), {**options, "subject": None}, name="notes").content.decode()

    assert "<title>Title</title>" in page
    assert '<html lang="fr">' in page
    assert "nord" in page
    assert "Subject: notes\n" in mail.replace("\r\n", "\n")


def test_notices_come_with_what_is_written() -> None:
    codes = {
        name: [notice.code for notice in each.write(parse("![a](b.png)"), {}).notices]
        for name, each in OUTPUTS.items()
        if each.embeds_images
    }

    assert set(codes) == {"google-docs", "word", "docx", "onenote", "email", "eml"}
    assert set(map(tuple, codes.values())) == {("missing-image",)}


def test_no_two_files_have_the_same_suffix() -> None:
    assert list(SAVED) == [".html", ".docx", ".eml", ".txt"]
    assert len(SAVED) == sum(each.is_file for each in OUTPUTS.values())


def test_output_that_shows_its_images_only_in_a_file_names_the_file() -> None:
    complete = {name: complete_file_of(each) for name, each in OUTPUTS.items()}

    assert {name: each.name for name, each in complete.items() if each} == {"email": "eml"}
    assert [name for name in DESTINATIONS if page_of(name)] == ["generic"]
