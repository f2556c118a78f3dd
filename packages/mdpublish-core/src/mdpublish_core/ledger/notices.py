"""Notices of what did not arrive."""

from collections.abc import Iterable, Iterator

from mdpublish_core.ledger.comparison import Loss, losses
from mdpublish_core.ledger.entries import Kind, SeenEntry
from mdpublish_core.notices import Notice, shorten

_MAX_VALUES = 5

_NAMES: dict[Kind, tuple[str, str]] = {
    "words": ("passage", "passages"),
    "number": ("number of a list item", "numbers of list items"),
    "box": ("check box", "check boxes"),
    "link": ("link", "links"),
    "image": ("image", "images"),
    "formula": ("formula", "formulas"),
    "row": ("row of a table", "rows of tables"),
}


def loss_notices(source: Iterable[SeenEntry], result: Iterable[SeenEntry]) -> Iterator[Notice]:
    """Yield a notice for each kind of which the source has something that is not in the result."""
    for loss in losses(source, result):
        yield Notice("lost-on-import", f"lost: {describe(loss)}")


def describe(loss: Loss) -> str:
    """Return what a loss is, how many there are, and the place of the first."""
    count = len(loss.values)
    listed = ", ".join(repr(shorten(value)) for value in loss.values[:_MAX_VALUES])
    more = f" and {count - _MAX_VALUES:,} more" if count > _MAX_VALUES else ""
    place = f" (the first after {loss.after!r})" if loss.after else ""
    return f"{count:,} {_NAMES[loss.kind][count != 1]}: {listed}{more}{place}"
