"""The HTTP API reference's example requests and responses match a running service."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from docs.reference.making.operations import BASE_URL, title
from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Operation
from tests.docs.pages import ROOT
from tests.image_files import PNG
from tests.running import BIN, running_service

PROGRAMS = Path(__file__).parent / "programs"

_EXAMPLE = re.compile(
    r"```console\n\$ (?P<command>.*?)\n```\n\n(?P<status>\d+):\n\n```json\n(?P<answer>.*?)\n```", re.DOTALL
)
_ID = "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11"
_IMAGE_ID = "4be0643f-1d98-573b-97cd-ca98a65347dd"
_TOKEN = "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"
_DOCUMENT = {"title": "Garden day", "content": "# Garden day\n\nWe meet on **Saturday**.\n"}

# Ids, times, URLs, and state of the service.
_CHANGING = frozenset(
    {
        *(
            "claim_url",
            "id",
            "slug",
            "published_url",
            "url",
            "claim_token",
            "created_at",
            "updated_at",
            "published_at",
            "expires_at",
        ),
        *(
            "data",
            "total",
            "used",
            "limit",
            "remaining",
            "month",
            "reset_date",
            "tier",
            "image_bytes",
            "image_bytes_limit",
        ),
        *("width", "height", "bytes"),
    }
)


@dataclass(frozen=True, slots=True)
class Running:
    url: str
    key: str

    def post(self, path: str, **body: str) -> dict[str, str]:
        response = httpx.post(f"{self.url}{path}", json=body, headers={"Authorization": f"Bearer {self.key}"})
        assert response.status_code == 201, response.text
        return dict(response.json())

    def upload(self) -> str:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "image/png"}
        response = httpx.post(f"{self.url}/images", content=PNG, headers=headers)
        return str(response.json()["id"])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("service")

    def run(*command: str) -> str:
        program = [str(BIN / "mdpublish-server"), *command]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}
        done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    run("migrate")
    run("account", "add", "anna@example.org", "--plan", "pro", "--username", "anna")
    key = run("key", "add", "anna@example.org")
    with running_service(folder) as (url,):
        yield Running(f"{url.rstrip('/')}/v1", key)


@pytest.mark.parametrize("operation", [pytest.param(each, id=each.name) for each in OPERATIONS])
def test_every_example_of_an_operation_works(service: Running, operation: Operation, tmp_path: Path) -> None:
    (tmp_path / "image.png").write_bytes(PNG)
    page = (ROOT / "docs/reference/http-api.md").read_text("utf-8")
    section = page.partition(f"\n### {title(operation)}\n")[2].partition("\n### ")[0]
    example = _EXAMPLE.search(section)
    assert example, section
    command = example["command"].replace(BASE_URL, service.url)
    if _ID in command:
        command = command.replace(_ID, service.post("/documents/publish", **_DOCUMENT)["id"])
    if _IMAGE_ID in command:
        command = command.replace(_IMAGE_ID, service.upload())
    if _TOKEN in command:
        command = command.replace(_TOKEN, service.post("/demo/publish", **_DOCUMENT)["claim_token"])

    path = os.pathsep.join((str(PROGRAMS), os.environ.get("PATH", os.defpath)))
    done = subprocess.run(
        ["bash", "-euc", f"{command} --silent --fail"],
        cwd=tmp_path,
        env={"PATH": path, "KEY": service.key, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert shape(json.loads(done.stdout)) == shape(json.loads(example["answer"]))


def shape(response: dict[str, object]) -> dict[str, object]:
    """Replace changing values with their types."""
    return {name: type(value) if name in _CHANGING else value for name, value in response.items()}
