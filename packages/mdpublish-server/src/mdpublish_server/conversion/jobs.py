"""What a worker does: the core's functions, from bytes to bytes.

Runs in a worker's process, so it imports the core and what is light; `warm_up` makes the core load the rest, before the
first client waits for it.
"""

import gc
import gzip
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256

from msgspec import json, msgpack

from mdpublish_core import Badge, Conversion, LimitExceeded, Limits, Unfurl, convert, get_template, parse
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.document import Document
from mdpublish_core.media import data_url
from mdpublish_core.page import Frame, frame_document, page_setting, style_of
from mdpublish_core.unfurl import unfurl_picture
from mdpublish_server.conversion.requests import ConversionRequest, PageRequest, UnfurlRequest
from mdpublish_server.conversion.wire import Converted, PageOrder, Previewed, Refused, Rendered
from mdpublish_server.models import ConvertAnswer, MediaAnswer, NoticeAnswer
from mdpublish_server.policies.texts import title_of_heading

GZIP_BYTES = 1_024
"""The shortest answer that is gzipped, in bytes: a shorter one is one packet anyway."""

# Of the seconds that a job has, so many for drawing; the rest is time enough for all else.
_LIMITS = Limits(drawing_seconds=3.0)

# The sixth level takes half as long again, for 6 % less; an answer is read once.
_ANSWER_LEVEL = 4

# Whatever the core loads when it is first used, this text makes it load: widths of characters, and the languages that are
# written most.
_WARM_UP_LANGUAGES = (
    "bash",
    "c",
    "css",
    "diff",
    "go",
    "html",
    "java",
    "js",
    "json",
    "python",
    "rust",
    "sql",
    "ts",
    "yaml",
)
_WARM_UP = (
    "# Grüezi\n\n- [ ] *a* https://example.org[^1]\n\n> **b**\n\n| c |\n|---|\n| <b>d</b> |\n\n[^1]: e\n\n"
    + "\n".join(f"```{language}\nx = 1\n```\n" for language in _WARM_UP_LANGUAGES)
)

_read_conversion = msgpack.Decoder(ConversionRequest).decode
_read_page = msgpack.Decoder(PageOrder).decode
_read_unfurl = msgpack.Decoder(UnfurlRequest).decode


def _convert(payload: bytes) -> bytes:
    """Return what `POST /v1/convert` answers."""
    request = _read_conversion(payload)
    try:
        conversion = convert(
            request.markdown,
            destination=request.destination,
            template=request.template_id,
            theme_mode=request.theme_mode,
            media_url={"cid": "cid:", "data": data_url, None: None}[request.images],
            limits=_LIMITS,
        )
    except LimitExceeded as error:
        return _refused(error)
    # Where they do not travel beside the output, the pictures stand in it.
    beside = request.images == "cid" or (request.images is None and DESTINATIONS[request.destination].attaches)
    body = json.encode(_answer(conversion, with_media=beside))
    gzipped = request.gzipped and len(body) >= GZIP_BYTES
    if gzipped:
        body = gzip.compress(body, _ANSWER_LEVEL, mtime=0)
    return msgpack.encode(Converted(body=body, gzipped=gzipped))


def _answer(conversion: Conversion, *, with_media: bool) -> ConvertAnswer:
    notices = (
        NoticeAnswer(code=notice.code, message=notice.message, line=notice.line) for notice in conversion.notices
    )
    media = (
        MediaAnswer(content_id=each.content_id, media_type=each.media_type, data=b64encode(each.data).decode())
        for each in (conversion.media if with_media else ())
    )
    return ConvertAnswer(
        html=conversion.html,
        plain_text=conversion.plain_text,
        destination=conversion.destination,
        template_id=conversion.template_id,
        theme_mode=conversion.theme_mode,
        media=tuple(media),
        notices=tuple(notices),
    )


def _render(payload: bytes) -> bytes:
    """Return a page as it is kept, and what is known of its text."""
    order = _read_page(payload)
    request = order.request
    try:
        document = parse(request.markdown)
        page = _page(document, request, order.badge)
    except LimitExceeded as error:
        return _refused(error)
    content = page.html.encode()
    rendered = Rendered(
        title=page.title,
        word_count=document.word_count,
        body=gzip.compress(content, mtime=0),
        etag=sha256(content).hexdigest()[:32],
        style_hash=page.style_hash,
        rejected=_rejected(page.title, request.markdown) if request.scanned else None,
    )
    return msgpack.encode(rendered)


def _preview(payload: bytes) -> bytes:
    """Return a page as it would be published."""
    order = _read_page(payload)
    try:
        page = _page(parse(order.request.markdown), order.request, order.badge)
    except LimitExceeded as error:
        return _refused(error)
    return msgpack.encode(page)


def _count_words(payload: bytes) -> bytes:
    """Return the number of words in a text, both as they are."""
    return b"%d" % parse(payload.decode()).word_count


def _unfurl(payload: bytes) -> bytes:
    """Return the picture of a page, as PNG."""
    request = _read_unfurl(payload)
    return unfurl_picture(
        request.title, template=request.template_id, theme_mode=request.theme_mode, site_name=request.site_name
    )


def _warm_up(_payload: bytes) -> bytes:
    """Load what the core loads late."""
    for destination in DESTINATIONS:
        convert(_WARM_UP, destination=destination)
    page = PageRequest(
        markdown=_WARM_UP, title=None, template_id="swiss", theme_mode="light", copy_buttons=True, scanned=True
    )
    _render(msgpack.encode(PageOrder(request=page, badge=Badge("", ""))))
    unfurl_picture(page.markdown, site_name="mdpublish")
    # What is loaded by now stays: nobody need look through it for garbage.
    gc.collect()
    gc.freeze()
    return b""


def _page(document: Document, request: PageRequest, badge: Badge) -> Previewed:
    """Return the page, its title, and the hash of its style element as a CSP source expression without quotes."""
    template = get_template(request.template_id)
    frame = _frame(document, request, badge)
    loads_fonts = request.font_url is not None
    setting = page_setting(document, template, request.theme_mode, loads_fonts=loads_fonts, limits=_LIMITS)
    html = frame_document(document, setting, frame)
    style = sha256(style_of(setting, frame).encode()).digest()
    return Previewed(html=html, title=frame.title, style_hash=f"sha256-{b64encode(style).decode()}")


def _frame(document: Document, request: PageRequest, badge: Badge) -> Frame:
    title = title_of_heading(document.title) if request.title is None else request.title
    return Frame(
        title=title,
        # What a search engine or a messenger shows is chosen here, and not by guesses of theirs.
        description=request.description or document.summary,
        page_width=request.page_width,
        canonical_url=request.canonical_url,
        badge=badge if request.badge else None,
        robots=None if request.indexed else "noindex",
        site_name=request.site_name,
        unfurl=None if request.unfurl_url is None else Unfurl(request.unfurl_url, alt=title),
        alternates=request.alternates,
        links=request.links,
        reading_time=request.reading_time,
        contents=request.contents,
        copy_buttons=request.copy_buttons,
        font_url=request.font_url,
    )


def _rejected(title: str, markdown: str) -> str | None:
    # Late: most workers' jobs are not scanned, and its patterns are many.
    from mdpublish_server.policies.scanner import scan

    return scan(title, markdown)


def _refused(error: LimitExceeded) -> bytes:
    return msgpack.encode(Refused(limit=error.limit, allowed=error.allowed, actual=error.actual))


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    "convert": _convert,
    "render": _render,
    "preview": _preview,
    "count_words": _count_words,
    "unfurl": _unfurl,
    "warm_up": _warm_up,
}
