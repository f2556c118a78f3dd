"""The table of outputs: each writes a document, and every conversion has the same shape."""

import json
from typing import Any

import pytest

from mdpublish_core import (
    Conversion,
    Converter,
    Document,
    DocxOptions,
    EmlOptions,
    Limits,
    Output,
    PageOptions,
    PdfOptions,
    convert,
    get_output,
    list_outputs,
    parse,
    render,
    to_json,
)
from mdpublish_core.errors import InvalidArgument, LimitExceeded, UnknownOutput, WrongContent
from mdpublish_core.nodes import Paragraph, RawText
from mdpublish_core.writers.outputs import DESTINATIONS, FILES, OUTPUTS, SAVED, complete_file_of, get_destination
from tests.core.slack_limits import slack_messages

MARKDOWN = "# Hi\n\n*There* you are.\n"

OPTIONS = {
    "page": PageOptions(title="Title"),
    "docx": DocxOptions(title="Title"),
    "pdf": PdfOptions(title="Title"),
    "eml": EmlOptions(subject="Title"),
}


@pytest.mark.parametrize("output", list_outputs(), ids=lambda output: output.name)
def test_every_conversion_has_the_same_shape(output: Output) -> None:
    conversion = convert(MARKDOWN, to=output.name)

    assert (conversion.output, conversion.media_type, conversion.suffix) == (
        output.name,
        output.media_type,
        output.suffix,
    )
    assert conversion.plain_text == convert(MARKDOWN, to="plain-text").text
    if output.name != "eml":  # it has a date
        assert conversion.to_bytes() == render(parse(MARKDOWN), to=output).to_bytes()
    assert conversion.notices == ()
    is_mail = output.media_type == "message/rfc822"
    assert isinstance(conversion.content, bytes) == (output.is_binary or is_mail)


@pytest.mark.parametrize("output", list_outputs(), ids=lambda output: output.name)
def test_content_does_not_depend_on_the_plain_text(output: Output) -> None:
    markdown = "```mermaid\ngraph LR\n  A --> B\n```\n\n$x^2$"
    without = convert(markdown, to=output, plain_text=False)

    if output.name != "eml":  # it has a date
        assert without.content == convert(markdown, to=output).content
    if output.name != "plain-text":
        assert without.plain_text == ""


def test_html_and_text_are_the_content_where_it_is_of_that_kind() -> None:
    page, message, file = (convert(MARKDOWN, to=name) for name in ("page", "slack", "docx"))

    assert page.html == page.text == page.content
    assert message.text == message.content
    with pytest.raises(WrongContent, match=r"^the output 'slack' is text/plain, not HTML; use `content`$"):
        message.html  # noqa: B018  (it raises)
    with pytest.raises(WrongContent, match=r"^the output 'docx' is application/\S+, not text; use `content`$"):
        file.text  # noqa: B018  (it raises)
    assert not hasattr(file, "html")


def test_tree_and_json_are_those_of_the_document() -> None:
    document = parse(MARKDOWN)

    assert json.loads(convert(MARKDOWN, to="json").text) == json.loads(to_json(document))
    assert convert(MARKDOWN, to="tree").text == document.dump(lines=True)


def test_blocks_are_lines_whatever_the_text_has() -> None:
    assert len(convert("a\u2028b\x85c\u2029d\n", to="blocks").text.splitlines()) == 1
    assert slack_messages(parse("a\u2028b"))[0]["text"] == "a\u2028b"


@pytest.mark.parametrize("name", OUTPUTS)
def test_output_takes_its_options_and_no_others(name: str) -> None:
    def convert_with(options: Any) -> Conversion:
        return convert("text", to=name, options=options)

    for other, options in OPTIONS.items():
        if other == name:
            assert b"Title" in convert_with(options).to_bytes() or name in {"docx", "pdf"}
        else:
            with pytest.raises(InvalidArgument, match=f"^options must be .*None for {name} "):
                convert_with(options)


def test_mail_is_a_draft_to_those_who_are_named() -> None:
    options = EmlOptions(
        subject="News\nof May", sender="Ö <us@example.org>", to=["a@example.org"], cc=["b@example.org"]
    )
    mail = convert(MARKDOWN, to="eml", options=options).to_bytes().decode()

    for line in ("Subject: News of May", "To: a@example.org", "Cc: b@example.org", "X-Unsent: 1"):
        assert f"\n{line}\r\n" in f"\n{mail}"
    with pytest.raises(
        InvalidArgument, match=r"^to of EmlOptions must be a str or a Mailbox or a list of str or Mailbox"
    ):
        convert("a", to="eml", options=EmlOptions(to=[5]))  # type: ignore[list-item]


def test_notices_come_with_every_output_that_leaves_the_folder() -> None:
    codes = {name: [notice.code for notice in convert("![a](b.png)", to=name).notices] for name in OUTPUTS}

    leaving = {"google-docs", "word", "docx", "pdf", "onenote", "email", "eml", "slack", "blocks"}
    assert leaving <= {name for name, each in OUTPUTS.items() if each.is_standalone}
    assert all(codes[name] == ["missing-image"] * each.is_standalone for name, each in OUTPUTS.items())


def test_no_two_files_have_the_same_suffix() -> None:
    assert {".html", ".docx", ".pdf", ".eml", ".txt"} <= SAVED.keys()
    assert len(SAVED) == sum(each.is_file for each in OUTPUTS.values())


def test_output_that_shows_its_images_only_in_a_file_names_the_file() -> None:
    complete = {name: complete_file_of(each) for name, each in OUTPUTS.items()}

    assert {name: each.name for name, each in complete.items() if each} == {"email": "eml"}


def test_file_leads_to_the_destination_that_it_is_for() -> None:
    for name, destination in {
        "page": "generic",
        "docx": "word",
        "pdf": "generic",
        "eml": "email",
        "blocks": "slack",
    }.items():
        assert get_destination(name).name == FILES[name].destination == destination
    assert all(get_destination(name) is each for name, each in DESTINATIONS.items())
    with pytest.raises(UnknownOutput, match=r"unknown output 'json'; choose from: .*google-docs, word, "):
        get_destination("json")


def test_unknown_output_names_the_known_ones() -> None:
    with pytest.raises(UnknownOutput, match=r"unknown output 'odt'; choose from: .*google-docs, word, .* page, docx, "):
        get_output("odt")


def test_converter_refuses_at_once_what_every_document_would() -> None:
    wrong: list[dict[str, Any]] = [
        *({"to": "odt"}, {"template": "none"}, {"theme_mode": "grey"}, {"css": 5}, {"raw_html": "trust"}),
        *({"extensions": frozenset({"none"})}, {"transform": "none"}, {"limits": 5}, {"options": PageOptions()}),
        {"to": "docx", "theme_mode": "auto"},
    ]
    for arguments in wrong:
        with pytest.raises((InvalidArgument, ValueError)):
            Converter(**arguments)


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_output_is_longer_than_the_limits_allow(name: str) -> None:
    limits = Limits(max_output_bytes=1)
    document = Document([Paragraph([RawText("word " * 50)])])  # of no source, which would allow more

    with pytest.raises(LimitExceeded, match="max_output_bytes exceeded"):
        render(document, to=name, limits=limits)


def test_output_may_have_four_million_bytes() -> None:
    fitting, longer = (Document([Paragraph([RawText("a" * length)])]) for length in (3_999_999, 4_000_000))

    conversion = render(fitting, to="plain-text")

    assert len(conversion.content) == 4_000_000  # with a line end
    with pytest.raises(LimitExceeded, match="max_output_bytes exceeded"):
        render(longer, to="plain-text")
