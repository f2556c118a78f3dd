"""Generates chemistry: formulas and equations as people write them, units, and any sequence of pieces."""

from random import Random

from tests.conformance.mhchem_parser import Notation


def _words(string: str) -> list[str]:
    return string.split()


_ELEMENTS = _words("H He Li C N O F Na Mg Al Si P S Cl K Ca Cr Mn Fe Co Ni Cu Zn Br Ag Sn I Ba Pt Au Hg Pb Th U R X")
_CHARGES = _words("+ - ^2+ ^2- ^3+ ^{2-} ^{4-} ^n+ ^. ^{.-} ^{(2.)-} ^{II} ^{+III} ^{0} ^x ^' ^* ^{$n$+}")
_NUMBERS = _words("2 3 4 12 _2 _{12} _x _n _{2n+1} _{$n$} _{n-1} _{$\\frac{6}{2}$} _{red} _{{red}} _{Li,x}")
_STATES = _words("(s) (l) (g) (aq) _{(aq)} (aq,$\\infty$) ($c$) (\\ca$c$)")
_AMOUNTS = ["2 ", "2", "1/2 ", "0.5 ", "0,5 ", "n ", "2n ", "$n$ ", "(1/2) ", "n/2 ", "$2n-1$ ", "-2 ", "x "]
_BEFORE = ["^{227}_{90}", "^227_90", "^0_-1", "^14", "_6", "^{13}", "{}^3"]
_ARROWS = ["->", "<-", "<->", "<-->", "<=>", "<=>>", "<<=>", "\u2192", "\u21cc"]
_LABELS = ["", "", "[H2O]", "[{hot}]", "[$x$][$x_i$]", "[T[x]]", "[+ H+][- H2O]", "[\\Delta]", "[a][b]", "[M[x]]"]
_BONDS = ["-", "=", "#", "\\bond{~}", "\\bond{~-}", "\\bond{...}", "\\bond{->}", "\\bond{-~-}", "\\bond{=}"]
_NAMES = ["\\mu-", "\\eta^2-", "\\alpha", "iPr", "n-Bu", "$cis${-}", "{Gluconic acid}", "pH", "1s^2-N", "sp3", "\\ca "]
_OPERATORS = [" + ", " - ", " = ", " \\pm ", " < ", " > ", " << ", " \\approx ", " +- "]
_ENDS = ["", "", "", " v", " ^", " (v)", " (^)", ", ", "; ", " * 5 H2O", "*12H2O", ".5H2O", "..."]

_PIECES = [
    *_ELEMENTS[:12],
    *_CHARGES,
    *_NUMBERS,
    *_STATES,
    *_AMOUNTS,
    *_BEFORE,
    *_ARROWS,
    *_BONDS,
    *_NAMES,
    *_OPERATORS,
    *_ENDS,
    *_words("( ) [ ] \\{ \\} {} $x$ {text} a n x i v ^ _ ' + - / ~ | . , * e d 1s ? @ \u00b7 \u2026 \u2212"),
    " ",
    " ",
    "\\,",
    "\\frac{H2}{O2}",
    "\\overset{a}{H2}",
    "\\underset{a}{H2}",
    "\\underbrace{H2O}_{a}",
    "\\color{red}{H2O}",
    "\\ce{H2O}",
    "\\pu{2 mol}",
    "\\alpha",
    "\\beta ",
    "\\infty",
    "\\text{t}",
    "$\\ce{H2O}$",
]

_UNIT_PIECES = _words(
    "1 12 123456 1.2 1,2 0.123456 .5 e3 E-5 x10^3 *10^{-3} (32) +- \\pm + - = / // * . ^2 ^{-1} 2 -1 kg m s J mol K"
    " \u00b0C ^oC ^{o}F % \\ohm \\mu \\mu m {m} {m/s} ( ) [ ] N m-1 mol^-1 L h"
)


def generated_notations(count: int, seed: int = 1) -> list[Notation]:
    chance = Random(seed)
    generated = (chance.choice(_KINDS)(chance) for _ in range(count))
    # In TeX, several spaces are one.
    return [(command, " ".join(content.split())) for command, content in generated]


def _equation(chance: Random) -> Notation:
    sides = [_side(chance) for _ in range(chance.randint(1, 3))]
    content = sides[0]
    for side in sides[1:]:
        content += f" {chance.choice(_ARROWS)}{chance.choice(_LABELS)} {side}"
    return "ce", content


def _side(chance: Random) -> str:
    entities = [_entity(chance) for _ in range(chance.choice((1, 1, 2, 3)))]
    content = entities[0]
    for entity in entities[1:]:
        content += chance.choice((" + ", " + ", chance.choice(_OPERATORS))) + entity
    return content


def _entity(chance: Random) -> str:
    parts = [_maybe(chance, _AMOUNTS, 0.3), _maybe(chance, _BEFORE, 0.1), _maybe(chance, _NAMES, 0.1)]
    for _ in range(chance.randint(1, 4)):
        parts += [_atoms(chance), _maybe(chance, _BONDS, 0.15)]
    parts += [_maybe(chance, _CHARGES, 0.3), _maybe(chance, _STATES, 0.2), _maybe(chance, _ENDS, 0.2)]
    return "".join(parts)


def _atoms(chance: Random) -> str:
    atoms = "".join(
        chance.choice(_ELEMENTS) + _maybe(chance, _NUMBERS, 0.5) + _maybe(chance, _CHARGES, 0.1)
        for _ in range(chance.randint(1, 3))
    )
    fences = chance.choice(("", "", "", "()", "[]"))
    return f"{fences[0]}{atoms}{fences[1]}{_maybe(chance, _NUMBERS, 0.7)}" if fences else atoms


def _maybe(chance: Random, choices: list[str], probability: float) -> str:
    return chance.choice(choices) if chance.random() < probability else ""


def _pieces(chance: Random) -> Notation:
    return "ce", "".join(chance.choice(_PIECES) for _ in range(chance.randint(1, 7))).strip()


def _unit(chance: Random) -> Notation:
    pieces = [chance.choice(_UNIT_PIECES) + chance.choice(("", "", " ")) for _ in range(chance.randint(1, 6))]
    return "pu", "".join(pieces)


_KINDS = (_equation, _equation, _pieces, _pieces, _unit)
