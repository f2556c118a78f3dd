"""Jobs run by workers. Imports only the core and light modules; `warm_up` loads the rest."""

import gc
import gzip
import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256

from msgspec import UNSET, json, msgpack
from msgspec import convert as retyped

from mdpublish_core import Conversion, LimitExceeded, Limits, PageOptions, convert, get_template, parse
from mdpublish_core.destinations import DESTINATIONS, MediaUrl
from mdpublish_core.nodes import Document
from mdpublish_core.page import build_page
from mdpublish_core.resources.media import data_url
from mdpublish_core.social_images import social_image
from mdpublish_server.conversion.protocol import (
    Converted,
    ConvertJob,
    Preview,
    Refused,
    Rendered,
    RenderJob,
    SocialImageJob,
)
from mdpublish_server.models import ConvertResponse, Media, Notice
from mdpublish_server.validation.validators import title_from_heading, validate_theme_mode

GZIP_BYTES = 1_024
"""Shorter bodies fit one packet."""

# Leaves time for the rest.
_LIMITS = Limits(max_total_figure_seconds=3.0)

# Level 6 takes half as long again for 6 % less.
_GZIP_LEVEL = 4

# Loads lazy parts: character widths, common languages.
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

_MEDIA_URLS: Mapping[str, MediaUrl] = {"cid": "cid:", "data": data_url}

_read_conversion = msgpack.Decoder(ConvertJob).decode
_read_page = msgpack.Decoder(RenderJob).decode
_read_social_image = msgpack.Decoder(SocialImageJob).decode


def _convert(payload: bytes) -> bytes:
    job = _read_conversion(payload)
    request = job.request
    try:
        conversion = convert(
            request.markdown,
            destination=request.destination,
            template=request.template_id,
            theme_mode=validate_theme_mode(request.theme_mode),
            media_url=None if request.images is UNSET else _MEDIA_URLS[request.images],
            limits=_LIMITS,
        )
    except LimitExceeded as error:
        return _refused(error)
    # Otherwise the output embeds its images.
    attaches_media = request.images == "cid" or (
        request.images is UNSET and DESTINATIONS[request.destination].attaches_media
    )
    body = json.encode(_response(conversion, with_media=attaches_media))
    gzipped = job.accepts_gzip and len(body) >= GZIP_BYTES
    if gzipped:
        body = gzip.compress(body, _GZIP_LEVEL, mtime=0)
    return msgpack.encode(Converted(body=body, gzipped=gzipped))


def _response(conversion: Conversion, *, with_media: bool) -> ConvertResponse:
    media = (
        Media(content_id=each.content_id, media_type=each.media_type, data=b64encode(each.data).decode())
        for each in (conversion.media if with_media else ())
    )
    return ConvertResponse(
        html=conversion.html,
        plain_text=conversion.plain_text,
        destination=conversion.destination,
        template_id=conversion.template_id,
        theme_mode=conversion.theme_mode,
        media=tuple(media),
        notices=retyped(conversion.notices, tuple[Notice, ...], from_attributes=True),
    )


def _render(payload: bytes) -> bytes:
    job = _read_page(payload)
    try:
        document = parse(job.markdown)
        page = _page(document, job)
    except LimitExceeded as error:
        return _refused(error)
    content = page.html.encode()
    rendered = Rendered(
        title=page.title,
        word_count=document.word_count,
        body=gzip.compress(content, mtime=0),
        etag=sha256(content).hexdigest()[:32],
        style_hash=page.style_hash,
        rejected=_rejected(page.title, job.markdown) if job.scanned else None,
    )
    return msgpack.encode(rendered)


def _preview(payload: bytes) -> bytes:
    job = _read_page(payload)
    try:
        page = _page(parse(job.markdown), job)
    except LimitExceeded as error:
        return _refused(error)
    return msgpack.encode(page)


def _count_words(payload: bytes) -> bytes:
    return b"%d" % parse(payload.decode()).word_count


def _render_social_image(payload: bytes) -> bytes:
    request = _read_social_image(payload)
    return social_image(
        request.title, template=request.template_id, theme_mode=request.theme_mode, site_name=request.site_name
    )


def _warm_up(_payload: bytes) -> bytes:
    for destination in DESTINATIONS:
        convert(_WARM_UP, destination=destination)
    options = PageOptions(title="", copy_code=True)
    job = RenderJob(markdown=_WARM_UP, template_id="swiss", theme_mode="light", options=options, scanned=True)
    _render(msgpack.encode(job))
    social_image(_WARM_UP, site_name="mdpublish")
    gc.collect()
    gc.freeze()
    return b""


def _page(document: Document, job: RenderJob) -> Preview:
    options = _completed(job.options, document)
    template = get_template(job.template_id)
    page = build_page(document, options, template=template, theme_mode=job.theme_mode, limits=_LIMITS)
    style = sha256(page.style.encode()).digest()
    return Preview(html=page.html, title=options.title, style_hash=f"sha256-{b64encode(style).decode()}")


def _completed(options: PageOptions, document: Document) -> PageOptions:
    title = options.title or title_from_heading(document.title)
    image = options.social_image and replace(options.social_image, alt=title)
    description = options.description or document.summary
    return replace(options, title=title, description=description, social_image=image)


def _rejected(title: str, markdown: str) -> str | None:
    # Imported here: it compiles many patterns, and most jobs are not scanned.
    from mdpublish_server.abuse import scan

    return scan(title, markdown)


def _refused(error: LimitExceeded) -> bytes:
    return msgpack.encode(Refused(limit=error.limit, allowed=error.allowed, actual=error.actual))


def _can_read(payload: bytes) -> bytes:
    """Whether the confinement fails to cover a file."""
    try:
        os.close(os.open(payload, os.O_RDONLY))
    except OSError:
        return b""
    return b"1"


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    "convert": _convert,
    "render": _render,
    "preview": _preview,
    "can_read": _can_read,
    "count_words": _count_words,
    "social_image": _render_social_image,
    "warm_up": _warm_up,
}
