"""Jobs run by workers. Imports only the core and light modules; `warm_up` loads the rest."""

import gc
import gzip
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec import UNSET, Struct, json, msgpack

import mdpublish_core as core
from mdpublish_core import nodes
from mdpublish_core.client import models as responses
from mdpublish_core.errors import InvalidFile, InvalidHtml, InvalidReferenceDoc, LimitExceeded
from mdpublish_core.hosting import documents, outputs
from mdpublish_core.hosting.files import MAX_FILE_BYTES, rewrite_image, suffix_of
from mdpublish_core.hosting.pages import glyph_notices, page_style_hash
from mdpublish_core.hosting.workers import load_plugin, normalize_package
from mdpublish_core.nodes import Document
from mdpublish_core.plugins import allow_plugins, installed_plugins
from mdpublish_core.repair import Repair, repair
from mdpublish_server import models
from mdpublish_server.conversion import protocol
from mdpublish_server.conversion.comparison import compare
from mdpublish_server.conversion.merging import merge
from mdpublish_server.conversion.pasting import read_pasted
from mdpublish_server.search_words import indexed_words
from mdpublish_server.validation import validators

GZIP_BYTES = 1_024
"""Shorter bodies fit one packet."""

# Leaves time for the rest. A mail with 24 diagrams takes 2.0 s, and 3.0 s beside other load.
_LIMITS = core.Limits(max_total_figure_seconds=4.0, max_pdf_seconds=16.0)

# Level 6 takes half as long again for 6 % less.
_GZIP_LEVEL = 4

# Loads lazy parts: character widths, common languages.
_WARM_UP = Path(__file__).with_name("warm_up.md").read_text("utf-8")

_MARK_TITLES = {"del": "Removed", "ins": "Added"}

# In every template, light or dark. What the author has struck through is no change.
_MARKS_CSS = Path(__file__).with_name("marks.css").read_text("utf-8")

_MEDIA_URLS: Mapping[str, Literal["cid:", "data:"]] = {"cid": "cid:", "data": "data:"}

_Input = TypeVar("_Input")

# The transforms of the operator's plug-ins, in the order of the setting.
_transforms: list[str] = []


def _use_plugins(packages: Sequence[str]) -> None:
    """Load the plug-ins of the packages that the operator lists, and allow no others."""
    allow_plugins(packages)
    names = [normalize_package(package) for package in packages]
    plugins = sorted(installed_plugins(), key=lambda plugin: names.index(normalize_package(plugin.package)))
    for plugin in plugins:
        load_plugin(plugin)
    _transforms[:] = [plugin.name for plugin in plugins if plugin.kind == "transform"]


# Until the warm-up says which.
_use_plugins(())


def _parse(
    markdown: str, extensions: frozenset[documents.Extension] | None = None, limits: core.Limits = core.DEFAULT_LIMITS
) -> Document:
    return core.parse(markdown, extensions=extensions, transform=_transforms, limits=limits)


def _job(kind: type[_Input], work: Callable[[_Input], Struct]) -> Callable[[bytes], bytes]:
    """Return a job that reads its input, and writes its result, an exceeded limit or the invalid field."""
    read = msgpack.Decoder(kind).decode

    def run(payload: bytes) -> bytes:
        try:
            return msgpack.encode(work(read(payload)))
        except LimitExceeded as error:
            if error.limit == "max_input_bytes":
                problem = f"file must have at most {error.allowed:,} bytes of text (got {error.actual:,}); split it"
                return msgpack.encode(protocol.Invalid(message=problem))
            return msgpack.encode(protocol.Refused(limit=error.limit, allowed=error.allowed, actual=error.actual))
        except InvalidReferenceDoc as error:
            return msgpack.encode(protocol.Invalid(message=f"reference_doc {error.problem}"))
        except InvalidFile as error:
            return msgpack.encode(protocol.Invalid(message=f"The file {error.problem}"))
        except InvalidHtml as error:
            return msgpack.encode(protocol.Invalid(message=str(error)))

    return run


def _convert(job: protocol.ConvertJob) -> protocol.Converted:
    request = job.request
    markdown, repairs = request.markdown, tuple[Repair, ...]()
    if request.repair:
        repaired = repair(markdown)
        markdown, repairs = repaired.markdown, repaired.repairs
    # Front matter selects extensions where the request names none.
    names = () if request.extensions is UNSET else request.extensions
    extensions = documents.added_extensions(markdown, names) if names else None
    document = _parse(markdown, extensions, _LIMITS)
    if request.lang is not UNSET:
        document = nodes.replace(document, front_matter=document.front_matter.with_value("lang", request.lang))
    if request.format == validators.BLOCKS:
        return _blocks(document, job)
    output = validators.FILE_FORMATS.get(request.format)
    return _json(document, job, repairs) if output is None else _file(document, job, output)


def _blocks(document: Document, job: protocol.ConvertJob) -> protocol.Converted:
    conversion = core.render(document, to=validators.BLOCKS, plain_text=False, limits=_LIMITS)
    messages = tuple(json.decode(line, type=responses.SlackMessage) for line in conversion.text.splitlines())
    response = responses.BlocksResponse(messages=messages, notices=models.shown_notices(conversion.notices))
    return _encoded(response, accepts_gzip=job.accepts_gzip)


def _file(document: Document, job: protocol.ConvertJob, output: core.Output) -> protocol.Converted:
    template_id, _ = _template_id(document, job)
    options = {name: getattr(job.request, name) for name in validators.FILE_OPTIONS}
    file = core.render(
        document,
        to=output,
        options=output.options_from({name: value for name, value in options.items() if value is not UNSET}),
        template=template_id,
        theme_mode=_theme_mode(job),
        images=job.images,
        plain_text=False,
        limits=_LIMITS,
    )
    title = validators.title_from_heading(documents.title_of(document))
    return protocol.Converted(body=file.to_bytes(), gzipped=False, title=title, notices=file.notices)


def _json(document: Document, job: protocol.ConvertJob, repairs: tuple[Repair, ...]) -> protocol.Converted:
    request = job.request
    template_id, notices = _template_id(document, job)
    destination = "generic" if request.destination is UNSET else request.destination
    conversion = core.render(
        document,
        to=destination,
        template=template_id,
        theme_mode=_theme_mode(job),
        media_url=None if request.images is UNSET else _MEDIA_URLS[request.images],
        images=job.images,
        limits=_LIMITS,
    )
    conversion = replace(conversion, notices=(*conversion.notices, *notices), repairs=repairs)
    # Otherwise the output embeds its images.
    attaches_media = request.images == "cid" or (
        request.images is UNSET and core.get_output(destination).attaches_media
    )
    return _encoded(_response(conversion, with_media=attaches_media), accepts_gzip=job.accepts_gzip)


def _encoded(response: Struct, *, accepts_gzip: bool) -> protocol.Converted:
    body = json.encode(response)
    gzipped = accepts_gzip and len(body) >= GZIP_BYTES
    if gzipped:
        body = gzip.compress(body, _GZIP_LEVEL, mtime=0)
    return protocol.Converted(body=body, gzipped=gzipped)


def _theme_mode(job: protocol.ConvertJob) -> outputs.ThemeMode | None:
    return None if job.request.theme_mode is UNSET else validators.validate_theme_mode(job.request.theme_mode)


def _template_id(document: Document, job: protocol.ConvertJob) -> tuple[str | None, tuple[core.Notice, ...]]:
    """Return the request's template, else None for the front matter's, unless the plan does not allow it."""
    if job.request.template_id is not UNSET:
        return job.request.template_id, ()
    named = documents.defaults_of(document).template_id
    if named is None or job.allows_all_templates or core.get_template(named).category == "free":
        return None, ()
    return documents.DEFAULT_TEMPLATE, (
        documents.ignored_notice(document.front_matter, "template", validators.requires_pro(named)),
    )


def _response(conversion: core.Conversion, *, with_media: bool) -> responses.ConvertResponse:
    return responses.ConvertResponse(
        html=conversion.text,
        plain_text=conversion.plain_text,
        destination=conversion.output,
        template_id=conversion.template_id,
        theme_mode=conversion.theme_mode,
        media=_shown_media(conversion.media if with_media else ()),
        notices=models.shown_notices(conversion.notices),
        delivery=models.shown_deliveries(conversion.delivery),
        repairs=models.shown_repairs(conversion.repairs),
    )


def _shown_media(media: Sequence[core.Media]) -> tuple[responses.Media, ...]:
    return tuple(
        responses.Media(content_id=each.content_id, media_type=each.media_type, data=each.data) for each in media
    )


def _read_file(job: protocol.ImportJob) -> protocol.Converted:
    request = job.request
    if request.file is UNSET:
        assert request.html is not UNSET, "a checked body has one of both"
        imported = core.read_html(request.html, whole_page=request.whole_page)
    else:
        suffix = suffix_of(request.file, None if request.format is UNSET else request.format)
        imported = core.read_file(request.file, suffix, comments=request.comments, whole_page=request.whole_page)
    if (size := sum(len(each.data) for each in imported.media)) > MAX_FILE_BYTES:
        # A zip may have hundreds of times its size.
        raise LimitExceeded("max_output_bytes", MAX_FILE_BYTES, size)
    response = responses.ImportResponse(
        markdown=imported.markdown,
        title=validators.title_from_heading(documents.title_of(imported.document)),
        notices=models.shown_notices(imported.notices),
        media=_shown_media(imported.media),
    )
    return _encoded(response, accepts_gzip=job.accepts_gzip)


def _render(job: protocol.RenderJob) -> protocol.Rendered:
    document = _parse(job.markdown)
    options = _completed(job.options, document)
    page, title = _rendered(document, job, options), job.options.title or options.title or validators.UNTITLED
    content = page.to_bytes()
    return protocol.Rendered(
        title=title,
        word_count=document.word_count,
        body=gzip.compress(content, mtime=0),
        etag=sha256(content).hexdigest()[:32],
        style_hash=page_style_hash(page.html),
        rejected=_rejected(title, job.markdown) if job.scanned else None,
        indexed_words=indexed_words(job.markdown) if job.is_indexed else None,
        notices=page.notices,
    )


def _place(job: protocol.RenderJob) -> protocol.Placed:
    document, css = _parse(job.markdown), None
    if job.compared:
        mark, css = nodes.HtmlElement(job.compared.tag, {"title": _MARK_TITLES[job.compared.tag]}, []), _MARKS_CSS
        document = documents.mark_changes(document, _parse(job.compared.other), mark)
    title, output = job.options.title or validators.title_from_heading(document.title), outputs.OUTPUTS[job.output]
    placed = partial(protocol.Placed, title=title, word_count=document.word_count)
    if not output.module:
        contents, conversion = outputs.render_for_clipboard(
            document, output, template=job.template_id, theme_mode=job.theme_mode, images=job.images, limits=_LIMITS
        )
        html, plain_text, delivery = contents.html, contents.plain_text, outputs.delivery_summary(conversion.delivery)
        notices = conversion.notices
        return placed(html=html, plain_text=plain_text, notices=notices, delivery=delivery)
    options = _completed(job.options, document)
    values = {"title": options.title, "lang": options.lang, "default_title": title}
    written = _rendered(document, job, options if output.is_page else output.options_from(values), css)
    html, file = (written.html, None) if output.is_page else (None, written.to_bytes())
    plain_text = written.text if output.is_text else None
    return placed(html=html, plain_text=plain_text, notices=written.notices, file=file)


def _rewrite_image(job: protocol.RewriteJob) -> protocol.Rewritten:
    image = rewrite_image(job.content, max_pixels=job.max_pixels, widths=job.widths)
    return protocol.Rewritten(
        content=image.content, suffix=image.suffix, width=image.width, height=image.height, smaller=image.smaller
    )


def _read_words(payload: bytes) -> bytes:
    markdown = payload.decode()
    return msgpack.encode(protocol.Words(count=_parse(markdown).word_count, indexed=indexed_words(markdown)))


def _read_title(payload: bytes) -> bytes:
    return validators.title_from_heading(_parse(payload.decode()).title).encode()


def _repair(payload: str) -> protocol.Repaired:
    repaired = repair(payload)
    return protocol.Repaired(markdown=repaired.markdown, summary=repaired.summary)


def _read_front_matter(payload: bytes) -> bytes:
    written, notices = documents.read_front_matter(payload.decode())
    defaults = documents.defaults_of(Document([], front_matter=written))
    slug = written.get("slug")
    named = {
        "title": defaults.title,
        "description": defaults.description,
        "template_id": defaults.template_id,
        "theme_mode": defaults.theme_mode,
        "page_width": defaults.options.get("page_width"),
        "slug": slug if isinstance(slug, str) else None,
    }
    values = {key: value for key, value in named.items() if value}
    positions = {key: written.position_of(key if key in written else key.removesuffix("_id")) for key in values}
    return msgpack.encode(
        protocol.FrontMatterValues(values=values, positions=positions, notices=(*notices, *defaults.notices))
    )


def _render_social_image(payload: bytes) -> bytes:
    request = msgpack.decode(payload, type=protocol.SocialImageJob)
    return core.social_image(
        request.title, template=request.template_id, theme_mode=request.theme_mode, site_name=request.site_name
    )


def _warm_up(payload: bytes) -> bytes:
    _use_plugins(msgpack.decode(payload, type=tuple[str, ...]) if payload else ())
    for destination in outputs.destination_names():
        core.convert(_WARM_UP, to=destination)
    core.convert(
        _WARM_UP,
        extensions=core.ALL_EXTENSIONS,
        images={"https://example.org/a.png": core.KnownImage(width=1, height=1)},
    )
    for output in outputs.FILES.values():
        # The others have processes of their own, which start when they are needed.
        if output.name not in protocol.TIME_FACTORS:
            core.convert(_WARM_UP, to=output)
    core.to_markdown(core.read_file(core.convert(_WARM_UP, to="docx").to_bytes(), ".docx").document)
    home = [core.PageLink("Home", "https://example.org/")]
    options = core.PageOptions(
        title="",
        toc=True,
        reading_time=True,
        copy_code=True,
        reader_controls=True,
        breadcrumbs=home,
        links=home,
        font_url="/",
    )
    job = protocol.RenderJob(markdown=_WARM_UP, template_id="latex", theme_mode="light", options=options, scanned=True)
    _render(job)
    core.social_image(_WARM_UP, site_name="mdpublish")
    repair("Itâ€™s")
    gc.collect()
    gc.freeze()
    return b""


def _rendered(document: Document, job: protocol.RenderJob, options: Any, css: str | None = None) -> core.Conversion:
    rendered = core.render(
        document,
        to=job.output,
        options=options,
        template=job.template_id,
        theme_mode=job.theme_mode,
        css=css,
        images=job.images,
        plain_text=False,
        limits=_LIMITS,
    )
    missing = glyph_notices(document, options.title or "", _LIMITS) if job.offers_pdf else ()
    return replace(rendered, notices=(*rendered.notices, *missing))


def _completed(options: core.PageOptions, document: Document) -> core.PageOptions:
    # A page without a title shows its first heading; the document stays `Untitled`.
    title = options.title
    if not title or title == validators.UNTITLED:
        title = validators.title_from_heading(document.title)
    image = options.social_image and options.social_image._replace(alt=title)
    # Empty, front matter is not asked: a description that was cleared stays so.
    description = options.description or document.summary or ""
    return replace(options, title=title, description=description, social_image=image)


def _rejected(title: str, markdown: str) -> str | None:
    # Imported here: it compiles many patterns, and most jobs are not scanned.
    from mdpublish_server.abuse import scan

    return scan(title, markdown)


def _can_read(payload: bytes) -> bytes:
    """Whether the confinement fails to cover a file."""
    try:
        os.close(os.open(payload, os.O_RDONLY))
    except OSError:
        return b""
    return b"1"


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    "convert": _job(protocol.ConvertJob, _convert),
    "repair": _job(str, _repair),
    "render": _job(protocol.RenderJob, _render),
    "place": _job(protocol.RenderJob, _place),
    "compare": _job(protocol.CompareJob, lambda job: compare(job.before, job.after)),
    "merge": _job(protocol.MergeJob, merge),
    "can_read": _can_read,
    "read_file": _job(protocol.ImportJob, _read_file),
    "read_front_matter": _read_front_matter,
    "read_pasted": _job(protocol.PasteJob, read_pasted),
    "read_title": _read_title,
    "read_words": _read_words,
    "rewrite_image": _job(protocol.RewriteJob, _rewrite_image),
    "social_image": _render_social_image,
    "warm_up": _warm_up,
}
