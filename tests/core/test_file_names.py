"""Names of files in Unicode's other form or another letter case: links lead to the file, wherever they are followed."""

import json
import zipfile
from email import message_from_bytes, policy
from pathlib import Path
from unicodedata import normalize
from urllib.parse import unquote

import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import main
from mdpublish_core.resources.file_names import actual_path, name_key
from tests.core.png_images import blank_png

NAME = "Übersicht é"
SPELLED = {"NFC": normalize("NFC", NAME), "NFD": normalize("NFD", NAME), "case": NAME.upper()}
FORMS = [("NFC", "NFD"), ("NFD", "NFC")]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def codes(result: Result) -> list[str]:
    return [notice["code"] for file in json.loads(result.stdout) for notice in file["notices"]]


def written(folder: Path, link: str, name: str) -> None:
    """Write a document that links to `link`, and a document, an image and a file called `name`, in a folder so called."""
    other = folder / f"docs/{name}"
    other.mkdir(parents=True)
    (folder / "docs/index.md").write_text(
        f"# Index\n\n[page](<{link}/{link}.md#part>) ![picture](<{link}/{link}.png>) [file](<{link}/{link}.txt>)\n",
        "utf-8",
    )
    (other / f"{name}.md").write_text("# Other\n\n## Part\n", "utf-8")
    (other / f"{name}.png").write_bytes(blank_png(3, 2))
    (other / f"{name}.txt").write_text("text")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("link", "file"), FORMS)
@pytest.mark.parametrize("command", ["site", "batch"])
def test_link_in_another_form_leads_to_the_page_and_the_copies(
    folder: Path, command: str, link: str, file: str
) -> None:
    name = SPELLED[file]
    written(folder, SPELLED[link], name)

    result = run(command, "docs", "out", "--output-format", "json")

    assert result.exit_code == 0, result.output
    assert codes(result) == []
    page = unquote((folder / "out/index.html").read_text("utf-8"))
    for suffix in (".html#", '.png"', '.txt"'):
        assert f'"{name}/{name}{suffix}' in page
    assert {each.suffix for each in (folder / "out" / name).iterdir()} == {".html", ".png", ".txt"}


@pytest.mark.parametrize(("link", "file"), FORMS)
def test_check_finds_nothing_in_another_form(folder: Path, link: str, file: str) -> None:
    written(folder, SPELLED[link], SPELLED[file])

    assert codes(run("check", "docs", "--to", "page", "--to", "docx", "--output-format", "json")) == []


@pytest.mark.parametrize(("link", "file"), [*FORMS, ("case", "case")])
def test_images_are_in_word_files_and_mails(folder: Path, link: str, file: str) -> None:
    name = NAME if file == "case" else SPELLED[file]
    written(folder, SPELLED[link], name)

    for kind in ("docx", "eml"):
        assert run("convert", "docs/index.md", "-o", f"one.{kind}").exit_code == 0
    with zipfile.ZipFile("one.docx") as archive:
        assert [each for each in archive.namelist() if each.endswith(".png")]
    mail = message_from_bytes(Path("one.eml").read_bytes(), policy=policy.default)
    assert "image/png" in [part.get_content_type() for part in mail.walk()]


@pytest.mark.parametrize("command", ["site", "batch"])
def test_link_in_another_case_leads_to_the_file_and_is_named(folder: Path, command: str) -> None:
    written(folder, NAME.upper(), NAME)

    result = run(command, "docs", "out", "--output-format", "json")

    assert codes(result) == ["inexact-link"] * 3
    page = unquote((folder / "out/index.html").read_text("utf-8"))
    assert f'"{NAME}/{NAME}.html#' in page
    assert f'"{NAME}/{NAME}.png"' in page


def test_check_names_another_case_and_fixes_it(folder: Path) -> None:
    written(folder, NAME.upper(), NAME)

    result = run("check", "docs")
    assert result.stdout.count("has another letter case than the file, which servers may not find") == 3
    run("check", "docs", "--fix")
    assert f"![picture](<{NAME}/{NAME}.png>)" in (folder / "docs/index.md").read_text("utf-8")


@pytest.mark.parametrize(("link", "file"), FORMS)
def test_files_of_another_form_are_included(folder: Path, link: str, file: str) -> None:
    (folder / f"{SPELLED[file]}.md").write_text("Included", "utf-8")
    (folder / "a.md").write_text(f'--8<-- "{SPELLED[link]}.md"\n\n[[{SPELLED[link]}]]', "utf-8")

    result = run("convert", "a.md", "--dialect", "mkdocs", "--extension", "wikilinks", "--to", "plain-text")

    assert "Included" in result.stdout
    assert run("check", "a.md", "--dialect", "mkdocs", "--extension", "wikilinks").exit_code == 0


def test_exact_name_goes_first_and_two_others_are_none(folder: Path) -> None:
    for name in ("a.md", "A.md", "e\u0301", "\u00e9", "E\u0301"):
        (folder / name).write_text("")

    assert actual_path(folder, "A.md") == "A.md"
    assert actual_path(folder, "\u00e9") == "\u00e9"
    assert actual_path(folder, "e\u0301") == "e\u0301"
    assert actual_path(folder, "\u00c9") == "E\u0301"
    assert actual_path(folder, "none/../a.MD") == "none/../a.MD"
    assert actual_path(folder, "a.MD") == "a.MD"
    assert actual_path(folder, "a\0b") == "a\0b"


def test_names_are_compared_without_their_form_and_case() -> None:
    assert (
        name_key("STRASSE\u0301")
        == name_key("strasse\u0301")
        == name_key("Strass\u00e9")
        == name_key("stra\u00df\u00e9")
    )
