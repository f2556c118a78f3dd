"""Messages in Slack: by an incoming webhook one by one, or by a bot token as a thread below the first.

A webhook can neither upload nor reply, so figures are text there. With a token, they are uploaded before anything is
posted. Only what Slack refused with 429 is sent again: after a lost connection nobody knows whether a message was
posted. With a ledger, the next run goes on in its thread, and posts such a message only if the user says so.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from email.message import Message
from hashlib import sha256
from http.client import HTTPException
from typing import Any, NamedTuple, NoReturn
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import click

from mdpublish_core import Document, nodes, render
from mdpublish_core.cli.options import StyleOptions
from mdpublish_core.mail.sent_ledger import Ledger
from mdpublish_core.writers.outputs import OUTPUTS
from mdpublish_core.writers.slack.block_kit import MESSAGE_BLOCKS, MESSAGE_CHARACTERS

API_URL = "https://slack.com/api/"

TIMEOUT_SECONDS = 30
MAX_WAIT_SECONDS = 300
"""A `Retry-After` above is an error at once."""

POLLS = 30
"""Checks of an uploaded file, a second apart, until Slack knows its type: before that, no message can show it."""

_MAX_BYTES = 1_000_000
"""Size of a response."""

_ALT_CHARACTERS = 1_000
"""https://docs.slack.dev/reference/methods/files.getUploadURLExternal"""

_TOO_MANY, _OK, _SERVER_ERROR = 429, 200, 500

_UNCERTAIN = {"internal_error", "fatal_error", "request_timeout"}
"""https://docs.slack.dev/reference/methods/chat.postMessage: "some aspect of the operation" may have succeeded."""

_REMEDIES = {
    "channel_not_found": "name the channel's id (C…), and invite the app to it",
    "not_in_channel": "invite the app to the channel",
    "channel_is_archived": "unarchive the channel, or name another",
    "is_archived": "unarchive the channel, or name another",
    "action_prohibited": "an administrator has restricted who may post there",
    "restricted_action": "an administrator has restricted who may post there",
    "missing_scope": "the app needs the scopes chat:write, files:write and files:read",
    "invalid_auth": "set MDPUBLISH_SLACK_TOKEN to the app's bot token (xoxb-…)",
    "no_service": "the webhook was removed; make a new one",
    "no_active_hooks": "the webhook was removed; make a new one",
    "rollup_error": "Slack failed; the message may have been posted",
}

Json = dict[str, Any]


class SlackImage(NamedTuple):
    """A figure, to upload."""

    content: bytes
    media_type: str
    alt: str


class SlackError(click.ClickException):
    """Slack refused something or cannot be reached; the message is one line."""


class UncertainError(SlackError):
    """A `SlackError` after which a message may have been posted nevertheless."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows none: the token is for Slack alone."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


def slack_messages(document: Document, style: StyleOptions, *, has_images: bool) -> Iterator[Json | SlackImage]:
    """Yield messages of Block Kit with the text between figures, and the figures, unless they are text."""
    if not has_images:
        yield from _messages(document)
        return
    run: list[nodes.Token] = []
    for block in document.children:
        if (image := _image_of(block, document, style)) is None:
            run.append(block)
            continue
        yield from _messages(Document(run, front_matter=document.front_matter))
        yield image
        run = []
    notes, values = document.footnote_definitions, document.front_matter
    yield from _messages(Document(run, footnote_definitions=notes, front_matter=values))


def join_messages(parts: Iterable[Json]) -> list[Json]:
    """Return as few messages as Slack's limits allow."""
    messages: list[Json] = []
    for part in parts:
        blocks = [*messages[-1]["blocks"], *part["blocks"]] if messages else []
        if (
            messages
            and len(blocks) <= MESSAGE_BLOCKS
            and _characters(blocks) <= MESSAGE_CHARACTERS
            and sum(block["type"] == "table" for block in blocks) < 2
        ):
            messages[-1] = {"text": messages[-1]["text"] or part["text"], "blocks": blocks}
        else:
            messages.append(part)
    return messages


class Webhook:
    """An incoming webhook."""

    def __init__(self, url: str) -> None:
        # The URL is a secret.
        self.name = f"webhook {sha256(url.encode()).hexdigest()[:16]}"
        self.thread: dict[str, str] = {}
        parts = urlsplit(url)
        if not (parts.scheme == "https" or parts.hostname == "127.0.0.1"):
            raise click.UsageError("MDPUBLISH_SLACK_WEBHOOK must be an https:// URL")
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
        raise SlackError(f"Slack did not process a figure within {POLLS} s; run the command again")

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


def post_messages(
    messages: list[Json],
    place: Webhook | Bot,
    ledger: Ledger | None = None,
    *,
    markdown: str = "",
    resends: bool = False,
) -> int:
    """Post messages in order, without those of `markdown` in the ledger; return how many of these may not have arrived.

    Raises `SlackError`, which says how many were posted.
    """
    digest, uncertain, posted = sha256(markdown.encode()).hexdigest()[:32], 0, 0
    for number, message in enumerate(messages):
        key = f"{place.name} {digest} {number + 1}/{len(messages)}"
        state = ledger.states.get(key) if ledger else None
        if ledger and (state == "sent" or (state == "sending" and not resends)):
            place.thread = place.thread or ledger.details[key]
            uncertain += state == "sending"
            continue
        if posted:
            time.sleep(1)  # https://docs.slack.dev/apis/web-api/rate-limits: one a second for a channel
        try:
            if ledger:
                ledger.note(key, "sending", **place.thread)
            place.post(message)
        except SlackError as error:
            if ledger and not isinstance(error, UncertainError):
                ledger.note(key, "refused")
            raise type(error)(f"{error.message} ({number} of {len(messages)} messages were posted)") from None
        posted += 1
        if ledger:
            ledger.note(key, "sent", **place.thread)
    return uncertain


def _image_of(block: nodes.Token, document: Document, style: StyleOptions) -> SlackImage | None:
    """Return the image of a figure, or of an embedded image that is a paragraph."""
    is_image = isinstance(block, nodes.Paragraph) and [*map(type, block.children)] == [nodes.Image]
    if not (is_image or isinstance(block, nodes.Figure)):
        return None
    shown = render(Document([block]), to="email", media_url="cid:", **style.for_document(document, OUTPUTS["email"]))
    if len(shown.media) != 1:
        return None
    (media,) = shown.media
    alt = (nodes.text_content(block) if is_image else shown.plain_text).strip()
    return SlackImage(media.data, media.media_type, alt[:_ALT_CHARACTERS] or "figure")


def _messages(document: Document) -> Iterator[Json]:
    return map(json.loads, render(document, to="blocks", plain_text=False).text.splitlines())


def _characters(value: object) -> int:
    match value:
        case dict():
            shown = sum(len(each) for key, each in value.items() if key in {"text", "url"} and isinstance(each, str))
            return shown + sum(map(_characters, value.values()))
        case list():
            return sum(map(_characters, value))
    return 0


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
            raise UncertainError(
                f"cannot reach {urlsplit(url).hostname}: {error}; if the connection was lost, a message may have been posted"
            ) from None


def _wait(headers: Message) -> None:
    after = headers.get("Retry-After", "1")
    seconds = int(after) if after.isdecimal() else 1
    if seconds > MAX_WAIT_SECONDS:
        raise SlackError(f"Slack asks to wait {seconds:,} s; run the command again later")
    time.sleep(seconds)


def _refuse(problem: str, details: str = "", *, is_certain: bool = True) -> NoReturn:
    remedy = _REMEDIES.get(problem) or details
    raise (SlackError if is_certain else UncertainError)(
        f"Slack refused: {problem}" + (f"; {remedy}" if remedy else "")
    )
