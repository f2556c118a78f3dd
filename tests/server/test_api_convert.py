import json
from base64 import b64encode
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import httpx
import pytest

from mdpublish_core import DocxOptions, PdfOptions, convert, list_templates
from mdpublish_core.writers.outputs import OUTPUTS
from tests.core.docx.reference_documents import german_letterhead
from tests.core.slack_limits import problems

pytestmark = pytest.mark.anyio

PATH = "/v1/convert"


async def test_unknown_choice_is_rejected_with_the_known_ones(free: httpx.AsyncClient) -> None:
    for field, known in (("destination", "generic"), ("template_id", "swiss")):
        for value in ("nosuch", "", "GENERIC", "SWISS", "../swiss", "x" * 100_000, "\0", "\u202e"):
            response = await free.post(PATH, json={"markdown": "x", field: value})

            error = response.json()["error"]
            assert (response.status_code, error["code"]) == (400, "validation_error"), (field, value)
            assert error["message"].startswith(f"{field} must be one of "), (field, value)
            assert known in error["message"].partition(" one of ")[2].partition(" (got ")[0].split(", "), (field, value)
            assert len(error["message"]) < 2_000, (field, value)


async def test_language_of_the_request_precedes_that_of_the_front_matter(free: httpx.AsyncClient) -> None:
    """It is the same as in the front matter, for a destination and for a file."""
    note = "> [!NOTE]\n> Hallo\n"
    german = f"---\nlang: de\n---\n{note}"
    body = {"destination": "onenote", "lang": "de"}
    shown = (await free.post(PATH, json={"markdown": note, **body})).json()["html"]
    assert 'lang="de"' in shown
    assert shown == convert(german, to="onenote").html
    english = f"---\nlang: en\n---\n{note}"
    assert (await free.post(PATH, json={"markdown": english, **body})).json()["html"] == shown
    file = (await free.post(PATH, json={"markdown": note, "lang": "de", **WORD})).content
    assert file == convert(german, to="docx", options=DocxOptions(), plain_text=False).content


WORD = {"format": "docx"}


async def test_word_file_is_that_of_the_library_and_named_after_its_title(free: httpx.AsyncClient) -> None:
    markdown = "# Grüße & Küsse\n\n- [x] *one*[^1]: $x^2$\n\n| a |\n|---|\n| b |\n\n[^1]: Note.\n"
    body = {"markdown": markdown, "template_id": "newsletter", "theme_mode": "dark", **WORD}
    response = await free.post(PATH, json=body, headers={"Accept-Encoding": "gzip"})

    assert response.status_code == 200
    assert response.headers["content-type"] == OUTPUTS["docx"].media_type
    assert response.headers["content-disposition"] == "attachment; filename=gruesse-kuesse.docx"
    assert response.headers["cache-control"] == "no-store"
    assert "content-encoding" not in response.headers
    assert response.content == convert(markdown, to="docx", template="newsletter", theme_mode="dark").to_bytes()


@pytest.mark.needs("weasyprint")
async def test_pdf_is_that_of_the_library_and_can_be_asked_for_by_accept(free: httpx.AsyncClient) -> None:
    body = {"markdown": "# Grüße\n\n- [x] *one*[^1]: $x^2$\n\n[^1]: Note.\n", "template_id": "newsletter"}
    by_header = await free.post(PATH, json=body, headers={"Accept": "application/pdf"})
    response = await free.post(PATH, json={**body, "format": "pdf"})

    assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
    assert response.headers["content-disposition"] == "attachment; filename=gruesse.pdf"
    assert (
        response.content == convert(body["markdown"], to="pdf", template="newsletter").to_bytes() == by_header.content
    )


@pytest.mark.needs("weasyprint")
async def test_pdf_and_word_file_have_their_options(free: httpx.AsyncClient) -> None:
    body, paper = {"markdown": "## a\n\nb[^1]\n\n[^1]: c\n"}, {"paper": "letter", "toc": True}
    layout = {**paper, "margin": 30, "footnotes": "page"}
    pdf = await free.post(PATH, json={**body, **layout, "format": "pdf"})
    word = await free.post(PATH, json={**body, **paper, **WORD})

    assert pdf.content == convert(body["markdown"], to="pdf", options=PdfOptions(**layout)).to_bytes()  # type: ignore[arg-type]
    assert word.content == convert(body["markdown"], to="docx", options=DocxOptions(**paper)).to_bytes()  # type: ignore[arg-type]


async def test_word_file_has_the_styles_of_a_reference_document(free: httpx.AsyncClient) -> None:
    reference = german_letterhead()
    response = await free.post(PATH, json={"markdown": "# a", "reference_doc": b64encode(reference).decode(), **WORD})

    assert response.content == convert("# a", to="docx", options=DocxOptions(reference_doc=reference)).to_bytes()


async def test_option_that_cannot_be_used_is_refused(free: httpx.AsyncClient) -> None:
    rows: tuple[tuple[dict[str, Any], str], ...] = (
        (
            {"reference_doc": "UEs="},
            "reference_doc must be left out, unless format is docx (got 'json')",
        ),
        ({"toc": False}, "toc must be left out, unless format is docx or pdf (got 'json')"),
        ({"margin": 9, **WORD}, "margin must be left out, unless format is pdf (got 'docx')"),
        ({"margin": 4, "format": "pdf"}, "margin must be 5 to 60 millimeters (got 4)"),
        ({"paper": "a3", "format": "pdf"}, "paper must be one of a4, letter (got 'a3')"),
        ({"footnotes": "side", "format": "pdf"}, "footnotes must be one of end, page (got 'side')"),
        (
            {"reference_doc": "UEs=", **WORD},
            "reference_doc must be a Word document (.docx or .dotx): File is not a zip file",
        ),
        ({"reference_doc": "?", **WORD}, "reference_doc must be base64, without a data: prefix"),
        (
            {"reference_doc": b64encode(bytes(2_000_000)).decode(), **WORD},
            "reference_doc must be a Word document (.docx or .dotx): File is not a zip file",
        ),
        (
            {"reference_doc": b64encode(bytes(2_000_001)).decode(), **WORD},
            "reference_doc must be at most 2,000,000 bytes (got 2,000,001)",
        ),
    )
    for fields, message in rows:
        response = await free.post(PATH, json={"markdown": "# a", **fields})

        assert (response.status_code, response.json()["error"]["code"]) == (400, "validation_error"), fields
        assert response.json()["error"]["message"] == message, fields


async def test_name_of_a_word_file_is_safe(free: httpx.AsyncClient) -> None:
    for markdown, name in (
        ("---\ntitle: Roses\n---\n\n# Garden day\n", "roses"),
        ("No heading.", "untitled"),
        ('# a"; filename="b.exe\n', "a-filename-b-exe"),
        ("# ../../etc/passwd\n", "etc-passwd"),
        ("# 報告\n", "baogao"),
    ):
        response = await free.post(PATH, json={"markdown": markdown, **WORD})
        assert response.headers["content-disposition"] == f"attachment; filename={name}.docx", markdown


async def test_front_matter_selects_the_template_of_a_word_file(free: httpx.AsyncClient) -> None:
    paid = next(template.id for template in list_templates() if template.category != "free")
    allowed, other = ("---\ntemplate: mono\n---\n\n# a\n", f"---\ntemplate: {paid}\n---\n\n# a\n")

    assert (await free.post(PATH, json={"markdown": allowed, **WORD})).content == convert(allowed, to="docx").to_bytes()
    assert (await free.post(PATH, json={"markdown": other, **WORD})).content == convert(
        other, to="docx", template="swiss"
    ).to_bytes()
    refused = await free.post(PATH, json={"markdown": "x", "template_id": paid, **WORD})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")


async def test_word_file_that_is_too_large_is_an_error(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "[^1] " * 20_000 + "\n\n[^1]: a\n", **WORD})

    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (500, "conversion_error")
    assert error["message"].startswith("Output must be at most")
    assert (await free.get("/v1/usage")).json()["used"] == 0


async def test_file_is_made_of_the_repaired_text(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "##T\n\n• a\n• b\n", "repair": True, **WORD})

    assert response.content == convert("## T\n\n- a\n- b\n", to="docx").to_bytes()


async def test_email_file_is_the_mail_that_the_command_writes(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json={"markdown": "# Grüße\n\n*a*", "format": "eml", "destination": "email"})

    assert response.headers["content-type"] == "message/rfc822"
    assert response.headers["content-disposition"] == "attachment; filename=gruesse.eml"
    mail = message_from_bytes(response.content, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    html = mail.get_body(("html",))
    assert mail["Subject"] == "Grüße"
    assert html is not None
    assert html.get_content().replace("\r", "") == convert("# Grüße\n\n*a*", to="email").html


async def test_blocks_are_messages_within_the_limits_of_slack(free: httpx.AsyncClient) -> None:
    markdown = "\n\n".join(f"## Part {number}\n\n{'word ' * 200}\n\n| a |\n|---|\n| b |" for number in range(30))
    body = {"markdown": markdown + "\n\n![a](b.png)", "format": "blocks"}
    response = await free.post(PATH, json=body, headers={"Accept": "application/pdf"})

    result = response.json()
    assert response.headers["content-type"] == "application/json"
    assert result["messages"] == [
        json.loads(line) for line in convert(markdown + "\n\n![a](b.png)", to="blocks").text.splitlines()
    ]
    assert len(result["messages"]) > 1
    assert [problem for message in result["messages"] for problem in problems(message)] == []
    assert [notice["code"] for notice in result["notices"]] == ["missing-image"]


@pytest.mark.parametrize("destination", ["jira", "confluence"])
async def test_document_of_atlassian_is_a_file_for_both_of_its_programs(
    free: httpx.AsyncClient, destination: str
) -> None:
    response = await free.post(PATH, json={"markdown": "# a", "format": "adf", "destination": destination})

    assert response.headers["content-type"] == "application/json"
    assert response.json() == json.loads(convert("# a", to="adf").text)


async def test_client_that_accepts_json_gets_the_default_format(free: httpx.AsyncClient) -> None:
    response = await free.post(
        PATH, json={"markdown": "# a", "destination": "teams"}, headers={"Accept": "application/json"}
    )

    assert response.json()["html"] == "<h1>a</h1>\n"


async def test_format_and_destination_that_exclude_each_other_are_both_named(free: httpx.AsyncClient) -> None:
    for format_, destination, for_ in (
        ("eml", "slack", "email"),
        ("blocks", "email", "slack"),
        ("docx", "generic", "word"),
        ("adf", "email", "confluence or jira"),
    ):
        response = await free.post(PATH, json={"markdown": "# a", "format": format_, "destination": destination})

        message = f"format {format_} is for the destination {for_} alone (got {destination!r}); leave out one of them"
        assert (response.status_code, response.json()["error"]["message"]) == (400, message), format_
