"""Schemathesis tests the running service against its OpenAPI description: all operations, all checks.

`HYPOTHESIS_PROFILE=nightly` generates thousands of examples per operation.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import STDOUT, Popen
from time import monotonic, sleep
from urllib.request import urlopen

import pytest
from hypothesis import settings

from mdpublish_server.api import OPERATIONS
from tests.running import BIN

pytestmark = pytest.mark.schemathesis

EXAMPLES = max(95, settings().max_examples // 3)
"""Per operation; fewer do not reach all of them."""

MANY = 100
"""Enough to reach all operations."""

SECONDS_TO_START = 90.0

# Rate limits above what the tests reach.
ENOUGH = {
    "MDPUBLISH_FREE_RATE_LIMIT": "1000000",
    "MDPUBLISH_FREE_MONTHLY_QUOTA": "1000000000",
    "MDPUBLISH_FREE_DOCUMENTS": "1000000000",
    "MDPUBLISH_FREE_PAGES": "1000000000",
    "MDPUBLISH_PRO_RATE_LIMIT": "1000000",
    "MDPUBLISH_PRO_MONTHLY_QUOTA": "1000000000",
}


def environment() -> dict[str, str]:
    return {**{name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}, **ENOUGH}


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [BIN / "mdpublish-server", *command], cwd=folder, env=environment(), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    log = folder / "service.log"
    with (
        log.open("w") as file,
        Popen(
            [BIN / "mdpublish-server", "serve", "--port", "0"],
            cwd=folder,
            env=environment(),
            stdout=file,
            stderr=STDOUT,
        ) as process,
    ):
        try:
            yield path_in(log)
        finally:
            process.terminate()
        assert process.wait(timeout=60) == 0


def path_in(log: Path) -> str:
    deadline = monotonic() + SECONDS_TO_START
    while monotonic() < deadline:
        if reported := re.search(r" is at (http://\S+)/\n", log.read_text()):
            return reported[1]
        sleep(0.1)
    raise AssertionError(f"the service did not start: {log.read_text()}")


CONFIGURATION = """\
# Valid requests may also meet a revision or an Idempotency-Key of another one.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 412, 422, 429, "5xx"]

# With `format`, a Word file, which is described with that field: see test_api_openapi.py.
[[operations]]
include-name = "POST /convert"
checks.content_type_conformance.enabled = false

# No generator makes an image: most files are refused. One that is sent again with its Idempotency-Key is the first response again,
# whose image may be deleted since.
[[operations]]
include-name = "POST /images"
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 403, 409, 422, 429, "5xx"]

[[operations]]
include-name = "DELETE /images/{id}"
checks.ensure_resource_availability.enabled = false

# An empty value, which is how anything without a form of its own is sent, is as if it were left out.
[[operations]]
include-name = "GET /documents"
checks.negative_data_rejection.expected-statuses = [200, 400]
"""


def saved_description(folder: Path, url: str) -> Path:
    with urlopen(f"{url}/openapi.json") as response:
        description = json.load(response)
    schemas = description["components"]["schemas"]
    # Each other format excludes destinations, which no schema says; test_api_convert.py asks for all of them.
    schemas["ConvertFormat"]["enum"] = ["json"]
    # No schema says which folders there are; test_api_documents.py lists some.
    [folder_query] = [
        each for each in description["paths"]["/documents"]["get"]["parameters"] if each["name"] == "folder"
    ]
    folder_query["schema"]["enum"] = [""]
    del folder_query["example"]
    # No generator makes email addresses, nor times in the future.
    for schema in schemas.values():
        fields = schema.get("properties", {})
        readers, end = fields.get("readers", {}), fields.get("expires_at", {})
        for each in (readers, *readers.get("anyOf", ())):
            if "items" in each:
                each["items"]["pattern"] = "^([a-z]{1,9})?@[a-z]{1,9}[.][a-z]{2,5}$"
        if "password" in fields and end:
            del end["format"]
            end["pattern"] = "^203[1-5]-0[1-9]-[12][0-8]T1[0-9]:00:00Z$"
    # No generator makes a Word file, nor files of other formats; test_api_convert.py and test_api_import.py send some.
    # What only one format has is refused with most.
    for option in (
        "reference_doc",
        "title_block",
        "paper",
        "margin",
        "toc",
        "footnotes",
        "sides",
        "embed_fonts",
        "in_parts",
    ):
        del schemas["ConvertRequest"]["properties"][option]
    # Without them, the other field of which one is required has no null.
    imported = schemas["ImportRequest"]
    imported["properties"] = {name: imported["properties"][name] for name in ("html", "media")}
    imported["properties"]["html"] |= {"type": "string", "anyOf": [{}]}
    imported["required"] = ["html"]
    path = folder / "openapi.json"
    path.write_text(json.dumps(description))
    return path


def responses(folder: Path) -> Counter[tuple[str, str]]:
    """Count successes in the log."""
    matches: Counter[tuple[str, str]] = Counter()
    for line in (folder / "service.log").read_text().splitlines():
        if line.startswith("{"):
            entry = json.loads(line)
            if "path" in entry and entry["status"] in (200, 201):
                path = re.sub(r"(/documents/|/images/)[0-9a-f-]{36}", r"\1{id}", entry["path"].removeprefix("/v1"))
                matches[entry["method"], path] += 1
    return matches


@pytest.mark.parametrize("plan", ["pro", "free"])
def test_service_is_as_it_is_described(plan: str, tmp_path: Path) -> None:
    run(tmp_path, "migrate")
    run(tmp_path, "account", "add", "anna@example.org", "--plan", plan, "--username", "anna")
    key = run(tmp_path, "key", "add", "anna@example.org")
    with serving(tmp_path) as url:
        description = saved_description(tmp_path, url)
        (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "run", description.name, "--url", f"{url}/v1"),
            # All checks run by default; named here, they would run where the configuration leaves one out.
            *("--header", f"Authorization: Bearer {key}", "--max-examples", str(EXAMPLES)),
            *("--phases", "examples,coverage,fuzzing,stateful"),
            # No state is kept between runs.
            *(["--generation-deterministic"] if settings().derandomize else ["--generation-database", "none"]),
            *("--continue-on-failure", "--no-color"),
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    report = f"{done.stdout}\n{done.stderr}"

    assert done.returncode == 0, report
    succeeded = responses(tmp_path)
    never = {each.name for each in OPERATIONS if not succeeded[each.method, each.path]}
    # A few stateful sequences may never use a claim token. On Free, other requests may take the three pages first, and
    # most random updates have an option of Pro or another revision.
    rare = {"claimDemo"} | ({"publishDocument", "updateDocument"} if plan == "free" else set())
    assert never <= (set() if EXAMPLES >= MANY else rare)
