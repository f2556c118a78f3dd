"""Records what the public client of the contract's service sends, from its own program, against a running service.

    python -m tests.clients.recording SCRIPT > tests/clients/public_client.json

`SCRIPT` is the program's built `index.js`. npm's registry does not have it any more (2026-11), so that no session can
install it: clone its repository at the commit in the record, `npm install`, and `npx tsc`. What it sends is in the
record, which `tests/server/test_public_client.py` sends again.
"""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from mcp.client.client import Client

from tests.assistants.stdio_clients import ask
from tests.browser.served import served
from tests.local_server import LocalServer, Request, Response, in_thread
from tests.running import BIN

SOURCE = {
    "client": "@un-markdown/mcp-server 1.1.0",
    "basis": "recorded",
    "source": "github.com/UnMarkdown/mcp-server at 6a2af05, built with npm's @modelcontextprotocol/sdk and typescript",
}
MISSING = "00000000-0000-4000-8000-000000000000"
PLACES = ("google-docs", "word", "slack", "onenote", "email", "plain-text", "generic", "html")
WHOLE: dict[str, Any] = {
    "title": "Plan",
    "content": "# Plan\n\nOne.\n",
    "template_id": "mono",
    "theme_mode": "dark",
    "folder": "Work",
}
CHANGES: tuple[dict[str, Any], ...] = (
    *({"title": "Other"}, {"content": "# New\n"}, {"template_id": "ink"}, {"theme_mode": "light"}),
    *({"description": "About it"}, {"description": None}, {"folder": "Home"}, {"folder": None}, {}),
    *({"page_width": each} for each in ("full", "wide", "standard")),
)

USES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("convert_markdown", {"markdown": "# A *b*"}),
    *(("convert_markdown", {"markdown": "# A *b*", "destination": each}) for each in PLACES),
    ("convert_markdown", {"markdown": "a", "destination": "email", "template_id": "ink", "theme_mode": "dark"}),
    ("convert_markdown", {"markdown": ""}),
    ("create_document", {}),
    ("create_document", WHOLE),
    ("create_document", {"folder": "x" * 61}),
    ("list_documents", {}),
    ("list_documents", {"folder": "WORK"}),
    ("list_documents", {"folder": "Nowhere"}),
    ("list_documents", {"limit": 1}),
    ("list_documents", {"limit": 1, "cursor": "{next_cursor}"}),
    ("get_document", {"id": "{id}"}),
    ("get_document", {"id": MISSING}),
    ("get_document", {"id": "../x?y"}),
    *(("update_document", {"id": "{id}", **change}) for change in CHANGES),
    ("update_document", {"id": "{id}", "template_id": "nosuch"}),
    ("publish_document", {"id": "{id}"}),
    ("publish_document", {"id": "{id}", "slug": "plan", "description": "D", "visibility": "public", "page_width": "wide"}),
    ("publish_document", {"id": "{id}", "visibility": "link", "page_width": "full"}),
    ("publish_document", {"id": "{id}", "slug": "No Slug"}),
    ("get_usage", {}),
)  # fmt: skip
"""Each argument of each tool, and what the service refuses; `{name}` is a field of an earlier response."""


def filled(value: Any, fields: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: filled(each, fields) for name, each in value.items()}
    return re.sub(r"{(\w+)}", lambda match: str(fields[match[1]]), value) if isinstance(value, str) else value


@contextmanager
def recording(url: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the URL of a proxy, and the requests that it passes on."""
    requests: list[dict[str, Any]] = []

    def pass_on(request: Request) -> Response:
        names = [name for name in ("authorization", "content-type", "user-agent", "accept") if name in request.headers]
        headers = {name: request.headers[name] for name in names}
        response = httpx.request(request.method, f"{url}{request.path}", headers=headers, content=request.body)
        assert (headers["user-agent"], headers["accept"]) == ("unmarkdown-mcp/1.0", "*/*")
        assert headers.get("content-type") == ("application/json" if request.body else None)
        body = {"json": json.loads(request.body)} if request.body else {}
        requests.append({"request": f"{request.method} {request.path}", **body, "status": response.status_code})
        return Response(response.content, response.status_code, {"Content-Type": response.headers["content-type"]})

    with in_thread(LocalServer(pass_on)) as server:
        yield server.url, requests


def record(script: str, url: str, key: str) -> list[dict[str, Any]]:
    """Call the tools; check that the client returns what the service responds with, and errors as such."""
    with recording(url) as (proxy, requests):
        fields: dict[str, Any] = {}

        async def use_all(client: Client) -> list[dict[str, Any]]:
            assert len((await client.list_tools()).tools) == 7
            steps = []
            for tool, arguments in USES:
                result: Any = await client.call_tool(tool, filled(arguments, fields))
                [request] = requests
                requests.clear()
                content = result.content[0].text
                assert bool(result.is_error) is (request["status"] >= 400), (tool, arguments, content)
                for name in {"id", "next_cursor"} & fields.keys():
                    request["request"] = request["request"].replace(str(fields[name]), f"{{{name}}}")
                if not result.is_error:
                    fields.update(json.loads(content))
                else:
                    assert re.match(r"Error 4\d\d \([a-z_]+\): .", content), content
                steps.append({"tool": tool, **request})
            return steps

        return ask([str(BIN / "node"), script], use_all, {"UNMARKDOWN_API_KEY": key, "UNMARKDOWN_API_URL": proxy})


def main() -> None:
    with TemporaryDirectory() as folder, served(Path(folder)) as service:
        member = service.open_account("anna@example.org", username="anna", plan="pro")
        steps = record(sys.argv[1], service.url, member.key)
    lines = ",\n".join(f"    {json.dumps(step)}" for step in steps)
    head = json.dumps(SOURCE, indent=2).removesuffix("\n}")
    sys.stdout.write(f'{head},\n  "requests": [\n{lines}\n  ]\n}}\n')


if __name__ == "__main__":
    main()
