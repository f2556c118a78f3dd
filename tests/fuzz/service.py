"""The service's API and the pages it publishes, called in this process; conversions run in its workers."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx

from mdpublish_core.templates import THEME_MODES
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_server.app import make_app
from mdpublish_server.services.accounts import add_key, create_account
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import migrate
from tests.fuzz.library import TEMPLATES
from tests.fuzz.session import Case, Unexpected

_HIGHEST = "1000000"

_FREE_TEMPLATE = "swiss"

_SURROGATE_SHARE = 0.02

# A social image costs as much as ten pages.
_IMAGE_SHARE = 0.1

# What clients cause, of the errors in docs/reference/http-api.md; and load, which says nothing of the document.
_DOCUMENTED = {400: {"invalid_body", "validation_error", "content_rejected"}, 503: {"service_unavailable"}}


class Service:
    """`POST /v1/convert`, `/v1/demo/publish` and `/v1/documents/publish`, and the pages."""

    name = "service"

    def __init__(self, runner: asyncio.Runner, client: httpx.AsyncClient, key: str) -> None:
        self._runner = runner
        self._client = client
        self._headers = {"Authorization": f"Bearer {key}"}

    def options(self, random: Random, markdown: str) -> Iterator[dict[str, Any]]:
        template, mode = random.choice(TEMPLATES), random.choice(THEME_MODES)
        title = markdown[: random.choice((0, 20, 200))] or "Untitled"
        request = {"errors": _errors(random), "shows_image": random.random() < _IMAGE_SHARE}
        styling = {"template_id": template, "theme_mode": mode}
        yield {
            "path": "/v1/convert",
            "field": "markdown",
            "destination": random.choice(list(DESTINATIONS)),
            **styling,
            **request,
        }
        page = {"field": "content", "title": title, **request}
        yield random.choice(
            (
                {"path": "/v1/documents/publish", "description": title, "show_source": True, **page, **styling},
                {"path": "/v1/demo/publish", "template_id": _FREE_TEMPLATE, **page},
            )
        )

    def convert(self, case: Case) -> None:
        self._runner.run(self._convert(case))

    async def _convert(self, case: Case) -> None:
        path, body = _request(case)
        response = await self._client.post(path, content=body, headers=self._headers)
        fields = _check(response)
        url = fields.get("published_url") or fields.get("url")
        if url:
            source = [f"{url}.md"] if case.options.get("show_source") else []
            for page in (url, *source, *[f"{url}.png"] * case.options["shows_image"]):
                shown = await self._client.get(page)
                # Load says nothing of the document, as for POST.
                if shown.status_code != 200 and "Retry-After" not in shown.headers:
                    raise Unexpected(f"{shown.status_code} of GET {page.rpartition('/')[0]}/…{page[len(url) :]}")
        if "published_url" in fields:
            await self._client.delete(f"/v1/documents/{fields['id']}", headers=self._headers)

    def snippet(self, case: Case) -> str:
        path, body = _request(case)
        return f"client.post({path!r}, content={body!r}, headers=headers)"


def _errors(random: Random) -> str:
    """Return what becomes of lone surrogates, with which a body is invalid."""
    return "surrogatepass" if random.random() < _SURROGATE_SHARE else "replace"


def _request(case: Case) -> tuple[str, bytes]:
    fields = dict(case.options)
    del fields["shows_image"]
    path, field, errors = fields.pop("path"), fields.pop("field"), fields.pop("errors")
    return path, json.dumps({field: case.markdown, **fields}, ensure_ascii=False).encode(errors=errors)


def _check(response: httpx.Response) -> dict[str, Any]:
    """Return the body of a success, or nothing for a documented error."""
    if response.is_success:
        return dict(response.json())
    error = response.json()["error"]
    too_long = error["code"] in ("conversion_error", "render_error") and "must be at most" in error["message"]
    if too_long or error["code"] in _DOCUMENTED.get(response.status_code, ()):
        return {}
    raise Unexpected(f"{response.status_code} {error['code']} of POST {response.request.url.path}: {error['message']}")


@contextmanager
def in_process_service(folder: Path) -> Iterator[Service]:
    """Start the service on SQLite, with an account on Pro."""
    url = f"sqlite:///{folder}/fuzz.db"
    migrate(url)
    limits = ("MDPUBLISH_PRO_RATE_LIMIT", "MDPUBLISH_PRO_MONTHLY_QUOTA")
    workers = {"MDPUBLISH_WORKERS": "1", "MDPUBLISH_DEMO_WORKERS": "1"}
    state = AppState(read_settings({"MDPUBLISH_DATABASE_URL": url, **workers, **dict.fromkeys(limits, _HIGHEST)}))
    transport = httpx.ASGITransport(make_app(state))
    with asyncio.Runner() as runner:
        runner.run(state.start())
        client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", timeout=None)
        try:
            yield Service(runner, client, _new_key(state))
        finally:
            runner.run(client.aclose())
            runner.run(state.stop())


def _new_key(state: AppState) -> str:
    now = state.clock()
    with state.database.write_transaction() as transaction:
        account = create_account(
            transaction, email="anna@example.org", password_hash=None, username="anna", plan="pro", now=now
        )
        return add_key(transaction, account, name="fuzz", now=now).raw
