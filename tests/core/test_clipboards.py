"""Reading clipboards, with fake programs; those of Windows are in test_clipboard_windows.py."""

import json
import sys
from pathlib import Path

import click
import pytest

from mdpublish_core.cli.clipboards import Clipboard
from mdpublish_core.cli.clipboards.linux import WAYLAND, X11
from mdpublish_core.cli.clipboards.macos import MACOS
from mdpublish_core.cli.clipboards.programs import run_for_output
from mdpublish_core.writers.clipboard import ClipboardContents

LINUX = pytest.mark.parametrize(("clipboard", "program"), [(X11, "xclip"), (WAYLAND, "wl-paste")])

# The type is the last argument; a type that is not there is an error.
FAKE = """\
import pathlib, sys
file = pathlib.Path(__file__).parent / sys.argv[-1].replace("/", "-")
if not file.exists():
    sys.exit("Error: target not available")
sys.stdout.buffer.write(file.read_bytes())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the programs, the only one on the PATH, and of what the clipboard has."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def install(folder: Path, name: str, program: str = FAKE) -> None:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{program}", "utf-8")
    path.chmod(0o755)


@LINUX
def test_html_and_text_are_read(folder: Path, clipboard: Clipboard, program: str) -> None:
    install(folder, program)
    (folder / "text-html").write_text("<p>中</p>", "utf-8")
    for kind in ("UTF8_STRING", "text-plain;charset=utf-8"):
        (folder / kind).write_text("中\n", "utf-8")

    assert clipboard.read() == ClipboardContents("<p>中</p>", "中\n")


@LINUX
def test_what_is_not_there_is_none(folder: Path, clipboard: Clipboard, program: str) -> None:
    install(folder, program)

    assert clipboard.read() == ClipboardContents(None, None)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_html_is_read_in_the_encodings_of_browsers(folder: Path, encoding: str) -> None:
    install(folder, "xclip")
    (folder / "text-html").write_bytes("<p>中</p>\0".encode(encoding))

    assert X11.read().html == "<p>中</p>"


@pytest.mark.parametrize("contents", [("<p>中</p>", "中"), (None, "a"), (None, None)])
def test_pasteboard_is_read_as_json(folder: Path, contents: tuple[str | None, str | None]) -> None:
    install(
        folder,
        "osascript",
        f"import sys\nassert sys.argv[-2:] == ['public.html', 'public.utf8-plain-text']\nprint('''{json.dumps(contents)}''')",
    )

    assert MACOS.read() == ClipboardContents(*contents)


@pytest.mark.usefixtures("folder")
def test_program_that_is_missing_is_named() -> None:
    with pytest.raises(click.ClickException, match="cannot read the clipboard: cannot run xclip: No such file"):
        X11.read()


def test_program_that_does_not_respond_is_left(folder: Path) -> None:
    install(folder, "slow", "import time\ntime.sleep(60)")

    with pytest.raises(click.ClickException, match=r"cannot read the clipboard: slow timed out after 0\.5 seconds"):
        run_for_output(["slow"], seconds=0.5)
