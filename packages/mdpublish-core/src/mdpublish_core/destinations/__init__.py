"""Destinations: one module each, and the table that names them.

A destination is a function from a finished tree and a style to text. To add one, write its module and add its line.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mdpublish_core.destinations import generic, html, plain_text
from mdpublish_core.document import Document, Token, children_of
from mdpublish_core.errors import LimitExceeded, UnknownDestination
from mdpublish_core.templates import Style


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the output goes: its name, what it gets, and the function that writes it."""

    name: str
    summary: str
    render: Callable[[Document, Style], str]


_DESTINATIONS = (
    Destination("plain-text", "text that keeps the document's structure", plain_text.render),
    Destination("generic", "a semantic HTML fragment with the template's CSS", generic.render),
    Destination("html", "HTML as CommonMark's and GFM's references print it, unstyled", html.render),
)

DESTINATIONS = {destination.name: destination for destination in _DESTINATIONS}


def get_destination(name: str) -> Destination:
    """Return the destination of this name; raises `UnknownDestination` where there is none."""
    try:
        return DESTINATIONS[name]
    except KeyError:
        raise UnknownDestination(name, tuple(DESTINATIONS)) from None


def check_depth(document: Document, levels: int) -> None:
    """Raise `LimitExceeded` where a tree has more than `levels` below its root: renderers recurse once a level."""
    generation: list[Token] = [document]
    depth = -1
    while generation:
        depth += 1
        if depth > levels:
            raise LimitExceeded("nesting", levels, depth)
        generation = [child for token in generation for child in children_of(token)]
