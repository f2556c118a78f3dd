"""Tags of known names that are text nevertheless: type arguments, placeholders, and elements that never end."""

from mdpublish_core.parsing.raw_html.elements import BLOCK_TAGS
from mdpublish_core.parsing.raw_html.known_elements import (
    DROPPED_TAGS,
    OPTIONAL_END_TAGS,
    PLACEHOLDER_TAGS,
    RAW_TEXT_TAGS,
)
from mdpublish_core.parsing.raw_html.tokenizer import Tag

_TEXT_TAGS = RAW_TEXT_TAGS - DROPPED_TAGS

LITERAL_TAGS = PLACEHOLDER_TAGS | _TEXT_TAGS
"""Names that may be text without a word before them."""

_NO_TYPES = DROPPED_TAGS | {"br", "hr", "wbr"}

_UNPAIRED_TAGS = OPTIONAL_END_TAGS | BLOCK_TAGS
"""Understood without an end tag."""


def is_unclosed(tag: Tag) -> bool:
    """Return whether browsers would read all that follows as its text.

    Ends of elements that are dropped with their content are not paired.
    """
    return tag.name in _TEXT_TAGS and not (tag.is_end_tag or tag.has_end_tag)


def is_name_alone(tag: Tag) -> bool:
    """Return whether this is a placeholder or a type argument, and no HTML.

    It has no attributes and no end tag. A placeholder, as in `cd <path>`, is the name of an element that would need them. A
    type argument, as in `Array<object>`, follows a word; if HTML needs no end tag, as in `one<li>two`, it is one only when it
    is capitalized, as in `List<Option>` or `Box<P>`, unlike `LI`.
    """
    if tag.is_end_tag or tag.has_end_tag or not (tag.follows_word or tag.name in PLACEHOLDER_TAGS):
        return False
    written = tag.source[1:-1].rstrip(" \t\n\f\r")
    if len(written) != len(tag.name):
        return False
    if tag.name in PLACEHOLDER_TAGS:
        return True
    is_capitalized = written[:1].isupper() and (len(written) == 1 or not written.isupper())
    return tag.name not in _NO_TYPES and (is_capitalized or tag.name not in _UNPAIRED_TAGS)
