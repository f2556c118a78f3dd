"""Law: what a document is rendered as does not depend on how it was rendered before, in other threads or past a limit.

Limits of seconds are left out: they depend on the machine.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import Conversion, Document, Limits, parse, render
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.testing import hostile_text
from mdpublish_core.writers.outputs import DESTINATIONS

FIGURES = (
    "```mermaid\ngraph TD\nA[First] --> B[Second]\n```\n\n",
    "```dot\ndigraph { a -> b }\n```\n\n",
    '```chart\n{"type": "bar", "data": {"labels": ["x"], "datasets": [{"data": [3]}]}}\n```\n\n',
    "```mermaid\ngraph nowhere\n```\n\n",
    "$$\n\\frac{a}{b}\n$$\n\n",
    "Some $x^2$, and $\\broken{$.\n\n",
    "![An image alone](https://example.org/image.png)\n\n",
    "> [!NOTE]\n> Text of a callout\n\n",
)

LIMITS = tuple(
    Limits(**limits)
    for limits in ({}, {"max_figure_steps": 1}, {"max_figure_steps": 2_000}, {"max_output_bytes": 1}, {"max_depth": 1})
)


class Arguments(NamedTuple):
    """Arguments of a render."""

    destination: str
    template: str
    theme_mode: str
    limits: Limits


ARGUMENTS = st.builds(
    Arguments,
    destination=st.sampled_from(sorted(DESTINATIONS)),
    template=st.sampled_from(["swiss", "dracula"]),
    theme_mode=st.sampled_from(["light", "dark"]),
    limits=st.sampled_from(LIMITS),
)

SNIPPETS = st.tuples(st.lists(st.sampled_from(FIGURES), max_size=4), hostile_text()).map(
    lambda parts: "".join(parts[0]) + parts[1]
)


def rendered(document: Document, arguments: Arguments) -> Conversion | str:
    try:
        return render(
            document,
            to=arguments.destination,
            template=arguments.template,
            theme_mode=arguments.theme_mode,  # type: ignore[arg-type]
            limits=arguments.limits,
        )
    except LimitExceeded as error:
        return str(error)


def assert_independent(markdown: str, renders: Sequence[Arguments], *, threads: int = 1) -> None:
    fresh = [rendered(parse(markdown), each) for each in renders]
    document = parse(markdown)
    if threads == 1:
        assert [rendered(document, each) for each in renders] == fresh
        return
    with ThreadPoolExecutor(threads) as executor:
        assert list(executor.map(lambda each: rendered(document, each), renders)) == fresh


@given(SNIPPETS, st.lists(ARGUMENTS, min_size=2, max_size=4))
def test_renders_are_as_of_a_fresh_document(markdown: str, renders: Sequence[Arguments]) -> None:
    assert_independent(markdown, renders)


@given(SNIPPETS, st.lists(ARGUMENTS, min_size=2, max_size=4))
def test_renders_in_threads_are_as_of_a_fresh_document(markdown: str, renders: Sequence[Arguments]) -> None:
    assert_independent(markdown, renders, threads=4)


def test_render_past_its_limits_leaves_nothing() -> None:
    refused = Arguments("plain-text", "swiss", "light", Limits(max_figure_steps=1))
    allowed = refused._replace(limits=Limits())

    assert_independent("".join(FIGURES), [refused, allowed, refused])


@pytest.mark.parametrize("destination", sorted(DESTINATIONS))
def test_first_words_of_an_email_leave_nothing(destination: str) -> None:
    email = Arguments("email", "swiss", "light", Limits())
    figure_below_the_first_words = "---\n\n" * 1_000 + FIGURES[0]

    assert_independent(figure_below_the_first_words, [email, email._replace(destination=destination)])
