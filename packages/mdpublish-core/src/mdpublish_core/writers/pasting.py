"""How outputs are pasted: what the clipboard needs besides them, and what they are pasted into."""

from typing import NamedTuple

from mdpublish_core.data_files import read_fields, read_table
from mdpublish_core.writers.outputs import Output


class Pasting(NamedTuple):
    """How an output is pasted."""

    into: str = ""
    """What it is pasted into; by default, what it is called."""

    is_source: bool = False
    """Whether it is pasted as source, into fields that accept only text, such as code editors."""

    composer: str = ""
    """`module:function` that writes the HTML to paste where the output is text."""


_PASTINGS = {
    name: Pasting(into, **read_fields(" ".join(how))) for name, into, *how in read_table(__file__, "pastings.tsv")
}


def pasting_of(output: Output) -> Pasting:
    """Return how an output is pasted."""
    return _PASTINGS.get(output.name) or Pasting(output.name)
