"""SCIM 2.0 for the company's directory: who has left loses all access, and the pages stay."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from tests.server.api_requests import publish_new
from tests.server.audit_events import events
from tests.server.browsers import Connect, Member
from tests.server.command import runner
from tests.server.raw_server import serving

pytestmark = pytest.mark.anyio

TOKEN = "0123456789abcdef" * 2
USER = "urn:ietf:params:scim:schemas:core:2.0:User"
ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

PACKAGES = ("scim2-client[httpx2]==0.13.2", "scim2-models==0.12.3", "scim2-tester==0.5.2")
CACHE = Path(__file__).parents[2] / ".cache" / "scim"


@pytest.fixture
def environment() -> dict[str, str]:
    return {"MDPUBLISH_SCIM_TOKEN": TOKEN}


@pytest.fixture
def directory(client_from: Connect) -> httpx.AsyncClient:
    client = client_from("127.0.0.1")
    client.headers.update({"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/scim+json"})
    return client


def patch(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"schemas": [PATCH], "Operations": list(operations)}


def fault(response: httpx.Response) -> tuple[int, str | None]:
    """Return the status and SCIM's word for the error, of a well-formed error (RFC 7644, section 3.12)."""
    assert response.headers["content-type"] == "application/scim+json"
    error = response.json()
    assert error["schemas"] == [ERROR]
    assert error["status"] == str(response.status_code)
    assert error["detail"]
    return response.status_code, error.get("scimType")


async def has_access(member: Member) -> tuple[int, int]:
    return (await member.browser.get("/account")).status_code, (await member.program.get("/v1/usage")).status_code


# As Okta, Entra (two ways) and others send it.
LEAVING = {
    "path": patch({"op": "replace", "path": "active", "value": False}),
    "no path": patch({"op": "replace", "value": {"active": False}}),
    "text": patch({"op": "Replace", "path": "active", "value": "False"}),
    "whole path": patch({"op": "add", "path": f"{USER}:active", "value": False}),
    "with others": patch(
        {"op": "replace", "path": "displayName", "value": "Berta B."}, {"op": "Replace", "value": {"active": "false"}}
    ),
}


@pytest.mark.parametrize("body", LEAVING.values(), ids=LEAVING)
async def test_who_has_left_loses_access_and_the_pages_stay(
    directory: httpx.AsyncClient, berta: Member, client: httpx.AsyncClient, body: dict[str, Any]
) -> None:
    page = await publish_new(berta.program, visibility="public")
    assert await has_access(berta) == (200, 200)
    left = await directory.patch(f"/scim/v2/Users/{berta.account.id}", json=body)
    assert (left.status_code, left.json()["active"]) == (200, False)
    assert await has_access(berta) == (303, 401)
    assert (await client.get(page["published_url"])).status_code == 200
    signed_in = await client.post("/signin", data={"email": "berta@example.org", "password": "correct horse"})
    assert (signed_in.status_code, "deactivated" in signed_in.text) == (401, True)


async def test_who_comes_back_signs_in_with_new_keys(
    directory: httpx.AsyncClient, berta: Member, client: httpx.AsyncClient
) -> None:
    path = f"/scim/v2/Users/{berta.account.id}"
    for active in (False, True):
        user = (await directory.put(path, json={"userName": "Berta@example.org", "active": active})).json()
        assert user["active"] is active
    assert await has_access(berta) == (303, 401)
    signed_in = await client.post("/signin", data={"email": "berta@example.org", "password": "correct horse"})
    assert signed_in.status_code == 303


async def test_directory_is_named_in_the_log(directory: httpx.AsyncClient, berta: Member, database_url: str) -> None:
    body = patch(
        {"op": "replace", "path": "externalId", "value": "00u1"}, {"op": "replace", "value": {"active": False}}
    )
    await directory.patch(f"/scim/v2/Users/{berta.account.id}", json=body)
    logged = [
        (event["kind"], event["after"])
        for event in events(runner({"MDPUBLISH_DATABASE_URL": database_url}))
        if event["means"] == "scim"
    ]
    assert logged == [
        ("account.changed", {"external_id": "00u1"}),
        ("account.changed", {"is_deactivated": True}),
        ("session.ended", {}),
        ("key.revoked", {}),
    ]


async def test_users_are_found_by_name_and_by_external_id(
    directory: httpx.AsyncClient, anna: Member, berta: Member
) -> None:
    body = patch({"op": "add", "path": "externalId", "value": "00u1"})
    await directory.patch(f"/scim/v2/Users/{berta.account.id}", json=body)
    for expression, expected in (
        ('userName eq "berta@example.org"', [berta]),
        ('userName Eq "BERTA@example.org"', [berta]),
        (f'{USER}:userName eq "anna@example.org"', [anna]),
        ('externalId eq "00u1"', [berta]),
        ('externalId eq "00U1"', []),
        (f'id eq "{anna.account.id}"', [anna]),
        ('userName eq ""', []),
    ):
        listed = (await directory.get("/scim/v2/Users", params={"filter": expression})).json()
        ids = [each.account.id for each in expected]
        assert (listed["totalResults"], [user["id"] for user in listed["Resources"]]) == (len(ids), ids), expression
    for start, count, shown in ((1, 1, 1), (2, 5, 1), (3, 5, 0), (1, 0, 0), (-4, 9, 2)):
        query = {"startIndex": start, "count": count}
        listed = (await directory.get("/scim/v2/Users", params=query)).json()
        assert (listed["totalResults"], listed["itemsPerPage"]) == (2, shown)


@pytest.mark.parametrize(
    ("method", "path", "options", "expected"),
    [
        ("GET", "/Users", {"params": {"filter": 'userName sw "a"'}}, (400, "invalidFilter")),
        ("GET", "/Users", {"params": {"count": "many"}}, (400, "invalidValue")),
        ("GET", "/Users/nobody", {}, (404, None)),
        ("POST", "/Users", {"json": {"userName": "new@example.org"}}, (501, None)),
        ("DELETE", "/Users/ID", {}, (501, None)),
        ("PATCH", "/Users/nobody", {"json": patch({"op": "replace", "value": {"active": False}})}, (404, None)),
        ("PATCH", "/Users/ID", {"json": patch({"op": "replace", "path": "active", "value": 7})}, (400, "invalidValue")),
        ("PATCH", "/Users/ID", {"json": patch({"op": "remove", "path": "active"})}, (400, "invalidSyntax")),
        ("PATCH", "/Users/ID", {"json": patch({"op": "replace", "value": "x"})}, (400, "invalidSyntax")),
        ("PATCH", "/Users/ID", {"json": {"active": False}}, (400, "invalidSyntax")),
        ("PATCH", "/Users/ID", {"content": b"{"}, (400, "invalidSyntax")),
        ("PATCH", "/Users/ID", {"content": b"\xff"}, (400, "invalidSyntax")),
        ("PUT", "/Users/ID", {"json": {"userName": "other@example.org"}}, (400, "mutability")),
        ("PUT", "/Users/ID", {"json": ["x"]}, (400, "invalidSyntax")),
    ],
)
async def test_wrong_requests_get_scims_errors(
    directory: httpx.AsyncClient, berta: Member, method: str, path: str, options: Any, expected: tuple[int, str | None]
) -> None:
    response = await directory.request(method, f"/scim/v2{path.replace('ID', berta.account.id)}", **options)
    assert fault(response) == expected
    assert await has_access(berta) == (200, 200)


@pytest.mark.parametrize("header", ["", "Bearer", f"Bearer {TOKEN}x", f"Basic {TOKEN}"])
async def test_token_is_required(directory: httpx.AsyncClient, berta: Member, header: str) -> None:
    directory.headers["Authorization"] = header
    body = patch({"op": "replace", "value": {"active": False}})
    refused = await directory.patch(f"/scim/v2/Users/{berta.account.id}", json=body)
    assert fault(refused) == (401, None)
    assert refused.headers["www-authenticate"] == "Bearer"
    assert await has_access(berta) == (200, 200)


async def test_key_of_an_account_is_no_token(berta: Member) -> None:
    assert fault(await berta.program.get("/scim/v2/Users")) == (401, None)


@pytest.mark.assistants
def test_clients_that_we_did_not_write_understand_it(app: ASGIApp, berta: Member) -> None:
    """scim2-client deactivates and reactivates; scim2-tester reads what the service says of itself."""
    with serving(app) as (host, port):
        command = [python(), str(Path(__file__).with_name("scim_client.py"))]
        arguments = (f"http://{host}:{port}/scim/v2", TOKEN, berta.account.email)
        run = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert (seen["patched"], seen["replaced"], seen["unknown"]) == ([False, True, False], True, 0)
    assert seen["missing"] == [True, "404"]
    assert seen["faults"] == []
    assert len(seen["successes"]) >= 3, seen["successes"]


def python() -> str:
    """Return a Python that has the client."""
    if not (CACHE / "installed").is_file():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(CACHE)], check=True)
        options = ("--quiet", "--disable-pip-version-check", "--only-binary=:all:")
        subprocess.run([str(CACHE / "bin/python"), "-m", "pip", "install", *options, *PACKAGES], check=True)
        (CACHE / "installed").touch()
    return str(CACHE / "bin/python")


class TestWithoutToken:
    @pytest.fixture
    def environment(self) -> dict[str, str]:
        return {}

    async def test_there_is_no_endpoint(self, directory: httpx.AsyncClient) -> None:
        assert (await directory.get("/scim/v2/Users")).status_code == 404
