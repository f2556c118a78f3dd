"""Records what a real program sends to `/mcp`, with a person's consent, as a file of `handshakes`.

`python -m tests.clients.record NAME FOLDER` runs the program of `PROGRAMS` by this name, from a folder where npm has
installed it, behind a proxy that writes down each request. Program and person are on this machine; no account is used.
"""

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from socket import socket
from threading import Timer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import httpx

from mdpublish_server.auth.scopes import SCOPES
from mdpublish_server.storage import open_database
from tests.browser.served import Served
from tests.local_server import LocalServer, Request, Response, in_thread
from tests.running import running_service

HANDSHAKES = Path(__file__).with_name("handshakes")
ROOT = Path(__file__).parents[2]

SECONDS = 60

SENT = {"accept", "authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "origin"}
"""Headers on which a response may depend."""


class Program(NamedTuple):
    """A program: its title with the version, the files of its configuration, and its command lines, one by one."""

    title: str
    source: str
    files: dict[str, str]
    commands: list[list[str]]


def programs(url: str) -> dict[str, Program]:
    opencode = {"mcp": {"mdpublish": {"type": "remote", "url": url, "enabled": True}}}
    consented = "sent through a proxy, with a person's consent"
    return {
        "opencode": Program(
            "OpenCode 1.18.33",
            f"what its `mcp auth` and `mcp list` {consented}",
            {"opencode.json": json.dumps(opencode)},
            [["opencode", "mcp", "auth", "mdpublish"], ["opencode", "mcp", "list"]],
        ),
        "codex": Program(
            "Codex 0.171.0",
            f"what its `mcp login` {consented}; only its model, which needs an account, calls tools",
            {".codex/config.toml": f'[mcp_servers.mdpublish]\nurl = "{url}"\n'},
            [["codex", "mcp", "login", "mdpublish"]],
        ),
        "claude-code": Program(
            "Claude Code 2.1.332",
            f"what its `mcp login` and `mcp list` {consented}; where documents are taken, its `client_id` is the URL of one",
            {},
            [
                ["claude", "mcp", "add", "--transport", "http", "mdpublish", url],
                ["claude", "mcp", "login", "mdpublish"],
                ["claude", "mcp", "list"],
            ],
        ),
    }


class Recorder:
    """Passes requests on to a service, and writes them down."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[tuple[Request, httpx.Response]] = []

    def pass_on(self, request: Request) -> Response:
        headers = {name: value for name, value in request.headers.items() if name.lower() != "accept-encoding"}
        url = f"{self.url}{request.path}"
        response = httpx.request(request.method, url, headers=headers, content=request.body, timeout=60)
        if not request.path.startswith("/authorize") or "code_challenge" in request.path:
            self.requests.append((request, response))
        dropped = {"content-length", "content-encoding", "transfer-encoding", "connection"}
        content = response.content
        if request.path.startswith("/.well-known/oauth-authorization-server"):
            # The service would fetch the document of a program from the internet.
            content = content.replace(
                b'"client_id_metadata_document_supported":true', b'"client_id_metadata_document_supported":false'
            )
        passed = {name: value for name, value in response.headers.items() if name.lower() not in dropped}
        return Response(content, response.status_code, passed)


def consent(url: str, session: str) -> None:
    """Open the page, allow everything, and follow the redirect to the program."""
    with httpx.Client(cookies={"session": session}, timeout=60) as person:
        page = person.get(url)
        page.raise_for_status()
        [action] = re.findall(r'<form class="signing" method="post" action="([^"]+)"', page.text)
        [account] = re.findall(r'name="account" value="([^"]+)"', page.text)[:1]
        fields = {"account": account, "answer": "allow", **dict.fromkeys(SCOPES, "on")}
        target = page.url.join(unescape(action))
        sent = person.post(target, data=fields, headers={"Sec-Fetch-Site": "same-origin"})
        httpx.get(sent.headers["location"], timeout=60)


@contextmanager
def recording(folder: Path) -> Iterator[tuple[Recorder, str, str]]:
    recorder = Recorder()
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    recorder.url = f"http://127.0.0.1:{port}"
    with (
        in_thread(LocalServer(recorder.pass_on)) as proxy,
        running_service(folder, "--port", str(port), settings={"MDPUBLISH_PUBLIC_URL": proxy.url}),
        httpx.Client(base_url=recorder.url) as client,
    ):
        database = open_database(f"sqlite:///{folder / 'mdpublish.db'}")
        service = Served(url=recorder.url, client=client, database=database, mailbox=None)
        member = service.open_account("anna@example.org", username="anna")
        yield recorder, proxy.url, member.session
        database.close()


def environment(home: Path, installed: Path, url: str, session: str) -> dict[str, str]:
    """Return the variables of a program that has a home of its own, and whose browser is the person."""
    binaries = home / "bin"
    binaries.mkdir()
    opener = f'#!/bin/sh\nfor url; do :; done\nexec {sys.executable} -m tests.clients.record --open "$url" {session}\n'
    for name in ("xdg-open", "open", "sensible-browser", "www-browser"):
        (binaries / name).write_text(opener)
        (binaries / name).chmod(0o755)
    path = os.pathsep.join([str(binaries), str(installed / "node_modules/.bin"), os.environ["PATH"]])
    passed = {name: os.environ[name] for name in ("PYTHONPATH", "LANG") if name in os.environ}
    browser = {"BROWSER": str(binaries / "xdg-open"), "DISPLAY": ":99", "RECORDED_URL": url}
    return {
        **passed,
        **browser,
        "PATH": path,
        "HOME": str(home),
        "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}",
    }


def run_on_a_terminal(command: list[str], folder: Path, variables: dict[str, str]) -> str:
    """Return what a program prints, to its end or until it has waited for too long."""
    inside, outside = pty.openpty()
    with subprocess.Popen(command, cwd=folder, env=variables, stdin=outside, stdout=outside, stderr=outside) as program:
        os.close(outside)
        timer = Timer(SECONDS, program.kill)
        timer.start()
        printed = b""
        try:
            while part := os.read(inside, 10_000):
                printed += part
        except OSError:  # Linux: the other end is closed
            pass
        timer.cancel()
    os.close(inside)
    return printed.decode(errors="replace")[-2_000:]


def record(name: str, installed: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        Path(folder, "service").mkdir()
        with recording(Path(folder, "service")) as (recorder, url, session):
            program = programs(f"{url}/mcp")[name]
            variables = environment(home, installed, url, session)
            for file, content in program.files.items():
                (home / file).parent.mkdir(parents=True, exist_ok=True)
                (home / file).write_text(content)
            for command in program.commands:
                print(" ".join(command), run_on_a_terminal(command, home, variables))  # noqa: T201
            steps = [*Steps(url).read(recorder.requests)]
    lines = ",\n    ".join(json.dumps(step, ensure_ascii=False) for step in steps)
    head = {"client": program.title, "basis": "recorded", "source": program.source}
    start = json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    (HANDSHAKES / f"{name}.json").write_text(f'{start},\n  "requests": [\n    {lines}\n  ]\n}}\n', "utf-8")


class Steps:
    """Makes steps of requests: what differs from run to run gets the name of what it is."""

    def __init__(self, url: str) -> None:
        self.url = url
        # The first that fits counts.
        self.names = {
            f"{url}/.well-known/oauth-protected-resource/mcp": "resource_metadata",
            f"{url}/mcp": "mcp",
            url: "site",
        }

    def read(self, requests: list[tuple[Request, httpx.Response]]) -> Iterator[dict[str, Any]]:
        for request, response in requests:
            path, _, query = request.path.partition("?")
            if path == "/authorize":
                if request.method == "GET":
                    continue
                fields = dict(parse_qsl(query))
                self.names |= {fields["code_challenge"]: "challenge"}
                yield {
                    "request": "GET {site}/authorize",
                    "query": {**self.named(fields), "state": "s"},
                    "status": response.status_code,
                }
                self.names |= {dict(parse_qsl(urlsplit(response.headers["location"]).query))["code"]: "code"}
                continue
            step: dict[str, Any] = {"request": self.named(f"{request.method} {self.url}{request.path}")}
            headers = {name.title(): value for name, value in request.headers.items() if name.lower() in SENT}
            kind, body = headers.get("Content-Type", ""), request.body.decode()
            if body and "json" in kind:
                step["json"] = json.loads(body)
            elif body:
                step["form"] = dict(parse_qsl(body))
                self.names |= {step["form"][name]: "verifier" for name in ("code_verifier",) if name in step["form"]}
                del headers["Content-Type"]
            step = {
                "request": step.pop("request"),
                "headers": self.named(headers),
                **self.named(step),
                "status": response.status_code,
            }
            self.learn(response)
            yield step

    def learn(self, response: httpx.Response) -> None:
        """Name what a response brings."""
        if response.content and response.is_success and response.headers.get("content-type") == "application/json":
            content = response.json()
            for name in ("client_id", "access_token", "refresh_token"):
                if name in content:
                    self.names = {content[name]: name, **self.names}

    def named(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self.named(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.named(each) for each in value]
        for each, name in self.names.items() if isinstance(value, str) else ():
            value = value.replace(each, f"{{{name}}}")
        return value


def main(*arguments: str) -> None:
    if arguments[0] == "--open":
        consent(arguments[1], arguments[2])
    else:
        record(arguments[0], Path(arguments[1]))


if __name__ == "__main__":
    main(*sys.argv[1:])
