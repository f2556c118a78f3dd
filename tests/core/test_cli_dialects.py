"""The dialect of a command's input: by option, front matter, configuration, and marks of its folder."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import main
from mdpublish_core.cli.dialects import find_dialect
from tests.core.conftest import Write

NOTE = '!!! note "Title"\n\n    Body\n'
READ = "> NOTE: Title\n> Body\n"
UNREAD = NOTE
MKDOCS = "markdown_extensions: [admonition]\n"
NONE_ELSE = (
    "no-abbreviations no-attributes no-critic no-definition-lists no-emoji no-fence-titles no-image-sizes no-insertions "
    "no-keys no-markdown-in-html no-snippets no-sub-superscript no-table-captions"
)
OF_OTHERS = (
    "no-critic no-emoji no-fence-titles no-indented-admonitions no-insertions no-keys no-snippets no-sub-superscript"
)
SAID = "mkdocs.yml: read as mkdocs; --dialect gfm switches it off\n"


@pytest.fixture
def write(write_file: Write) -> Write:
    """Write a file into the working directory, which is a repository."""
    write_file("docs/a.md", NOTE)
    return write_file


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def shown(*arguments: str, stdin: str = "") -> str:
    return run("convert", *(arguments or ("docs/a.md",)), "--to", "plain-text", stdin=stdin).stdout


# What chooses it


def test_without_a_mark_nothing_is_read_or_said(write: Write) -> None:
    write("docs/b.md", 'a :material-check: === "Tab"\n')

    result = run("convert", "docs/a.md", "--to", "plain-text")

    assert result.stdout == UNREAD
    assert "read as" not in result.stderr


@pytest.mark.usefixtures("write")
def test_option_chooses_the_dialect() -> None:
    assert shown("docs/a.md", "--dialect", "mkdocs") == READ
    assert shown("-", "--dialect", "mkdocs", stdin=NOTE) == READ


def test_front_matter_chooses_the_dialect(write: Write) -> None:
    write("docs/a.md", f"---\ndialect: mkdocs\n---\n{NOTE}")

    assert shown() == READ
    assert shown("docs/a.md", "--dialect", "gfm") == UNREAD


def test_configuration_chooses_the_dialect(write: Write) -> None:
    write("mdpublish.toml", 'dialect = "mkdocs"\nextensions = ["emoji"]')

    assert shown() == READ
    assert shown("docs/a.md", "--dialect", "gfm") == UNREAD
    assert shown("docs/a.md", "--no-config") == UNREAD

    write("docs/a.md", f"---\ndialect: gfm\n---\n{NOTE}")
    assert shown() == UNREAD


def test_mark_of_the_folder_chooses_the_dialect_which_is_said(write: Write) -> None:
    write("mkdocs.yml", MKDOCS)

    result = run("convert", "docs/a.md", "--to", "plain-text")

    assert (result.stdout, result.stderr) == (READ, SAID)


def test_other_choices_go_before_the_mark(write: Write) -> None:
    write("mkdocs.yml", MKDOCS)

    option = run("convert", "docs/a.md", "--to", "plain-text", "--dialect", "gfm")
    assert option.stdout == UNREAD
    assert "read as" not in option.stderr

    write("mdpublish.toml", 'dialect = "gfm"')
    assert shown() == UNREAD
    write("mdpublish.toml", 'extensions = ["no-math"]')
    assert shown() == READ
    write("docs/a.md", f"---\ndialect: gfm\nextensions: emoji\n---\n{NOTE}")
    assert shown() == UNREAD


def test_standard_input_has_no_folder(write: Write) -> None:
    write("mkdocs.yml", MKDOCS)

    assert shown("-", stdin=NOTE) == UNREAD


def test_unknown_dialects_are_refused(write: Write) -> None:
    assert "'gfm', 'mkdocs', 'obsidian', 'hugo', 'pandoc'" in run("convert", "docs/a.md", "--dialect", "mkdoc").stderr

    write("docs/a.md", "---\ndialect: mkdoc\n---\na\n")
    expected = "docs/a.md:2:1: dialect must be one of gfm, mkdocs, obsidian, hugo, pandoc (got 'mkdoc'); it is ignored"
    assert expected in run("check", "docs/a.md").stdout

    write("docs/a.md", "---\ndialect: {a: b}\n---\na\n")
    assert "(got a mapping); it is ignored" in run("check", "docs/a.md").stdout

    write("mdpublish.toml", 'dialect = "mkdoc"')
    assert "mdpublish.toml: dialect: must be one of gfm, mkdocs" in run("check", "docs/a.md").stderr


def test_program_that_reads_the_notices_gets_no_line_more(write: Write) -> None:
    write("mkdocs.yml", MKDOCS)

    assert run("convert", "docs/a.md", "--to", "plain-text", "--output-format", "json").stderr.startswith("[\n")


# Commands


@pytest.mark.parametrize("command", ["check docs", "batch docs out", "site docs out", "convert docs/a.md -o a.html"])
def test_commands_read_marks_of_the_folder(write: Write, command: str) -> None:
    write("mkdocs.yml", MKDOCS)

    result = run(*command.split())

    assert SAID in result.stderr
    assert "unread-syntax" not in result.output
    assert "unread-syntax" in run(*command.split(), "--dialect", "gfm").output


@pytest.mark.parametrize(
    ("configuration", "options", "is_read"),
    [
        ("", [], True),
        ("", ["--dialect", "gfm"], False),
        ("", ["--extension", "wikilinks"], True),
        ('[site]\nextensions = ["wikilinks"]', [], True),
        ('[site]\ndialect = "obsidian"', [], False),
        ('[site]\ndialect = "obsidian"', ["--dialect", "mkdocs"], True),
        ('dialect = "mkdocs"\n[site]\ndialect = "gfm"', [], False),
        ('dialect = "gfm"', [], False),
    ],
)
def test_site_has_one_dialect(write: Write, configuration: str, options: list[str], *, is_read: bool) -> None:
    write("mkdocs.yml", MKDOCS)
    write("mdpublish.toml", configuration)

    result = run("site", "docs", "out", *options)

    assert result.exit_code == 0, result.output
    assert ("!!! note" not in Path("out/a.html").read_text("utf-8")) is is_read


# Marks


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (
            {"mkdocs.yml": "site_name: x"},
            f"mkdocs {NONE_ELSE.replace('no-insertions', 'no-indented-admonitions no-insertions')}",
        ),
        ({"mkdocs.yaml": MKDOCS}, f"mkdocs {NONE_ELSE}"),
        ({"mkdocs.yml": "{"}, "mkdocs"),
        ({"mkdocs.yml": "- a"}, "mkdocs"),
        (
            {
                "mkdocs.yml": "markdown_extensions:\n- pymdownx.extra:\n- markdown.extensions.admonition:\n- nl2br\n- pymdownx.tilde"
            },
            "mkdocs breaks no-critic no-emoji no-insertions no-keys no-snippets no-table-captions",
        ),
        (
            {
                "mkdocs.yml": (
                    "x: &y !ENV [A, b]\nplugins: [*y]\nmarkdown_extensions:\n  pymdownx.details: {}\n"
                    "  pymdownx.superfences:\n    a: !!python/name:os.system\n"
                )
            },
            f"mkdocs {NONE_ELSE.replace('no-fence-titles ', '')}",
        ),
        ({"mkdocs.yml": "markdown_extensions: [extra, pymdownx.blocks.caption]"}, f"mkdocs {OF_OTHERS}"),
        ({"mkdocs.yml": "INHERIT: base.yml"}, "mkdocs"),
        ({"mkdocs.yml": f"INHERIT: base.yml\n{MKDOCS}"}, f"mkdocs {NONE_ELSE}"),
        ({"mkdocs.yml": f"nav: {'[' * 35}{']' * 35}\n{MKDOCS}"}, f"mkdocs {NONE_ELSE}"),
        ({"mkdocs.yml": f"nav: {'[' * 999}{']' * 999}\n{MKDOCS}"}, "mkdocs"),
        ({"mkdocs.yml": ""}, "mkdocs"),
        ({".obsidian/app.json": "{}"}, "obsidian"),
        ({".obsidian/app.json": '{"strictLineBreaks": true}'}, "obsidian no-breaks"),
        ({".obsidian/app.json": "["}, "obsidian"),
        ({"hugo.toml": ""}, "hugo"),
        ({"config.toml": "", "content/a.md": ""}, "hugo"),
        ({"config.toml": "", "a.md": ""}, None),
        ({"docs/.obsidian/app.json": "", "mkdocs.yml": MKDOCS}, "obsidian"),
        ({"docs/a.md": '!!! note\n    a\n\n=== "T"\n\n> [!recipe] b\n\n{{< c >}}\n\n[[d]]'}, None),
    ],
)
def test_nearest_mark_says_the_dialect(write: Write, files: dict[str, str], names: str | None) -> None:
    for name, content in files.items():
        write(name, content)

    detected = find_dialect(Path("docs"))

    assert (detected and " ".join(detected[0])) == names
