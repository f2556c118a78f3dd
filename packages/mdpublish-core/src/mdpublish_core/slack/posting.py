"""A text as messages in Slack, of which none is posted twice.

Figures are text for a webhook; with a token, they are uploaded before anything is posted. With a ledger, the next run
goes on in its thread, and posts a message that may have been posted only if the user says so.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import Any, Literal

from mdpublish_core import Document, Template, nodes, parse, render
from mdpublish_core.arguments import require_path, require_type
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.mail.sent_ledger import Ledger
from mdpublish_core.mail.smtp import SendError, Uncertain
from mdpublish_core.slack.places import Bot, Json, SlackImage, Webhook, is_webhook
from mdpublish_core.writers.slack.block_kit import MESSAGE_BLOCKS, MESSAGE_CHARACTERS

Action = Literal["posted", "already posted", "uncertain"]

_ALT_CHARACTERS = 1_000
"""https://docs.slack.dev/reference/methods/files.getUploadURLExternal"""


def post(
    markdown: str,
    place: str,
    *,
    token: str | None = None,
    template: str | Template | None = None,
    ledger: str | PathLike[str] | None = None,
    resend_uncertain: bool = False,
) -> bool:
    """Post a text in Slack, as messages that follow each other; return whether something was posted now.

    `place` is the URL of an incoming webhook or, with the bot token of an app, a channel's id. With a token, figures and
    embedded images are uploaded, figures in the template's style, and messages after the first are in its thread. `ledger`
    is a file that notes what was posted: a program that runs again, even after it was killed, posts nothing twice.

    Raises errors of `mdpublish_core.mail`: `SendError` for what Slack refused, which says how much was posted,
    `Unreachable` without a connection, `Uncertain` if the connection was lost before Slack's reply, and for a ledger
    that says so: `resend_uncertain=True` posts it again. Raises `InvalidArgument`, `InvalidFile` for a ledger in use,
    and the errors of `convert`.
    """
    require_type("place", place, str)
    require_type("token", token, str, NoneType)
    if ledger is not None:
        require_path("ledger", ledger)
    if not token and not is_webhook(place):
        raise InvalidArgument("place", "must be the https:// URL of a webhook, or a channel together with a token")
    target = Bot(token, place) if token else Webhook(place)
    file = None if ledger is None else Path(ledger)
    done = post_document(
        parse(markdown), target, source=markdown, ledger_file=file, resends=resend_uncertain, template=template
    )
    if count := done.count("uncertain"):
        raise Uncertain(f"{uncertain_words(count)} resend_uncertain=True")
    return "posted" in done


def post_document(
    document: Document, place: Webhook | Bot, *, source: str, ledger_file: Path | None, resends: bool, **style: Any
) -> list[Action]:
    """Post a document, of this source; return what happened to each message. `style` are arguments of `render`.

    Raises `SendError`, which says how many were posted.
    """
    ledger = None if ledger_file is None else Ledger(ledger_file)
    try:
        parts = list(slack_messages(document, has_images=isinstance(place, Bot), **style))
        messages = join_messages([_uploaded(each, place) for each in parts])
        return _post_messages(messages, place, ledger, source=source, resends=resends)
    finally:
        if ledger:
            ledger.close()


def _uploaded(part: Json | SlackImage, place: Webhook | Bot) -> Json:
    if isinstance(part, SlackImage):
        assert isinstance(place, Bot)
        return place.upload(part)
    return part


def uncertain_words(count: int) -> str:
    """Return what to do about messages of which nobody knows whether they arrived; the option's name is to follow."""
    return (
        f"{count:,} {'message' if count == 1 else 'messages'} may have been posted by a run that was killed: look in "
        "the channel, and post what is missing with"
    )


def _post_messages(
    messages: list[Json], place: Webhook | Bot, ledger: Ledger | None, *, source: str, resends: bool
) -> list[Action]:
    digest = sha256(source.encode(errors="surrogatepass")).hexdigest()[:32]
    done: list[Action] = []
    for number, message in enumerate(messages):
        key = f"{place.name} {digest} {number + 1}/{len(messages)}"
        state = ledger.states.get(key) if ledger else None
        if ledger and (state == "sent" or (state == "sending" and not resends)):
            place.thread = place.thread or ledger.details[key]
            done.append("already posted" if state == "sent" else "uncertain")
            continue
        if "posted" in done:
            time.sleep(1)  # https://docs.slack.dev/apis/web-api/rate-limits: one a second for a channel
        try:
            if ledger:
                ledger.note(key, "sending", **place.thread)
            place.post(message)
        except SendError as error:
            if ledger and not isinstance(error, Uncertain):
                ledger.note(key, "refused")
            raise type(error)(f"{error.problem} ({number} of {len(messages)} messages were posted)") from None
        done.append("posted")
        if ledger:
            ledger.note(key, "sent", **place.thread)
    return done


def slack_messages(document: Document, *, has_images: bool, **style: Any) -> Iterator[Json | SlackImage]:
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


def _image_of(block: nodes.Token, document: Document, style: Mapping[str, Any]) -> SlackImage | None:
    """Return the image of a figure, or of an embedded image that is a paragraph."""
    is_image = isinstance(block, nodes.Paragraph) and [*map(type, block.children)] == [nodes.Image]
    if not (is_image or isinstance(block, nodes.Figure)):
        return None
    alone = Document([block], front_matter=document.front_matter)
    shown = render(alone, to="email", media_url="cid:", **style)
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
