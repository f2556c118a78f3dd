"""What `mdpublish convert` writes besides HTML: pages, plain text, and complete emails with their images."""

import json
import os
import subprocess
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest
from click.testing import CliRunner, Result

from mdpublish_core import parse
from mdpublish_core.cli import main
from mdpublish_core.cli.images import MAX_IMAGE_BYTES
from mdpublish_core.resources.media import image_data_url
from mdpublish_core.writers.outputs import BY_SUFFIX
from tests.core.slack_limits import slack_messages
from tests.image_files import SVG, quartered_image, saved

GIF = bytes.fromhex("47494638396102000300800000000000ffffff2c00000000020003000002028401003b")
PNG = b"\x89PNG\r\n\x1a\n" + bytes(8) + (5).to_bytes(4, "big") + (7).to_bytes(4, "big")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a document that refers to images in several ways."""
    (tmp_path / "images").mkdir()
    (tmp_path / "images/a b.gif").write_bytes(GIF)
    (tmp_path / "logo.png").write_bytes(PNG)
    (tmp_path / "news.md").write_text(
        "# Grüße *an* alle\n\n![first](images/a%20b.gif?x#y) ![again](images/a%20b.gif)\n\n"
        '<img src="logo.png" alt="logo" width="10">\n\n![far](https://example.org/far.png)\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["convert", *arguments], input=stdin)


def mail_in(path: Path) -> EmailMessage:
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def test_word_file_has_the_images_and_the_options(folder: Path) -> None:
    result = run("news.md", "-o", "news.docx", "--title", "News", "--paper", "letter", "--toc")

    document = docx.Document(str(folder / "news.docx"))
    assert result.exit_code == 0
    assert "images of other sites, such as 'https://example.org/far.png', are links" in result.output
    assert len(document.inline_shapes) == 3
    assert document.core_properties.title == "News"
    assert [field.text for field in document.element.iter("{*}instrText")] == [' TOC \\o "1-3" \\h \\z \\u ']


def test_word_file_has_the_styles_and_the_title_of_its_options(folder: Path) -> None:
    template = docx.Document()
    template.styles["Title"].font.name = "Georgia"
    template.save(str(folder / "corporate.docx"))
    result = run("news.md", "-o", "news.docx", "--title", "News", "--title-block", "--reference-doc", "corporate.docx")

    first = docx.Document(str(folder / "news.docx")).paragraphs[0]
    assert result.exit_code == 0
    assert first.style
    assert (first.text, first.style.name, first.style.font.name) == ("News", "Title", "Georgia")


def test_mail_has_its_text_and_its_html_with_the_images(folder: Path) -> None:
    result = run("news.md", "-o", "news.eml")

    mail = mail_in(folder / "news.eml")
    assert (result.exit_code, result.output) == (0, "")
    assert mail.get_content_type() == "multipart/alternative"
    plain, related = mail.iter_parts()
    assert plain.get_content_type() == "text/plain"
    assert plain.get_content().startswith("Grüße an alle\r\n=============\r\n")
    assert related.get_content_type() == "multipart/related"
    html, *images = related.iter_parts()
    assert [(part.get_content_type(), part.get_content()) for part in images] == [
        ("image/gif", GIF),
        ("image/png", PNG),
    ]
    for image in images:
        assert f'src="cid:{image["Content-ID"].strip("<>")}"' in html.get_content()
    assert "https://example.org/far.png" in html.get_content()


def test_mail_has_the_sender_and_recipients_of_its_options(folder: Path) -> None:
    to = ("--mail-to", "Ann Ö <ann@example.org>", "--mail-to", "bob@example.org")
    result = run("news.md", "-o", "n.eml", "--mail-subject", "Good\nnews", "--mail-from", "Us <us@example.org>", *to)

    mail = mail_in(folder / "n.eml")
    assert result.exit_code == 0, result.output
    assert (mail["Subject"], mail["From"], mail["To"]) == (
        "Good news",
        "Us <us@example.org>",
        "Ann Ö <ann@example.org>, bob@example.org",
    )
    assert mail["Message-ID"].endswith("@example.org>")
    assert mail["Date"].datetime is not None


def test_mail_without_a_subject_has_that_of_its_first_heading(folder: Path) -> None:
    run("news.md", "-o", "news.eml")

    assert mail_in(folder / "news.eml")["Subject"] == "Grüße an alle"


def test_lines_of_a_mail_are_as_short_as_mail_allows(folder: Path) -> None:
    run("news.md", "-o", "news.eml")

    lines = (folder / "news.eml").read_bytes().split(b"\r\n")
    assert max(map(len, lines)) <= 998  # RFC 5322, 2.1.1
    assert all(b"\n" not in line for line in lines)


@pytest.mark.parametrize("email", ["us", "", "a@b@c", "us@example.org\nBcc: x@y.org", "üs@example.org", "@", "<>"])
def test_what_is_no_email_address_is_refused(folder: Path, email: str) -> None:
    result = run("news.md", "-o", "news.eml", "--mail-to", email)

    assert result.exit_code == 2
    assert "use name@example.org or" in result.stderr
    assert not (folder / "news.eml").exists()


@pytest.mark.parametrize("destination", ["word", "google-docs", "onenote", "email"])
@pytest.mark.usefixtures("folder")
def test_images_travel_inside_of_what_is_read_elsewhere(destination: str) -> None:
    result = run("news.md", "--to", destination)

    assert result.stdout.count(f'src="{image_data_url(GIF)}"') == 2
    assert str(image_data_url(PNG)) in result.stdout
    # Google Docs and Word accept inline images, email clients do not.
    assert result.stderr.endswith("write an email file: --to eml [missing-image]\n" if destination == "email" else "")
    assert result.stderr.count("\n") == (destination == "email")


@pytest.mark.usefixtures("folder")
def test_images_stay_where_they_are_for_the_web_by_default() -> None:
    assert 'src="logo.png"' in run("news.md").stdout
    assert f'src="{image_data_url(PNG)}"' in run("news.md", "--embed-images").stdout
    assert f'src="{image_data_url(PNG)}"' in run("news.md", "--embed-images", "--to", "page").stdout
    assert str(image_data_url(PNG)) not in run("news.md", "--to", "word", "--no-embed-images").stdout


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("none.png", "No such file or directory"),
        ("images", "not a regular file"),
        ("news.md", "it must be PNG, JPEG, GIF, WebP, AVIF or SVG"),
        ("../outside.gif", "outside the document's directory"),
        ("images/link.gif", "it leads to '"),
        ("large.gif", "larger than 5,000,000 bytes"),
        ("fifo.gif", "not a regular file"),
        ("%00.gif", "null"),
    ],
)
def test_image_that_cannot_be_taken_along_has_a_notice(folder: Path, url: str, problem: str) -> None:
    (folder.parent / "outside.gif").write_bytes(GIF)
    (folder / "images/link.gif").symlink_to(folder.parent / "outside.gif")
    (folder / "large.gif").write_bytes(GIF + bytes(MAX_IMAGE_BYTES))
    os.mkfifo(folder / "fifo.gif")

    result = run("-", "--to", "word", stdin=f"a\n\n![shown]({url})\n".encode())

    assert result.exit_code == 0, result.output
    assert result.stderr.startswith(f"standard input:3:1: the image {url!r} was not embedded")
    assert problem in result.stderr
    assert "shown" in result.stdout
    assert "base64" not in result.stdout


def test_images_are_bounded_as_often_as_they_are_shown(folder: Path) -> None:
    (folder / "large.gif").write_bytes(GIF + bytes(4_000_000))

    result = run("-", "-o", "mail.eml", stdin=b"![shown](large.gif)\n\n" * 6)

    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        f"standard input:{line}:1: the image 'large.gif' was not embedded: images of a document must be at most "
        "18,000,000 bytes in total, counting repetitions [missing-image]"
        for line in (9, 11)
    ]
    assert [part.get_content_type() for part in mail_in(folder / "mail.eml").walk()].count("image/gif") == 1


def test_images_of_the_folder_above_travel_where_that_is_the_current_one(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/a.md").write_text("![a](../logo.png)")

    assert f'src="{image_data_url(PNG)}"' in run("sub/a.md", "--to", "word").stdout


def test_text_file_holds_the_text_of_its_destination(folder: Path) -> None:
    run("news.md", "-o", "plain.txt")
    run("news.md", "-o", "slack.txt", "--to", "slack")

    assert (folder / "plain.txt").read_text("utf-8").startswith("Grüße an alle\n=====")
    assert (folder / "slack.txt").read_text("utf-8").startswith("*Grüße _an_ alle*\n")


@pytest.mark.usefixtures("folder")
def test_page_has_the_requested_title_width_and_language() -> None:
    page = run("news.md", "--to", "page", "--title", "A & B", "--page-width", "full", "--lang", "de").stdout

    assert '<html lang="de">' in page
    assert "<title>A &amp; B</title>" in page
    assert "max-width:none" in page.split("</style>")[0]


def test_stylesheet_and_raw_html_are_passed_on(folder: Path) -> None:
    (folder / "own.css").write_text("h1 { color: #123456 }")

    assert "#123456" in run("news.md", "--css", "own.css", "--to", "email").stdout
    assert "#123456" in run("news.md", "--css", "own.css", "--to", "page").stdout
    assert "<video>" in run("-", "--to", "html", "--raw-html", "keep", stdin=b"<video>a</video>").stdout


def test_extensions_are_added_and_removed_by_name(folder: Path) -> None:
    (folder / "own.md").write_text("one\n==two== H~2~O :tada:\n")

    default = run("own.md", "--to", "html").stdout
    chosen = ("breaks", "emoji", "sub-superscript", "no-highlight")
    extended = run("own.md", "--to", "html", *(word for name in chosen for word in ("--extension", name))).stdout

    assert default == "<p>one\n<mark>two</mark> H<del>2</del>O :tada:</p>\n"
    assert extended == "<p>one<br />\n==two== H<sub>2</sub>O 🎉</p>\n"


@pytest.mark.parametrize("command", ["convert", "copy", "check", "preview"])
@pytest.mark.usefixtures("folder")
def test_unknown_extension_is_refused_with_the_known_ones(command: str) -> None:
    result = CliRunner().invoke(main, [command, "news.md", "--extension", "no-brakes"])

    assert result.exit_code == 2
    assert (
        "unknown extension 'brakes'; did you mean 'breaks'? Choose from: abbreviations, admonitions, attributes"
        in result.stderr
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["https://example.org/a.md"], "URLs are not supported; use: curl -fsSL"),
        (["news.md", "-o", "news.md"], "input and output are the same file: news.md"),
        (["news.md", "-o", "a.odt"], "cannot write .odt files; LibreOffice can open .docx: -o report.docx"),
        (["news.md", "-o", "a.pptx"], f"cannot write .pptx files; use {', '.join(BY_SUFFIX)}, or --to"),
        (["news.md", "-o", "a.HTMLX"], "cannot write .htmlx files; use .html"),
        (["news.md", "-o", "a.docx", "--to", "email"], "a.docx requires --to docx (got --to email)"),
        (["news.md", "--paper", "a4"], "--paper requires --to docx or --to pdf (got --to generic)"),
        (["news.md", "--reference-doc", "a.docx"], "--reference-doc requires --to docx (got --to generic)"),
        (["news.md", "-o", "a.docx", "--reference-doc", "no.docx"], "cannot read no.docx: No such file"),
        (["news.md", "-o", "a.docx", "--reference-doc", "news.md"], "the reference document must be a Word document"),
        (["news.md", "-o", "a.docx", "--reference-doc", "a.docx"], "cannot read a.docx"),
        (["news.md", "-o", "a.html", "--margin", "5"], "--margin requires --to pdf (got --to page)"),
        (["news.md", "-o", "a.eml", "--to", "word"], "a.eml requires --to eml (got --to word)"),
        (["news.md", "-o", "a.txt", "--to", "page"], "a.txt requires --to plain-text (got --to page)"),
        (["news.md", "-o", "a.html", "--to", "docx"], "a.html requires --to page (got --to docx)"),
        (["news.md", "-o", "a.docx", "--lang", "x!"], "lang of DocxOptions must be a BCP 47 language tag"),
        (["news.md", "-o", "a.html", "--lang", "x!"], "lang of PageOptions must be a BCP 47 language tag"),
        (["news.md", "--mail-subject", "a"], "--mail-subject requires --to eml (got --to generic)"),
        (["news.md", "--mail-to", "a@b.c"], "--mail-to requires --to eml (got --to generic)"),
        (["news.md", "--lang", "de"], "--lang requires --to page or --to docx or --to pdf (got --to generic)"),
        (["news.md", "--title", "a"], "--title requires --to page or --to docx"),
        (["news.md", "--page-width", "wide"], "--page-width requires --to page (got --to generic)"),
        (["news.md", "--css", "none.css"], "cannot read none.css: No such file or directory"),
        (["news.md", "--css", "bad.css"], "stylesheet, line 1: has no rules"),
    ],
)
def test_mistake_ends_in_a_message_that_says_what_to_do(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "bad.css").write_text("a,b")

    result = run(*arguments)

    assert result.exit_code in {1, 2}
    assert isinstance(result.exception, SystemExit)
    assert message in result.stderr
    assert sorted(path.name for path in folder.iterdir()) == ["bad.css", "images", "logo.png", "news.md"]


@pytest.mark.parametrize(
    ("output", "arguments"), [("a.htm", ()), ("a.HTM", ()), ("a.xhtml", ("--to", "page")), ("a.pptx", ("--to", "page"))]
)
def test_other_names_of_a_web_page_are_written(folder: Path, output: str, arguments: tuple[str, ...]) -> None:
    run("news.md", "-o", "a.html")
    run("news.md", "-o", output, *arguments)

    assert (folder / output).read_bytes() == (folder / "a.html").read_bytes()


def test_blocks_for_slack_are_one_message_a_line() -> None:
    result = run("-", "--to", "blocks", stdin=b"# A\n\n|b|\n|-|\n\n|c|\n|-|\n")

    messages = [json.loads(line) for line in result.stdout.splitlines()]
    assert messages == list(slack_messages(parse("# A\n\n|b|\n|-|\n\n|c|\n|-|\n")))
    assert [len(message["blocks"]) for message in messages] == [2, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no pseudo-terminals")
def test_word_file_is_not_written_to_a_terminal(folder: Path) -> None:
    import pty

    leader, terminal = pty.openpty()
    command = [sys.executable, "-m", "mdpublish_core", "convert", "news.md", "--to", "docx"]
    done = subprocess.run(command, cwd=folder, stdout=terminal, stderr=subprocess.PIPE, text=True, check=False)
    os.close(terminal)
    os.close(leader)

    assert done.returncode == 2
    assert "cannot write a Word file to a terminal; use: -o report.docx" in done.stderr


def test_spoiled_text_is_repaired_on_request(folder: Path) -> None:
    (folder / "answer.md").write_text("##Title\n", "utf-8")

    repaired, left = (run("answer.md", "--to", "html", *each) for each in (["--repair"], []))

    assert (repaired.stdout, repaired.stderr) == (
        "<h2>Title</h2>\n",
        "answer.md: 1 repair: heading space [repaired]\n",
    )
    assert left.stdout == "<p>##Title</p>\n"


def test_image_files_that_word_does_not_show_are_converted(folder: Path) -> None:
    for suffix in ("webp", "avif"):
        (folder / f"shot.{suffix}").write_bytes(saved(quartered_image(), suffix.upper()))
    (folder / "drawing.svg").write_bytes(SVG)
    (folder / "shots.md").write_text("![a](shot.webp) ![b](shot.avif) ![c](drawing.svg) ![d](news.md)")
    result = run("shots.md", "-o", "shots.docx")
    assert len(docx.Document(str(folder / "shots.docx")).inline_shapes) == 3
    assert [line.partition(": ")[2] for line in result.output.splitlines()] == [
        "the image 'news.md' was not embedded: it is no image: it must be PNG, JPEG, GIF, WebP, AVIF or SVG [missing-image]"
    ]
