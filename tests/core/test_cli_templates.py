import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from mdpublish_core import list_templates
from mdpublish_core.cli import main
from mdpublish_core.gallery import gallery_page
from mdpublish_core.templates import CATEGORIES


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["templates", *arguments])


def on_a_terminal(**environment: str) -> str:
    """Return what the command prints where standard output is a terminal."""
    ours, theirs = pty.openpty()
    program = [sys.executable, "-c", "from mdpublish_core.cli import main; main()", "templates"]
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(program, stdout=theirs, env=kept | environment)
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:  # so Linux says that the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return b"".join(pieces).decode().replace("\r\n", "\n")


def test_templates_lists_each_template() -> None:
    lines = run().stdout.splitlines()

    assert [line.split()[:2] for line in lines] == [[t.id, t.category] for t in list_templates()]
    assert all(re.search(re.escape(t.description) + "$", line) for t, line in zip(list_templates(), lines, strict=True))


def test_category_leaves_the_others_out() -> None:
    lines = run("--category", "developer").stdout.splitlines()

    assert [line.split()[0] for line in lines] == [template.id for template in list_templates("developer")]


def test_unknown_category_ends_in_a_message_that_names_the_known_ones() -> None:
    result = run("--category", "fancy")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: unknown category 'fancy'; known are: {', '.join(CATEGORIES)}\n"


def test_category_is_completed_by_shells() -> None:
    complete = ShellComplete(main, {}, "mdpublish", "_MDPUBLISH_COMPLETE")

    assert [item.value for item in complete.get_completions(["templates", "--category"], "d")] == ["developer", "dark"]


def test_terminal_shows_templates_below_their_categories() -> None:
    shown = on_a_terminal()

    lines = re.sub(r"\x1b\[\d*m", "", shown).splitlines()
    assert [line for line in lines if line and not line.startswith("  ")] == list(
        dict.fromkeys(template.category for template in list_templates())
    )
    assert [line.split()[0] for line in lines if line.startswith("  ")] == [t.id for t in list_templates()]
    assert "\x1b[" in shown


def test_terminal_shows_no_colour_where_none_is_wanted() -> None:
    assert "\x1b[" not in on_a_terminal(NO_COLOR="1")


def test_gallery_is_written_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "gallery.html"

    result = run("--gallery", str(out))

    assert (result.exit_code, result.output) == (0, "")
    assert out.read_text("utf-8") == gallery_page(list_templates())


def test_gallery_is_written_to_standard_output() -> None:
    assert run("--gallery", "-").stdout_bytes == gallery_page(list_templates()).encode()


def test_gallery_of_a_category_shows_only_its_templates() -> None:
    assert run("--category", "business", "--gallery", "-").stdout == gallery_page(list_templates("business"))


@pytest.mark.parametrize(("out", "message"), [("none/out.html", "No such file or directory"), (".", "Is a directory")])
def test_gallery_that_cannot_be_written_ends_in_a_message(out: str, message: str) -> None:
    result = run("--gallery", out)

    assert (result.exit_code, result.output) == (1, f"Error: cannot write {out}: {message}\n")
