"""The table of MCP clients and of what was tried as each of them, from the requests that the tests replay."""

import json
from pathlib import Path
from typing import Any

from docs.reference.making.markdown import cell, table

FILES = sorted((Path(__file__).parents[3] / "tests/clients/handshakes").glob("*.json"))
CLIENTS: dict[str, dict[str, Any]] = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}

VARIANTS = ("/mcp", "/mcp/", "/", "no `Accept`", "JSON alone", "probes")
REFRESHES = ("parallel refreshes", "an hour later")


def variants_of(client: dict[str, Any]) -> tuple[str, ...]:
    """Return what is tried as a client: who connects with a key, refreshes nothing."""
    return VARIANTS if identity_of(client) == "key" else VARIANTS + REFRESHES


def identity_of(client: dict[str, Any]) -> str:
    requests = [step["request"] for step in client["requests"]]
    if any("regist" in each for each in requests):
        return "registers"
    return "document" if "document" in client else "key"


def mcp_clients() -> str:
    shown = [f"`{each}`" if each.startswith("/") else each for each in (*VARIANTS, *REFRESHES)]
    rows = (
        (
            client["client"],
            client["basis"],
            identity_of(client),
            *("\u2713" if each in variants_of(client) else "\u2013" for each in (*VARIANTS, *REFRESHES)),
        )
        for client in CLIENTS.values()
    )
    return table(("client", "basis", "identity", *shown), rows)


def mcp_client_sources() -> str:
    return table(("client", "source"), ((client["client"], cell(client["source"])) for client in CLIENTS.values()))
