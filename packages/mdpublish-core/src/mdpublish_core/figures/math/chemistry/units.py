r"""Physical units: what is in `\pu` as TeX."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.math.chemistry import notation
from mdpublish_core.figures.math.chemistry.patterns import ChemistrySource, Match
from mdpublish_core.figures.math.chemistry.rules import Machine, Rule

LONGEST_UNGROUPED = 4
"""Digits; longer numbers are in groups of three."""

_NUMBER_SPACE = "~"
_UNIT_SPACE = "\\mkern3mu "

_DEGREES = re.compile(r"(?:\u00b0|\^o|\^\{o\})(?=[CF])")


class _QuantityReader:
    """Writes numbers at once, and a unit when it ends: it may be a fraction."""

    __slots__ = ("below", "is_part", "slash", "unit", "written")

    def __init__(self, *, is_part: bool = False) -> None:
        self.written: list[str] = []  # numbers, units and signs
        self.unit = self.slash = self.below = ""
        self.is_part = is_part  # of a fraction, of which only the length of `written` counts

    def finish(self) -> None:
        above, below = _unwrapped(self.unit), _unwrapped(self.below)
        if not below:
            self.written += _convert_units(above)
        elif self.slash == "//":
            self.written.append(notation.fraction(notation.unit(above), notation.unit(below)))
        else:
            is_short = not self.is_part and _is_single(above) and _is_single(below)
            self.written += [notation.unit(above), "/" if is_short else "\\,/\\,", notation.unit(below)]
        self.unit = self.slash = self.below = ""


class _UnitReader:
    """Collects the letters of a unit, and attaches their exponent."""

    __slots__ = ("symbols", "unit", "written")

    def __init__(self) -> None:
        self.written: list[str] = []
        self.unit = ""  # with its exponents
        self.symbols = ""

    def end_symbols(self) -> str:
        symbols, self.symbols = self.symbols, ""
        return notation.symbols(symbols) if symbols else ""

    def finish(self) -> None:
        is_group = not self.unit and self.symbols.startswith("{") and _unwrapped(self.symbols) != self.symbols
        written = notation.unit(_unwrapped(self.symbols)) if is_group else self.unit + self.end_symbols()
        if written:
            self.written.append(written)
        self.unit = self.symbols = ""


def convert_quantity(content: str) -> str:
    r"""Return TeX. What contains a quantity again, such as a denominator, stays `\pu{…}`."""
    reader = _QuantityReader()
    _QUANTITIES.run(reader, content)
    return "".join(reader.written)


def _is_single(content: str) -> bool:
    """Whether a part of a fraction needs no space around the slash."""
    reader = _QuantityReader(is_part=True)
    _QUANTITIES.run(reader, content)
    return len(reader.written) <= 1


def _convert_units(content: str) -> list[str]:
    reader = _UnitReader()
    _UNITS.run(reader, content)
    return reader.written


def _unwrapped(content: str) -> str:
    is_group = content.startswith("{") and ChemistrySource(content).end_of(0) == len(content) - 1
    return _DEGREES.sub("\u00b0", content[1:-1] if is_group else content)


def _sign(sign: str) -> list[str]:
    return ["\\pm " if sign in {"+-", "+/-"} else sign] if sign else []


def _digits(number: str) -> list[str]:
    """Group the digits: `12 345.678 9`."""
    whole, mark, decimals = _split(number)
    groups = _spaced(whole, len(whole) % 3 or 3)
    return [*groups, mark.replace(",", notation.DECIMAL_COMMA), *_spaced(decimals, 3)] if mark else groups


def _spaced(digits: str, start: int) -> list[str]:
    if len(digits) <= LONGEST_UNGROUPED:
        return [digits]
    groups = [digits[:start]]
    for index in range(start, len(digits), 3):
        groups += [notation.NARROW_SPACE, digits[index : index + 3]]
    return groups


def _split(number: str) -> tuple[str, str, str]:
    match = re.match(r"([^.,]*)([.,]?)(.*)", number)
    assert match is not None, "matches everything"
    return match[1], match[2], match[3]


# Actions


def _measured_number(reader: _QuantityReader, matched: Match) -> None:
    sign, number, uncertainty, exponent_mark, times, exponent = matched.others
    reader.written += _sign(sign)
    if number:
        reader.written += _digits(number)
        if uncertainty:
            has_mark = "." in uncertainty or "," in uncertainty
            reader.written += _digits(uncertainty) if has_mark else [uncertainty]
        if exponent_mark or times:
            reader.written.append("\\cdot " if exponent_mark == "e" or times == "*" else "\\times ")
    if exponent:
        reader.written.append(f"10^{{{exponent}}}")


def _power(reader: _QuantityReader, matched: Match) -> None:
    sign, number, exponent = matched.others
    reader.written += [*_sign(sign), *_digits(number), f"^{{{exponent}}}"]


def _copy(reader: _QuantityReader, matched: Match) -> None:
    reader.written.append(matched.value)


def _add(part: str, reader: _QuantityReader, matched: Match) -> None:
    setattr(reader, part, getattr(reader, part) + matched.value)


def _symbols(reader: _UnitReader, matched: Match) -> None:
    reader.symbols += matched.value


def _exponent(reader: _UnitReader, matched: Match) -> None:
    reader.unit += f"\\chem@raise{{{reader.end_symbols()}}}{{{matched.value}}}"


def _finish(reader: _QuantityReader | _UnitReader, _: Match) -> None:
    reader.finish()


def _write(tex: str, reader: _QuantityReader | _UnitReader, _: Match) -> None:
    reader.written.append(tex)


_ACTIONS: dict[str, Callable[..., None]] = {
    **{each.__name__.strip("_").replace("_", " "): each for each in (_copy, _exponent, _finish, _power, _symbols)},
    **{f"add {part}": partial(_add, part) for part in ("below", "slash", "unit")},
    "measured number": _measured_number,
    "plus-minus": partial(_write, notation.operator("\\pm")),
    "product": partial(_write, notation.TIGHT_PRODUCT),
    "space after number": partial(_write, _NUMBER_SPACE),
    "space after unit": partial(_write, _UNIT_SPACE),
}


def _machine(name: str) -> Machine[Any]:
    rows = (row for row in read_table(__file__, "units.tsv") if row[0] == name)
    return Machine(
        [
            Rule(patterns, states, [_ACTIONS[each] for each in actions.split(", ") if each], then)
            for _, patterns, states, actions, then in rows
        ]
    )


_QUANTITIES: Machine[_QuantityReader] = _machine("quantity")
_UNITS: Machine[_UnitReader] = _machine("unit")
