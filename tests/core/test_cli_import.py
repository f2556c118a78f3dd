"""`mdpublish import`; clipboards are read in test_clipboards.py."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core import convert
from mdpublish_core.cli import main
from tests.core.readers.docx.word_sources import paragraph, word_file
from tests.core.readers.docx.word_sources import run as word_run

GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
HTML = f'<h1>Größe</h1><p><b>x</b> <img src="{GIF}" alt="dot"></p>'


def run(*arguments: str, stdin: str | bytes = "", environment: dict[str, str] | None = None) -> Result:
    return CliRunner(env=environment).invoke(main, ["import", *arguments], input=stdin)


def test_html_of_a_file_is_printed_as_markdown(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<h1>Größe</h1><ul><li>b</li></ul>", "utf-8")

    assert run(str(tmp_path / "a.html")).stdout == "# Größe\n\n- b\n"


@pytest.mark.parametrize("arguments", [[], ["--source", "html"], ["--from", "html"]])
def test_saved_page_is_its_main_text_unless_the_whole_is_asked_for(arguments: list[str]) -> None:
    page = "<html><body><nav>a</nav><main>b</main></body></html>"

    result = run("-", *arguments, stdin=page)

    assert (result.stdout, run("-", "--whole-page", *arguments, stdin=page).stdout) == ("b\n", "a\n\nb\n")
    assert "left out of the page: parts around the main text (1); the option whole_page keeps all" in result.stderr


def test_standard_input_is_written_to_a_file(tmp_path: Path) -> None:
    result = run("-", "-o", str(tmp_path / "a.md"), stdin="<p>b</p>")

    assert result.stdout == ""
    assert (tmp_path / "a.md").read_text("utf-8") == "b\n"


def test_comments_of_a_word_file_are_written_on_request(tmp_path: Path) -> None:
    inserted = f'<w:ins w:author="Ben">{word_run("a")}</w:ins>'
    (tmp_path / "a.docx").write_bytes(word_file(paragraph(inserted)))

    assert run(str(tmp_path / "a.docx")).stdout == "a\n"
    assert run(str(tmp_path / "a.docx"), "--comments").stdout == "a <!-- Ben inserts 'a' -->\n"
    for arguments in (["--clipboard"], ["-", "--source", "word"]):
        assert "--comments is for Word files" in run(*arguments, "--comments").stderr
    assert "must be a Word file" in run("-", "--comments", stdin="<p>a</p>").stderr


@pytest.mark.parametrize("suffix", [".docx", ".DOCX", ".html", ".htm", ".pdf", ".csv", ".json"])
@pytest.mark.parametrize("command", [["import", "a.docx"], ["merge", "a.md", "a.docx"]])
def test_markdown_is_written_to_no_file_of_another_format(tmp_path: Path, command: list[str], suffix: str) -> None:
    (tmp_path / "a.md").write_text("b\n")
    word = convert("# a\n", to="docx").to_bytes()
    (tmp_path / "a.docx").write_bytes(word)
    files = [str(tmp_path / name) for name in command[1:]]

    result = CliRunner().invoke(main, [command[0], *files, "-o", str(tmp_path / f"a{suffix}")])

    assert result.exit_code == 2
    assert f"cannot write Markdown to a {suffix.lower()} file; use -o a.md" in result.stderr
    assert (tmp_path / "a.docx").read_bytes() == word


def test_standard_input_may_be_a_word_file() -> None:
    assert run("-", stdin=convert("# a\n", to="docx").to_bytes()).stdout == "# a\n"


def test_images_in_the_html_stay_in_the_markdown() -> None:
    assert run("-", stdin=HTML).stdout == f"# Größe\n\n**x** ![dot]({GIF})\n"


def test_images_are_written_to_the_folder_that_is_named(tmp_path: Path) -> None:
    output = tmp_path / "notes" / "a.md"
    output.parent.mkdir()

    run("-", "-o", str(output), "--media-folder", str(tmp_path / "my images"), stdin=HTML)

    (image,) = (tmp_path / "my images").iterdir()
    assert image.read_bytes().startswith(b"GIF89a")
    assert output.read_text("utf-8") == f"# Größe\n\n**x** ![dot](../my%20images/{image.name})\n"


def test_lines_are_filled() -> None:
    assert run("-", "--wrap", "20", stdin=f"<p>{'word ' * 6}</p>").stdout == "word word word word\nword word\n"


def test_what_markdown_cannot_say_is_a_notice() -> None:
    result = run("-", stdin="<math><mglyph></mglyph><mi>x</mi></math>")

    assert result.exit_code == 0
    assert "formula" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((), 2, "name a FILE, - for standard input, or --clipboard for the clipboard"),
        (("-", "--clipboard"), 2, "name a FILE, - for standard input, or --clipboard for the clipboard"),
        (("-", "--source", "gogle-docs"), 2, "unknown source 'gogle-docs'; did you mean 'google-docs'?"),
        (("nowhere.html",), 1, "cannot read nowhere.html: No such file or directory"),
    ],
)
def test_what_cannot_be_imported_is_reported_in_a_line(arguments: tuple[str, ...], status: int, message: str) -> None:
    result = run(*arguments)

    assert (result.exit_code, message in result.stderr) == (status, True), result.stderr


@pytest.mark.parametrize(
    ("contents", "markdown"),
    [
        ({"text-html": "<b>a</b>", "UTF8_STRING": "a"}, "**a**\n"),
        ({"UTF8_STRING": "# a\n"}, "# a\n"),
    ],
)
def test_clipboard_is_read_in_its_richest_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contents: dict[str, str], markdown: str
) -> None:
    result = _with_clipboard(tmp_path, monkeypatch, contents)

    assert result.stdout == markdown


def test_empty_clipboard_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = _with_clipboard(tmp_path, monkeypatch, {})

    assert (result.exit_code, result.stderr) == (
        1,
        "Error: the clipboard has neither HTML nor text; select something and copy it\n",
    )


def _with_clipboard(folder: Path, monkeypatch: pytest.MonkeyPatch, contents: dict[str, str]) -> Result:
    """Run with an `xclip` that has contents by type."""
    program = f"import sys\ncontents = {contents!r}\nkind = sys.argv[-1].replace('/', '-')\n"
    program += "sys.stdout.write(contents[kind]) if kind in contents else sys.exit(1)\n"
    (folder / "xclip").write_text(f"#!{sys.executable}\n{program}", "utf-8")
    (folder / "xclip").chmod(0o755)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return run("--clipboard", environment={"DISPLAY": ":1"})


def test_word_file_is_read_and_converted_by_its_suffix(tmp_path: Path) -> None:
    markdown = "# Größe\n\n- [x] *a*\n- [ ] $x^2$\n\n```python\nb\n```\n"
    (tmp_path / "a.docx").write_bytes(convert(markdown, to="docx").to_bytes())

    assert run(str(tmp_path / "a.docx")).stdout == markdown
    converted = CliRunner().invoke(main, ["convert", str(tmp_path / "a.docx"), "--to", "slack"])
    assert converted.stdout == convert(markdown, to="slack").text


def test_format_of_standard_input_is_named() -> None:
    assert run("-", "--from", "csv", stdin="a,b\n1,2\n").stdout == "| a   | b   |\n| --- | --- |\n| 1   | 2   |\n"


def test_file_that_cannot_be_read_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_bytes(b"{\\rtf1}")

    result = run(str(tmp_path / "a.rtf"))

    assert (result.exit_code, "save it as .docx" in result.stderr) == (1, True)
