"""A stylesheet of your own takes steps, time and memory in proportion to its length, whatever it contains."""

import gc
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import process_time

import pytest

from mdpublish_core import convert
from mdpublish_core.css import normalize, tokens, user_css
from mdpublish_core.errors import InvalidStylesheet
from mdpublish_core.testing.steps import count_steps
from mdpublish_core.writers.styled.stylesheets import compile_user_stylesheet
from tests.security.cases import counted, halves, repeated

pytestmark = pytest.mark.security

MARKDOWN = "# a\n\n" + "- b [c](https://example.org/)\n" * 200 + "\n|d|e|\n|-|-|\n" + "|f|g|\n" * 50

FLOODS: dict[str, Callable[[int], str]] = {
    "rules": repeated("a{color:red}"),
    "rules for all": repeated("*{color:red}"),
    "selectors": counted("p.a{},", after="a{color:red}"),
    "long selector": repeated("* ", after="a{color:red}"),
    "siblings": repeated("li~", after="li{color:red}"),
    "conditions": counted("li:nth-child({}){{color:red}}"),
    "negations": counted("li:not(.a{}){{color:red}}"),
    "negations of one": repeated(":not(a)", before="li", after="{color:red}"),
    "lists in lists": halves(":is(", ")", middle="a"),
    "attributes": counted("[a=b{}]{{color:red}}"),
    "declarations": repeated("color:red;", before="a{", after="}"),
    "unknown properties": counted("x{}:y;", before="a{", after="}"),
    "variables": counted("--a{0}:var(--a{0}0);", before="*{", after="}"),
    "doubling variables": lambda size: (
        "*{--a0:1px;"
        + "".join(f"--a{each}:var(--a{each - 1}) var(--a{each - 1});" for each in range(1, size // 35))
        + f"margin:var(--a{size // 35 - 1})}}"
    ),
    "long chain of variables": lambda size: (
        "*{" + "".join(f"--a{each}:var(--a{each + 1});" for each in range(size // 22)) + "margin:var(--a0)}"
    ),
    "values": counted("a{{margin:{}px}}"),
    "blocks": halves("a{", "}", middle="color:red"),
    "open blocks": repeated("a{"),
    "closed blocks": repeated("}"),
    "parentheses": halves("(", ")", middle="1"),
    "parentheses in a value": lambda size: "a{width:" + halves("(", ")", middle="1px")(size) + "}",
    "sums": repeated("1px + ", before="a{width:calc(", after="1px)}"),
    "media": counted("@media (min-width:{}px){{a{{color:red}}}}"),
    "media in media": halves("@media screen{", "}", middle="a{color:red}"),
    "one query": repeated("screen,", before="@media ", after="screen{a{color:red}}"),
    "nested lists": lambda size: "a,b{" * 20 + "color:red;" * (size // 10) + "}" * 20,
    "comments": repeated("/**/"),
    "open comment": repeated("a", before="/*"),
    "open string": repeated("a", before="a{content:'"),
    "escapes": repeated("\\61 ", before="a{content:", after="}"),
    "quotes": repeated("'"),
    "bad urls": repeated("url( ' ", before="a{b:"),
    "at": repeated("@"),
    "important": repeated("!important ", before="a{color:red "),
}

MAX_STEPS_GROWTH = 10
"""For ten times the stylesheet, from 1,000 characters; the document's share is the same. The worst has 5.8."""

SMALL, LARGE = 10_000, 100_000

MAX_GROWTH = 14
"""For ten times the stylesheet; the document is the same."""

NOISE_SECONDS = 0.15
"""Of the part that does not grow: the document and the template."""

MAX_SECONDS = 4.0

RETRIES = 3

MAX_MEMORY = 900
"""Peak bytes per byte: a rule of 12 characters is five objects, and one with its bits in the matcher's masks."""


def forget() -> None:
    user_css._read.cache_clear()
    user_css.browser_rules.cache_clear()
    compile_user_stylesheet.cache_clear()
    normalize.normalize.cache_clear()
    tokens.tokens_of.cache_clear()
    gc.collect()


def convert_with(css: str, destination: str) -> None:
    # Some have no rule at all.
    with suppress(InvalidStylesheet):
        convert(MARKDOWN, to=destination, css=css)


def seconds(css: str, destination: str) -> float:
    forget()
    start = process_time()
    convert_with(css, destination)
    return process_time() - start


def steps(css: str, destination: str) -> int:
    forget()
    return count_steps(partial(convert_with, css, destination))


@pytest.mark.short
@pytest.mark.parametrize("destination", ["generic", "email"])
@pytest.mark.parametrize("name", FLOODS)
def test_stylesheet_takes_steps_in_proportion(name: str, destination: str) -> None:
    convert_with(FLOODS[name](500), destination)

    small, large = (steps(FLOODS[name](size), destination) for size in (1_000, 10_000))

    assert large <= MAX_STEPS_GROWTH * small


@pytest.mark.parametrize("destination", ["generic", "email"])
@pytest.mark.parametrize("name", FLOODS)
def test_stylesheet_takes_time_in_proportion(name: str, destination: str) -> None:
    flood = FLOODS[name]
    for _ in range(RETRIES):
        small, large = seconds(flood(SMALL), destination), seconds(flood(LARGE), destination)
        if large <= MAX_SECONDS and large <= MAX_GROWTH * small + NOISE_SECONDS:
            return
    pytest.fail(f"{small:.2f} s for {SMALL:,} characters, {large:.2f} s for {LARGE:,}")


@pytest.mark.parametrize("name", FLOODS)
def test_stylesheet_takes_bounded_memory(name: str) -> None:
    css = FLOODS[name](LARGE)
    forget()
    tracemalloc.start()
    convert_with(css, "email")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak <= MAX_MEMORY * len(css)
