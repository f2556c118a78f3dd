"""Properties that every conversion must satisfy, as functions that raise AssertionError."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar
from xml.etree.ElementTree import Element

import html5lib

from mdpublish_core.errors import LimitExceeded
from mdpublish_core.options.limits import DEFAULT_LIMITS, OUTPUT_BYTES_PER_INPUT_BYTE, Limits
from mdpublish_core.strings.small_characters import SUBSCRIPTS, SUPERSCRIPTS
from mdpublish_core.testing.steps import count_steps
from mdpublish_core.testing.strategies import Sample
from mdpublish_core.testing.vocabularies import Vocabulary
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_core.writers.results import Conversion

ConvertFunction = Callable[[str], Conversion]
"""Function from Markdown to a Conversion, such as `partial(convert, to="email")`."""

TEXT_DESTINATIONS = frozenset(name for name, each in DESTINATIONS.items() if each.is_text)

# Control characters and noncharacters, which authors may write.
_CHARACTER_ERRORS = frozenset({"invalid-codepoint"})

_SLACK_CODE = re.compile("```.*?```", re.DOTALL)

# Disables Slack's markup, which has no escapes.
_ZERO_WIDTH_SPACE = "\u200b"
_WITHOUT_MARKS = str.maketrans("", "", "*_~`\u223c")


_MARKUP: Mapping[str, Mapping[str, str]] = {"slack": {_ZERO_WIDTH_SPACE: "", "&lt;": "<", "&gt;": ">", "&amp;": "&"}}
"""What a reader sees of escapes in texts with markup, in order."""

_SCRIPTS = {
    ord(small): plain
    for twins in (SUPERSCRIPTS, SUBSCRIPTS)
    for plain, small in twins.items()
    if small.isalnum() or small in "⁺⁻⁼⁽⁾₊₋₌₍₎"
}

# Signs that may have a backslash in text forms, escaped for a pattern.
_ESCAPED = re.compile(r"\\\||==|\\~\\~")

T = TypeVar("T")

MAX_GROWTH = 15
"""Allowed factor in steps for ten times the input; linear growth is 10, quadratic 100."""


def check_total(markdown: str, converter: ConvertFunction) -> None:
    """Check that conversion never raises, and that the output can be encoded."""
    conversion = converter(markdown)
    conversion.text.encode()
    conversion.plain_text.encode()


def check_deterministic(markdown: str, converter: ConvertFunction) -> None:
    """Check that converting twice gives the same result."""
    first = converter(markdown)
    converter("*[`~~>\n- |")
    assert converter(markdown) == first


def check_text_preserved(sample: Sample, converter: ConvertFunction) -> None:
    """Check that `html` and `plain_text` contain all words of the document, as `check_words_preserved`."""
    check_words_preserved(sample.words, converter(sample.markdown))


def check_words_preserved(words: Sequence[str], conversion: Conversion) -> None:
    """Check that the output has the words in order; `html` in any order if a notice says that rows are pairs."""
    if conversion.output in _MARKUP:
        # Markup may split words.
        _check_sequence(
            [word.translate(_WITHOUT_MARKS) for word in words], visible_text(conversion).translate(_WITHOUT_MARKS)
        )
    elif any(notice.code == "table-stacked" for notice in conversion.notices):
        # Cells of its header stand beside those of its rows.
        content = visible_text(conversion)
        missing = [word for word in words if word not in content]
        assert not missing, f"{missing} are missing in {content!r}"
    else:
        _check_sequence(words, visible_text(conversion))
    _check_sequence(words, conversion.plain_text.translate(_SCRIPTS))


def check_well_formed(markdown: str, converter: ConvertFunction) -> None:
    """Check that html5lib parses the HTML, and that text has no trailing spaces outside code."""
    conversion = converter(markdown)
    _check_plain_text(conversion.plain_text)
    if conversion.output in TEXT_DESTINATIONS:
        # Code keeps its trailing spaces.
        _check_plain_text(_SLACK_CODE.sub("```", conversion.text))
        return
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    is_page = conversion.text.startswith("<!DOCTYPE")
    (parser.parse if is_page else parser.parseFragment)(conversion.text)
    errors = [error for error in parser.errors if error[1] not in _CHARACTER_ERRORS]
    assert not errors, f"{errors} in {conversion.text!r}"


def check_vocabulary(markdown: str, converter: ConvertFunction, vocabulary: Vocabulary) -> None:
    """Check that the HTML contains only elements, attributes, URLs and CSS properties of the vocabulary."""
    conversion = converter(markdown)
    faults = list(vocabulary.violations(conversion.text))
    assert not faults, f"{faults} in {conversion.text!r}"


def check_limits_respected(markdown: str, converter: ConvertFunction, limits: Limits = DEFAULT_LIMITS) -> None:
    """Check that the output is within `limits`, or that `LimitExceeded` names a limit that was exceeded."""
    source = len(markdown.encode(errors="replace"))
    exceeded: list[LimitExceeded] = []
    try:
        conversion = converter(markdown)
    except LimitExceeded as error:
        exceeded.append(error)
    for bound in exceeded:
        assert bound.actual > bound.allowed >= getattr(limits, bound.limit)
        return
    for output in (conversion.text, conversion.plain_text):
        # NUL and lone surrogates become three bytes.
        assert len(output.encode()) <= limits.max_output_bytes + OUTPUT_BYTES_PER_INPUT_BYTE * 3 * source


def check_thread_safe(sources: Sequence[str], converter: ConvertFunction, *, threads: int = 8, rounds: int = 4) -> None:
    """Check that concurrent conversions give the same results as sequential ones."""
    alone = [converter(markdown) for markdown in sources]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(threads) as pool:
            together = list(pool.map(converter, [*sources] * rounds))
    finally:
        sys.setswitchinterval(interval)
    assert together == alone * rounds


def check_linear(make_input: Callable[[int], T], work: Callable[[T], object], *, characters: int = 500) -> None:
    """Check that the steps for ten times the input, lines of Python that run, do not grow quadratically.

    `make_input` makes an input of a number of characters, such as Markdown: `characters`, and ten times as many.
    """
    # Imports and caches, by another input than those measured.
    work(make_input(characters // 2))
    small, large = (count_steps(partial(work, make_input(size))) for size in (characters, 10 * characters))
    assert large <= MAX_GROWTH * small, f"{large / small:.1f} times the steps for ten times the input"


def visible_text(conversion: Conversion) -> str:
    """Return the text that a reader of `html` sees, including alternative texts of images."""
    if conversion.output in TEXT_DESTINATIONS:
        output = conversion.text.translate(_SCRIPTS)
        for escape, character in _MARKUP.get(conversion.output, {}).items():
            output = output.replace(escape, character)
        return output
    return "".join(_visible_strings(html5lib.parse(conversion.text, namespaceHTMLElements=False))).replace("\xa0", " ")


def _visible_strings(element: Element) -> Iterator[str]:
    if element.tag not in {"style", "title"} and isinstance(element.tag, str):
        yield element.get("alt") or element.get("data-title") or ""
        yield element.text or ""
        for child in element:
            yield from _visible_strings(child)
            yield child.tail or ""


def _check_sequence(words: Sequence[str], content: str) -> None:
    position = 0
    for word in words:
        shown = re.compile(_ESCAPED.sub(r"\\\\?\g<0>", re.escape(word))).search(content, position)
        assert shown, f"{word!r} is missing or out of order in {content!r}"
        position = shown.end()


def _check_plain_text(content: str) -> None:
    assert content.endswith("\n"), f"no newline at the end of {content!r}"
    assert content == "\n" or not content.endswith("\n\n"), f"empty lines at the end of {content!r}"
    trailing = [line for line in content.split("\n") if line != line.rstrip(" ")]
    assert not trailing, f"spaces at the end of {trailing!r}"
