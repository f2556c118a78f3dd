"""The laws of every conversion, each a function that raises AssertionError where the law is broken.

A law takes a converter: any function from Markdown to a Conversion, such as `partial(convert, destination="email",
template=mine)`. So whoever writes a template or a destination holds it to the same laws as ours.
"""

import gc
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import process_time
from xml.etree.ElementTree import Element

import html5lib

from mdpublish_core.convert import Conversion
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.options.limits import DEFAULT_LIMITS, OUTPUT_BYTES_PER_INPUT_BYTE, Limits
from mdpublish_core.testing.strategies import Sample
from mdpublish_core.testing.vocabularies import Vocabulary

Converter = Callable[[str], Conversion]
"""What a law is about: Markdown in, a Conversion out."""

TEXT_DESTINATIONS = frozenset(name for name, each in DESTINATIONS.items() if each.is_text)
"""Where `html` is not HTML."""

# html5lib's code for control characters and noncharacters, which an author may write and a browser shows as nothing.
_CHARACTER_ERRORS = frozenset({"invalid-codepoint"})

# Slack has no escape for its marks; what stands between a mark and what would make it act is this.
_SLACK_CODE = re.compile("```.*?```", re.DOTALL)
_ZERO_WIDTH_SPACE = "\u200b"
_WITHOUT_MARKS = str.maketrans("", "", "*_~`")

# Raised and lowered letters are the same letters to a reader.
_SCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", "0123456789+-=()in0123456789+-=()")

_SMALL, _LARGE = 2_000, 20_000
"""Characters of the two texts whose times are compared."""

MAX_GROWTH = 40
"""How much longer ten times the text may take: linear time is ten times, quadratic a hundred."""


def check_total(markdown: str, converter: Converter) -> None:
    """Convert any text: nothing is raised, and the result can be encoded."""
    conversion = converter(markdown)
    conversion.html.encode()
    conversion.plain_text.encode()


def check_deterministic(markdown: str, converter: Converter) -> None:
    """Repeat a conversion after another one: it gives the same."""
    first = converter(markdown)
    converter("*[`~~>\n- |")
    assert converter(markdown) == first


def check_text_preserved(sample: Sample, converter: Converter) -> None:
    """Every word that the author wrote is shown, in the author's order, in `html` and in `plain_text`."""
    check_words_preserved(sample.words, converter(sample.markdown))


def check_words_preserved(words: Sequence[str], conversion: Conversion) -> None:
    """Find words in what a conversion shows, each behind the one before."""
    if conversion.destination == "slack":
        # Its marks may stand within a word, and a literal one looks the same.
        _check_sequence(
            [word.translate(_WITHOUT_MARKS) for word in words], visible_text(conversion).translate(_WITHOUT_MARKS)
        )
    else:
        _check_sequence(words, visible_text(conversion))
    _check_sequence(words, conversion.plain_text.translate(_SCRIPTS))


def check_well_formed(markdown: str, converter: Converter) -> None:
    """HTML parses without an error, as html5lib judges; plain text has no trailing space outside of code, and ends in one newline."""
    conversion = converter(markdown)
    _check_plain_text(conversion.plain_text)
    if conversion.destination in TEXT_DESTINATIONS:
        # Slack's code blocks keep the author's spaces: they are code.
        _check_plain_text(_SLACK_CODE.sub("```", conversion.html))
        return
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    is_page = conversion.html.startswith("<!DOCTYPE")
    (parser.parse if is_page else parser.parseFragment)(conversion.html)
    errors = [error for error in parser.errors if error[1] not in _CHARACTER_ERRORS]
    assert not errors, f"{errors} in {conversion.html!r}"


def check_vocabulary(markdown: str, converter: Converter, vocabulary: Vocabulary) -> None:
    """No element, attribute, address or style property is there that the destination does not know."""
    conversion = converter(markdown)
    faults = list(vocabulary.violations(conversion.html))
    assert not faults, f"{faults} in {conversion.html!r}"


def check_limits_respected(markdown: str, converter: Converter, limits: Limits = DEFAULT_LIMITS) -> None:
    """Output is no longer than `limits` allow, or `LimitExceeded` names a bound that was really passed."""
    source = len(markdown.encode(errors="replace"))
    exceeded: list[LimitExceeded] = []
    try:
        conversion = converter(markdown)
    except LimitExceeded as error:
        exceeded.append(error)
    for bound in exceeded:
        assert bound.actual > bound.allowed >= getattr(limits, bound.limit)
        return
    for output in (conversion.html, conversion.plain_text):
        # A lone surrogate and a NUL become three bytes.
        assert len(output.encode()) <= limits.max_output_bytes + OUTPUT_BYTES_PER_INPUT_BYTE * 3 * source


def check_thread_safe(sources: Sequence[str], converter: Converter, *, threads: int = 8, rounds: int = 4) -> None:
    """Convert texts in many threads at once: each gives what it gives alone."""
    alone = [converter(markdown) for markdown in sources]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(threads) as pool:
            together = list(pool.map(converter, [*sources] * rounds))
    finally:
        sys.setswitchinterval(interval)
    assert together == alone * rounds


def check_linear(make_markdown: Callable[[int], str], converter: Converter) -> None:
    """Convert a text and one ten times as long: the time grows with the length, not with its square."""
    converter(make_markdown(_SMALL))

    def in_proportion() -> bool:
        # Under two milliseconds, a clock says little.
        short = max(0.002, _seconds(make_markdown(_SMALL), converter))
        return _seconds(make_markdown(_LARGE), converter) <= MAX_GROWTH * short

    # Once is enough: what else the machine does can only make it slower.
    assert any(in_proportion() for _ in range(4)), f"more than {MAX_GROWTH} times as long for ten times the text"


def visible_text(conversion: Conversion) -> str:
    """Return what a reader of `html` sees: its text, and the alternative text of its pictures."""
    if conversion.destination == "slack":
        output = conversion.html.replace(_ZERO_WIDTH_SPACE, "").translate(_SCRIPTS)
        return output.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    if conversion.destination in TEXT_DESTINATIONS:
        return conversion.html.translate(_SCRIPTS)
    # A space that is fixed is a space to a reader.
    return "".join(_visible_strings(html5lib.parse(conversion.html, namespaceHTMLElements=False))).replace("\xa0", " ")


def _visible_strings(element: Element) -> Iterator[str]:
    """Yield the texts below `element` in order, and the alternative texts; a stylesheet is no text, nor is a head."""
    if element.tag not in {"style", "title"} and isinstance(element.tag, str):
        yield element.get("alt") or ""
        yield element.text or ""
        for child in element:
            yield from _visible_strings(child)
            yield child.tail or ""


def _check_sequence(words: Sequence[str], content: str) -> None:
    position = 0
    for word in words:
        index = content.find(word, position)
        assert index >= 0, f"{word!r} is missing, or stands before an earlier word, in {content!r}"
        position = index + len(word)


def _check_plain_text(content: str) -> None:
    assert content.endswith("\n"), f"no newline at the end of {content!r}"
    assert content == "\n" or not content.endswith("\n\n"), f"empty lines at the end of {content!r}"
    trailing = [line for line in content.split("\n") if line != line.rstrip(" ")]
    assert not trailing, f"spaces at the end of {trailing!r}"


def _seconds(markdown: str, converter: Converter) -> float:
    """Return how long a conversion takes; the collector of garbage, whose time is not ours, rests."""
    gc.disable()
    try:
        start = process_time()
        converter(markdown)
        return process_time() - start
    finally:
        gc.enable()
