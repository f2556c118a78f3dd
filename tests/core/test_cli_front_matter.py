"""What the command takes from front matter; options on the command line win."""

import json
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core import convert
from mdpublish_core.cli import main
from mdpublish_core.cli.preview.document import Choices, PreviewDocument

BLOCK = (
    "---\ntitle: T\nsubject: S\ndescription: D\nlang: de\ntemplate: paper\ntheme_mode: dark\npage_width: wide\n"
    "to: {to}\n---\n# H\n\na\n"
)

Writer = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """Write a document with a destination into the working directory."""
    monkeypatch.chdir(tmp_path)

    def written(to: str = "generic", name: str = "a.md") -> str:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(BLOCK.replace("{to}", to))
        return name

    return written


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_converted_page_follows_front_matter(write: Writer) -> None:
    page = run("convert", write(), "--to", "page").stdout

    assert '<html lang="de">' in page
    assert "<title>T</title>" in page
    assert '<meta name="description" content="D" />' in page
    assert '<body class="mdpublish-paper-dark">' in page


def test_options_of_the_page_win(write: Writer) -> None:
    options = ("--title", "U", "--lang", "fr", "--template", "swiss", "--theme-mode", "light")
    page = run("convert", write(), "--to", "page", *options).stdout

    assert '<html lang="fr">' in page
    assert "<title>U</title>" in page
    assert '<body class="mdpublish-swiss-light">' in page


def test_front_matter_names_the_destination(write: Writer) -> None:
    markdown = Path(write("slack")).read_text()

    assert run("convert", "a.md").stdout == convert(markdown, to="slack").text
    assert run("convert", "a.md", "--to", "html").stdout == convert(markdown, to="html").html


def test_output_file_and_page_option_win_over_the_named_destination(write: Writer) -> None:
    file = write("word")

    assert run("convert", file, "-o", "a.txt").exit_code == 0
    assert Path("a.txt").read_text().startswith("H\n=")
    assert "<!DOCTYPE html>" in run("convert", file, "--to", "page").stdout


def test_unknown_destination_in_front_matter_is_a_notice(write: Writer) -> None:
    result = run("convert", write("fax"))

    assert result.exit_code == 0
    assert result.stdout == convert(Path("a.md").read_text()).html
    assert "a.md:9:1: `to` must be one of google-docs, " in result.stderr
    assert "(got 'fax'); it is ignored [front-matter-ignored]" in result.stderr


@pytest.mark.parametrize(
    ("markdown", "subject"),
    [("---\nsubject: S\ntitle: T\n---\n# H\n", "S"), ("---\ntitle: T\n---\n# H\n", "T"), ("# H\n", "H")],
)
def test_subject_of_an_email_is_in_front_matter(write: Writer, markdown: str, subject: str) -> None:
    Path(write()).write_text(markdown)

    assert run("convert", "a.md", "-o", "a.eml").exit_code == 0
    assert message_from_bytes(Path("a.eml").read_bytes(), policy=policy.default)["Subject"] == subject


def test_subject_option_wins(write: Writer) -> None:
    run("convert", write(), "-o", "a.eml", "--mail-subject", "Mine")

    assert message_from_bytes(Path("a.eml").read_bytes(), policy=policy.default)["Subject"] == "Mine"


def test_check_is_for_the_named_destination(write: Writer) -> None:
    Path(write()).write_text("---\nto: email\n---\n![a](b.png)\n")

    assert "[missing-image]" in run("check", "a.md").stdout
    notices = json.loads(run("check", write("fax"), "--output-format", "json").stdout)[0]["notices"]
    assert [(notice["line"], notice["code"]) for notice in notices] == [(9, "front-matter-ignored")]


def test_copy_needs_no_destination_if_front_matter_names_it(write: Writer) -> None:
    missing = run("copy", write("fax"))
    assert missing.exit_code == 2
    assert "missing option --to" in missing.stderr

    assert "missing option --to" not in run("copy", write("slack")).stderr


def test_batch_follows_front_matter(write: Writer) -> None:
    write(name="docs/index.md")
    Path("docs/b.md").write_text("# B\n")

    assert run("batch", "docs", "out").exit_code == 0
    page = Path("out/index.html").read_text()
    assert '<html lang="de">' in page
    assert "<title>T</title>" in page
    assert '<body class="mdpublish-paper-dark">' in page
    other = Path("out/b.html").read_text()
    assert "<html>" in other
    assert '<a href="index.html">T</a>' in other


def test_batch_writes_one_kind_of_output(write: Writer) -> None:
    write("slack", name="docs/a.md")

    assert run("batch", "docs", "out", "--to", "word").exit_code == 0
    assert [path.name for path in sorted(Path("out").glob("*.*")) if not path.name.startswith(".")] == ["a.html"]


def test_emails_of_a_batch_have_their_subjects(write: Writer) -> None:
    write(name="docs/a.md")

    assert run("batch", "docs", "out", "--to", "eml").exit_code == 0
    assert message_from_bytes(Path("out/a.eml").read_bytes(), policy=policy.default)["Subject"] == "S"


def test_preview_follows_front_matter_as_it_changes(write: Writer) -> None:
    document = PreviewDocument(write("slack"))
    assert document.defaults == Choices("slack", "paper", "dark")

    Path("a.md").write_text("---\ntheme_mode: dark\nlang: de\n---\n# Longer text\n")
    assert document.defaults == Choices("generic", "swiss", "dark")
    page = document.rendered(document.choices({})).body.decode()
    assert '<html lang="de">' in page


def test_options_of_the_preview_win(write: Writer) -> None:
    document = PreviewDocument(write("slack"), to="word", template="swiss", theme_mode="light")

    assert document.defaults == Choices("word", "swiss", "light")


def test_preview_shows_the_notice_of_an_unknown_destination(write: Writer) -> None:
    document = PreviewDocument(write("fax"))

    assert [notice.code for notice in document.rendered(document.defaults).notices] == ["front-matter-ignored"]
