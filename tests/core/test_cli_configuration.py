"""Configuration files: where they are found, what they may say, and what overrides them."""

import json
from email import message_from_bytes, policy
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import COMMANDS, main
from mdpublish_core.cli.command import ConfiguredCommand, option_key
from mdpublish_core.cli.configuration import COMMON_KEYS, TABLES, UNCONFIGURED, ConfiguredDefaults
from mdpublish_core.cli.preview.document import Choices, PreviewDocument
from mdpublish_core.testing.steps import count_steps
from tests.core.conftest import Write


@pytest.fixture
def write(write_file: Write) -> Write:
    """Write a file into the working directory, which is a repository."""
    write_file("a.md", "# A :rocket:\n")
    return write_file


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def body_class(*arguments: str) -> str:
    result = run("convert", *arguments, "--to", "page")
    assert result.exit_code == 0, result.stderr
    return result.stdout.partition('<body class="mdpublish-')[2].partition('"')[0]


# Where it is


def test_configuration_is_that_of_the_inputs_folder_or_above(write: Write) -> None:
    write("mdpublish.toml", 'template = "paper"')
    write("docs/deep/b.md", "b")

    assert body_class("docs/deep/b.md") == "paper-light"
    assert body_class("-") == "paper-light"


def test_nearest_file_wins_alone(write: Write) -> None:
    write("mdpublish.toml", 'template = "paper"\ntheme_mode = "dark"')
    write("docs/mdpublish.toml", 'template = "terminal"')
    write("docs/b.md", "b")

    assert body_class("docs/b.md") == "terminal-light"
    assert body_class("a.md") == "paper-dark"


def test_table_of_a_project_is_a_configuration(write: Write) -> None:
    write("pyproject.toml", '[tool.mdpublish]\ntemplate = "paper"\n')
    write("docs/pyproject.toml", '[project]\nname = "mdpublish-docs"\n')
    write("docs/b.md", "b")

    assert body_class("docs/b.md") == "paper-light"


def test_own_file_wins_over_the_projects(write: Write) -> None:
    write("pyproject.toml", '[tool.mdpublish]\ntemplate = "paper"\n')
    write("mdpublish.toml", 'template = "terminal"')

    assert body_class("a.md") == "terminal-light"


def test_search_ends_at_the_repository_and_at_home(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("mdpublish.toml", 'template = "paper"')
    inner = write("inner/b.md", "b").parent
    monkeypatch.setenv("HOME", str(inner))
    monkeypatch.setenv("USERPROFILE", str(inner))
    assert body_class("inner/b.md") == "swiss-light"

    monkeypatch.undo()
    monkeypatch.chdir(inner.parent)
    assert body_class("inner/b.md") == "paper-light"
    (inner / ".git").write_text("gitdir: elsewhere")
    assert body_class("inner/b.md") == "swiss-light"


def test_configuration_of_several_inputs_is_above_all_of_them(write: Write) -> None:
    write("mdpublish.toml", '[check]\nto = ["slack"]')
    write("docs/mdpublish.toml", 'to = "html"')
    write("docs/b.md", "![a](b.png)")
    write("docs/b.png", "")
    write("c.md", "c")

    assert run("check", "docs/b.md", "c.md").exit_code == 1
    assert "missing-image" in run("check", "docs/b.md", "c.md").stdout
    assert "missing-image" not in run("check", "docs/b.md").stdout


def test_option_names_the_file_or_none(write: Write) -> None:
    write("mdpublish.toml", 'template = "paper"')
    write("other.toml", 'template = "terminal"')
    write("pyproject.toml", "[project]\n")

    assert body_class("a.md", "--config", "other.toml") == "terminal-light"
    assert body_class("a.md", "--no-config") == "swiss-light"
    both = run("convert", "a.md", "--no-config", "--config", "other.toml")
    assert (both.exit_code, both.stderr.splitlines()[-1]) == (2, "Error: --config cannot be used with --no-config")
    for name, problem in (
        ("none.toml", "cannot read none.toml: No such file or directory"),
        ("pyproject.toml", "pyproject.toml has no table [tool.mdpublish]"),
    ):
        result = run("convert", "a.md", "--config", name)
        assert (result.exit_code, result.stderr) == (2, f"Error: {problem}\n")


# What overrides it


def test_front_matter_wins_over_it_and_options_over_both(write: Write) -> None:
    write(
        "mdpublish.toml",
        'template = "paper"\ntheme_mode = "dark"\nlang = "fr"\npage_width = "wide"\nextensions = ["emoji"]',
    )
    write(
        "b.md",
        "---\ntemplate: terminal\ntheme_mode: light\nlang: de\npage_width: full\nextensions: no-emoji\n---\n:rocket:\n",
    )

    page = run("convert", "b.md", "--to", "page").stdout
    assert body_class("b.md") == "terminal-light"
    assert '<html lang="de">' in page
    assert ":rocket:" in page
    page = run("convert", "a.md", "--to", "page").stdout
    assert body_class("a.md") == "paper-dark"
    assert '<html lang="fr">' in page
    assert "🚀" in page
    page = run("convert", "b.md", "--to", "page", "--template", "swiss", "--lang", "it", "--extension", "emoji").stdout
    assert '<body class="mdpublish-swiss-light">' in page
    assert '<html lang="it">' in page
    assert "🚀" in page
    assert [widths(name) for name in ("a.md", "b.md")] == ["wide", "full"]


def widths(name: str) -> str:
    """The width of a page, by comparison with those that options give."""
    page = run("convert", name, "--to", "page").stdout
    return next(
        width
        for width in ("standard", "wide", "full")
        if run("convert", name, "--to", "page", "--page-width", width).stdout == page
    )


def test_value_of_the_front_matter_that_is_not_valid_leaves_the_configured_one(write: Write) -> None:
    write("mdpublish.toml", 'template = "paper"\nto = "html"')
    write("b.md", "---\ntemplate: comic\nto: fax\n---\nb\n")

    assert body_class("b.md") == "paper-light"
    assert run("convert", "b.md").stdout == "<p>b</p>\n"


def test_destination_is_that_of_the_suffix_then_of_the_front_matter_then_the_configured_one(write: Write) -> None:
    write("mdpublish.toml", 'to = "html"')
    write("b.md", "---\nto: plain-text\n---\n# B\n")

    assert run("convert", "a.md").stdout == "<h1>A :rocket:</h1>\n"
    assert run("convert", "b.md").stdout == "B\n===\n"
    assert run("convert", "a.md", "--to", "plain-text").stdout.startswith("A :rocket:\n=")
    assert run("convert", "a.md", "-o", "a.eml").exit_code == 0
    assert run("convert", "a.md", "--to", "page").stdout.startswith("<!DOCTYPE html>")


def test_table_of_a_command_wins_over_the_common_keys(write: Write) -> None:
    write("mdpublish.toml", 'to = "html"\ntemplate = "paper"\n[convert]\nto = "plain-text"\n[batch]\nto = "page"')
    write("in/b.md", "# B\n")

    assert run("convert", "a.md").stdout.startswith("A :rocket:\n=")
    assert run("batch", "in", "out").exit_code == 0
    assert '<body class="mdpublish-paper-light">' in Path("out/b.html").read_text("utf-8")


def test_value_is_ignored_where_it_does_not_apply(write: Write) -> None:
    write(
        "mdpublish.toml",
        'theme_mode = "auto"\n[convert]\nto = "page"\npaper = "letter"\nmargin = 40\ntitle_block = true\ntoc = true\nmail_from = "a@b.example"',
    )

    assert run("convert", "a.md").stdout.startswith("<!DOCTYPE html>")
    assert body_class("a.md") == "swiss-auto"
    assert run("convert", "a.md", "--to", "slack").stdout == "*A :rocket:*\n"
    assert run("convert", "a.md", "--to", "email").exit_code == 0
    assert run("convert", "a.md", "-o", "a.docx").exit_code == 0
    assert run("convert", "a.md", "-o", "a.eml").exit_code == 0
    assert message_from_bytes(Path("a.eml").read_bytes(), policy=policy.default)["From"] == "a@b.example"
    assert b"12240" in unzipped("a.docx")
    assert b"TOC" in unzipped("a.docx")
    assert run("convert", "a.md", "-o", "a.docx", "--no-toc").exit_code == 0
    assert b"TOC" not in unzipped("a.docx")
    assert run("convert", "a.md", "--to", "generic").stdout.startswith("<div")


def unzipped(name: str) -> bytes:
    from zipfile import ZipFile

    with ZipFile(name) as file:
        return file.read("word/document.xml")


# Other commands


def test_batch_follows_it_and_converts_again_when_it_changes(write: Write) -> None:
    write("in/b.md", "---\nlang: de\n---\n# B\n")
    write("in/c.md", "# C :rocket:\n")
    write("mdpublish.toml", 'template = "paper"\nlang = "fr"\nextensions = ["emoji"]\n[batch]\nworkers = 2')
    assert run("batch", "in", "out").exit_code == 0

    pages = [Path(f"out/{name}.html").read_text("utf-8") for name in "bc"]
    assert [page.partition('<html lang="')[2][:2] for page in pages] == ["de", "fr"]
    assert ["mdpublish-paper-light" in page and "🚀" in page for page in pages] == [False, True]
    assert run("batch", "in", "out").stderr.startswith("0 converted, 2 unchanged")
    write("mdpublish.toml", 'template = "terminal"')
    assert run("batch", "in", "out").stderr.startswith("2 converted")


def test_batch_writes_the_configured_output_unless_an_option_asks_for_another(write: Write) -> None:
    write("in/b.md", "# B\n")
    write("mdpublish.toml", 'to = "plain-text"')

    assert run("batch", "in", "pages", "--to", "page").exit_code == 0
    assert run("batch", "in", "texts").exit_code == 0
    assert [path.suffix for path in (*Path("pages").glob("b.*"), *Path("texts").glob("b.*"))] == [".html", ".txt"]


def test_preview_begins_with_the_configured_choices(write: Write) -> None:
    write("b.md", "---\ntemplate: terminal\n---\nb")
    write("own.toml", run("templates", "new", "own-one").stdout or Path("own-one.toml").read_text("utf-8"))
    configured = ConfiguredDefaults(outputs=("slack",), template="paper", theme_mode="dark")

    assert PreviewDocument("a.md", configured=configured).defaults == Choices("slack", "paper", "dark")
    assert PreviewDocument("b.md", configured=configured).defaults == Choices("slack", "terminal", "dark")
    assert PreviewDocument("a.md", theme_mode="light", configured=configured).defaults.theme_mode == "light"
    with_theme = ConfiguredDefaults(template="own-one.toml")
    assert PreviewDocument("a.md", configured=with_theme).defaults == Choices("generic", "own-one.toml", "light")
    assert PreviewDocument("b.md", configured=with_theme).defaults == Choices("generic", "terminal", "light")
    assert PreviewDocument("a.md", template="paper", configured=with_theme).defaults == Choices(
        "generic", "paper", "light"
    )


def test_check_uses_the_configured_destinations_and_format(write: Write) -> None:
    write("b.md", "![a](b.png)")
    write("b.png", "")
    write("mdpublish.toml", '[check]\nto = ["html", "slack"]\noutput_format = "json"')

    (checked,) = json.loads(run("check", "b.md").stdout)
    assert [notice["code"] for notice in checked["notices"]] == ["missing-image"]
    assert json.loads(run("check", "b.md", "--to", "html").stdout) == [
        {"file": "b.md", "error": None, "notices": [], "delivery": {}}
    ]
    assert "[missing-image]" in run("check", "b.md", "--output-format", "text").stdout


def test_stylesheet_and_theme_are_relative_to_the_file(write: Write) -> None:
    assert run("templates", "new", "own").exit_code == 0
    write("docs/b.md", "# B")
    write("style/own.css", "h1 { color: #123456 }")
    Path("own.toml").rename("style/own.toml")
    write("mdpublish.toml", 'css = "style/own.css"\ntemplate = "style/own.toml"')

    page = run("convert", "docs/b.md", "--to", "page").stdout
    assert "mdpublish-own-light" in page
    assert "#123456" in page


# Mistakes


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ('tempalte = "paper"', "tempalte: unknown key; did you mean 'template'? Choose from: to, template, "),
        ('theme-mode = "dark"', "theme-mode: unknown key; did you mean 'theme_mode'?"),
        ("[chekc]", "chekc: unknown key; did you mean 'check'?"),
        ("x = 1", "x: unknown key; choose from: to, template, theme_mode, css, page_width, lang, raw_html, "),
        ("convert = 1", "convert: must be a table, [convert] (got 1)"),
        ('[convert]\npagewidth = "full"', "convert.pagewidth: unknown key; did you mean 'page_width'?"),
        ('[convert]\noutput = "a.html"', "convert.output: unknown key; "),
        ("template = 1", "template: must be a string (got 1)"),
        ("template = ['paper']", "template: must be a string (got an array)"),
        ('template = ""', "template: must not be empty; leave out the key"),
        ('template = "papre"', "template: unknown template 'papre'; did you mean 'paper'? Choose from: "),
        ('to = "emial"', "to: unknown output 'emial'; did you mean 'email'? Choose from: google-docs, "),
        ('to = "fax"', "to: unknown output 'fax'; choose from: google-docs, word, "),
        ('theme_mode = "drak"', "theme_mode: must be one of light, dark, auto (got 'drak'); did you mean 'dark'?"),
        ("page_width = 3", "page_width: must be one of standard, wide, full (got 3)"),
        ('lang = "Deutsch!"', "lang: must be a BCP 47 language tag, such as en or de-CH (got 'Deutsch!')"),
        ("extensions = [1]", "extensions: must be a string (got 1)"),
        ("extensions = 1", "extensions: must be an array of strings (got 1)"),
        ('extensions = ["no-maht"]', "extensions: unknown extension 'maht'; did you mean 'math'? Choose from: "),
        ('transforms = ["shout"]', "transforms: unknown transform 'shout'; no package with one is installed"),
        (
            'raw_html = "keep"',
            "raw_html: keep is for authors whom you trust: use --raw-html keep, or name this file by ",
        ),
        ("[convert]\ntoc = 1", "convert.toc: must be true or false (got 1)"),
        ('css = "none.css"', "css: there is no file none.css"),
        (
            'css = "../own.css"',
            "css: must be in the folder of the configuration (got '../own.css'); use the option, or ",
        ),
        ('template = "/etc/own.toml"', "template: must be in the folder of the configuration (got '/etc/own.toml')"),
    ],
)
def test_mistake_is_one_line_with_file_key_and_remedy(write: Write, configuration: str, message: str) -> None:
    write("mdpublish.toml", configuration)

    result = run("convert", "a.md")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: mdpublish.toml: {message}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        (b"a = [", "mdpublish.toml is not valid TOML: "),
        (b"a = '\xff'", "mdpublish.toml is not valid UTF-8 (byte 6); save it as UTF-8"),
        (b"a = " + b"[" * 50_000, "mdpublish.toml is nested too deeply"),
        (b"a." * 90_000 + b"b = 1", "mdpublish.toml must have at most 1,000 dots in a line"),
        (b"#" * 300_000, "mdpublish.toml: must be at most 200,000 bytes"),
        (b"\xef\xbb\xbfa = 1", "mdpublish.toml: a: unknown key"),
    ],
    ids=["syntax", "bytes", "depth", "dots", "size", "byte-order mark"],
)
def test_file_that_cannot_be_read_is_one_line(write: Write, configuration: bytes, message: str) -> None:
    write("mdpublish.toml", "").write_bytes(configuration)

    result = run("convert", "a.md")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


def test_hostile_file_takes_little_work(write: Write) -> None:
    """It takes 5.4 million steps, or 1.2 s; without the bound of dots, such a file takes minutes and gigabytes."""
    write("mdpublish.toml", "".join(f"{'a.' * 990}b{number} = 1\n" for number in range(98)))
    messages = []

    count_steps(lambda: messages.append(run("convert", "a.md").stderr), limit=10_000_000)

    assert "a: unknown key" in messages[0]


def test_numbers_have_their_range(write: Write) -> None:
    for value in ("0", "true", "257", '"2"'):
        write("mdpublish.toml", f"[batch]\nworkers = {value}")
        write("in/b.md", "b")

        assert "batch.workers: must be a number from 1 to 256 (got " in run("batch", "in", "out").stderr


def test_named_file_may_trust_authors_and_read_elsewhere(write: Write) -> None:
    write("style/own.css", "h1 { color: #123456 }")
    write("conf/any.toml", 'raw_html = "keep"\ncss = "../style/own.css"')
    write("b.md", "<marquee>b</marquee>\n\n# H")

    result = run("convert", "b.md", "--config", "conf/any.toml")

    assert "<marquee>" in result.stdout
    assert "#123456" in result.stdout


def test_link_out_of_the_folder_is_not_followed(write: Write, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "own.css"
    outside.write_text("h1 { color: red }")
    Path("own.css").symlink_to(outside)
    write("mdpublish.toml", 'css = "own.css"')

    assert "must be in the folder of the configuration" in run("convert", "a.md").stderr


# Commands and keys


def configured_commands() -> dict[str, ConfiguredCommand]:
    commands = {name: main.get_command(click.Context(main), name) for name in COMMANDS}
    return {name: command for name, command in commands.items() if isinstance(command, ConfiguredCommand)}


def test_each_configured_command_has_a_table() -> None:
    assert set(configured_commands()) <= set(TABLES)


def test_each_common_key_is_an_option_of_several_commands() -> None:
    keys = [
        option_key(option)
        for command in configured_commands().values()
        for option in command.params
        if isinstance(option, click.Option)
    ]

    assert [key for key in COMMON_KEYS if keys.count(key) < 2] == []


def test_table_of_a_command_that_reads_it_itself_is_handed_over(write: Write) -> None:
    given = []

    @click.command(cls=ConfiguredCommand, input_name="source", reads_table=True)
    @click.argument("source")
    @click.option("--lang")
    def site(**values: object) -> None:
        given.append(values)

    write("mdpublish.toml", 'lang = "de"\ntemplate = "paper"\n[site]\nmenu = [{ title = "A" }]')
    assert CliRunner().invoke(site, ["a.md"]).exit_code == 0
    (values,) = given
    assert values["configured"] == ConfiguredDefaults(options={"lang": "de"}, folder=Path.cwd())
    assert getattr(values["configuration"], "table")("site") == {"menu": [{"title": "A"}]}  # noqa: B009
    assert run("convert", "a.md").exit_code == 0


@pytest.mark.usefixtures("write")
def test_there_is_nothing_to_configure_by_default() -> None:
    assert ConfiguredDefaults() == UNCONFIGURED
    assert body_class("a.md") == "swiss-light"


def test_configured_options_of_pages_count_for_pages_alone(write: Write) -> None:
    options = "toc = true\nreading_time = true\ncopy_code = true\n"
    write("mdpublish.toml", f'[convert]\n{options}[batch]\n{options}base_url = "https://a.example/docs"\n')
    write("docs/long.md", "# Long\n\n" + "".join(f"## H{number}\n\n" + "word " * 400 + "\n\n" for number in range(4)))

    assert run("convert", "docs/long.md", "--to", "email").exit_code == 0
    assert run("batch", "docs", "mails", "--to", "eml").exit_code == 0
    page = run("convert", "docs/long.md", "--to", "page").stdout
    run("batch", "docs", "out")

    for each in (page, Path("out/long.html").read_text("utf-8")):
        assert "<summary>Contents" in each
        assert "min read" in each
    assert 'href="https://a.example/docs/long.html"' in Path("out/long.html").read_text("utf-8")
