"""Smaller type and padding for tables with many columns.

`.table.fit-3` has the third size. Sizes are relative to the template's own table, whatever it is, and paddings are
copies of the template's rules for cells, so that first and last columns keep their edges.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from mdpublish_core.css.cascade import parse_declarations
from mdpublish_core.css.rules import StyleRule
from mdpublish_core.data_files import read_table
from mdpublish_core.strings.lazy_patterns import compile_lazily


class TableSize(NamedTuple):
    """Factors of a table's type and of its cells' horizontal padding, which is in font sizes already."""

    type: float
    padding: float


SIZES = tuple(TableSize(*map(float, row)) for row in read_table(__file__, "table_sizes.tsv"))
"""In the order in which they are tried; destinations leave out those that they could not be read at."""

PhoneForm = Literal["", "whole", "whole snug", "whole small", "pairs"]
"""A table's form on a phone; without one, it scrolls if it has many columns."""

PHONE_SIZES: Mapping[PhoneForm, TableSize] = {"whole snug": TableSize(0.93, 0.45), "whole small": TableSize(0.76, 0.42)}
"""Sizes of tables with many columns, on phones, in the order in which they are tried."""

_PHONE = "@media screen and (max-width: 40em)"

MAX_SIZE_OF_SMALL_CODE = 0.8
"""In smaller tables, code is as large as the text, to stay readable."""

_CELL = compile_lazily(r"(?:^|[ >+~])t[hd](?![a-z])[^ >+~]*$")
_LENGTH = compile_lazily(r"(\d+\.?\d*|\.\d+)(em|px)")
_SIDES = ("padding-left", "padding-right")


def size_class(size: int) -> str:
    """Return the class of a table's container; none for the template's own size."""
    return f"fit-{size}" if size else ""


def sized(element: str, size: int) -> str:
    """Return an element of the cursor with its class."""
    return f"{element}.{size_class(size)}" if size else element


def size_rules(
    written: Iterable[StyleRule], sizes: Iterable[int] = range(1, len(SIZES)), *, min_type_size: str = ""
) -> Iterator[StyleRule]:
    """Yield the rules of sizes, to follow the template's `written`; `min_type_size` is for browsers, with its unit."""
    paddings = list(_padding_rules(written))
    for size in sizes:
        yield from _rules_of(f".{size_class(size)}", SIZES[size], paddings, min_type_size)


def phone_size_rules(written: Iterable[StyleRule], forms: Iterable[str], min_type_size: str) -> Iterator[StyleRule]:
    """Yield the rules of tables that have one of the forms on phones, there."""
    paddings = list(_padding_rules(written))
    for form, size in PHONE_SIZES.items():
        if form in forms:
            rules = _rules_of(f".{form.rpartition(' ')[2]}", size, paddings, min_type_size)
            yield from (rule._replace(media=_PHONE) for rule in rules if rule.media is None)


def _rules_of(
    container: str, size: TableSize, paddings: Iterable[StyleRule], min_type_size: str
) -> Iterator[StyleRule]:
    sections = tuple(f"{container} > table > {section}" for section in ("thead", "tbody", "tfoot"))
    type_size = f"{size.type:g}em"
    yield StyleRule(sections, f"font-size:{f'max({min_type_size},{type_size})' if min_type_size else type_size}")
    if size.type < MAX_SIZE_OF_SMALL_CODE:
        yield StyleRule((f"{container} code",), "font-size:1em")
    for rule in paddings:
        declared = parse_declarations(rule.declarations).items()
        yield StyleRule(
            tuple(f"{container} {selector}" for selector in rule.selectors),
            ";".join(f"{name}:{_scaled(value, size.padding)}" for name, value in declared if name in _SIDES),
            rule.media,
        )


def _padding_rules(written: Iterable[StyleRule]) -> Iterator[StyleRule]:
    for rule in written:
        selectors = tuple(filter(_CELL.search, rule.selectors))
        if (
            selectors
            and "padding" in rule.declarations
            and not set(_SIDES).isdisjoint(parse_declarations(rule.declarations))
        ):
            yield StyleRule(selectors, rule.declarations, rule.media)


def _scaled(value: str, factor: float) -> str:
    length = _LENGTH.fullmatch(value)
    return f"{float(length[1]) * factor:.3g}{length[2]}" if length else value
