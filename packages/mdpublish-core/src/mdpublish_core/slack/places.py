"""Where messages go in Slack: to an incoming webhook one by one, or with an app's token as a thread below the first.

A webhook can neither upload nor reply. Only what Slack refused with 429 is sent again: after a lost connection nobody
knows whether a message was posted.
"""

import json
import time
from collections.abc import Mapping
from email.message import Message
from hashlib import sha256
from http.client import HTTPException
from socket import gaierror
from typing import Any, NamedTuple, NoReturn
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from mdpublish_core.data_files import read_pairs
from mdpublish_core.mail.smtp import SendError, Uncertain, Unreachable

API_URL = "https://slack.com/api/"

TIMEOUT_SECONDS = 30
MAX_WAIT_SECONDS = 300
"""A `Retry-After` above is an error at once."""

POLLS = 30
"""Checks of an uploaded file, a second apart, until Slack knows its type: before that, no message can show it."""

_MAX_BYTES = 1_000_000
"""Size of a response."""

_TOO_MANY, _OK, _SERVER_ERROR = 429, 200, 500

_UNCERTAIN = {"internal_error", "fatal_error", "request_timeout"}
"""https://docs.slack.dev/reference/methods/chat.postMessage: "some aspect of the operation" may have succeeded."""

_REMEDIES = read_pairs(__file__, "remedies.tsv")

Json = dict[str, Any]


class SlackImage(NamedTuple):
    """A figure, to upload."""

    content: bytes
    media_type: str
    alt: str


class _NoRedirects(HTTPRedirectHandler):
    """Follows none: the token is for Slack alone."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


def is_webhook(url: str) -> bool:
    parts = urlsplit(url)
    return bool(parts.hostname) and (parts.scheme == "https" or parts.hostname == "127.0.0.1")


class Webhook:
    """An incoming webhook."""

    def __init__(self, url: str) -> None:
        # The URL is a secret.
        self.name = f"webhook {sha256(url.encode()).hexdigest()[:16]}"
        self.thread: dict[str, str] = {}
        self._url = url

    def post(self, message: Json) -> None:
        status, reply = _request(self._url, json.dumps(message).encode(), {"Content-Type": "application/json"})
        if status != _OK:
            problem = reply.decode("utf-8", "replace").strip()[:200] or f"status {status}"
            _refuse(problem, is_certain=status < _SERVER_ERROR)


class Bot:
    """The Web API, with an app's token."""

    def __init__(self, token: str, channel: str) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self._channel = channel
        self.name = channel
        self.thread: dict[str, str] = {}

    def post(self, message: Json) -> None:
        """Post a message, in the thread of the first one."""
        fields = {"channel": self._channel, **self.thread, **message}
        posted = self._fetch("chat.postMessage", {**fields, "blocks": json.dumps(fields["blocks"])}, "channel", "ts")
        # The channel's id, of which alone messages have a thread.
        self.thread = self.thread or {"channel": posted["channel"], "thread_ts": posted["ts"]}

    def upload(self, image: SlackImage) -> Json:
        """Upload an image that is not shared yet, and return a message with it."""
        name = f"figure.{image.media_type.partition('/')[2]}"
        fields = {"filename": name, "length": len(image.content), "alt_txt": image.alt}
        place = self._fetch("files.getUploadURLExternal", fields, "upload_url", "file_id")
        status, _ = _request(place["upload_url"], image.content, {"Content-Type": image.media_type})
        if status != _OK:
            _refuse(f"the upload of a figure failed with status {status}")
        file = place["file_id"]
        self._fetch("files.completeUploadExternal", {"files": json.dumps([{"id": file, "title": name}])})
        for _ in range(POLLS):
            if self._fetch("files.info", {"file": file}, "file")["file"].get("mimetype"):
                block = {"type": "image", "slack_file": {"id": file}, "alt_text": image.alt}
                return {"text": image.alt.partition("\n")[0], "blocks": [block]}
            time.sleep(1)
        raise SendError(f"Slack did not process a figure within {POLLS} s; try again")

    def _fetch(self, method: str, fields: Mapping[str, object], *names: str) -> Json:
        """Call a method, whose response has fields of these names."""
        status, reply = _request(API_URL + method, urlencode(fields).encode(), self._headers)
        try:
            response: Json = json.loads(reply)
            is_ok, details = response["ok"], "; ".join(response.get("response_metadata", {}).get("messages", ()))
        except (ValueError, KeyError, TypeError, AttributeError):
            _refuse(f"{method} failed with status {status}", is_certain=False)
        if not is_ok:
            problem = str(response.get("error", "unknown error"))
            _refuse(problem, details[:300], is_certain=problem not in _UNCERTAIN)
        if missing := [name for name in names if name not in response]:
            _refuse(f"{method} returned no {missing[0]}", is_certain=False)
        return response


def _request(url: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
    """Return status and body of the response to a POST request, after the time that Slack asks to wait."""
    while True:
        try:
            opener = build_opener(_NoRedirects)
            with opener.open(Request(url, body, dict(headers)), timeout=TIMEOUT_SECONDS) as response:  # noqa: S310  (checked)
                return response.status, response.read(_MAX_BYTES)
        except HTTPError as error:
            reply = error.read(_MAX_BYTES)
            if error.code != _TOO_MANY:
                return error.code, reply
            _wait(error.headers)
        except (OSError, HTTPException) as error:
            problem = f"cannot reach {urlsplit(url).hostname}: {error}"
            if isinstance(getattr(error, "reason", None), ConnectionRefusedError | gaierror):
                raise Unreachable(problem) from None
            raise Uncertain(f"{problem}; if the connection was lost, a message may have been posted") from None


def _wait(headers: Message) -> None:
    after = headers.get("Retry-After", "1")
    seconds = int(after) if after.isdecimal() else 1
    if seconds > MAX_WAIT_SECONDS:
        raise SendError(f"Slack asks to wait {seconds:,} s; try again later")
    time.sleep(seconds)


def _refuse(problem: str, details: str = "", *, is_certain: bool = True) -> NoReturn:
    remedy = _REMEDIES.get(problem) or details
    raise (SendError if is_certain else Uncertain)(f"Slack refused: {problem}" + (f"; {remedy}" if remedy else ""))
