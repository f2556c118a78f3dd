"""Input files: documents, templates and stylesheets."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import click

from mdpublish_core.errors import LimitExceeded, MdpublishError
from mdpublish_core.lru_cache import LruCache
from mdpublish_core.notices import shorten
from mdpublish_core.resources.folder_files import read_within
from mdpublish_core.strings.encodings import InvalidEncoding, decode_source, marked_encoding
from mdpublish_core.strings.lazy_patterns import compile_lazily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdpublish_core import Document, Notice, Template
    from mdpublish_core.options.extensions import RawHtml
    from mdpublish_core.readers.markdown.includes import Include
    from mdpublish_core.resources.url_rewriters import UrlRewriter

_WEB_URL = compile_lazily(r"https?://", re.IGNORECASE)

STANDARD_INPUT = "-"

_MAX_PARSED_BYTES = 500_000
"""Size of sources that are parsed ahead, because links lead to their headings, and checked later."""

_documents: "LruCache[tuple[ParseOptions, str], Document]" = LruCache(
    _MAX_PARSED_BYTES, lambda document: document.origin.source_bytes
)


class WalkedFile(str):
    """A file that was found in a folder. Unlike one that the user named, it must not lead out of `root`."""

    __slots__ = ("root",)
    root: Path

    @classmethod
    def of(cls, path: Path, root: Path) -> Self:
        file = cls(path)
        file.root = root
        return file


def read_content(file: str) -> bytes:
    return read_within(file.root, Path(file)) if isinstance(file, WalkedFile) else Path(file).read_bytes()


def read_markdown(file: str) -> str:
    if _WEB_URL.match(file):
        raise click.ClickException(
            f"cannot read {file}: URLs are not supported; use: curl -fsSL {file} | mdpublish convert -"
        )
    try:
        content = sys.stdin.buffer.read() if file == STANDARD_INPUT else read_content(file)
    except IsADirectoryError:
        message = f"{file} is a directory; use: mdpublish batch {file} DST"
        raise click.ClickException(message) from None
    except OSError as error:
        raise click.ClickException(f"cannot read {file}: {error.strerror}") from None
    try:
        return decode_source(content)
    except InvalidEncoding as error:
        is_text = b"\0" not in content or marked_encoding(content) != "utf-8"
        problem = error if is_text else f"not text; for a Word file, use: mdpublish import {file}"
        raise click.ClickException(f"{display_name(file)} is {problem}") from None


def read_output_name(markdown: str) -> "tuple[str | None, tuple[Notice, ...]]":
    """Return the output that the front matter names, or a notice that there is none of this name."""
    from mdpublish_core.front_matter import kind_of
    from mdpublish_core.readers.markdown import read_front_matter
    from mdpublish_core.writers.document_defaults import ignored_notice
    from mdpublish_core.writers.outputs import OUTPUTS, output_names

    values, _ = read_front_matter(markdown)
    name = values.get("to", "")
    if not name or (isinstance(name, str) and (name in OUTPUTS or name in output_names())):
        return str(name) if name else None, ()
    got = repr(shorten(name)) if isinstance(name, str) else kind_of(name)
    problem = f"must be one of {', '.join(output_names())} (got {got})"
    return None, (ignored_notice(values, "to", problem),)


class ParseOptions(NamedTuple):
    """How a command parses documents. Names of extensions are added to those of the front matter."""

    raw_html: "RawHtml" = "sanitize"
    extensions: "Sequence[str]" = ()
    transforms: "Sequence[str]" = ()
    configured_extensions: "Sequence[str]" = ()

    def parse(
        self, markdown: str, rewrite_url: "UrlRewriter | None" = None, include: "Include | None" = None
    ) -> "Document":
        from mdpublish_core.options.limits import DEFAULT_LIMITS
        from mdpublish_core.readers import ParseRequest, read
        from mdpublish_core.readers.markdown import added_extensions

        chosen = None
        if self.extensions or self.configured_extensions:
            chosen = added_extensions(markdown, self.extensions, self.configured_extensions)
        request = ParseRequest(self.raw_html, chosen, rewrite_url, None, self.transforms, DEFAULT_LIMITS)
        return read(markdown, request, include)

    def parse_ahead(self, markdown: str) -> "Document":
        """Return the document of a text that `parse_once` may soon be asked for; it must not be changed."""
        document = self.parse(markdown)
        _documents.put((self, markdown), document)
        return document

    def parse_once(self, markdown: str, include: "Include | None" = None) -> "Document":
        """Return the document of a text, which may be parsed already; it is the caller's alone."""
        # What includes files was parsed without them.
        is_parsed = not ("-8<-" in markdown or "![[" in markdown)
        document = _documents.take((self, markdown)) if is_parsed else None
        return document if document and not (include and include.appended()) else self.parse(markdown, include=include)


def read_template(template: str) -> "Template":
    from mdpublish_core import get_template, load_template

    if not template.endswith(".toml"):
        return get_template(template)
    try:
        return load_template(template)
    except OSError as error:
        raise click.ClickException(f"cannot read {template}: {error.strerror}") from None


def read_css(file: str | None) -> str | None:
    return None if file is None else read_markdown(file)


def read_bytes(file: str | None) -> bytes | None:
    try:
        return None if file is None else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise click.ClickException(f"cannot read {file}: {getattr(error, 'strerror', error)}") from None


def error_message(error: MdpublishError) -> str:
    """Return the error with advice for the command line."""
    if isinstance(error, LimitExceeded):
        return f"{error.limit} exceeded: got {error.actual:,}, limit {error.allowed:,}; split the document"
    return str(error)


def folder_of(file: str) -> Path:
    return Path() if file == STANDARD_INPUT else Path(file).parent


def display_name(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file
