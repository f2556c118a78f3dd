"""Emphasis beside Chinese, Japanese and Korean, as comrak reads it, which implements the same amendments."""

from random import Random

import pytest

from tests.conformance.reference_parsers import comrak_html, html_of

pytestmark = pytest.mark.conformance

DOCUMENTS = 20_000

WORD_CHARACTERS = ("这", "テ", "한", "ᄀ", "ㄱ", "𠮟", "ﾃ", "a", "1")
PUNCTUATION = tuple('。：「」（）～￥₩¥“”.:()"-∇«☰')
EMOJI = ("😀", "⌚", "㊗", "〽", "🈂", "☰")
SELECTORS = ("\ufe00", "\ufe01", "\ufe0e", "\ufe0f", "\U000e0100")
MARKS = ("*", "**", "***", "_", "__")


def random_markdown(random: Random) -> str:
    pieces = ["a"]
    for _ in range(random.randint(3, 12)):
        # A selector after another, or after a mark, varies nothing: the amendments leave it open.
        varies = pieces[-1] in (*WORD_CHARACTERS, *PUNCTUATION, *EMOJI)
        pieces.append(
            random.choice(
                random.choice(
                    (WORD_CHARACTERS, PUNCTUATION, EMOJI, MARKS, MARKS, (" ",), SELECTORS[: 5 * varies] or MARKS)
                )
            )
        )
    return "".join(pieces)


def test_emphasis_is_read_as_comrak_reads_it() -> None:
    random = Random("cjk")

    different = []
    for markdown in (random_markdown(random) for _ in range(DOCUMENTS)):
        ours = html_of(markdown, frozenset({"cjk-emphasis"}))
        theirs = comrak_html(markdown, "cjk_friendly_emphasis")
        if ours != theirs:
            different.append((markdown, ours, theirs))

    assert different == []
