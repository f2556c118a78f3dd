"""A Slack: incoming webhooks and the methods that `mdpublish send` uses, with Slack's limits and errors.

https://docs.slack.dev/reference/methods, https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from tests.core.slack_limits import MAX_CHARACTERS, problems, strings
from tests.local_server import LocalServer, Request, Response, in_thread

TOKEN = "xoxb-secret"
CHANNEL = "C0123456789"


@dataclass
class UploadedFile:
    """A file of an app; `polls` are those of `files.info` until its type is known."""

    length: int
    alt: str
    content: bytes = b""
    is_complete: bool = False
    polls: int = 1


@dataclass
class FakeSlack:
    """What was posted, and which replies are to come: a status, headers and a body, in place of the real ones."""

    url: str = ""
    posted: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, UploadedFile] = field(default_factory=dict)
    replies: list[tuple[int, dict[str, str], bytes] | None] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def webhook(self) -> str:
        return f"{self.url}/services/T0/B0/secret"

    def respond(self, path: str, headers: Any, body: bytes) -> tuple[int, dict[str, str], bytes]:
        self.requests.append(path)
        planned = self.replies.pop(0) if self.replies else None
        if planned:
            return planned
        if path.startswith("/services/"):
            return self._webhook(path, body)
        if path.startswith("/upload/"):
            self.files[path.rpartition("/")[2]].content = body
            return 200, {}, b"OK"
        is_known = headers["Authorization"] == f"Bearer {TOKEN}"
        fields = dict(parse_qsl(body.decode()))
        result = (
            getattr(self, path.rpartition("/")[2].replace(".", "_"))(fields) if is_known else {"error": "invalid_auth"}
        )
        return 200, {}, json.dumps({"ok": "error" not in result, **result}).encode()

    def _webhook(self, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        if path != "/services/T0/B0/secret":
            return 404, {}, b"no_service"
        try:
            message = json.loads(body)
        except ValueError:
            return 400, {}, b"invalid_payload"
        if self._problem(message) or any(block["type"] == "image" for block in message["blocks"]):
            return 400, {}, b"invalid_blocks"
        self.posted.append(message)
        return 200, {}, b"ok"

    def chat_postMessage(self, fields: dict[str, str]) -> dict[str, Any]:  # noqa: N802  (Slack's name)
        if fields["channel"] not in {CHANNEL, "#general"}:
            return {"error": "channel_not_found"}
        message = {**fields, "blocks": json.loads(fields["blocks"])}
        if problem := self._problem(message):
            return {"error": problem, "response_metadata": {"messages": [f"[ERROR] {problem} [json-pointer:/blocks]"]}}
        self.posted.append(message)
        return {"channel": CHANNEL, "ts": f"{len(self.posted)}.0"}

    def files_getUploadURLExternal(self, fields: dict[str, str]) -> dict[str, Any]:  # noqa: N802
        if len(fields["alt_txt"]) > 1_000 or not fields["filename"]:
            return {"error": "invalid_arguments"}
        identifier = f"F{len(self.files):09}"
        self.files[identifier] = UploadedFile(int(fields["length"]), fields["alt_txt"])
        return {"upload_url": f"{self.url}/upload/{identifier}", "file_id": identifier}

    def files_completeUploadExternal(self, fields: dict[str, str]) -> dict[str, Any]:  # noqa: N802
        for each in json.loads(fields["files"]):
            file = self.files[each["id"]]
            if len(file.content) != file.length:
                return {"error": "file_upload_size_mismatch"}
            file.is_complete = True
        return {"files": json.loads(fields["files"])}

    def files_info(self, fields: dict[str, str]) -> dict[str, Any]:
        file = self.files[fields["file"]]
        file.polls -= 1
        return {"file": {"id": fields["file"], "mimetype": "image/png" if file.polls < 0 else ""}}

    def _problem(self, message: dict[str, Any]) -> str | None:
        images = [block for block in message["blocks"] if block["type"] == "image"]
        rest = [block for block in message["blocks"] if block["type"] != "image"]
        if sum(map(len, strings(rest))) > MAX_CHARACTERS:
            return "msg_blocks_too_long"
        for image in images:
            file = self.files.get(image["slack_file"]["id"])
            if file is None or not file.is_complete or file.polls >= 0 or not 0 < len(image["alt_text"]) <= 2_000:
                return "invalid_blocks"
        is_wrong = len(message["blocks"]) > 50 or (rest and any(problems({**message, "blocks": rest})))
        return "invalid_blocks" if is_wrong else None


@contextmanager
def running_slack() -> Iterator[FakeSlack]:
    slack = FakeSlack()

    def respond(request: Request) -> Response:
        status, headers, content = slack.respond(request.path, request.headers, request.body)
        return Response(content, status, headers)

    with in_thread(LocalServer(respond)) as server:
        slack.url = server.url
        yield slack
