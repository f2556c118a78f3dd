"""Runs a page's code blocks in order in one folder and compares their output.

- `python` runs as a script, with warnings as errors.
- `sh` runs in bash with `-e`; its output includes standard error.
- `text` and `console` must equal the previous output. `…` stands for any characters, alone for any lines.
- Files are written, or compared if a command made them. A later block must name a script; a workflow's lines with our
  command are run.
- `json`, `toml`, `html`, `js` and `css` must parse.
- Figures, math and Markdown must convert without notices.

`mdpublish-server serve` and `mdpublish preview` keep running for later blocks; ports are replaced with free ones.
`programs` has stubs. There is no network.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import html5lib

from mdpublish_core import MdpublishError, convert
from mdpublish_core.resources.figure_kinds import find_kind
from tests.docs.examples import PRINTED, RUN, Block
from tests.running import BIN

SAMPLES = Path(__file__).parent / "samples"
PROGRAMS = Path(__file__).parent / "programs"
SECONDS = 180.0
"""Per block; most take under one, and a gallery of all templates over 60 on a machine with ten other programs."""

_SECONDS_TO_START = 90.0
_SECONDS_TO_STOP = 60.0
_SERVICE = re.compile(
    r"""\s*(?:\w+=(?:'[^']*'|"[^"]*"|\S)*\s+)*(?:\S*/)?(mdpublish-server\s+serve|mdpublish\s+preview)\b"""
)
_WORKFLOW_COMMAND = re.compile(r"^ *(?:- )?run: (mdpublish .*)$", re.MULTILINE)
"""A GitHub workflow's step, to check its options."""
_COMMENT = re.compile(r"\s#.*")
_LINE = re.compile(r"(?:[^\n\\]|\\.)*\n?", re.DOTALL)
"""A line with its continuation lines."""
_DEFAULT_PORTS = {"mdpublish-server": "8000", "mdpublish": "8765"}
_PORT = re.compile(r"((?:127\.0\.0\.1|localhost):|--port[ =]|MDPUBLISH_PORT=)(\d+)")


class Failure(Exception):  # noqa: N818  (a test's failure)
    pass


class Follower:
    """Follows one page in a folder of its own, with the samples or empty. Close it: services may run."""

    def __init__(self, folder: Path, blocks: Sequence[Block], *, has_samples: bool = True) -> None:
        self.desk = folder / "desk"
        if has_samples:
            shutil.copytree(SAMPLES, self.desk)
        else:
            self.desk.mkdir()
        (self.desk / ".venv").symlink_to(sys.prefix)
        self._outputs = folder / "outputs"
        self._outputs.mkdir()
        self._ports = _free_ports(blocks)
        self._blocks = tuple(blocks)
        self._environment = _environment(folder, self._ports[_DEFAULT_PORTS["mdpublish-server"]])
        self._written: set[Path] = {path for path in self.desk.rglob("*") if path.is_file()}
        self._printed: dict[Block, Path] = {}
        self._lasting: set[Block] = set()
        self._services: list[_Service] = []

    def follow(self, block: Block) -> str:
        """Return what was done. Raises `Failure`."""
        code = self.localised(block.code)
        if block.file:
            return self._write(block, self.desk / block.file, code)
        if block.shows:
            return self._compare(block.shows, code)
        if block.language in RUN:
            self._run(block, code)
            return "run"
        if block.language in _CHECKS:
            _CHECKS[block.language](code)
            return "checked"
        if block.language == "markdown":
            _check_markdown(code)
            return "checked"
        if find_kind(block.language):
            _check_markdown(f"~~~~{block.language}\n{code}~~~~\n")
            return "checked"
        if block.language in PRINTED:
            raise Failure("follows no block that prints it: put it behind one, or say <!-- not run: … -->")
        name = f"a block of {block.language}" if block.language else "a block without a language"
        raise Failure(f"{name} cannot be run: name the file that it is, or say <!-- not run: … -->")

    def close(self) -> None:
        problems = [problem for service in self._services if (problem := service.stop())]
        self._services.clear()
        if problems:
            raise Failure("\n".join(problems))

    def localised(self, code: str) -> str:
        return _PORT.sub(lambda match: match[1] + self._ports.get(match[2], match[2]), code)

    def _write(self, block: Block, path: Path, content: str) -> str:
        if path.exists() and path not in self._written:
            _check_same(path.read_text("utf-8"), content)
            return "compared"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        self._written.add(path)
        if block.language in RUN:
            further = self._blocks[self._blocks.index(block) + 1 :]
            if not any(path.stem in each.code for each in further if each.language in RUN):
                raise Failure("is a script that no block further down runs")
        elif block.language in _CHECKS:
            _CHECKS[block.language](content)
        elif block.language == "yaml":
            self._execute(block, _bash("\n".join(_WORKFLOW_COMMAND.findall(content))))
        return "written"

    def _compare(self, block: Block, expected: str) -> str:
        if block not in self._printed:
            raise Failure("is printed by a block that failed")
        output = self._printed[block]
        if block in self._lasting:
            expected += "…\n"  # the access log
            deadline = monotonic() + SECONDS
            while not _matches(output.read_text("utf-8"), expected) and monotonic() < deadline:
                sleep(0.05)
        _check_same(output.read_text("utf-8", "replace"), expected)
        return "compared"

    def _run(self, block: Block, code: str) -> None:
        if block.language == "python":
            script = self.desk / f"example_{block.line}.py"
            script.write_text(code, "utf-8")
            self._execute(block, [sys.executable, "-W", "error", script.name])
            return
        *lines, last = _LINE.findall(code.rstrip() + "\n")[:-1]
        for line in lines:
            if _SERVICE.match(line) and not line.rstrip().endswith("&"):
                raise Failure(f"{line.strip()} runs until it is ended, so that what follows needs a block of its own")
        pending = ""
        for line in (*lines, last):
            if not _SERVICE.match(line):
                pending += line
                continue
            if pending:
                self._execute(block, _bash(pending))
            pending = ""
            self._serve(block, _COMMENT.sub("", line).rstrip(" \n&"))
        if pending:
            self._execute(block, _bash(pending))

    def _execute(self, block: Block, command: Sequence[str]) -> None:
        # A background process would keep a pipe open.
        output = self._outputs / f"{block.line}.txt"
        with output.open("ab") as file:
            errors = (self._outputs / f"{block.line}.errors.txt").open("ab") if block.language == "python" else file
            with (
                errors,
                subprocess.Popen(
                    command,
                    cwd=self.desk,
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=errors,
                    start_new_session=True,
                ) as process,
            ):
                try:
                    status = str(process.wait(SECONDS))
                except subprocess.TimeoutExpired:
                    status = f"none within {SECONDS:.0f} seconds"
                finally:
                    _kill(process)
        said = "".join(path.read_text("utf-8", "replace") for path in sorted(self._outputs.glob(f"{block.line}.*")))
        if status != "0":
            raise Failure(f"exit status: {status}; it printed:\n{said}")
        self._printed[block] = output

    def _serve(self, block: Block, line: str) -> None:
        match = _SERVICE.match(line)
        assert match
        program = match[1].split()[0]
        named = re.search(r"(?:--port[ =]|MDPUBLISH_PORT=)(\d+)", line)
        port = named[1] if named else self._ports[_DEFAULT_PORTS[program]]
        if program == "mdpublish" and not named:
            line += f" --port {port}"
        # The reader stopped the previous one to reuse its port.
        for service in [service for service in self._services if service.port == port]:
            self._services.remove(service)
            if problem := service.stop():
                raise Failure(problem)
        output = self._outputs / f"{block.line}.txt"
        service = _Service(line, port, output, self.desk, self._environment)
        if not service.is_ready():
            service.stop()
            raise Failure(f"{line} does not answer; it printed:\n{output.read_text('utf-8', 'replace')}")
        self._services.append(service)
        self._printed[block] = output
        self._lasting.add(block)


class _Service:
    def __init__(self, line: str, port: str, output: Path, desk: Path, environment: dict[str, str]) -> None:
        self.line = line
        self.port = port
        self._output = output
        with output.open("ab") as file:
            self._process = subprocess.Popen(
                _bash(line),
                cwd=desk,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

    def is_ready(self) -> bool:
        """Wait for the port."""
        deadline = monotonic() + _SECONDS_TO_START
        while not (_accepts(self.port) and self._output.stat().st_size):
            if self._process.poll() is not None or monotonic() > deadline:
                return False
            sleep(0.05)
        return True

    def stop(self) -> str | None:
        """Interrupt the service and return an error, if any."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGINT)
        try:
            status = self._process.wait(_SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            status = None
        _kill(self._process)
        said = self._output.read_text("utf-8", "replace")
        return None if status == 0 else f"{self.line} ended with status {status}; it printed:\n{said}"


def _bash(script: str) -> list[str]:
    return ["bash", "-euo", "pipefail", "-c", script]


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _accepts(port: str) -> bool:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(f"http://127.0.0.1:{port}/", timeout=_SECONDS_TO_START).close()
    except urllib.error.HTTPError as error:
        error.close()
    except OSError:
        return False
    return True


def _free_ports(blocks: Sequence[Block]) -> dict[str, str]:
    """Replace the ports that a page names and the commands' defaults."""
    named = {*_DEFAULT_PORTS.values()}
    for block in blocks:
        named |= {match[2] for match in _PORT.finditer(block.code) if "127" not in match[1] and "local" not in match[1]}
    listeners = {port: socket.create_server(("127.0.0.1", 0)) for port in sorted(named - {"0"})}
    ports = {port: str(listener.getsockname()[1]) for port, listener in listeners.items()}
    for listener in listeners.values():
        listener.close()
    return ports


def _environment(folder: Path, port: str) -> dict[str, str]:
    """Return a fresh desktop's environment, without a network."""
    home = folder / "home"
    home.mkdir()
    ours = ("MDPUBLISH_", "_MDPUBLISH", "PYTEST_", "PYTHON")
    others = {"COLUMNS", "FORCE_COLOR", "NO_COLOR", "WAYLAND_DISPLAY", "SSH_CONNECTION"}
    nowhere = "http://127.0.0.1:9"  # the discard port: nothing listens
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(ours) and name not in others},
        "BROWSER": "xdg-open",
        "DISPLAY": ":stand-in",
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        # Few workers start sooner.
        "MDPUBLISH_DEMO_WORKERS": "1",
        "MDPUBLISH_PORT": port,
        "MDPUBLISH_WORKERS": "1",
        "PATH": os.pathsep.join((str(BIN), str(PROGRAMS), os.environ.get("PATH", os.defpath))),
        "PIP_NO_INDEX": "1",
        "STAND_INS": str(folder),
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), nowhere),
        **dict.fromkeys(("no_proxy", "NO_PROXY"), "127.0.0.1,localhost"),
    }


def _check_json(code: str) -> None:
    try:
        json.loads(code)
    except ValueError as error:
        raise Failure(f"is no JSON: {error}") from None


def _check_toml(code: str) -> None:
    try:
        tomllib.loads(code)
    except ValueError as error:
        raise Failure(f"is no TOML: {error}") from None


def _check_js(code: str) -> None:
    node = subprocess.run(
        [BIN / "node", "--input-type=module", "--check", "-"], input=code, capture_output=True, text=True, check=False
    )
    if node.returncode:
        raise Failure(f"is no JavaScript: {node.stderr}")


def _check_html(code: str) -> None:
    try:
        html5lib.HTMLParser(strict=True).parseFragment(code)
    except html5lib.html5parser.ParseError as error:
        raise Failure(f"is no HTML: {error}") from None


def _check_css(code: str) -> None:
    try:
        notices = convert("Hello", css=code).notices
    except MdpublishError as error:
        raise Failure(f"is no stylesheet that convert takes: {error}") from None
    if notices:
        raise Failure(f"is no stylesheet that convert takes whole: {notices[0].message}")


def _check_markdown(markdown: str) -> None:
    notices = convert(markdown).notices
    if notices:
        raise Failure(f"has something to tell: {notices[0].message}")


_CHECKS: dict[str, Callable[[str], None]] = {
    "css": _check_css,
    "html": _check_html,
    "js": _check_js,
    "json": _check_json,
    "toml": _check_toml,
}


def _matches(printed: str, expected: str) -> bool:
    """Compare output, with `…` as wildcard."""
    lines = expected.rstrip("\n").split("\n")
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.split("…"))) + "\n" for line in lines
    )
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None


def _check_same(printed: str, expected: str) -> None:
    if not _matches(printed, expected):
        raise Failure(f"is not what was printed:\n{printed}")
