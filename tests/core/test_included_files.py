"""Files that a document includes, by MkDocs' snippets and Obsidian's embeds: from inside its repository alone, and bounded."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core import convert, select_extensions
from mdpublish_core.cli import main
from mdpublish_core.readers.markdown import included_files
from mdpublish_core.readers.markdown.included_files import IncludedFiles

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into the working directory, which is a repository."""
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (tmp_path / "outside.md").write_text("SECRET")
    monkeypatch.chdir(folder)

    def written(name: str, content: str) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        return path

    return written


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def shown(dialect: str = "mkdocs") -> str:
    return run("convert", "docs/a.md", "--dialect", dialect, "--to", "plain-text").stdout


@pytest.mark.parametrize(
    ("dialect", "source", "expected"),
    [
        ("mkdocs", 'a\n\n--8<-- "part.md"\n\nb', "a\n\nOne\n\n- two\n\nb\n"),
        ("mkdocs", "--8<-- 'part.md'", "One\n\n- two\n"),
        ("mkdocs", '--8<-- "docs/part.md"', "One\n\n- two\n"),
        ("mkdocs", '--8<-- "../top.md"', "Top\n"),
        ("mkdocs", '--8<-- "top.md"\n--8<-- "top.md"', "Top\n\nTop\n"),
        ("mkdocs", '!!! note\n\n    --8<-- "part.md"', "> NOTE: One\n>\n> - two\n"),
        ("mkdocs", '- a\n\n    --8<-- "top.md"', "- a\n\n  Top\n"),
        ("mkdocs", '```py\n--8<-- "code.py"\nb\n```', "    a = 1\n    b\n"),
        ("mkdocs", '--8<-- "meta.md"', "Body\n"),
        ("obsidian", "![[part]]\n\na", "One\n\n- two\n\na\n"),
        ("obsidian", "![[part.md]]", "One\n\n- two\n"),
        ("obsidian", "> [!note] T\n> ![[part]]", "> NOTE: T\n> One\n>\n> - two\n"),
    ],
)
def test_file_stands_where_it_is_included(write: Write, dialect: str, source: str, expected: str) -> None:
    write("docs/part.md", "One\n\n- two\n")
    write("docs/code.py", "a = 1\n")
    write("docs/meta.md", "---\ntitle: T\n---\nBody\n")
    write("top.md", "Top\n")
    write("docs/a.md", source)

    assert shown(dialect) == expected


PARTS = """\
# --8<-- [start:one]
a = 1
# --8<-- [end:one]
b = 2
# --8<-- [start:two]
def f():
    # --8<-- [start:inner]
    return 3
    # --8<-- [end:inner]
# --8<-- [end:two]
c = 4
"""


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ("", "a = 1\nb = 2\ndef f():\n    return 3\nc = 4\n"),
        (":one", "a = 1\n"),
        (":two", "def f():\n    return 3\n"),
        (":inner", "    return 3\n"),
        (":2", "a = 1\nb = 2\ndef f():\n    return 3\nc = 4\n"),
        (":2:4", "a = 1\nb = 2\n"),
        ("::3", "a = 1\n"),
        (":1:1,4:4", "b = 2\n"),
        (":-2", "c = 4\n"),
        (":8:,1:1", "    return 3\nc = 4\n"),
        ("::-9", "a = 1\nb = 2\n"),
    ],
)
def test_sections_and_lines_of_files_are_those_of_pymdown(write: Write, selection: str, expected: str) -> None:
    """As PyMdown Extensions 13.1.2 shows them."""
    write("docs/part.py", PARTS)
    write("docs/a.md", f'```py\n--8<-- "part.py{selection}"\n;--8<-- "part.py"\n```')

    lines = shown().splitlines(keepends=True)

    assert "".join(line.removeprefix("    ") for line in lines) == f'{expected}--8<-- "part.py"\n'


def test_block_of_names_includes_each(write: Write) -> None:
    write("docs/part.md", "One\n\nTwo\n")
    write("docs/a.md", "--8<--\npart.md::1\n; part.md\npart.md:3\n--8<--\n\nEnd")

    assert shown() == "One\n\nTwo\n\nEnd\n"


@pytest.mark.parametrize("selection", [":none", ":" + "9" * 3000, ":" * 3000])
def test_what_a_file_does_not_have_is_named(write: Write, selection: str) -> None:
    write("docs/part.md", "One\n")
    write("docs/a.md", f'--8<-- "part.md{selection}"')

    assert "an included file of MkDocs" in run("check", "docs/a.md", "--dialect", "mkdocs").stdout


CONFIGURED = """\
markdown_extensions:
  - abbr
  - footnotes
  - pymdownx.snippets:
      base_path: [!relative $config_dir, shared]
      auto_append: [links.md]
"""


def test_what_mkdocs_appends_defines_names_of_each_document(write: Write) -> None:
    write("mkdocs.yml", CONFIGURED)
    write("shared/links.md", '*[CI]: Continuous integration\n[site]: https://site.example/ "S"\n\n[^n]: A note.\n')
    write("docs/links.md", "[site]: https://other.example/\n")
    write("docs/a.md", "# T\n\nCI of [site].[^n]\n")

    html = run("convert", "docs/a.md", "--to", "generic").stdout
    assert (
        '<abbr title="Continuous integration">CI</abbr> of <a href="https://site.example/" title="S">site</a>' in html
    )
    assert "A note." in html
    assert run("check", "docs/a.md").stdout == ""
    assert "undefined-footnote" in run("check", "docs/a.md", "--dialect", "gfm").stdout
    run("batch", "docs", "out", "--to", "generic")
    assert "https://site.example/" in Path("out/a.html").read_text()
    run("site", ".", "site")
    assert "https://site.example/" in Path("site/a.html").read_text()
    write("shared/links.md", "[site]: https://new.example/\n")
    run("batch", "docs", "out", "--to", "generic")
    run("site", ".", "site")
    assert "https://new.example/" in Path("out/a.html").read_text()
    assert "https://new.example/" in Path("site/a.html").read_text()


def test_notice_of_what_is_appended_has_no_line(write: Write) -> None:
    write("mkdocs.yml", CONFIGURED)
    write("shared/links.md", "\n\n[a][none]\n")
    write("docs/a.md", "Text\n")

    assert run("check", "docs/a.md").stdout == (
        "docs/a.md: the reference [none] has no definition [undefined-reference]\n"
    )


@pytest.mark.parametrize(
    "name",
    [
        "missing.md",
        "../../outside.md",
        "link.md",
        ".env",
        "../.git/config",
        "/etc/hostname",
        "folder",
        "a\0b",
        "x" * 5000,
    ],
)
def test_what_may_not_be_included_is_text_that_is_named(write: Write, name: str) -> None:
    write("docs/folder/b.md", "")
    write("docs/.env", "SECRET")
    write(".git/config", "SECRET")
    write("docs/a.md", f'a\n\n--8<-- "{name}"\n')
    Path("docs/link.md").symlink_to(Path("../outside.md").resolve())

    assert shown().startswith("a\n\n--8<--")
    assert "SECRET" not in shown()
    assert "an included file of MkDocs" in run("check", "docs/a.md", "--dialect", "mkdocs").stdout


def test_project_without_a_repository_has_the_folder_of_its_mark(write: Write) -> None:
    Path(".git").rmdir()
    write("part.md", "One\n")
    write("docs/a.md", '--8<-- "part.md"\n\n--8<-- "../outside.md"\n')
    without = shown()
    write("mkdocs.yml", "markdown_extensions: [pymdownx.snippets]\n")

    assert "One" not in without
    assert shown().startswith("One\n\n--8<--")
    assert "SECRET" not in shown()


@pytest.mark.parametrize(
    "source", ["a ![[part]] b", "[[part]]", "![[part#H]]", "![[part|b]]", "![[missing]]", "![[a.png]]"]
)
def test_other_names_are_links_and_images(write: Write, source: str) -> None:
    write("docs/part.md", "One\n")
    write("docs/a.md", source)

    assert "One" not in shown("obsidian")


def test_included_file_includes_no_other(write: Write) -> None:
    write("docs/a.md", '--8<-- "a.md"\n\nb\n')

    assert shown() == '--8<-- "a.md"\n\nb\n\nb\n'


def test_library_and_standard_input_include_nothing(write: Write) -> None:
    write("part.md", "One")
    source = '--8<-- "part.md"\n'

    assert convert(source, to="plain-text", extensions=select_extensions(["mkdocs"])).text == source
    assert run("convert", "-", "--dialect", "mkdocs", "--to", "plain-text", stdin=source).stdout == source


def test_size_and_number_of_files_are_bounded(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(included_files, "_MAX_BYTES", 10)
    monkeypatch.setattr(included_files, "_MAX_NAMES", 3)
    file = write("a.md", "1234")
    write("large.md", "12345678901")
    include = IncludedFiles(file.parent, lambda: file.parent)

    assert [include(name) for name in ("a", "a.md", "a", "large", "b")] == ["1234", "1234", None, None, None]


def test_notices_of_an_included_file_are_at_the_line_that_includes_it(write: Write) -> None:
    write("docs/part.md", "a\n\nb\n\nc\n\n[d](javascript:e)\n")
    write("docs/a.md", 'a\n\n--8<-- "part.md"\n')

    assert run("check", "docs/a.md", "--dialect", "mkdocs").stdout.startswith("docs/a.md:3:")


@pytest.mark.parametrize("command", ["batch docs out --to plain-text", "check docs --to plain-text"])
def test_changed_file_is_included_again(write: Write, command: str) -> None:
    write("docs/part.md", "a")
    write("docs/a.md", '--8<-- "part.md"\n\n--8<-- "new.md"\n')
    write("mdpublish.toml", 'dialect = "mkdocs"')
    first = run(*command.split())

    write("docs/part.md", "###b\n")
    write("docs/new.md", "e")
    second = run(*command.split())

    assert "included file" in first.output
    assert "docs/a.md:1: a heading needs a space after ###" in second.output
    assert "included file" not in second.output
