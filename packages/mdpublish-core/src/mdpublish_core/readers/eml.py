"""Emails and saved pages (MIME, RFC 2045 and RFC 2557): their HTML with images of other parts, or else their text."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.header import decode_header, make_header
from itertools import groupby
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.arguments import require_input_size
from mdpublish_core.errors import InvalidFile
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.readers.formats import decode
from mdpublish_core.readers.html import read_html
from mdpublish_core.readers.imported import ReadFile
from mdpublish_core.readers.lines import inlines_of_lines
from mdpublish_core.readers.markdown.autolinks import link_bare
from mdpublish_core.resources.media import Media, image_from_bytes
from mdpublish_core.resources.urls import encode_url
from mdpublish_core.strings.lazy_patterns import compile_lazily

if TYPE_CHECKING:
    from email.message import Message

_MAX_SUBJECT = 200

_MAX_QUOTES = 9
"""Quotes in each other."""

_HEADER = compile_lazily(rb"^content-(?:type|disposition):.*(?:\n[ \t].*)*", re.IGNORECASE | re.MULTILINE)
_MAX_HEADER_BYTES = 4_000
"""Size of a header with parameters, which the standard library reads in quadratic time."""


def read(content: bytes, *, whole_page: bool = True) -> ReadFile:
    """Read an email or a page; the title in the front matter is the subject. Raises as `read_html` does."""
    if any(len(header[0]) > _MAX_HEADER_BYTES for header in _HEADER.finditer(content)):
        raise InvalidFile(f"must have headers of at most {_MAX_HEADER_BYTES:,} bytes (got more); save it again")
    try:
        # The old policy: the new one takes quadratic time for a header.
        message = message_from_bytes(content)
        parts = [part for part in message.walk() if part.get_content_disposition() != "attachment"]
        subject = str(make_header(decode_header(str(message.get("Subject", ""))[: 4 * _MAX_SUBJECT])))
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise InvalidFile("is no email that can be read; save it again in the program that wrote it") from None
    bodies = [part for kind in ("html", "plain") for part in parts if part.get_content_type() == f"text/{kind}"]
    if not bodies:
        raise InvalidFile("must have text or HTML (got an email without); save its attachment")
    body, subject = bodies[0], " ".join(subject.split())[:_MAX_SUBJECT]
    images = {name: part for part in parts for name in _names(part)}
    written = decode(_payload(body))
    if body.get_content_subtype() == "plain":
        require_input_size(len(written))
        imported = ReadFile(
            nodes.Document(_blocks("\n".join(written.splitlines())), origin=nodes.Origin(len(content))), ()
        )
    else:
        imported = read_html(written, whole_page=whole_page)
    media = {each.content_id: each for each in (*imported.media, *_embedded(imported.document, images))}
    document = nodes.replace(imported.document, front_matter={"title": subject} if subject else None)
    return ReadFile(document, tuple(media.values()))


def _names(part: Message) -> list[str]:
    """Return what HTML calls a part."""
    content_id, location = str(part.get("Content-ID", "")).strip("<> "), str(part.get("Content-Location", "")).strip()
    return [encode_url(name) for name in (content_id, location) if name]


def _payload(part: Message) -> bytes:
    """Return a part's content; its text in UTF-8."""
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    charset = part.get_content_charset()
    try:
        return content.decode(charset).encode() if charset else content
    except (LookupError, ValueError):
        return content


def _embedded(document: nodes.Document, parts: dict[str, Message]) -> list[Media]:
    """Let images have the ids of media that are parts, and return these."""
    embedded = []
    for image in document.images:
        part = parts.get(image.src)
        media = image_from_bytes(_payload(part), nodes.text_content(image)) if part is not None else None
        if media:
            amend(image, src=media.content_id)
            embedded.append(media)
    return embedded


def _blocks(written: str, depth: int = 0) -> list[nodes.Token]:
    """Return paragraphs, and quotes of lines that begin with `>`."""
    blocks: list[nodes.Token] = []
    lines = groupby(written.split("\n"), key=lambda line: depth < _MAX_QUOTES and line.startswith(">"))
    for is_quote, run in lines:
        if is_quote:
            inside = _blocks("\n".join(line[1:].removeprefix(" ") for line in run), depth + 1)
            blocks += [nodes.Quote(inside)] if inside else []
        else:
            paragraphs = (inlines_of_lines(each.split("\n"), link_bare) for each in "\n".join(run).split("\n\n"))
            blocks += [nodes.Paragraph(inlines) for inlines in paragraphs if inlines]
    return blocks
