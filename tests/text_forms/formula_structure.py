"""The tree of a formula from a flat list: brackets, scripts, roots and quotients, as a mathematician reads them.

Parts are characters and numbers (strings), finished parts (tuples), `GAP` and `ROW` (ends of cells and rows) and
`Script`. Two formulas that look the same when they are typeset have one tree: such as `/` and fractions.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from unicodedata import name, normalize

Part = Any
GAP, ROW, EMPTY, SPACE = ("gap",), ("row end",), ("nothing",), ("space",)

OPENING, CLOSING, BARS = "([{⟨⌈⌊", ")]}⟩⌉⌋", "|‖∣∥"
LARGE = frozenset("∑∏∐⋃⋂∫∬∭∮∯")
_LIMITS = re.compile("lim|max|min|sup|inf")
_PRODUCT_ENDS = frozenset("+−±∓=<>≤≥≠≈≡∼≃≅∈∉⊂⊆⊊,;:⋅×·∗⋆⊕⊗∪∩∖→←↦⟹⟺⇌∧∨¬∝≪⪰∥÷∘⊢⊨∀∃∴⋊↾")
_ROOTS = {"√": None, "∛": "3", "∜": "4"}
_PRIMES = {"′": 1, "″": 2, "‴": 3, "⁗": 4}
_TOKEN = re.compile(r"\d+(?:\.\d+)*(?![\u0300-\u036f])|\d|.", re.DOTALL)


class Script(NamedTuple):
    """A script of the part before it."""

    sign: str
    content: Sequence[Part]
    is_detached: bool = False


def characters(content: str) -> list[Part]:
    """Divide a string into numbers and characters, without spaces, styles that nobody tells apart, and marks."""
    parts: list[Part] = []
    for token in _TOKEN.findall(normalize("NFD", "".join(map(_plain, content)))):
        if token.isspace():
            continue
        if 0x300 <= ord(token[0]) <= 0x36F or 0x20D0 <= ord(token[0]) <= 0x20FF:
            parts.append(mark(token, [parts.pop()]))
        else:
            parts.append(token)
    return parts


_BOLD = {
    normalize("NFKC", each): each
    for each in map(chr, range(0x1D400, 0x1D800))
    if name(each, "").startswith(tuple(f"MATHEMATICAL BOLD {kind}" for kind in ("CAPITAL", "SMALL", "DIGIT", "NABLA")))
}


def _plain(character: str) -> str:
    styles = name(character, "").removeprefix("MATHEMATICAL ")
    is_styled = "\U0001d400" <= character <= "\U0001d7ff" or character == "ℎ"
    if is_styled and styles.startswith(("ITALIC", "SANS-SERIF", "MONOSPACE", "PLANCK", "BOLD ITALIC")):
        plain = normalize("NFKC", character)
        return _BOLD.get(plain, plain) if "BOLD" in styles else plain
    return {"-": "−", "'": "′", "‾": "¯"}.get(character, character)


def mark(sign: str, content: Sequence[Part]) -> Part:
    """Return parts below a mark; lines of two lengths are one mark, and a strike goes through each character."""
    sign = {"\u0304": "\u0305", "\u030b": "\u0301"}.get(sign, sign)
    if sign != "\u0336" or (len(content) == 1 and len(content[0]) == 1):
        return ("mark", sign, row(content))
    parts = content[0][1:] if isinstance(content[0], tuple) and content[0][0] == "row" else content
    return ("row", *(mark(sign, [each]) for part in parts for each in (part if isinstance(part, str) else [part])))


def row(parts: Sequence[Part]) -> Part:
    """Return parts as one tree."""
    items = _grouped(parts)
    return ("table", "", "", *table_rows(items)) if ROW in items else _whole(_structured(items))


def _whole(items: Sequence[Part]) -> Part:
    return items[0] if len(items) == 1 else ("row", *items)


def _grouped(parts: Sequence[Part]) -> list[Part]:
    """Put what brackets and pairs of bars enclose into groups; a lone bracket stays a character."""
    stack: list[tuple[str, list[Part]]] = [("", [])]
    is_apart = True
    for part in parts:
        if part == SPACE:
            is_apart = True
            continue
        if isinstance(part, str) and part in OPENING:
            stack.append((part if is_apart or not _is_after_name(stack[-1][1][-1:]) else f"{part}of", []))
        elif isinstance(part, str) and part in CLOSING and len(stack) > 1:
            if part != "}" and len(stack) > 2 and stack[-1][0][0] == "{":
                _end_cases(stack)
            opening, content = stack.pop()
            stack[-1][1].append(_group(opening, content, part))
        else:
            stack[-1][1].append(part)
        is_apart = False
    while len(stack) > 1:
        _end_cases(stack)
    return _paired(stack[0][1])


def _end_cases(stack: list[tuple[str, list[Part]]]) -> None:
    """Close a brace that is never closed, around its table; another bracket stays a character."""
    opening, content = stack.pop()
    is_cases = opening[0] == "{" and content and isinstance(content[0], tuple) and content[0][0] == "table"
    stack[-1][1].extend([("table", "{", "}", *content[0][3:]), *content[1:]] if is_cases else [opening[0], *content])


def _paired(items: list[Part]) -> list[Part]:
    for bar in BARS:
        places = [
            place
            for place, item in enumerate(items)
            if item == bar and not (items[place - 1 : place] == [GAP] and items[place + 1 : place + 2] == [GAP])
        ]
        if places and len(places) % 2 == 0:
            pairs = list(zip(places[::2], places[1::2], strict=True))
            for first, last in reversed(pairs):
                items[first : last + 1] = [_group(bar, items[first + 1 : last], bar)]
    return items


def _group(opening: str, content: list[Part], closing: str) -> Part:
    """Return a table, a binomial, a quotient in parentheses that are no argument's, or what is in brackets."""
    items = _paired(content)
    is_argument, opening = opening.endswith("of"), opening[0]
    tree: Part = ("row",)
    match items:
        case [("over", above, below)]:
            rows = ("table", "", "", ("cells", above), ("cells", below))
            return ("choose", above, below) if opening == "(" else _group(opening, [rows], closing)
        case [("table", "", "", *rows)] if opening != "{":
            return ("table", opening, closing, *rows)
    if GAP in items or ROW in items:
        tree = ("table", opening, closing, *table_rows(items))
    elif opening == "(" and (place := _place_of_choose(items)) is not None:
        tree = ("choose", *(_whole(_structured(each)) for each in (items[:place], items[place + 6 :])))
    else:
        inside = _whole(_structured(items))
        is_quotient = opening == "(" and isinstance(inside, tuple) and inside[0] == "fraction"
        tree = inside if is_quotient and not is_argument else ("group", opening, inside, closing)
    return tree


def _place_of_choose(items: Sequence[Part]) -> int | None:
    return next((place for place in range(len(items)) if items[place : place + 6] == list("choose")), None)


def _is_after_name(items: Sequence[Part]) -> bool:
    return bool(items) and isinstance(items[0], str) and items[0].isalpha()


def table_rows(items: Sequence[Part]) -> Iterator[Part]:
    """Yield rows of cells, without the commas between them and blank cells at their ends."""
    for line in split(items, ROW):
        cells = [_cell(cell) for cell in split(line, GAP)]
        while len(cells) > 1 and cells[-1] == ("row",):
            cells.pop()
        yield ("cells", *cells)


def _cell(items: Sequence[Part]) -> Part:
    shown = _grouped(items[:-1] if items and items[-1] in (",", ";") else items)
    return _whole(_structured([] if shown == ["_"] else shown))


def split(items: Sequence[Part], end: Part) -> list[list[Part]]:
    parts: list[list[Part]] = [[]]
    for item in items:
        if item == end:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _structured(items: Sequence[Part]) -> list[Part]:
    """Attach scripts, primes and what is below a root or after a name; then find quotients."""
    out: list[Part] = []
    for item in items:
        before = out[-1] if out and isinstance(out[-1], tuple) else ("",)
        if isinstance(item, Script):
            if item.is_detached or not out:
                out.append(EMPTY)
            out[-1] = _scripted(out[-1], item)
        elif item in _ROOTS:
            degree = out.pop()[3] if before[:2] == ("script", EMPTY) else _ROOTS[item]
            out.append(("root of", degree))
        elif before[0] in {"root of", "name"}:
            out[-1] = _named(before[1], item) if before[0] == "name" else ("root", before[1], without_parentheses(item))
        elif out and item in ("!", "%", "°"):
            out[-1] = ("postfix", out[-1], item)
        elif out and item in _PRIMES:
            out[-1] = _primed(out[-1], _PRIMES[item])
        else:
            out.append(item)
    return _quotients([item for item in out if item != ("row",)])


def _primed(part: Part, number: int) -> Part:
    return _primed(("prime", without_parentheses(part)), number - 1) if number else part


def _named(word: str, group: Part) -> Part:
    if word in {"overset", "underset"}:
        label, *base = group[3][1:]
        return ("stacked", word, label, without_parentheses(_whole(base)))
    if word in {"overbrace", "underbrace"} and group[0] == "table":
        *base, label = group[3][1:]
        return ("labeled", mark(word, [without_parentheses(_whole(base))]), label)
    if word == "rows":
        return ("table", "", "", *group[3:]) if group[0] == "table" else group
    return mark(word, [without_parentheses(group[2] if group[0] == "group" else group)])


def _scripted(base: Part, script: Script) -> Part:
    content = row(script.content)
    if script.sign == "^" and content in ("∘", "°"):
        return ("postfix", base, "°")
    if script.sign == "^" and isinstance(base, tuple) and base[0] == "script" and base[3] is None:
        return (*base[:3], content)
    return ("script", without_parentheses(base), *((content, None) if script.sign == "_" else (None, content)))


def without_parentheses(part: Part) -> Part:
    """Return what parentheses that only group enclose."""
    return part[2] if isinstance(part, tuple) and part[0] == "group" and part[1] + part[3] == "()" else part


def _quotients(items: list[Part]) -> list[Part]:
    """Divide the product before each `/` by the part after it, or by a differential."""
    out: list[Part] = []
    start = position = 0
    while position < len(items):
        item = items[position]
        position += 1
        if item == "/" and len(out) > start and position < len(items):
            end = _end_of_divisor(items, position)
            out[start:] = [fraction(_whole(out[start:]), _whole(items[position:end]))]
            position = end
            continue
        out.append(item)
        if _ends_product(out):
            start = len(out)
    return out


def _end_of_divisor(items: Sequence[Part], position: int) -> int:
    """Return where a number or group, or a word with its script and argument ends."""
    end = position
    while end < len(items) and isinstance(items[end], str) and (items[end].isalpha() or items[end] == "∂"):
        end += 1
    if end == position or (end < len(items) and _is_variable(items[end])):
        end += 1
    is_function = _is_variable(items[end - 1])
    return end + (is_function and end < len(items) and isinstance(items[end], tuple) and items[end][0] == "group")


def _is_variable(part: Part) -> bool:
    while isinstance(part, tuple) and part[0] in {"script", "mark", "prime"}:
        part = part[2] if part[0] == "mark" else part[1]
    return isinstance(part, str) and part.isalpha()


def _ends_product(items: Sequence[Part]) -> bool:
    """Whether a product begins after these: the last is a sign, a sum or a limit."""
    *before, last = items
    while isinstance(last, tuple) and last[0] in {"script", "stacked"}:
        last = last[1] if last[0] == "script" else last[3]
    if last == GAP or (isinstance(last, str) and last in _PRODUCT_ENDS | LARGE):
        return True
    word = "".join(each for each in (*before[-2:], last) if isinstance(each, str))
    return len(word) == 3 and _LIMITS.fullmatch(word) is not None


def fraction(above: Part, below: Part) -> Part:
    return ("fraction", without_parentheses(above), without_parentheses(below))
