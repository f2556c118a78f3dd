"""Tags of known names that are text nevertheless: type arguments, placeholders, and elements that never end."""

from mdpublish_core.readers.markdown import html_syntax
from mdpublish_core.readers.markdown.raw_html.tokenizer import Tag
from mdpublish_core.resources.allowed_elements import BLOCK_TAGS
from mdpublish_core.resources.known_elements import (
    DROPPED_TAGS,
    OPTIONAL_END_TAGS,
    PLACEHOLDER_TAGS,
    RAW_TEXT_TAGS,
    VALUELESS_ATTRIBUTES,
)

IGNORED_TAGS = frozenset({"picture", "source"})
"""Dropped without a notice: their `img` has the same content."""

PARAGRAPH_BREAKING_TAGS = html_syntax.BLOCK_TAGS - BLOCK_TAGS - {"base", "basefont", "iframe"}
"""Disallowed, but they end a paragraph: CommonMark's list, without what browsers show in a line."""

_TEXT_TAGS = RAW_TEXT_TAGS - DROPPED_TAGS

_NAMED_TAGS = (BLOCK_TAGS | PARAGRAPH_BREAKING_TAGS | {"a", "abbr", "bdo", "dfn", "font", "img", "span", "time"}) - (
    OPTIONAL_END_TAGS | RAW_TEXT_TAGS | {"hr"}
)
"""After other text, without attributes and an end tag, they do nothing, or take the rest of the paragraph."""

LITERAL_TAGS = PLACEHOLDER_TAGS | _TEXT_TAGS | _NAMED_TAGS
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
    """Return whether this is a placeholder, a type argument or a comparison, and no HTML.

    It has no attributes and no end tag. A placeholder, as in `cd <path>`, is the name of an element that would need
    them; so is the name of an element that is mentioned in a line, as in `use a <div> here`. A type argument, as in
    `Array<object>`, follows a word; if HTML needs no end tag, as in `one<li>two`, it is one only when it is
    capitalized, as in `List<Option>` or `Box<P>`, unlike `LI`. In a comparison, as in `a<b and c>d`, what looks like
    attributes are words that HTML does not know. The end of an empty element, `</input>`, is text like its start.
    """
    if tag.is_end_tag:
        return tag.ends_placeholder
    is_name = tag.name in PLACEHOLDER_TAGS or (tag.is_in_line and tag.name in _NAMED_TAGS)
    if tag.has_end_tag or not (tag.follows_word or is_name):
        return False
    written = tag.source[1:-1].rstrip(" \t\n\f\r")
    if len(written) != len(tag.name):
        return tag.follows_word and tag.name not in _NO_TYPES and _has_words_for_attributes(tag)
    if is_name:
        return True
    is_capitalized = written[:1].isupper() and (len(written) == 1 or not written.isupper())
    return tag.name not in _NO_TYPES and (is_capitalized or tag.name not in _UNPAIRED_TAGS)


def _has_words_for_attributes(tag: Tag) -> bool:
    return "=" not in tag.source and any(name.isalpha() and name not in VALUELESS_ATTRIBUTES for name in tag.attributes)
