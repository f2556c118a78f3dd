"""The commands: what each reads, and what it makes. To add one, write its function, if there is none yet, and its line."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.boxes import BOXES
from mdpublish_core.figures.math.building import Atom, grouped, holding, leaf, lined
from mdpublish_core.figures.math.delimiting import DELIMITING
from mdpublish_core.figures.math.environments import ENVIRONMENTS
from mdpublish_core.figures.math.fractions import FRACTIONS, INFIXES
from mdpublish_core.figures.math.marks import MARKS
from mdpublish_core.figures.math.reading import DISPLAY, INLINE, SCRIPT, SMALLEST, Command, Reader, Vocabulary
from mdpublish_core.figures.math.styles import STYLES
from mdpublish_core.figures.math.symbols import CHARACTERS, Kind, kind_of, symbol
from mdpublish_core.figures.math.tokens import Token
from mdpublish_core.urls import is_safe_url


def _kind(kind: Kind, reader: Reader, command: Token) -> Atom:
    atoms = reader.arguments(command)
    elements = lined(atoms)
    if len(elements) == 1 and elements[0].tag == "mo" and atoms[0].kind == kind:
        return Atom(elements[0], kind)
    if len(elements) == 1 and elements[0].tag == "mo":
        elements[0].set("lspace", "0")
        elements[0].set("rspace", "0")
    return Atom(grouped(elements), kind, is_bare=True)


def _operator(reader: Reader, command: Token) -> Atom:
    r"""`\mathop`."""
    atoms = reader.arguments(command)
    if len(atoms) == 1 and atoms[0].kind in {"op", "name"}:
        return Atom(lined(atoms)[0], atoms[0].kind, "display")
    return Atom(grouped(lined(atoms)), "name", "display")


def _operator_name(reader: Reader, command: Token) -> Atom:
    r"""`\operatorname`: a name in upright letters; with a star, its limits stand below."""
    star = False
    if reader.stream.raw_peek().text == "*":
        reader.stream.raw()
        star = True
    outer, reader.font = reader.font, "normal"
    is_text, reader.is_text = reader.is_text, False
    elements = lined(reader.arguments(command))
    reader.font, reader.is_text = outer, is_text
    name = ""
    for element in elements:
        if element.tag == "mspace":
            name += "\u2009"
        elif element.tag in {"mi", "mn", "mtext", "mo"} and not len(element):
            name += (element.text or "").replace("−", "-").replace("∗", "*")
        else:
            name = ""
            break
    if name:
        word = leaf("mi", name) if len(name) > 1 else leaf("mi", name, mathvariant="normal")
        return Atom(word, "name", "display" if star else "")
    return Atom(grouped(elements), "name", "display" if star else "")


# Links and the like: nothing is fetched, and an address must be one that is safe.


def _choice(reader: Reader, command: Token) -> Atom:
    r"""`\mathchoice`: one of four, by style."""
    each = [reader.styled_argument(command, style) for style in (DISPLAY, INLINE, SCRIPT, SMALLEST)]
    return Atom(each[reader.style])


def _link(reader: Reader, command: Token) -> Atom:
    address = _address(reader, command)
    inner = leaf("mtext", address, **{"class": "mono"}) if command.text == "\\url" else reader.argument(command)
    if is_safe_url(address) and address.partition(":")[0].lower() in {"http", "https", "mailto"}:
        return Atom(holding("mrow", inner, href=address))
    return Atom(inner)


def _address(reader: Reader, command: Token) -> str:
    return reader.stream.words(command).replace("\\%", "%").replace("\\#", "#").replace("\\&", "&").replace("\\_", "_")


def _picture(reader: Reader, command: Token) -> Atom:
    options = reader.stream.optional_words(command) or ""
    name = reader.stream.words(command)
    pairs = {key.strip(): value.strip() for key, _, value in (pair.partition("=") for pair in options.split(","))}
    return Atom(leaf("mtext", pairs.get("alt") or name.rpartition("/")[2]))


def _annotated(reader: Reader, command: Token) -> Atom:
    r"""`\htmlClass` and its like: only the content counts."""
    reader.stream.argument(command)
    atoms = reader.arguments(command)
    return Atom(grouped(lined(atoms)))


def _verbatim(reader: Reader, command: Token) -> Atom:
    raise reader.error(
        "\\verb needs a sign, its text, and the same sign again, such as \\verb|x|, in one line", command
    )


def _code_point(reader: Reader, command: Token) -> Atom:
    r"""`\char"41`, `\char'101`, `\char65`, `` \char`A `` and `\unicode{x41}`."""
    stream = reader.stream
    if command.text == "\\unicode":
        text = stream.words(command).removeprefix("U+")
        digits, base = (text[1:], 16) if text[:1] in {"x", "X", '"'} else (text, 10 if text.isdecimal() else 16)
    else:
        stream.skip_raw_spaces()
        sign = stream.raw_peek().text
        base = {'"': 16, "'": 8}.get(sign, 10)
        if sign in {'"', "'", "`"}:
            stream.raw()
        if sign == "`":
            token = stream.raw()
            return reader.character(token.text.removeprefix("\\") if token.is_command else token.text)
        digits = ""
        while stream.raw_peek().text in "0123456789abcdefABCDEF" and len(digits) < 8:
            digits += stream.raw().text
    try:
        character = chr(int(digits, base))
        character.encode()
    except (ValueError, OverflowError, UnicodeEncodeError):
        raise reader.error(f"{command.text} has no character of the number {digits[:20]!r}", command) from None
    if not character.isprintable():
        raise reader.error(f"{command.text} has a character that cannot be shown", command)
    return reader.text(character) if reader.is_text else reader.character(character)


# Groups and what is for the whole formula


def _nothing(_: Reader, __: Token) -> None:
    return None


def _without_argument(reader: Reader, command: Token) -> None:
    """Leave a command out, together with what it needs: it prints messages, or counts equations."""
    reader.stream.argument(command)


def _begin_group(reader: Reader, command: Token) -> Atom:
    return Atom(grouped(lined(reader.group(command, frozenset({"\\endgroup"})))))


def _mathematics(reader: Reader, command: Token) -> Atom:
    r"""`$…$` and `\(…\)` in text."""
    if not reader.is_text:
        raise reader.error("a $ stands in the midst of a formula", command)
    outer, style = reader.look, reader.style
    reader.is_text, reader.look, reader.style = False, frozenset(), max(style, INLINE)
    elements = lined(reader.group(command, frozenset({"$" if command.text == "$" else "\\)"})))
    reader.is_text, reader.look, reader.style = True, outer, style
    if style == DISPLAY and any(map(_grows, elements)):
        return Atom(holding("mstyle", *elements, displaystyle="false", scriptlevel="0"))
    return Atom(grouped(elements))


def _grows(element: Element) -> bool:
    """Tell whether a thing looks otherwise where it stands on a line of its own."""
    return any(
        each.tag == "mfrac" or (each.tag == "mo" and kind_of(each.text or "") == "op") for each in element.iter()
    )


def _tag(reader: Reader, command: Token) -> None:
    r"""`\tag{1}`, or with a star the text alone."""
    if reader.tag is not None:
        raise reader.error("there are two \\tag on one line", command)
    star = reader.stream.raw_peek().text == "*"
    if star:
        reader.stream.raw()
    element = reader.text_argument(command, frozenset())
    reader.tag = (
        element if star else grouped(lined([Atom(leaf("mtext", "(")), Atom(element), Atom(leaf("mtext", ")"))]))
    )


def _reference(reader: Reader, command: Token) -> Atom:
    r"""`\ref{name}`: what is referred to is in another formula, so that its name stands for it."""
    name = reader.stream.words(command)
    return reader.text(f"({name})" if command.text == "\\eqref" else name)


def _no_tag(reader: Reader, _: Token) -> None:
    reader.tag = None


def _line_end(reader: Reader, _: Token) -> Atom:
    r"""`\\` where no line can end, such as in braces: it parts what it stands between."""
    return reader.text("\u00a0") if reader.is_text else Atom(leaf("mtext", "\u00a0"), "space")


def _dots(reader: Reader, _: Token) -> Atom:
    r"""`\dots`: on the axis before operators and relations, low before all else."""
    if reader.is_text:
        return reader.text("…")
    token = reader.stream.skip_spaces()
    found = CHARACTERS.get(token.text) or (symbol(token.text) if token.is_command else None)
    is_raised = token.text in _OPERATORS_BEHIND or (found is not None and found.kind in {"bin", "rel"})
    return Atom(leaf("mo", "⋯" if is_raised else "…"), "inner")


def _not(_: Reader, __: Token) -> Atom:
    return Atom(leaf("mo", "/"), "rel", negates=True)


def _text_or_math(reader: Reader, command: Token) -> None:
    first, second = reader.stream.argument(command), reader.stream.argument(command)
    reader.stream.push(first if reader.is_text else second)


def _set(reader: Reader, command: Token) -> Atom:
    r"""`\set`, `\Set`, `\Braket`: bars within grow or part, as the package braket has it."""
    stream = reader.stream
    place = command.place
    body = stream.argument(command)[::-1]
    grows = command.text != "\\set"
    is_set = command.text != "\\Braket"
    replaced: list[Token] = []
    depth, seen = 0, False
    for token in body:
        depth += (token.text == "{") - (token.text == "}")
        if token.text in {"|", "\\|", "\\vert", "\\mid"} and not depth and not (is_set and seen):
            seen = True
            bar = Token("\\|" if token.text == "\\|" else "|", place)
            if not is_set or grows:
                inner = [Token("\\middle", place), bar]
                thin = [Token("\\:" if is_set else "\\,", place)]
                replaced += [*thin, *inner, *thin]
            else:
                replaced.append(Token("\\mid", place))
        else:
            replaced.append(token)
    opening, closing = ("\\{", "\\}") if is_set else ("\\langle", "\\rangle")
    space = [Token("\\:" if grows else "\\,", place)] if is_set else []
    left = [Token("\\left", place)] if grows else []
    right = [Token("\\right", place)] if grows else []
    tokens = [*left, Token(opening, place), *space, *replaced, *space, *right, Token(closing, place)]
    stream.push([Token("}", place), *reversed(tokens), Token("{", place)])
    return Atom(reader.argument(command), "inner")


_OPERATORS_BEHIND = frozenset({"\\not", "\\mathbin", "\\mathrel"})

_MATH_KINDS: dict[str, Kind] = {
    "mathord": "ord",
    "mathbin": "bin",
    "mathrel": "rel",
    "mathopen": "open",
    "mathclose": "close",
    "mathpunct": "punct",
    "mathinner": "inner",
}
_OTHERS: dict[str, Command] = {
    "\\mathop": _operator,
    "\\operatorname": _operator_name,
    "\\\\": _line_end,
    "\\dots": _dots,
    "\\DOTSB": _nothing,
    "\\DOTSI": _nothing,
    "\\DOTSX": _nothing,
    "\\nobreak": _nothing,
    "\\allowbreak": _nothing,
    "\\relax": _nothing,
    "\\nonumber": _no_tag,
    "\\notag": _no_tag,
    "\\label": _without_argument,
    "\\require": _without_argument,
    "\\ref": _reference,
    "\\eqref": _reference,
    "\\hfil": _nothing,
    "\\hfill": _nothing,
    "\\message": _without_argument,
    "\\errmessage": _without_argument,
    "\\show": _without_argument,
    "\\tag": _tag,
    "\\mathchoice": _choice,
    "\\href": _link,
    "\\url": _link,
    "\\includegraphics": _picture,
    "\\htmlClass": _annotated,
    "\\htmlId": _annotated,
    "\\htmlStyle": _annotated,
    "\\htmlData": _annotated,
    "\\verb": _verbatim,
    "\\char": _code_point,
    "\\unicode": _code_point,
    "\\begingroup": _begin_group,
    "$": _mathematics,
    "\\(": _mathematics,
    "\\not": _not,
    "\\TextOrMath": _text_or_math,
    "\\Set": _set,
    "\\set": _set,
    "\\Braket": _set,
}


VOCABULARY = Vocabulary(
    commands={
        **{f"\\{name}": partial(_kind, kind) for name, kind in _MATH_KINDS.items()},
        **_OTHERS,
        **STYLES,
        **BOXES,
        **MARKS,
        **DELIMITING,
        **FRACTIONS,
        **ENVIRONMENTS,
    },
    infixes=INFIXES,
)
"""All commands but signs, names and macros."""
