"""CommonMark extensions, dialects, which are sets of them, and raw HTML modes."""

from collections.abc import Iterable, Mapping
from typing import Literal, cast, get_args

from mdpublish_core.data_files import read_pairs

_DefaultExtension = Literal[
    "table",
    "strikethrough",
    "tasklist",
    "autolink",
    "tagfilter",
    "footnote",
    "callout",
    "math",
    "figure",
    "cjk-emphasis",
    "highlight",
    "front-matter",
]
_OptionalExtension = Literal[
    "breaks",
    "emoji",
    "sub-superscript",
    "wikilinks",
    "admonitions",
    "indented-admonitions",
    "custom-callouts",
    "fence-titles",
    "snippets",
    "inline-notes",
    "attributes",
    "image-sizes",
    "definition-lists",
    "fancy-lists",
    "insertions",
    "keys",
    "abbreviations",
    "table-captions",
    "comments",
    "block-ids",
    "critic",
    "markdown-in-html",
    "image-captions",
]

Extension = Literal[_DefaultExtension, _OptionalExtension]
"""Name of a CommonMark extension."""

ALL_EXTENSIONS: frozenset[Extension] = frozenset(get_args(Extension))
"""Names of all CommonMark extensions."""

OPTIONAL_EXTENSIONS: frozenset[Extension] = frozenset(get_args(_OptionalExtension))
"""Names of the extensions that are off by default, since they change what common Markdown means."""

DEFAULT_EXTENSIONS: frozenset[Extension] = ALL_EXTENSIONS - OPTIONAL_EXTENSIONS
"""Names of the extensions that are on by default."""


Dialect = Literal["gfm", "mkdocs", "obsidian", "hugo", "pandoc"]
"""Name of a dialect."""

DIALECTS: Mapping[str, frozenset[Extension]] = {
    name: DEFAULT_EXTENSIONS.union(cast("list[Extension]", others.split()))
    for name, others in read_pairs(__file__, "dialects.tsv").items()
}
"""What each program reads, by the dialect's name; MkDocs with the extensions that Material for MkDocs recommends."""


def named_extensions(names: Iterable[str]) -> tuple[frozenset[Extension], tuple[str, ...]]:
    """Return the default extensions with those named, or without those named `no-…`, and the unknown names.

    A dialect's name is its set, which takes the place of the default. It also replaces an earlier dialect, with the
    names that follow that one.
    """
    base, changes, unknown = "gfm", dict[Extension, bool](), []
    before: dict[Extension, bool] | None = None
    for name in names:
        extension = cast("Extension", name.removeprefix("no-"))
        if name in DIALECTS:
            before = dict(changes) if before is None else before
            base, changes = name, dict(before)
        elif extension in ALL_EXTENSIONS:
            changes[extension] = extension == name
        else:
            unknown.append(extension)
    added = {extension for extension, is_added in changes.items() if is_added}
    return DIALECTS[base].difference(changes) | added, tuple(unknown)


RawHtml = Literal["sanitize", "escape", "keep"]

RAW_HTML_MODES: tuple[RawHtml, ...] = get_args(RawHtml)
