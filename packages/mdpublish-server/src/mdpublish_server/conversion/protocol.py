"""Messages between server and workers, in MessagePack."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from mdpublish_core import KnownImage, Notice, PageOptions
from mdpublish_core.hosting.documents import SourcePosition
from mdpublish_core.hosting.outputs import ThemeMode
from mdpublish_server.models import ConvertRequest, ImportRequest

TIME_FACTORS = {"pdf": 4}
"""How many times as much CPU time as others an output may take, if it has processes of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertJob:
    """A conversion."""

    request: ConvertRequest
    accepts_gzip: bool = False
    allows_all_templates: bool = False
    """In front matter; the request's is checked before."""
    images: Mapping[str, KnownImage] = field(default_factory=dict)
    """Known images of the image store, by URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportJob:
    """HTML or a file, to be read."""

    request: ImportRequest
    accepts_gzip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PasteJob:
    """What a person pastes or drops: HTML, or a file of `FORMAT_NAMES`; its images only if `keeps_images`."""

    content: bytes
    format: str
    keeps_images: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """Another version of a text, and the element for what it has not."""

    other: str
    tag: Literal["del", "ins"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderJob:
    """A page to render, or another output of the core's table; empty `options` are filled from the text."""

    markdown: str
    template_id: str
    theme_mode: ThemeMode
    options: PageOptions
    output: str = "page"
    offers_pdf: bool = False
    """Whether the page links to one, whose missing glyphs are then among its notices."""
    scanned: bool = False
    is_indexed: bool = False
    compared: Compared | None = None
    images: Mapping[str, KnownImage] = field(default_factory=dict)
    """Known images of the image store, by URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialImageJob:
    """A social image."""

    title: str
    template_id: str
    theme_mode: ThemeMode
    site_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareJob:
    """Two contents of a document."""

    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeJob:
    """A content, and two that it became.

    `choices` has, by a conflict's id, whether "mine", "theirs" or "both" is to stay.
    """

    base: str
    mine: str
    theirs: str
    choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteJob:
    """An image file to re-encode."""

    content: bytes
    max_pixels: int
    widths: tuple[int, ...] = ()
    """Widths of smaller variants."""


class Refused(Struct, frozen=True, kw_only=True, tag=True):
    """An exceeded limit of `mdpublish_core.Limits`."""

    limit: str
    allowed: int
    actual: int


class Invalid(Struct, frozen=True, kw_only=True, tag=True):
    """A field whose value only a worker can check, with what is wrong."""

    message: str


class Converted(Struct, frozen=True, kw_only=True, tag=True):
    """The response: JSON, or a file, of which `title` and `notices` are the document's."""

    body: bytes
    gzipped: bool
    title: str = ""
    notices: tuple[Notice, ...] = ()


class Rendered(Struct, frozen=True, kw_only=True, tag=True):
    """A gzipped page; `rejected` is the abuse filter's reason, `indexed_words` are None unless asked for."""

    title: str
    word_count: int
    body: bytes
    etag: str
    style_hash: str
    rejected: str | None
    indexed_words: str | None
    notices: tuple[Notice, ...]


class Repaired(Struct, frozen=True, kw_only=True, tag=True):
    """A repaired text, and in words what was repaired; empty if nothing was."""

    markdown: str
    summary: str


class Pasted(Struct, frozen=True, kw_only=True, tag=True):
    """What was pasted as Markdown, in which images stand with the keys of `images`, and in words what came."""

    markdown: str
    summary: str
    images: Mapping[str, bytes] = {}


class Rewritten(Struct, frozen=True, kw_only=True, tag=True):
    """A re-encoded image file."""

    content: bytes
    suffix: str
    width: int
    height: int
    smaller: Mapping[int, bytes] = {}
    """Smaller variants by their widths."""


class Words(Struct, frozen=True, kw_only=True):
    """How many words a reader sees, and what the search finds the text by."""

    count: int
    indexed: str


class FrontMatterValues(Struct, frozen=True, kw_only=True):
    """Values of a document's front matter, with their positions, and notices about others."""

    values: Mapping[str, str]
    positions: Mapping[str, SourcePosition]
    notices: tuple[Notice, ...]


class Placed(Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """A text for its place: HTML, text, or both, as its clipboard holds them.

    Of a page, the whole document; of another file, its content. `delivery` says of what is copied how it arrives.
    """

    title: str
    html: str | None
    plain_text: str | None
    notices: tuple[Notice, ...]
    delivery: str = ""
    word_count: int = 0
    file: bytes | None = None


class Span(Struct, frozen=True, kw_only=True):
    """A run of a line that is on both sides, or changed."""

    content: str
    is_changed: bool


class ComparedLine(Struct, frozen=True, kw_only=True):
    """A line; an empty one has no spans, and of one that `is_cut`, only the start is shown."""

    number: int
    spans: tuple[Span, ...]
    is_cut: bool = False


class ComparedRow(Struct, frozen=True, kw_only=True):
    """Two lines side by side, or one that has no counterpart, or a number of `skipped` lines that are on both sides."""

    before: ComparedLine | None = None
    after: ComparedLine | None = None
    is_changed: bool = False
    skipped: int = 0


class Comparison(Struct, frozen=True, kw_only=True, tag=True):
    """How two contents differ; without rows, they do not.

    If it `is_coarse`, lines that are on both sides may be shown as changed. If it `is_partial`, there is more.
    """

    rows: tuple[ComparedRow, ...]
    is_coarse: bool
    is_partial: bool

    @property
    def changes(self) -> dict[int, int]:
        """The number of each change, from 1, by the index of its first row."""
        pairs = pairwise((ComparedRow(), *self.rows))
        starts = (index for index, (before, row) in enumerate(pairs) if row.is_changed and not before.is_changed)
        return {index: number for number, index in enumerate(starts, 1)}


class BlockConflict(Struct, frozen=True, kw_only=True):
    """A block that both changed: the comparison of theirs with mine, which begins on a `line`."""

    id: str
    line: int
    comparison: Comparison


class Merged(Struct, frozen=True, kw_only=True):
    """A content with two changes, None where they conflict; `replacements` are the changes of the first, from the end on.

    Each has start and end, in units of UTF-16, and what is there then.
    """

    content: str | None
    conflicts: tuple[BlockConflict, ...] = ()
    replacements: tuple[tuple[int, int, str], ...] = ()
