"""What known clients send from discovery to calls and a refresh, as data, replayed in each form of address and header."""

import asyncio
import re
from base64 import b64encode
from datetime import timedelta
from typing import Any

import httpx
import pytest

from docs.reference.making.clients import CLIENTS, REFRESHES, variants_of
from mdpublish_server.services.apps import Apps
from mdpublish_server.state import AppState
from tests.server.apps import CHALLENGE, LIST_TOOLS, SITE, VERIFIER, App, browser, redirect_parameters, serving
from tests.server.browsers import Member
from tests.server.conftest import Travel
from tests.server.test_oauth_attacks import document_server, response

pytestmark = pytest.mark.anyio

ACCEPTED = ("as sent", None, "application/json")
"""Values of Accept for requests of tools."""


class Replay:
    """One client's requests; what a response brings is sent with later ones, in place of `{name}`."""

    def __init__(
        self, program: httpx.AsyncClient, person: httpx.AsyncClient, accept: str | None, **values: str
    ) -> None:
        self.program = program
        self.person = person
        self.accept = accept
        # Some programs look there without a challenge.
        metadata = f"{SITE}/.well-known/oauth-protected-resource{values['mcp'].removeprefix(SITE)}"
        self.values = {
            "site": SITE,
            "resource_metadata": metadata,
            "challenge": CHALLENGE,
            "verifier": VERIFIER,
            **values,
        }

    def filled(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self.filled(each) for name, each in value.items()}
        return re.sub(r"{(\w+)}", lambda match: self.values[match[1]], value) if isinstance(value, str) else value

    async def send(self, step: dict[str, Any]) -> None:
        method, url = self.filled(step["request"]).split(" ")
        if "query" in step:
            await self.allow(url, self.filled(step["query"]))
            return
        headers = self.filled(step.get("headers", {}))
        is_request = url == self.values["mcp"] and method == "POST"
        if is_request and self.accept != "as sent":
            headers.pop("Accept")
            headers |= {"Accept": self.accept} if self.accept else {}
        received = await self.program.request(
            method, url, headers=headers, json=self.filled(step.get("json")), data=self.filled(step.get("form"))
        )
        assert received.status_code == step["status"], (step, received.text)
        self.read(received)
        if is_request and received.status_code == 200:
            assert "result" in received.json(), step

    def read(self, received: httpx.Response) -> None:
        challenge = received.headers.get("www-authenticate", "")
        if received.status_code == 401:
            [self.values["resource_metadata"]] = re.findall('resource_metadata="([^"]+)"', challenge)
        elif received.content and received.headers["content-type"] == "application/json":
            content = received.json()
            self.values |= {name: each for name, each in content.items() if isinstance(each, str)}
            # As clients do that compare it with the URL that was typed.
            assert content.get("resource", self.values["mcp"]) == self.values["mcp"]
            if "client_secret" in content:
                credentials = f"{content['client_id']}:{content['client_secret']}"
                self.values["basic"] = b64encode(credentials.encode()).decode()

    async def ask_at_root(self, steps: list[dict[str, Any]]) -> None:
        """Send what a client sends before it is let in, to the bare URL of the service."""
        for step in (each for each in steps if each["request"].endswith(("{mcp}", "{resource_metadata}"))):
            method, url = self.filled(step["request"]).split(" ")
            headers = {name: value for name, value in step.get("headers", {}).items() if name != "Authorization"}
            for authorization in ({}, {"Authorization": self.values["key"]}):
                received = await self.program.request(
                    method, url, headers={**headers, **authorization}, json=self.filled(step.get("json"))
                )
                content = received.json()
                if url == self.values["mcp"]:
                    message = f"There is no endpoint here; connect to {SITE}/mcp for MCP, or to {SITE}/v1 for the API"
                    assert (received.status_code, content["error"]["message"]) == (404, message), step
                    assert "www-authenticate" not in received.headers
                else:
                    assert (received.status_code, content["resource"]) == (200, f"{SITE}/mcp"), step

    async def allow(self, url: str, query: dict[str, str]) -> None:
        app = App(self.person, self.person)
        app.url = lambda **_parameters: str(httpx.URL(url, params=query))  # type: ignore[method-assign]
        sent = await app.consent()
        assert sent.headers["location"].startswith(query["redirect_uri"])
        parameters = redirect_parameters(sent)
        assert (parameters["state"], parameters["iss"]) == (query["state"], self.values["issuer"])
        self.values["code"] = parameters["code"]

    async def probe(self) -> None:
        """Ask as programs do that look whether something is there: with a token, and without one."""
        token = self.values.get("access_token")
        for method in ("GET", "HEAD", "OPTIONS", "DELETE"):
            refused = await self.program.request(method, self.values["mcp"])
            assert refused.status_code == 401, method
            assert self.values["resource_metadata"] in refused.headers["www-authenticate"]
            if token:
                headers = {"Authorization": f"Bearer {token}"}
                known = await self.program.request(method, self.values["mcp"], headers=headers)
                assert (known.status_code, known.headers["allow"]) == (405, "POST")

    def refreshes(self, steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the client's refreshes, or one as the protocol has it; none of a client with a key."""
        sent = [each for each in steps if "form" in each and each["form"]["grant_type"] == "refresh_token"]
        exchanges = [each for each in steps if "form" in each and "code" in each["form"]]
        if sent or not exchanges:
            return sent
        form = {name: value for name, value in exchanges[-1]["form"].items() if name in ("client_id", "resource")}
        return [{**exchanges[-1], "form": {**form, "grant_type": "refresh_token", "refresh_token": "{refresh_token}"}}]

    async def list_tools(self) -> int:
        headers = {"Authorization": f"Bearer {self.values['access_token']}"}
        return (await self.program.post(self.values["mcp"], json=LIST_TOOLS, headers=headers)).status_code


@pytest.mark.parametrize("name", CLIENTS)
async def test_client_connects_calls_and_refreshes(state: AppState, anna: Member, travel: Travel, name: str) -> None:
    client = CLIENTS[name]
    steps = client["requests"]
    key = anna.program.headers["Authorization"]
    tried = set()
    async with document_server(lambda url: response({"client_id": url, **client.get("document", {})})) as (
        url,
        known,
        _,
    ):
        state.apps = Apps(state.database, state.settings, state.clock, known)
        async with serving(state) as site, browser(site, anna.token) as person:
            async with browser(site) as program:
                replay = Replay(program, person, None, mcp=f"{SITE}/", key=key)
                await replay.ask_at_root([*steps, {"request": "GET {resource_metadata}"}])
                tried.add("/")
            for form in ("/mcp", "/mcp/"):
                for accept in ACCEPTED:
                    async with browser(site) as program:
                        program.headers.clear()
                        replay = Replay(program, person, accept, mcp=f"{SITE}{form}", document=url, key=key)
                        for step in steps:
                            await replay.send(step)
                        tried |= {form, {None: "no `Accept`", "application/json": "JSON alone"}.get(accept, form)}
                        await replay.probe()
                        tried.add("probes")
                        # Several processes of a host refresh at a time.
                        refreshes = replay.refreshes(steps)
                        await asyncio.gather(*(replay.send(each) for each in refreshes * 2))
                        if refreshes:
                            travel(timedelta(hours=1))
                            assert await replay.list_tools() == 401
                            await replay.send(refreshes[0])
                            assert await replay.list_tools() == 200
                            tried |= set(REFRESHES)
    assert tried == set(variants_of(client))
