"""`read_file`: files by their suffixes."""

import json
import subprocess
import sys
from base64 import b64encode
from email.message import EmailMessage

import pytest

from mdpublish_core import nodes, parse
from mdpublish_core.errors import InvalidFile, LimitExceeded, UnknownInputFormat
from mdpublish_core.readers.formats import FORMATS, read_file, suffix_of
from tests.core.readers.docx.test_read_docx import PNG
from tests.core.readers.docx.word_sources import paragraph, word_file
from tests.core.readers.html.round_trip import comparable


def read(content: bytes | str, suffix: str) -> str:
    data = content if isinstance(content, bytes) else content.encode()
    return comparable(read_file(data, suffix).document, "word").dump()


def markdown(source: str) -> str:
    return comparable(parse(source), "word").dump()


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4})


def output(kind: str, **values: object) -> dict[str, object]:
    return {"cell_type": "code", "source": "1", "outputs": [{"output_type": kind, **values}]}


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".docx", word_file(paragraph("Text."))),
        (".HTML", "<meta charset=latin1><p>Text.".encode("latin1")),
        (".csv", "Text."),
        (".eml", "Subject: x\n\nText."),
        (".ipynb", notebook({"cell_type": "markdown", "source": ["Text", "."]})),
    ],
)
def test_file_is_read_by_its_suffix(suffix: str, content: bytes | str) -> None:
    assert "Text." in read(content, suffix)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Größe".encode(), "Größe"),
        ("Größe".encode("cp1252"), "Größe"),
        ("Größe ".encode() + "“für”".encode("cp1252"), "Größe “für”"),
        ("<meta charset=utf-8>ä ".encode("cp1252") + "€".encode(), "ä €"),
        ("<meta charset=cp1251>Да".encode("cp1251"), "Да"),
        ("\ufeffä".encode("utf-16-le"), "ä"),
    ],
)
def test_page_has_its_characters_in_any_encoding_or_two(content: bytes, expected: str) -> None:
    assert nodes.text_content(read_file(content, ".html").document) == expected


@pytest.mark.parametrize("module", sorted({each.module for each in FORMATS.values()}))
def test_reader_is_imported_by_itself(module: str) -> None:
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


def test_suffix_of_a_file_without_one_is_that_of_its_format_or_how_it_begins() -> None:
    assert suffix_of(word_file("")) == ".docx"
    assert suffix_of(notebook().encode()) == ".ipynb"
    assert suffix_of(b"{\\rtf1}") == ".rtf"
    assert suffix_of(b"a,b") == ".html"
    assert suffix_of(b"PK", "csv") == ".csv"


def test_every_suffix_has_a_reader_that_refuses_other_content() -> None:
    for suffix in FORMATS:
        if suffix in {".docx", ".docm", ".dotx", ".ipynb"}:
            with pytest.raises(InvalidFile):
                read_file(b"\0\xff", suffix)
        else:
            read_file(b"x", suffix)


@pytest.mark.parametrize(("suffix", "other"), [(".rtf", ".docx"), (".XLSX", ".csv"), (".msg", ".eml")])
def test_author_is_told_how_to_save_other_files(suffix: str, other: str) -> None:
    with pytest.raises(InvalidFile, match=f"^the file must not be {suffix.lower()}; save it as {other} in the program"):
        read_file(b"", suffix)


def test_unknown_suffix_and_large_files_are_refused() -> None:
    with pytest.raises(UnknownInputFormat, match=r"unknown input format '.zip'; choose from: .docx, "):
        read_file(b"", ".zip")
    with pytest.raises(InvalidFile, match=r"at most 20,000,000 bytes .got 20,000,001"):
        read_file(bytes(20_000_001), ".eml")


def test_table_has_the_delimiter_of_its_first_line() -> None:
    expected = markdown("| a | b |\n|---|---|\n| 1, 2 | x<br>y |\n| 3 | |")

    assert read('a,b\n"1, 2","x\ny"\n\n3', ".csv") == expected
    assert read('a;b\r\n1, 2;"x\r\ny"\r\n3;\r\n', ".csv") == expected
    assert read('a\tb\n1, 2\t"x\ny"\n3', ".tsv") == expected
    assert read('\ufeffa,b\n"1, 2","x\ny"\n3', ".csv") == expected


def test_table_is_bounded_with_the_cells_that_its_rows_lack() -> None:
    with pytest.raises(InvalidFile, match=r"at most 200,000 cells .got 25,010,001.; take rows"):
        read("a," * 5_000 + "\nx" * 5_000, ".csv")
    with pytest.raises(InvalidFile, match=r"is no CSV: field larger than field limit"):
        read('"' + "x" * 200_000, ".csv")


def test_email_is_its_html_with_its_images() -> None:
    message = EmailMessage()
    message["Subject"] = "Grüße: today"
    message.set_content("Plain.")
    message.add_alternative('<p>Hello <b>you</b> <img src="cid:dot@x" alt="dot">', subtype="html")
    message.get_payload()[1].add_related(PNG, "image", "png", cid="<dot@x>")  # type: ignore[index, union-attr]
    message.add_attachment(b"<p>other", "text", "html", filename="other.html")

    imported = read_file(message.as_bytes(), ".eml")

    (media,) = imported.media
    assert (media.data, media.alt) == (PNG, "dot")
    assert comparable(imported.document).dump() == markdown(f"Hello **you** ![dot]({media.content_id})")
    assert imported.document.front_matter["title"] == "Grüße: today"


def test_email_of_text_keeps_its_lines() -> None:
    assert read(
        "Content-Type: text/plain; charset=latin1\n\nOne *line*\nnext: \xe9\n\nlast".encode("latin1"), ".eml"
    ) == markdown("One \\*line\\*\\\nnext: é\n\nlast")


def test_email_of_text_has_its_quotes_and_links() -> None:
    written = "\n\nYes, https://a.bc/d_e.\nAnn wrote:\r\n> > one\n>two\n>\nlast" + "\n>" * 30

    assert read(written, ".eml") == markdown("Yes, <https://a.bc/d_e>.\\\nAnn wrote:\n\n> > one\n>\n> two\n\nlast")


def test_saved_page_has_images_by_their_location() -> None:
    page = (
        'Subject: Page\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html\n\n'
        '<h1>Page</h1><img src="https://example.org/a.png" alt="A">\n--b\nContent-Type: image/png\n'
        f"Content-Transfer-Encoding: base64\nContent-Location: https://example.org/a.png\n\n{b64encode(PNG).decode()}\n--b--\n"
    )

    imported = read_file(page.encode(), ".mht")

    assert [image.src for image in imported.document.images] == [media.content_id for media in imported.media]


def test_email_with_a_long_text_or_header_is_refused() -> None:
    with pytest.raises(LimitExceeded):
        read("\n" + "x\n" * 2_500_001, ".eml")
    with pytest.raises(InvalidFile, match="headers of at most 4,000 bytes"):
        read("Content-Type: text/html;\n " + "a=b;\n " * 1_000 + "\n\n<p>x", ".eml")


def test_email_in_email_is_refused_where_it_is_too_deep() -> None:
    nested = "Content-Type: message/rfc822\n\n" * 2_000

    with pytest.raises(InvalidFile, match=r"is no email that can be read|must have text or HTML"):
        read(nested, ".eml")


def test_notebook_has_text_code_and_outputs() -> None:
    image = b64encode(PNG).decode()
    content = notebook(
        {"cell_type": "markdown", "source": "# Title[^1]\n\n[^1]: One."},
        {"cell_type": "markdown", "source": "More[^1]\n\n[^1]: Two."},
        {"cell_type": "raw", "source": "raw"},
        output("stream", text=["out\n", "\x1b[31mred\x1b[0m\n"]),
        output("execute_result", data={"text/html": "<table><tr><th>a</th></tr></table>", "text/plain": "a"}),
        output("display_data", data={"image/png": image, "text/plain": "<Figure>"}),
        output("display_data", data={"text/latex": "$$x^2$$"}),
        output("error", traceback=["Trace", "Error"]),
    )

    imported = read_file(content.encode(), ".ipynb")

    (media,) = imported.media
    code = "```python\n1\n```\n\n"
    assert comparable(imported.document, "word").dump() == markdown(
        f"# Title[^1]\n\nMore[^2]\n\n```\nraw\n```\n\n{code}```\nout\nred\n```\n\n{code}| a |\n|---|\n\n"
        f"{code}![]({media.content_id})\n\n{code}$$\nx^2\n$$\n\n{code}```\nTrace\nError\n```\n\n[^1]: One.\n[^2]: Two."
    )


def cell(*tags: str, source: str = "secret()", printed: str = "shown", **metadata: object) -> dict[str, object]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}]
    return {"cell_type": "code", "source": source, "outputs": outputs, "metadata": {"tags": list(tags), **metadata}}


@pytest.mark.parametrize(
    ("hidden", "expected"),
    [
        (cell("hide-input"), "shown"),
        (cell("remove_input"), "shown"),
        (cell(jupyter={"source_hidden": True}), "shown"),
        (cell("other", "remove-output"), "secret()"),
        (cell("remove_all_outputs"), "secret()"),
        (cell(jupyter={"outputs_hidden": True}), "secret()"),
        (cell("hide-cell"), ""),
        (cell("remove_cell"), ""),
        ({"cell_type": "markdown", "source": "secret", "metadata": {"tags": ["remove-cell"]}}, ""),
    ],
)
def test_tags_hide_parts_of_a_cell(hidden: dict[str, object], expected: str) -> None:
    document = read_file(notebook(hidden).encode(), ".ipynb").document

    codes = [each.content.strip() for each in document.children if isinstance(each, nodes.CodeFence)]
    assert codes == [expected] * bool(expected)
    assert len(document.children) == bool(expected)


def test_output_is_what_a_person_saw() -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><rect width='30' height='20'/></svg>"
    described = {"image/png": {"alt": "Sales rise"}}
    outputs = [
        {"output_type": "stream", "name": "stderr", "text": " 10%|#  |\r 50%|## |\r100%|###|\r\nDone\r\n"},
        {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": []},
        {"output_type": "display_data", "data": {"image/svg+xml": [svg], "text/plain": "<Figure>"}},
        {"output_type": "display_data", "data": {"image/png": b64encode(PNG).decode()}, "metadata": described},
        {"output_type": "display_data", "data": {"text/html": "<script>1</script>", "text/plain": "Plot(1)"}},
        {"output_type": "display_data", "data": {"image/svg+xml": "<svg", "text/plain": "broken"}},
    ]

    imported = read_file(notebook({"cell_type": "code", "source": "", "outputs": outputs}).encode(), ".ipynb")

    codes = [each.content for each in imported.document.children if isinstance(each, nodes.CodeFence)]
    assert codes == ["100%|###|\nDone\n", "KeyError: 'x'\n", "Plot(1)\n", "broken\n"]
    assert [(each.media_type, each.width, each.alt) for each in imported.media] == [
        ("image/png", 30, ""),
        ("image/png", 1, "Sales rise"),
    ]


def test_notebook_of_another_version_is_refused_with_a_way() -> None:
    for version in (2, 3, 5):
        content = json.dumps({"nbformat": version, "worksheets": [{"cells": []}]})
        with pytest.raises(
            InvalidFile, match=rf"nbformat 4 \(it has {version}\); open it in Jupyter and save it, or run"
        ):
            read_file(content.encode(), ".ipynb")


def test_image_attached_to_a_cell_comes_along_and_another_is_named() -> None:
    long = f"{'a' * 300}.png"
    cell = {"cell_type": "markdown", "source": f"![a](attachment:{long}) ![b](attachment:b.png)"}
    attachments = {long: {"image/png": b64encode(PNG).decode()}}

    imported = read_file(notebook({**cell, "attachments": attachments}).encode(), ".ipynb")

    assert [media.alt for media in imported.media] == ["a"]
    assert [notice.message for notice in imported.notices] == [
        "the scheme of the URL 'attachment:b.png' is not allowed"
    ]


def test_notebook_without_its_form_or_too_long_is_refused() -> None:
    for content in ("[]", '{"cells": [1]}', '{"cells": [{"cell_type": "code", "source": 3}]}', "[" * 100_000):
        with pytest.raises(InvalidFile, match="is no notebook of nbformat 4"):
            read(content, ".ipynb")
    with pytest.raises(LimitExceeded):
        read(notebook({"cell_type": "raw", "source": "x" * 5_000_001}), ".ipynb")
