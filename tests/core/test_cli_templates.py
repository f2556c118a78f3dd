import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from mdpublish_core import get_template, list_templates, load_template
from mdpublish_core.cli import main
from mdpublish_core.gallery import gallery_page
from mdpublish_core.templates import CATEGORIES, THEME_MODES
from tests.running import on_a_terminal
from tests.sampling import sampled


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["templates", *arguments])


def test_templates_lists_each_template() -> None:
    lines = run().stdout.splitlines()

    assert [line.split()[:2] for line in lines] == [[t.id, t.category] for t in list_templates()]
    assert all(re.search(re.escape(t.description) + "$", line) for t, line in zip(list_templates(), lines, strict=True))


def test_json_lists_each_template() -> None:
    listed = json.loads(run("--category", "developer", "--output-format", "json").stdout)

    names = ("id", "name", "category", "description")
    assert listed == [{name: getattr(each, name) for name in names} for each in list_templates("developer")]
    assert run("--gallery", "-", "--output-format", "json").exit_code == 2


def test_category_leaves_the_others_out() -> None:
    lines = run("--category", "developer").stdout.splitlines()

    assert [line.split()[0] for line in lines] == [template.id for template in list_templates("developer")]


def test_unknown_category_ends_in_a_message_that_names_the_known_ones() -> None:
    result = run("--category", "fancy")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: unknown category 'fancy'; choose from: {', '.join(CATEGORIES)}\n"


def test_category_is_completed_by_shells() -> None:
    complete = ShellComplete(main, {}, "mdpublish", "_MDPUBLISH_COMPLETE")

    assert [item.value for item in complete.get_completions(["templates", "--category"], "d")] == ["developer", "dark"]


def test_terminal_shows_templates_below_their_categories() -> None:
    shown = on_a_terminal("templates", COLUMNS="200").decode()

    lines = re.sub(r"\x1b\[\d*m", "", shown).splitlines()
    assert [line for line in lines if line and not line.startswith("  ")] == list(
        dict.fromkeys(template.category for template in list_templates())
    )
    assert [line.split()[0] for line in lines if line.startswith("  ")] == [t.id for t in list_templates()]
    assert "\x1b[" in shown


def test_terminal_shows_no_color_where_it_is_disabled() -> None:
    assert b"\x1b[" not in on_a_terminal("templates", NO_COLOR="1")


def test_gallery_is_written_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "gallery.html"

    result = run("--gallery", str(out), "--category", "free")

    assert (result.exit_code, result.output) == (0, "")
    page = gallery_page(
        list_templates("free"), specimen_url=lambda template, mode: f"gallery-pages/{template.id}-{mode}.html"
    )
    assert out.read_text("utf-8") == page


def test_gallery_is_written_to_standard_output() -> None:
    assert run("--gallery", "-").stdout_bytes == gallery_page(list_templates()).encode()


def test_gallery_of_a_category_shows_only_its_templates() -> None:
    assert run("--category", "business", "--gallery", "-").stdout == gallery_page(list_templates("business"))


@pytest.mark.parametrize(("out", "message"), [("none/out.html", "make its folder first"), (".", "Is a directory")])
def test_gallery_that_cannot_be_written_ends_in_a_message(out: str, message: str) -> None:
    result = run("--gallery", out)

    assert (result.exit_code, result.output) == (1, f"Error: cannot write {out}: {message}\n")


# Custom templates


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_new_begins_with_a_built_in_template(here: Path) -> None:
    result = run("new", "my-brand", "--from", "paper")

    assert result.exit_code == 0
    assert "mdpublish preview README.md --template ./my-brand.toml" in result.stderr
    template = load_template(here / "my-brand.toml")
    assert (template.id, template.name) == ("my-brand", "My brand")
    assert template.light == get_template("paper").light


@pytest.mark.parametrize("begun", sampled([template.id for template in list_templates()], 16, "corpora"))
def test_what_is_begun_with_is_whole_and_good(here: Path, begun: str) -> None:
    assert run("new", "mine", "--from", begun).exit_code == 0

    result = run("check", "mine.toml")

    assert (result.exit_code, result.stdout) == (0, "")
    begun_with, mine = get_template(begun), load_template(here / "mine.toml")
    assert replace(mine, id=begun, name=begun_with.name, description=begun_with.description) == begun_with


def test_new_overwrites_nothing(here: Path) -> None:
    (here / "mine.toml").write_text("precious")

    result = run("new", "mine")

    assert (result.exit_code, result.stderr) == (1, "Error: mine.toml already exists; choose another name\n")
    assert (here / "mine.toml").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            ("My Brand",),
            1,
            "My Brand.toml: id: is 'My Brand'; allowed: lower-case letters and digits, joined by hyphens",
        ),
        (("mine", "--from", "nix"), 2, "unknown template 'nix'"),
    ],
)
def test_new_says_what_is_wrong_and_writes_nothing(
    here: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    result = run("new", *arguments)

    assert result.exit_code == status
    assert message in result.stderr
    assert list(here.iterdir()) == []


def test_check_prints_each_finding_with_file_and_key(here: Path) -> None:
    run("new", "mine")
    theme = (here / "mine.toml").read_text("utf-8")
    (here / "mine.toml").write_text(theme.replace('muted = "#5c5c5c"', 'muted = "#bcbcbc"'), "utf-8")

    result = run("check", "mine.toml")

    assert result.exit_code == 1
    assert result.stdout == (
        "mine.toml: light.muted: #bcbcbc has a contrast of 1.71 to surface #f4f3f1; at least 4.5; "
        "the nearest that passes is #6f6f6f\n"
    )
    assert result.stderr == "1 finding in 1 file\n"


def test_check_tells_all_that_cannot_be_read_at_once(here: Path) -> None:
    run("new", "mine")
    theme = (here / "mine.toml").read_text("utf-8")
    theme = theme.replace('h1 = "bar"', 'h1 = "wave"').replace("h4, h5 {", "h4:hover {")
    (here / "mine.toml").write_text(theme, "utf-8")

    lines = run("check", "mine.toml", "gone.toml").stdout.splitlines()

    assert [line.split(": ")[:2] for line in lines] == [
        ["mine.toml", "css"],
        ["mine.toml", "variants.h1"],
        ["gone.toml", "cannot read file"],
    ]
    assert "selector 'h4:hover'; allowed: types, classes" in lines[0]


def test_gallery_leads_to_a_full_page_of_each(here: Path) -> None:
    assert run("--gallery", "out.html", "--category", "free").exit_code == 0

    links = re.findall(r'<a href="(out-pages/[^"]+)"', (here / "out.html").read_text("utf-8"))

    assert links == [f"out-pages/{each.id}-{mode}.html" for each in list_templates("free") for mode in THEME_MODES]
    for link in links:
        page = (here / link).read_text("utf-8")
        assert 'href="../out.html#template-' in page
        assert "<script" not in page


def test_gallery_on_standard_output_leads_nowhere() -> None:
    assert "full page" not in run("--gallery", "-", "--category", "free").stdout


def test_check_names_the_extra_that_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = tmp_path / "copy.toml"
    copied.write_text((Path(__file__).parents[2] / "themes/free/ink.toml").read_text("utf-8"), "utf-8")
    monkeypatch.setitem(sys.modules, "premailer", None)

    result = run("check", str(copied))

    assert result.exit_code == 1
    assert result.output == "Error: premailer is not installed; run: pip install 'mdpublish-core[themes]'\n"
