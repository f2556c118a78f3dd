"""mistletoe is imported quickly, and is the same."""

import subprocess
import sys
import unicodedata

import pytest

from mdpublish_core.mistletoe_loading import ASKED

LOOK = """
import sys, unicodedata
import {first}
import mdpublish_core.document
from mistletoe import core_tokens
everything = map(chr, range(sys.maxunicode + 1))
punctuation = {{each for each in everything if unicodedata.category(each).startswith("P")}} | set("$+<=>^`|~")
print(core_tokens.punctuation == punctuation, type(core_tokens.__loader__).__module__, "range" in vars(core_tokens))
"""


def looked(first: str) -> list[str]:
    """Return what a process sees that imports a module before ours."""
    command = [sys.executable, "-c", LOOK.format(first=first)]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()


def test_no_punctuation_is_beyond_what_is_asked() -> None:
    characters = map(chr, range(ASKED, sys.maxunicode + 1))

    assert [each for each in characters if unicodedata.category(each).startswith("P")] == []


@pytest.mark.parametrize(
    ("first", "loader"), [("sys", "mdpublish_core.mistletoe_loading"), ("mistletoe", "_frozen_importlib_external")]
)
def test_mistletoe_knows_all_punctuation(first: str, loader: str) -> None:
    assert looked(first) == ["True", loader, "False"]
