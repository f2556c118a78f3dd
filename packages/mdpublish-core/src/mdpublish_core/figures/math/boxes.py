"""Spaces, rules, and boxes: what has a size, a frame, a ground or a stroke, or takes another room than it needs."""

from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.figures.colours import contrast
from mdpublish_core.figures.math.building import THIN, Atom, gap, grouped, holding, leaf, lined
from mdpublish_core.figures.math.colours import color
from mdpublish_core.figures.math.lengths import LENGTH, ems, written
from mdpublish_core.figures.math.reading import Command, Reader
from mdpublish_core.figures.math.symbols import Kind
from mdpublish_core.figures.math.tokens import END, Token

# Spaces


def _space(width: float, reader: Reader, _: Token) -> Atom | None:
    if reader.is_text:
        return reader.text("\u2003" * int(width) or "\u2009") if width > 0 else None
    return _gap(width)


def _gap(width: float) -> Atom:
    if width >= 0:
        return Atom(gap(written(width)), "space")
    # A browser takes no width below zero, but a class may have a margin: steps of the most common one.
    steps = [Element("mspace", {"width": f"-{THIN}", "class": "back"}) for _ in range(min(36, round(-width * 6)))]
    return Atom(grouped(steps), "space")


def _blank(reader: Reader, _: Token) -> Atom:
    return reader.text("\u00a0") if reader.is_text else Atom(leaf("mtext", "\u00a0"), "space")


def _length(reader: Reader, command: Token, text: str) -> float:
    length = ems(text)
    if length is None:
        raise reader.error(f"{command.text} needs a length such as 2em, but has {text[:40]!r}", command)
    return length


def _kern(reader: Reader, command: Token) -> Atom:
    r"""`\kern1em`: a length without braces."""
    stream = reader.stream
    stream.skip_raw_spaces()
    if stream.raw_peek().text == "{":
        return _gap(_length(reader, command, stream.words(command)))
    text = ""
    while LENGTH.fullmatch(text) is None and len(text) < 24 and stream.raw_peek().text != END:
        text += stream.raw().text
    if stream.raw_peek().text == " ":
        stream.raw()
    return _gap(_length(reader, command, text))


def _horizontal_space(reader: Reader, command: Token) -> Atom:
    if reader.stream.raw_peek().text == "*":
        reader.stream.raw()
    return _gap(_length(reader, command, reader.stream.words(command)))


def _rule(reader: Reader, command: Token) -> Atom:
    stream = reader.stream
    shift = stream.optional_words(command)
    width = _length(reader, command, stream.words(command))
    height = _length(reader, command, stream.words(command))
    raised = _length(reader, command, shift) if shift else 0.0
    box = {
        "width": written(max(width, 0)),
        "height": written(max(height + raised, 0)),
        "depth": written(max(-raised, 0)),
    }
    return Atom(Element("mspace", {**box, "mathbackground": "currentcolor"}))


def _raise(reader: Reader, command: Token) -> Atom:
    lift = _length(reader, command, reader.stream.words(command))
    return Atom(holding("mpadded", reader.text_argument(command), voffset=written(lift)))


# Boxes


def _colored(reader: Reader, command: Token) -> Atom:
    value = color(reader, command)
    atoms = reader.arguments(command)
    kind: Kind = atoms[0].kind if len(atoms) == 1 else "ord"
    limits = atoms[0].limits if len(atoms) == 1 else ""
    return Atom(holding("mstyle", *lined(atoms), mathcolor=value), kind, limits)


def _color_switch(reader: Reader, command: Token) -> Atom:
    value = color(reader, command)
    return Atom(holding("mstyle", reader.rest(), mathcolor=value))


def _color_box(reader: Reader, command: Token) -> Atom:
    ground = color(reader, command)
    return Atom(_grounded(reader.text_argument(command), ground))


def _framed_color_box(reader: Reader, command: Token) -> Atom:
    frame, ground = color(reader, command), color(reader, command)
    inner = _grounded(reader.text_argument(command), ground)
    return Atom(holding("menclose", inner, **{"notation": "box", "class": "frame", "mathcolor": frame}))


def _grounded(element: Element, ground: str) -> Element:
    """Return a thing on a ground of its own, in black or white: the colour of the page may not be read there."""
    text = max(("#000000", "#ffffff"), key=lambda each: contrast(each, ground))
    return holding("mstyle", element, **{"class": "ground", "mathbackground": ground, "mathcolor": text})


def _enclosed(notation: str, name: str, reader: Reader, command: Token) -> Atom:
    return Atom(holding("menclose", reader.argument(command), **{"notation": notation, "class": name}))


def _framed(reader: Reader, command: Token) -> Atom:
    return Atom(holding("menclose", reader.text_argument(command), **{"notation": "box", "class": "box"}))


def _phantom(reader: Reader, command: Token) -> Atom:
    atoms = reader.arguments(command)
    element = holding("mphantom", *lined(atoms))
    if command.text == "\\hphantom":
        element = holding("mpadded", element, height="0", depth="0")
    elif command.text == "\\vphantom":
        element = holding("mpadded", element, width="0")
    return Atom(element, atoms[0].kind if len(atoms) == 1 and command.text == "\\phantom" else "ord")


def _smash(reader: Reader, command: Token) -> Atom:
    sides = reader.stream.optional_words(command) or "tb"
    flat = {name: "0" for side, name in (("t", "height"), ("b", "depth")) if side in sides}
    return Atom(holding("mpadded", reader.argument(command), **flat))


def _lap(name: str, reader: Reader, command: Token) -> Atom:
    inner = reader.argument(command)
    return Atom(holding("mpadded", inner, **{"width": "0", "class": name}))


def _centred(reader: Reader, command: Token) -> Atom:
    return Atom(reader.argument(command))


_SPACES = {
    ",": 1 / 6,
    ":": 2 / 9,
    ";": 5 / 18,
    "!": -1 / 6,
    "negmedspace": -2 / 9,
    "negthickspace": -5 / 18,
    "enspace": 0.5,
    "enskip": 0.5,
    "quad": 1.0,
    "qquad": 2.0,
}
_ENCLOSURES = {
    "cancel": ("updiagonalstrike", "cancel"),
    "bcancel": ("downdiagonalstrike", "bcancel"),
    "xcancel": ("updiagonalstrike downdiagonalstrike", "xcancel"),
    "sout": ("horizontalstrike", "sout"),
    "phase": ("phasorangle", "phase"),
    "angl": ("actuarial", "angl"),
}

BOXES: dict[str, Command] = {
    **{f"\\{name}": partial(_space, width) for name, width in _SPACES.items()},
    **{f"\\{name}": partial(_enclosed, *values) for name, values in _ENCLOSURES.items()},
    "~": _blank,
    "\\ ": _blank,
    "\\space": _blank,
    "\\nobreakspace": _blank,
    "\\kern": _kern,
    "\\mkern": _kern,
    "\\hskip": _kern,
    "\\mskip": _kern,
    "\\hspace": _horizontal_space,
    "\\mspace": _horizontal_space,
    "\\rule": _rule,
    "\\raisebox": _raise,
    "\\vcenter": _centred,
    "\\reflectbox": _centred,
    "\\color": _color_switch,
    "\\textcolor": _colored,
    "\\colorbox": _color_box,
    "\\fcolorbox": _framed_color_box,
    "\\fbox": _framed,
    "\\phantom": _phantom,
    "\\hphantom": _phantom,
    "\\vphantom": _phantom,
    "\\smash": _smash,
    "\\mathllap": partial(_lap, "llap"),
    "\\mathrlap": partial(_lap, "rlap"),
    "\\mathclap": partial(_lap, "clap"),
}
"""The commands of spaces and boxes."""
