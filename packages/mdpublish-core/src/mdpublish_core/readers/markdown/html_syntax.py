"""Syntax of raw HTML in Markdown. Source: CommonMark 0.31.2, "HTML blocks" and "Raw HTML"."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from mdpublish_core.data_files import read_words
from mdpublish_core.resources.known_elements import KNOWN_TAGS, RAW_TEXT_TAGS
from mdpublish_core.strings.lazy_patterns import compile_lazily

_NAME = r"[A-Za-z][A-Za-z0-9-]*"
_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
# Possessive: an unclosed tag is scanned once.
_ATTRIBUTE = rf"[ \t\n]++[a-zA-Z_:][a-zA-Z0-9:._-]*+(?:[ \t\n]*+=[ \t\n]*+{_VALUE}|(?!))?+"
_TAG = rf"<{_NAME}(?:{_ATTRIBUTE}|(?!))*+[ \t\n]*+/?>|</{_NAME}[ \t\n]*+>"

TAG = compile_lazily(_TAG)

DELIMITED = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))

SHORT_COMMENTS = ("<!-->", "<!--->")

DECLARATION = compile_lazily(r"<![A-Za-z]")

_TAG_NAME = compile_lazily(rf"<(/?)({_NAME})")
DOCTYPE = compile_lazily(r"<!doctype(?![A-Za-z])", re.IGNORECASE)

_LITERAL_TAGS = frozenset({"pre", "script", "style", "textarea"})

BLOCK_TAGS = frozenset(read_words(__file__, "html_syntax.tsv")["block"])
"""CommonMark's: they begin an HTML block."""

# What follows a name: white space, the end of the tag or that of the line.
_BLOCK_TAG = compile_lazily(r"<(/?)([A-Za-z][A-Za-z0-9]*)(?:\s|(/?)>|$)")

_LONE_TAG = compile_lazily(rf"(?:{_TAG})[ \t]*$")

_LITERAL_END = compile_lazily(r"</(?:script|pre|textarea|style)>", re.IGNORECASE)


class BlockKind(NamedTuple):
    """A kind of HTML block; it ends with a match of `end`, or an empty line."""

    end: re.Pattern[str] | None
    interrupts: bool = True


_LITERAL = BlockKind(_LITERAL_END)
_DELIMITED = {opening: BlockKind(compile_lazily(re.escape(end))) for opening, end in (*DELIMITED, ("<!", ">"))}
_ELEMENT = BlockKind(None)
_LONE = BlockKind(None, interrupts=False)


def block_kind(line: str, position: int) -> BlockKind | None:
    if tag := _BLOCK_TAG.match(line, position):
        name = tag[2].lower()
        if name in BLOCK_TAGS:
            return _ELEMENT
        if name in _LITERAL_TAGS and not tag[1] and not tag[3]:
            return _LITERAL
    elif line.startswith(("<!", "<?"), position):
        beginning = line[position : position + len("<![CDATA[")].upper()
        for opening, kind in _DELIMITED.items():
            if beginning.startswith(opening):
                return kind if opening != "<!" or DECLARATION.match(line, position) else None
    return _LONE if _LONE_TAG.match(line, position) else None


_RAW_TEXT_ENDS: Mapping[str, re.Pattern[str]] = {
    name: compile_lazily(rf"</{name}(?![A-Za-z0-9-])", re.IGNORECASE) for name in RAW_TEXT_TAGS
}


def is_known_markup(html: str, position: int) -> bool:
    """Return whether this is HTML, not text: a known name, a comment, CDATA or a document type."""
    if name := _TAG_NAME.match(html, position):
        return name[2].lower() in KNOWN_TAGS
    return html.startswith(("<!--", "<![CDATA["), position) or DOCTYPE.match(html, position) is not None


def required_end(html: str, position: int) -> re.Pattern[str] | None:
    """Return what must follow, since HTML is read as text up to there; None if nothing must."""
    if name := _TAG_NAME.match(html, position):
        return None if name[1] else _RAW_TEXT_ENDS.get(name[2].lower())
    return next((kind.end for opening, kind in _DELIMITED.items() if html.startswith(opening, position)), None)
