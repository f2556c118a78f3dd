"""Tables of data as Markdown."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from numbers import Number
from typing import Any, Literal

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.markdown.columns import Column, is_missing, read_columns
from mdpublish_core.markdown.escaping import Markdown, block, lines, one_line
from mdpublish_core.readers import parse

Align = Literal["left", "center", "right"]
Format = str | Callable[[Any], object]

_ALIGNMENTS: Mapping[Align, nodes.Alignment] = {"left": -1, "center": 0, "right": 1}


def table(
    data: Any,
    *,
    columns: Sequence[str] | None = None,
    align: Mapping[str, Align] | None = None,
    formats: Mapping[str, Format] | None = None,
    caption: str = "",
) -> Markdown:
    """Return a table with exactly the values of some data.

    `data` is a DataFrame or Series of pandas or Polars, a table of Arrow, a cursor of a database, a list of mappings,
    dataclasses, named tuples or sequences, or a mapping of names to columns; `columns` names the columns instead. An
    index of pandas is a column if it has a name or words. Columns of numbers stand at the right, unless `align` says
    where, by name. Each value is its `str`, or what `formats` makes of it: a format such as `",.2f"`, or a function. A
    missing one (None, NaN) is an empty cell, and `Markdown`, such as that of `link`, stands as it is. `caption` is text
    above it.

    Raises `InvalidArgument` for other data, uneven rows, and a column in `align` or `formats` that is not there.
    """
    require_type("caption", caption, str)
    read = read_columns(data, columns)
    align, formats = align or {}, formats or {}
    names = [column.name for column in read]
    for argument, chosen in (("align", align), ("formats", formats)):
        for name in chosen.keys() - set(names):
            raise InvalidArgument(argument, f"must name columns of the data: {', '.join(names)} (got {name!r})")
    alignments = [_alignment(column, align) for column in read]
    cells = [_cells(column, formats.get(column.name)) for column in read]
    header, *body = (
        nodes.TableRow([nodes.TableCell(cell, align=each) for cell, each in zip(row, alignments, strict=True)])
        for row in [[_inlines(name) for name in names], *zip(*cells, strict=True)]
    )
    drawn = nodes.Table(header, body)
    if not (shown := one_line(caption)):
        return block(drawn)
    return block(nodes.HtmlElement("figure", {}, [nodes.HtmlElement("figcaption", {}, [nodes.RawText(shown)]), drawn]))


def _alignment(column: Column, align: Mapping[str, Align]) -> nodes.Alignment:
    if column.name in align:
        if align[column.name] not in _ALIGNMENTS:
            raise InvalidArgument("align", f"must be left, center or right (got {align[column.name]!r})")
        return _ALIGNMENTS[align[column.name]]
    present = [value for value in column.values if not is_missing(value)]
    are_numbers = present and all(isinstance(value, Number) and not isinstance(value, bool) for value in present)
    return _ALIGNMENTS["right"] if are_numbers else None


def _cells(column: Column, form: Format | None) -> list[Sequence[nodes.Token]]:
    return [
        _inlines("" if is_missing(value) else written)
        for value, written in zip(column.values, written_values(column, form), strict=True)
    ]


def written_values(column: Column, form: Format | None = None) -> list[object]:
    """Return the values of a column as they are written; dates without a time only if all are."""
    present = [value for value in column.values if not is_missing(value)]
    if form is None and present and all(isinstance(value, datetime) and _is_day(value) for value in present):
        form = datetime.date
    written = []
    for value in column.values:
        try:
            if is_missing(value) or form is None:
                written.append(value)
            else:
                written.append(format(value, form) if isinstance(form, str) else form(value))
        except (TypeError, ValueError) as error:
            raise InvalidArgument(f"formats[{column.name!r}]", f"does not fit {value!r:.40}: {error}") from error
    return written


def _is_day(value: datetime) -> bool:
    return value.tzinfo is None and not (value.hour or value.minute or value.second or value.microsecond)


def _inlines(value: object) -> Sequence[nodes.Token]:
    """Return a cell: lines of text with breaks between, or the paragraph of Markdown."""
    if isinstance(value, Markdown):
        blocks = parse(value).children
        if [type(each) for each in blocks] == [nodes.Paragraph]:
            return blocks[0].children
        raise InvalidArgument("data", f"must have Markdown of one paragraph in a cell (got {value!r:.40})")
    inlines: list[nodes.Token] = []
    for line in filter(None, lines(value)):
        inlines += [*([nodes.LineBreak(soft=False)] if inlines else []), nodes.RawText(line)]
    return inlines
