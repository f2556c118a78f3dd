"""A destination, another output, a template, an endpoint, a notice and a setting are each one file and one line.

A setting has its sentence in a table beside it.

Added to a copy of the source and used end to end. core/test_figures_registry.py adds a fence.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from mdpublish_core import convert, load_template
from tests.running import BIN, running_service

ROOT = Path(__file__).parents[1]
ADDED = Path(__file__).with_name("registries")

CORE = Path("packages/mdpublish-core/src/mdpublish_core")
SERVER = Path("packages/mdpublish-server/src/mdpublish_server")

FILES = {
    ADDED / "memo.py": CORE / "writers/memo.py",
    ADDED / "leaflet.py": CORE / "writers/leaflet.py",
    ADDED / "leaflet_options.py": CORE / "writers/options/leaflet.py",
    ADDED / "greeting.py": SERVER / "api/greeting.py",
    ROOT / "pyproject.toml": Path("pyproject.toml"),
}

MEMO = "destination\tmemo\ttext under a heading\tfigure_form=text math_form=text is_text"
LEAFLET = (
    "file\tleaflet\ta leaflet\tsuffix=.leaflet media_type=image/x-leaflet is_styled=no is_binary is_file "
    "destination=plain-text module=leaflet"
)

# The line after which to insert; an endpoint also needs an import.
LINES = (
    (CORE / "writers/outputs.tsv", "# Outputs that are pasted, mailed or posted as they are.", MEMO),
    (CORE / "writers/outputs.tsv", "# Other outputs.", LEAFLET),
    (CORE / "writers/options/__init__.py", "OPTIONS = {", '    "leaflet": "LeafletOptions",'),
    (CORE / "notices.tsv", "# Code and meaning.", "undated\tA memo has no date."),
    (SERVER / "api/__init__.py", "OPERATIONS: tuple[Operation, ...] = (", "    greeting.SHOW,"),
    (
        SERVER / "api/__init__.py",
        "from mdpublish_server.api.operations import Operation",
        "from mdpublish_server.api import greeting",
    ),
    (
        SERVER / "settings.py",
        "class Settings:",
        '    mood: str = _variable("MDPUBLISH_MOOD", _choice("calm", "glad"))',
    ),
    (
        SERVER / "settings.toml",
        "# The class `Settings` has their types and order.",
        '[MDPUBLISH_MOOD]\ndefault = "calm"\nmeaning = "Mood of the service."',
    ),
)

THEME = (
    (ROOT / "themes/free/swiss.toml").read_text("utf-8").replace('"swiss"', '"harbour"').replace('"Swiss"', '"Harbour"')
)


@dataclass(frozen=True, slots=True)
class Copy:
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}
        return {**inherited, "PYTHONPATH": os.pathsep.join(str((self.folder / each).parent) for each in (CORE, SERVER))}

    def run(self, *command: str, **variables: str) -> str:
        environment = {**self.environment, **variables}
        return subprocess.run(
            [sys.executable, *command], cwd=self.folder, env=environment, capture_output=True, text=True, check=True
        ).stdout

    def reference(self, page: str) -> str:
        return (self.folder / "docs/reference" / page).read_text("utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    folder = tmp_path_factory.mktemp("copy")
    for part in (CORE, SERVER, Path("docs/reference"), Path("docs/explanation")):
        shutil.copytree(ROOT / part, folder / part)
    for source, target in FILES.items():
        shutil.copy(source, folder / target)
    (folder / CORE / "themes/free/harbour.toml").write_text(THEME, "utf-8")
    for file, above, line in LINES:
        before = (folder / file).read_text("utf-8")
        assert before.count(f"\n{above}\n") == 1, f"{file} has no line {above!r}"
        (folder / file).write_text(before.replace(f"\n{above}\n", f"\n{above}\n{line}\n"), "utf-8")
    copied = Copy(folder)
    copied.run("-m", "docs.reference.make")
    return copied


@pytest.fixture(scope="module")
def service(copy: Copy) -> Iterator[httpx.Client]:
    def run(*command: str) -> str:
        program = [str(BIN / "mdpublish-server"), *command]
        return subprocess.run(
            program, cwd=copy.folder, env=copy.environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    run("migrate")
    run("account", "add", "anna@example.org")
    key = run("key", "add", "anna@example.org")
    headers = {"Authorization": f"Bearer {key}"}
    settings = {**copy.environment, "MDPUBLISH_WORKERS": "1", "MDPUBLISH_DEMO_WORKERS": "1"}
    with (
        running_service(copy.folder, settings=settings) as (url,),
        httpx.Client(base_url=url, headers=headers, timeout=60) as client,
    ):
        yield client


CONVERTING = """
import json
from mdpublish_core import convert, get_template
memo = convert("*Hi*", to="memo")
print(json.dumps([memo.text, [notice.code for notice in memo.notices], get_template("harbour").name,
    convert("*Hi*", template="harbour").html]))
"""


def test_library_takes_a_destination_a_notice_and_a_template(copy: Copy) -> None:
    memo, codes, name, styled = json.loads(copy.run("-c", CONVERTING))

    assert (memo, codes, name) == ("MEMO\n\nHi\n", ["undated"], "Harbour")
    assert styled == convert("*Hi*", template="swiss").html.replace("swiss", "harbour")


def test_service_takes_a_destination_a_notice_and_a_template(service: httpx.Client) -> None:
    memo = service.post("/v1/convert", json={"markdown": "*Hi*", "destination": "memo"}).json()
    styled = service.post("/v1/convert", json={"markdown": "*Hi*", "template_id": "harbour"}).json()

    assert memo["html"] == "MEMO\n\nHi\n"
    assert [notice["code"] for notice in memo["notices"]] == ["undated"]
    assert "harbour" in styled["html"]


def test_command_writes_an_output_and_offers_it(copy: Copy, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# Hi\n", "utf-8")
    command = ("-m", "mdpublish_core")

    copy.run(*command, "convert", f"{tmp_path}/docs/a.md", "-o", f"{tmp_path}/a.leaflet")
    copy.run(*command, "batch", f"{tmp_path}/docs", f"{tmp_path}/out", "--to", "leaflet")
    completed = copy.run(
        *("-c", "from mdpublish_core.cli import main; main(prog_name='mdpublish')"),
        _MDPUBLISH_COMPLETE="bash_complete",
        COMP_WORDS="mdpublish batch a b --to le",
        COMP_CWORD="5",
    )

    assert [(tmp_path / file).read_text("utf-8") for file in ("a.leaflet", "out/a.leaflet")] == ["HI\n", "HI\n"]
    assert ".leaflet for a leaflet" in " ".join(copy.run(*command, "convert", "--help").split())
    assert "leaflet a leaflet" in " ".join(copy.run(*command, "batch", "--help").split())
    assert completed.split() == ["plain,leaflet"]


def test_service_writes_an_output_and_offers_it(service: httpx.Client) -> None:
    converted = service.post("/v1/convert", json={"markdown": "# Hi", "format": "leaflet"})
    headers = {"Sec-Fetch-Site": "same-origin"}
    downloaded = service.post("/download.leaflet", data={"content": "# Hi"}, headers=headers)
    schemas = service.get("/openapi.json").json()["components"]["schemas"]

    for response in (converted, downloaded):
        assert (response.text, response.headers["content-type"]) == ("HI\n", "image/x-leaflet")
        assert response.headers["content-disposition"] == "attachment; filename=hi.leaflet"
    assert "leaflet" in schemas["ConvertFormat"]["enum"]
    assert "`leaflet` for a leaflet" in schemas["ConvertRequest"]["properties"]["format"]["description"]
    assert 'formaction="/download.leaflet"' in service.get("/").text


def test_service_takes_the_option_of_an_output(service: httpx.Client) -> None:
    body = {"markdown": "# Hi", "format": "leaflet"}
    folded = service.post("/v1/convert", json={**body, "folds": "2"})
    wrong = service.post("/v1/convert", json={**body, "folds": "3"}).json()["error"]["message"]
    misplaced = service.post("/v1/convert", json={**body, "format": "pdf", "folds": "2"}).json()["error"]["message"]
    field = service.get("/openapi.json").json()["components"]["schemas"]["ConvertRequest"]["properties"]["folds"]

    assert folded.text == "HI\n" * 2
    assert wrong == "folds must be one of 1, 2 (got '3')"
    assert misplaced == "folds must be left out, unless format is leaflet (got 'pdf')"
    assert field["description"] == "Folds of a leaflet. Only with the `format` `leaflet`. By default 1."


SENDING = """
import sys
from mdpublish_core.client import Client
from mdpublish_core.writers.options.leaflet import LeafletOptions
with Client(sys.argv[1], api_key=sys.argv[2]) as client:
    print(client.convert_to_file("# Hi", format="leaflet", options=LeafletOptions(folds="2")).decode())
"""


def test_client_sends_the_option_of_an_output(copy: Copy, service: httpx.Client) -> None:
    key = service.headers["Authorization"].split()[1]

    assert copy.run("-c", SENDING, str(service.base_url), key).split() == ["HI", "HI"]


def test_user_template_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "harbour.toml"
    file.write_text(THEME, "utf-8")

    assert "harbour" in convert("*Hi*", template=load_template(file)).html


def test_service_responds_at_an_endpoint_and_describes_it(service: httpx.Client) -> None:
    assert service.get("/v1/greeting").json() == {"message": "hello"}
    assert "getGreeting" in service.get("/openapi.json").text


READING = """
from mdpublish_server.settings import InvalidSetting, read_settings
print(read_settings().mood, read_settings({}).mood)
try:
    read_settings({"MDPUBLISH_MOOD": "sad"})
except InvalidSetting as error:
    print(error)
"""


def test_setting_is_read(copy: Copy) -> None:
    printed = copy.run("-c", READING, MDPUBLISH_MOOD="glad")

    assert printed == "glad calm\nMDPUBLISH_MOOD must be calm or glad (got 'sad')\n"


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("destinations.md", "| [`memo`](#memo) | text under a heading |"),
        ("destinations.md", "| `leaflet` | a leaflet | `.leaflet` | `plain-text` |"),
        ("http-api.md", "| `folds` | no | Folds of a leaflet."),
        ("command.md", "| `--folds` | `1` | Folds of a leaflet. `1` or `2`. |"),
        ("notices.md", "| `undated` | A memo has no date. |"),
        ("settings.md", "| `MDPUBLISH_MOOD` | Mood of the service. Default: `calm`. |"),
        ("http-api.md", "### GET /v1/greeting"),
        ("themes.md", "`harbour`"),
    ],
)
def test_reference_tells_of_it(copy: Copy, page: str, line: str) -> None:
    assert line in copy.reference(page)
