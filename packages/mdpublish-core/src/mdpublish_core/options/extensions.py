"""CommonMark extensions and raw HTML modes."""

from collections.abc import Iterable
from typing import Literal, cast, get_args

Extension = Literal[
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
    "breaks",
    "emoji",
    "sub-superscript",
    "wikilinks",
    "admonitions",
    "inline-notes",
    "front-matter",
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
]
"""Name of a CommonMark extension."""

ALL_EXTENSIONS: frozenset[Extension] = frozenset(get_args(Extension))
"""Names of all CommonMark extensions."""

OPTIONAL_EXTENSIONS: frozenset[Extension] = frozenset(
    {
        *("breaks", "emoji", "sub-superscript", "wikilinks", "admonitions", "inline-notes", "attributes"),
        *("image-sizes", "definition-lists", "fancy-lists", "insertions", "keys", "abbreviations", "table-captions"),
        *("comments", "block-ids"),
    }
)
"""Names of the extensions that are off by default, since they change what common Markdown means."""

DEFAULT_EXTENSIONS: frozenset[Extension] = ALL_EXTENSIONS - OPTIONAL_EXTENSIONS
"""Names of the extensions that are on by default."""


def named_extensions(names: Iterable[str]) -> tuple[frozenset[Extension], tuple[str, ...]]:
    """Return the default extensions with those named, or without those named `no-…`, and the unknown names."""
    selected, unknown = set(DEFAULT_EXTENSIONS), []
    for name in names:
        extension = cast("Extension", name.removeprefix("no-"))
        if extension not in ALL_EXTENSIONS:
            unknown.append(extension)
        elif name.startswith("no-"):
            selected.discard(extension)
        else:
            selected.add(extension)
    return frozenset(selected), tuple(unknown)


RawHtml = Literal["sanitize", "escape", "keep"]

RAW_HTML_MODES: tuple[RawHtml, ...] = get_args(RawHtml)
