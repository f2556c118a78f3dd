"""`mdpublish merge`."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core import convert
from mdpublish_core.cli import main

SOURCE = "* one\n* two\n\nA [link][l].\n\n[l]: https://example.org\n"


def run(folder: Path, *arguments: str, source: str = SOURCE, edited: str = SOURCE) -> Result:
    """Merge a.html, which is made of `edited`, into a.md."""
    (folder / "a.md").write_text(source, "utf-8")
    (folder / "a.html").write_text(convert(edited, to="google-docs").html, "utf-8")
    paths = [str(folder / each) if "." in each else each for each in arguments]
    return CliRunner().invoke(main, ["merge", *paths])


def test_source_with_the_edits_is_printed(tmp_path: Path) -> None:
    result = run(tmp_path, "a.md", "a.html", edited=SOURCE.replace("two", "second"))

    assert (result.exit_code, result.stdout) == (0, SOURCE.replace("two", "second"))


def test_source_is_rewritten_in_place(tmp_path: Path) -> None:
    run(tmp_path, "a.md", "a.html", "--in-place", edited=SOURCE.replace("two", "second"))

    assert (tmp_path / "a.md").read_text("utf-8") == SOURCE.replace("two", "second")


def test_difference_is_printed_and_nothing_written(tmp_path: Path) -> None:
    result = run(tmp_path, "a.md", "a.html", "--diff", edited=SOURCE.replace("two", "second"))

    assert result.stdout.splitlines()[3:6] == [" * one", "-* two", "+* second"]
    assert (tmp_path / "a.md").read_text("utf-8") == SOURCE


def test_conflict_is_marked_and_the_status_is_1(tmp_path: Path) -> None:
    (tmp_path / "now.md").write_text(SOURCE.replace("two", "zwei"), "utf-8")

    result = run(tmp_path, "a.md", "a.html", "--ours", "now.md", "-o", "out.md", edited=SOURCE.replace("two", "second"))

    assert result.exit_code == 1
    assert result.stderr == f"1 conflict: look for <<<<<<< in {tmp_path / 'out.md'}\n"
    assert (tmp_path / "out.md").read_text("utf-8") == SOURCE.replace(
        "* two\n", f"<<<<<<< {tmp_path / 'now.md'}\n* zwei\n=======\n* second\n>>>>>>> {tmp_path / 'a.html'}\n"
    )


def test_images_near_the_source_are_known(tmp_path: Path) -> None:
    pixel = bytes.fromhex("47494638396101000100000000002c00000000010001000002003b")
    (tmp_path / "dot.gif").write_bytes(pixel)
    source = "See ![a dot](dot.gif) here.\n"
    (tmp_path / "a.md").write_text(source, "utf-8")
    CliRunner().invoke(main, ["convert", str(tmp_path / "a.md"), "--to", "docx", "-o", str(tmp_path / "a.docx")])

    result = CliRunner().invoke(main, ["merge", str(tmp_path / "a.md"), str(tmp_path / "a.docx")])

    assert (result.stdout, result.stderr) == (source, "")


def test_what_the_document_does_not_have_is_a_notice(tmp_path: Path) -> None:
    result = run(tmp_path, "a.md", "a.html", source="> a b\n", edited="a b\n")

    assert result.stdout == "> a b\n"
    assert "has no quotes" in result.stderr


CHART = '```chart\n{"type":"bar","data":{"labels":["a"],"datasets":[{"label":"x","data":[7]}]}}\n```\n'
"""Its numbers are a table on a page, which the source does not have."""


def run_on_chart(folder: Path, *options: str) -> Result:
    source, page = folder / "a.md", folder / "a.html"
    source.write_text(f"One.\n\n{CHART}", "utf-8")
    html = convert(source.read_text("utf-8"), to="generic").html
    page.write_text(html.replace("One.", "Two.").replace(">7<", ">8<"), "utf-8")
    return CliRunner().invoke(main, ["merge", str(source), str(page), "--to", "generic", *options])


@pytest.mark.parametrize(("option", "written"), [("--in-place", "One."), ("--force", "Two."), ("--diff", "One.")])
def test_nothing_is_written_that_lacks_an_edit_unless_forced(tmp_path: Path, option: str, written: str) -> None:
    result = run_on_chart(tmp_path, *{option, "--in-place"} - ({"--in-place"} if option == "--diff" else set()))

    assert result.exit_code == (0 if option == "--force" else 1)
    assert (tmp_path / "a.md").read_text("utf-8") == f"{written}\n\n{CHART}"
    assert "an edit is not in the merged Markdown: 1 passage: '8' (the first after" in result.stderr
    assert ("nothing was written" in result.stderr) == (option != "--force")


def test_only_word_files_have_comments(tmp_path: Path) -> None:
    result = run(tmp_path, "a.md", "a.html", "--comments")

    assert result.exit_code == 1
    assert "must be a Word file, to have its comments (got .html)" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.md",), "name the EDITED file, or --clipboard"),
        (("a.md", "a.html", "--clipboard"), "name the EDITED file, or --clipboard"),
        (("a.md", "--clipboard", "--comments"), "--comments is for Word files; name one"),
        (("a.md", "a.html", "--diff", "--in-place"), "--output, --in-place and --diff exclude each other"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run(tmp_path, *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
