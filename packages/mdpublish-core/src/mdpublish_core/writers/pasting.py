"""How outputs are pasted: what the clipboard needs besides them, and what they are pasted into."""

from collections.abc import Mapping
from typing import NamedTuple

from mdpublish_core.writers.outputs import Output


class Pasting(NamedTuple):
    """How an output is pasted."""

    into: str = ""
    """What it is pasted into; by default, what it is called."""

    is_source: bool = False
    """Whether it is pasted as source, into fields that accept only text, such as code editors."""

    composer: str = ""
    """`module:function` that writes the HTML to paste where the output is text."""


_PASTINGS: Mapping[str, Pasting] = {
    "google-docs": Pasting("Google Docs"),
    "word": Pasting("Word"),
    "slack": Pasting("Slack", composer="slack.composer:slack_composer_html"),
    "onenote": Pasting("OneNote"),
    "email": Pasting("an email"),
    "plain-text": Pasting("any field"),
    "generic": Pasting("an editor for HTML", is_source=True),
    "html": Pasting("an editor for HTML", is_source=True),
}


def pasting_of(output: Output) -> Pasting:
    """Return how an output is pasted."""
    return _PASTINGS.get(output.name) or Pasting(output.name)
