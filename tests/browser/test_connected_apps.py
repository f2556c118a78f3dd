"""A person connects an app in Chromium, looks at it, and disconnects it."""

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.browser.served import PASSWORD, Member
from tests.browser.visitors import Visitor
from tests.local_server import LocalServer, Request, Response, in_thread
from tests.server.apps import VERIFIER, App

pytestmark = pytest.mark.browser


@pytest.fixture
def callback() -> Iterator[tuple[str, list[str]]]:
    """Yield the redirect URI of an app on this computer, and what was sent there."""
    received: list[str] = []

    def receive(request: Request) -> Response:
        received.append(request.path)
        return Response(b"<!DOCTYPE html><link rel=icon href=data:,><title>Done</title><p>You can close this tab.")

    with in_thread(LocalServer(receive)) as server:
        yield f"{server.url}/callback", received


def test_address_for_assistants_is_copied_by_a_button(writer: Visitor) -> None:
    writer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    writer.go("/account/apps")
    writer.press("Copy address")

    writer.page.get_by_role("button", name="Copied").wait_for()
    assert writer.page.evaluate("navigator.clipboard.readText()") == f"{writer.service.url}/mcp"


def test_person_signs_in_on_the_way_allows_less_and_disconnects(
    reader: Visitor, member: Member, callback: tuple[str, list[str]]
) -> None:
    redirect_uri, received = callback
    client, url = reader.service.client, reader.service.url
    registered = client.post(
        f"{url}/register",
        json={"client_name": "Claude Code", "redirect_uris": [redirect_uri], "token_endpoint_auth_method": "none"},
    ).json()
    app = App(None, None, redirect_uri=redirect_uri, client_id=registered["client_id"])  # type: ignore[arg-type]

    reader.go(app.url())
    reader.fill(email=member.email, password=PASSWORD)
    reader.press("Sign in")
    reader.reads(f"An app that calls itself Claude Code asks for access to the account {member.email}.")
    reader.reads("Access will be sent to a program on this computer.")
    reader.page.get_by_label("Publish your documents").uncheck()
    reader.tab_to("Allow")
    reader.arrive("Enter")
    reader.reads("You can close this tab.")

    query = dict(parse_qsl(urlsplit(received[0]).query))
    assert (query["state"], query["iss"]) == ("s", url)
    fields = {
        "grant_type": "authorization_code",
        "code": query["code"],
        "client_id": registered["client_id"],
        "redirect_uri": redirect_uri,
        "code_verifier": VERIFIER,
    }
    tokens = client.post(f"{url}/token", data=fields).json()
    assert tokens["scope"] == "convert documents.read documents.write"
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert client.get(f"{url}/v1/documents", headers=headers).status_code == 200

    reader.go("/account/apps")
    reader.reads("Last used")
    reader.press("Disconnect")
    reader.reads("The app has been disconnected.")
    assert client.get(f"{url}/v1/documents", headers=headers).status_code == 401
