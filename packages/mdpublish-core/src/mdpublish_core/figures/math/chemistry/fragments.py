"""Parts of a formula as TeX: amounts, names of entities, scripts, text."""

import re
from collections.abc import Callable

from mdpublish_core.figures.math.chemistry import notation
from mdpublish_core.figures.math.chemistry.patterns import PATTERNS, ChemistrySource, Pattern

Write = Callable[..., str]
"""Writes the value of a match, and its further parts."""

Table = tuple[tuple[Pattern, Write], ...]

_PLUS_MINUS = re.compile(r"\$\\pm\$|\+/-|\+-")
_LAST_ELEMENT = re.compile(r"\\chem@symbols\{([A-Za-z]+?)([A-Z][a-z]*)\}")


def _table(*rows: tuple[str, Write]) -> Table:
    return tuple((PATTERNS[name], write) for names, write in rows for name in names.split("|"))


def _rewrite(source: ChemistrySource, table: Table, position: int = 0) -> list[str]:
    """Write what the first pattern matches at each position; other characters are TeX."""
    content, written = source.content, []
    while position < len(content):
        character = content[position]
        for (find, begins), write in table:
            matched = find(source, position) if not begins or character in begins else None
            if matched is not None and matched.end > position:
                written.append(write(matched.value, *matched.others))
                position = matched.end
                break
        else:
            written.append(character)
            position += 1
    return written


def _decimal(number: str) -> str:
    return number.replace(",", notation.DECIMAL_COMMA)


def _whole_fraction(source: ChemistrySource) -> str | None:
    """`1/2` or `n/2`; None if the text is anything else."""
    matched = PATTERNS["only a fraction"].find(source, 0)
    if matched is None:
        return None
    sign, above, below, variable = (each.strip("$") for each in matched.others)
    return sign + notation.fraction(above, below) + (notation.variable(variable) if variable else "")


# Text

_WORD_TABLE = _table(
    ("math inside", notation.variable),
    ("greek", notation.symbols),
    ("unit", notation.unit),
    ("spacing|command of two|command of one|command", str),
)


def words(content: str) -> str:
    """Write what is in braces: upright text, where dollars are math and commands are commands."""
    source, written, plain, position = ChemistrySource(content), [], "", 0
    while position < len(content):
        group = PATTERNS["group"].find(source, position)
        piece = None if group else _first(source, position)
        if piece is None:
            plain += content[position] if group is None else group.value
            position = position + 1 if group is None else group.end
            continue
        written += [notation.words(plain), piece[0]]
        plain, position = "", piece[1]
    return "".join([*written, notation.words(plain)])


def _first(source: ChemistrySource, position: int) -> tuple[str, int] | None:
    for (find, begins), write in _WORD_TABLE:
        matched = find(source, position) if source.content[position] in begins else None
        if matched is not None:
            return write(matched.value), matched.end
    return None


def _group(content: str) -> str:
    return f"{{{words(content)}}}"


# Amounts and entities

_AMOUNT_TABLE = _table(
    ("math inside", lambda tex: notation.variable(_tight(tex))),
    ("bare comma", _decimal),
)

_ENTITY_TABLE = _table(
    ("letters", notation.symbols),
    ("circa", lambda _: notation.CIRCA),
    ("unit", notation.unit),
    ("command of two|command of one|command", str),
    ("math inside", notation.variable),
    ("text", _group),
)


def _tight(tex: str) -> str:
    r"""Omit the spaces around plus and minus signs, but not in groups: `2n-1`."""
    source, written, position = ChemistrySource(tex), [], 0
    while position < len(tex):
        group = next((matched for name in _WHOLE if (matched := PATTERNS[name].find(source, position))), None)
        if group is not None:
            written.append(tex[position : group.end])
            position = group.end
        else:
            written.append(f"{{{tex[position]}}}" if tex[position] in "+-" else tex[position])
            position += 1
    return "".join(written)


_WHOLE = ("group", "command of two", "command of one", "command")


def amount(content: str) -> str:
    source = ChemistrySource(content)
    return _whole_fraction(source) or "".join(_rewrite(source, _AMOUNT_TABLE))


def entity(content: str) -> list[str]:
    """Return the TeX of each part; scripts belong to the last one."""
    source = ChemistrySource(content)
    fraction = _whole_fraction(source)
    if fraction is not None:
        return [fraction]
    parts = _rewrite(source, _ENTITY_TABLE)
    elements = _LAST_ELEMENT.fullmatch(parts[-1]) if parts else None
    if elements:
        parts[-1:] = [notation.symbols(elements[1]), notation.symbols(elements[2])]
    return parts


# Scripts


def _script_rows(command: str) -> tuple[tuple[str, Write], ...]:
    return (
        ("colored", lambda color, script: notation.colored(color, f"{command}{{{script}}}")),
        ("color", notation.color),
        ("equation", notation.equation),
        ("unit", notation.unit),
        ("spacing|command of two|command of one|command", str),
    )


def _raised_table(*rows: tuple[str, Write]) -> Table:
    return _table(
        ("whole number", _decimal),
        ("dot", lambda _: notation.DOT),
        *rows,
        ("letters", notation.symbols),
        ("prime", lambda _: "\\prime "),
        ("math inside", notation.variable),
        ("text", words),
        *_script_rows("\\chem@raised"),
    )


def _lowered_table(*rows: tuple[str, Write]) -> Table:
    return _table(
        ("state of aggregation", lambda state: "\\mskip1mu " + "".join(entity(state))),
        ("math inside", notation.variable),
        ("text", words),
        *rows,
        ("letters", notation.symbols),
        ("number", _decimal),
        ("bare comma", lambda comma: f"{{{comma}}}\\mkern1mu "),
        *_script_rows("\\chem@lowered"),
    )


_VARIABLES: tuple[str, Write] = ("lowercase", notation.variable)
_CROSS: tuple[str, Write] = ("cross", lambda _: "{\\times}")
_RAISED, _RAISED_VARIABLES = _raised_table(_CROSS), _raised_table(_VARIABLES, _CROSS)
_LOWERED, _LOWERED_VARIABLES = _lowered_table(), _lowered_table(_VARIABLES)


def raised(content: str) -> str:
    """Write a charge, a mass number, or another superscript."""
    source = ChemistrySource(content)
    has_variables = content != "x" and PATTERNS["only variables"].find(source, 0)
    return "".join(_rewrite(source, _RAISED_VARIABLES if has_variables else _RAISED))


def lowered(content: str) -> str:
    """Write a number of atoms, a site, or another subscript."""
    source = ChemistrySource(content)
    if (fraction := _whole_fraction(source)) is not None:
        return fraction
    # In `Li,x`, the element is of the site.
    site = PATTERNS["site letters"].find(source, 0)
    written, position = ("", 0) if site is None else (notation.symbols(site.value), site.end)
    has_variables = content != "i" and PATTERNS["only variables"].find(source, position)
    return written + "".join(_rewrite(source, _LOWERED_VARIABLES if has_variables else _LOWERED, position))


def oxidation_state(content: str) -> str:
    return notation.symbols(_PLUS_MINUS.sub(r"\\pm ", content))
