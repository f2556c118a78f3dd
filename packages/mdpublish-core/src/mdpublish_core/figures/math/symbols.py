"""Symbols by command: corrections of latex2mathml's tables."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

from functools import cache, lru_cache
from typing import Literal, NamedTuple

from mdpublish_core.errors import MissingExtra

AtomKind = Literal["ord", "op", "name", "bin", "rel", "open", "close", "punct", "inner", "space", "none"]
"""TeX's atom types; `name` is a function such as `sin`."""


class Symbol(NamedTuple):
    """A character and its atom type."""

    character: str
    kind: AtomKind


# Alternating names and characters.
_SYMBOLS: dict[AtomKind, str] = {
    "ord": r"""
        P ¶ S § dag † ddag ‡ # # % % $ $ & & _ _ \| ‖ Vert ‖ backslash \ varvdots ⋮ vdots ⋮ hbar ℏ hslash ℏ
        triangledown ▽ blacktriangle ▲ blacktriangledown ▼ blacksquare ■ square □ Box □ Diamond ◊ lozenge ◊
        blacklozenge ⧫ bigstar ★ circledS Ⓢ circledR ® degree ° checkmark ✓ maltese ✠ yen ¥ pounds £ mathsterling £
        triangle △ angle ∠ measuredangle ∡ sphericalangle ∢ top ⊤ bot ⊥ emptyset ∅ varnothing ∅ infty ∞ prime ′ backprime ‵
        imath ı jmath ȷ ell ℓ wp ℘ Re ℜ Im ℑ partial ∂ nabla ∇ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ flat ♭ natural ♮
        sharp ♯ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ diagup ╱ diagdown ╲ complement ∁ eth ð
        aleph ℵ beth ℶ gimel ℷ daleth ℸ surd √ Finv Ⅎ Game ⅁ mho ℧ Bbbk 𝕜 digamma ϝ varkappa ϰ omicron ο
        varepsilon ε epsilon ϵ varphi φ phi ϕ vartheta ϑ varrho ϱ varpi ϖ varsigma ς origof ⊶ imageof ⊷
        """,
    "rel": r"""
        sim ∼ perp ⊥ shortparallel ∥ shortmid ∣ parallel ∥ mid ∣ backepsilon ∍ leadsto ⇝ rightsquigarrow ⇝ Join ⋈ models ⊨
        thicksim ∼ thickapprox ≈ smallsmile ⌣ smallfrown ⌢ neq ≠ notin ∉ lt < gt > ngeqq ≱ ngeqslant ≱ nleqq ≰ nleqslant ≰
        nshortmid ∤ nshortparallel ∦ nsubseteqq ⊈ nsupseteqq ⊉ varsubsetneq ⊊ varsubsetneqq ⫋ varsupsetneq ⊋
        varsupsetneqq ⫌ gvertneqq ≩ lvertneqq ≨ owns ∋ restriction ↾ vartriangle △ varpropto ∝ iff ⟺ to → gets ← mapsfrom ↤
        doteqdot ≑ colonsim ∹ nparallel ∦ nmid ∤ lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵
        """,
    "bin": r"""
        ast ∗ bullet ∙ cdot ⋅ centerdot ⋅ setminus ∖ smallsetminus ∖ triangleleft ◃ triangleright ▹ doublecap ⋒ doublecup ⋓
        doublebarwedge ⩞ bigcirc ◯ bigtriangleup △ bigtriangledown ▽ amalg ⨿ And & land ∧ lor ∨ minuso ⦵ dagger † ddagger ‡
        star ⋆ diamond ⋄
        """,
    "op": r"""
        sum ∑ prod ∏ coprod ∐ bigvee ⋁ bigwedge ⋀ biguplus ⨄ bigcap ⋂ bigcup ⋃ bigotimes ⨂ bigoplus ⨁ bigodot ⨀
        bigsqcup ⨆ int ∫ intop ∫ smallint ∫ iint ∬ iiint ∭ iiiint ⨌ oint ∮ oiint ∯ oiiint ∰ bigtimes ⨉
        """,
    "open": r"{ { lbrace { lbrack [ lparen ( langle ⟨ lvert | lVert ‖ lceil ⌈ lfloor ⌊ lgroup ⟮ lmoustache ⎰ "
    r"ulcorner ⌜ llcorner ⌞ llbracket ⟦ lBrace ⦃",
    "close": r"} } rbrace } rbrack ] rparen ) rangle ⟩ rvert | rVert ‖ rceil ⌉ rfloor ⌋ rgroup ⟯ rmoustache ⎱ "
    r"urcorner ⌝ lrcorner ⌟ rrbracket ⟧ rBrace ⦄",
    "punct": "ldotp . cdotp ⋅",
    "inner": "ldots … mathellipsis … cdots ⋯ ddots ⋱ dots …",
}

# Text mode only.
_TEXT_SYMBOLS = r"""
    textdagger † textdaggerdbl ‡ textbraceleft { textbraceright } textless < textgreater > textbar | textbardbl ‖
    textasciitilde ~ textbackslash \ textasciicircum ^ textellipsis … textendash – textemdash — textquoteleft ‘
    textquoteright ’ textquotedblleft “ textquotedblright ” textdegree ° textsterling £ textunderscore _ textdollar $
    textregistered ® i ı j ȷ ss ß ae æ oe œ o ø AE Æ OE Œ O Ø l ł L Ł textbullet • texttrademark ™ texteuro € euro €
    """

# The categories of unicode-math, which latex2mathml's table has.
_KINDS: dict[str, AtomKind] = {
    "mathop": "op",
    "mathbin": "bin",
    "mathrel": "rel",
    "mathopen": "open",
    "mathclose": "close",
    "mathpunct": "punct",
}

LIMIT_OPERATORS = frozenset("∑∏∐⋁⋀⨄⋂⋃⨂⨁⨀⨆⨉")
"""With limits in display style."""

FUNCTION_NAMES = frozenset(
    [
        "arcsin",
        "arccos",
        "arctan",
        "arctg",
        "arcctg",
        "arg",
        "ch",
        "cos",
        "cosec",
        "cosh",
        "cot",
        "cotg",
        "coth",
        "csc",
        "ctg",
        "cth",
        "deg",
        "dim",
        "exp",
        "hom",
        "ker",
        "lg",
        "ln",
        "log",
        "sec",
        "sin",
        "sinh",
        "sh",
        "tan",
        "tanh",
        "tg",
        "th",
    ]
)

LIMIT_FUNCTION_NAMES = frozenset(["det", "gcd", "inf", "lim", "max", "min", "Pr", "sup"])
"""With limits in display style."""

CHARACTER_SYMBOLS: dict[str, Symbol] = {
    "-": Symbol("−", "bin"),
    "+": Symbol("+", "bin"),
    "*": Symbol("∗", "bin"),
    "·": Symbol("⋅", "bin"),
    "/": Symbol("/", "ord"),
    "=": Symbol("=", "rel"),
    "<": Symbol("<", "rel"),
    ">": Symbol(">", "rel"),
    ":": Symbol(":", "rel"),
    ",": Symbol(",", "punct"),
    ";": Symbol(";", "punct"),
    ".": Symbol(".", "ord"),
    "!": Symbol("!", "close"),
    "?": Symbol("?", "close"),
    "(": Symbol("(", "open"),
    "[": Symbol("[", "open"),
    ")": Symbol(")", "close"),
    "]": Symbol("]", "close"),
    "|": Symbol("|", "ord"),
    "`": Symbol("‘", "ord"),
}

DELIMITERS: dict[str, str] = {
    **{each: each for each in "()[]|/⌊⌋⌈⌉⟨⟩⟮⟯⎰⎱‖⟦⟧⦃⦄"},
    ".": "",
    "<": "⟨",
    ">": "⟩",
    "\\lt": "⟨",
    "\\gt": "⟩",
    "\\|": "‖",
    "∣": "|",
    "∥": "‖",
}
"""Delimiters except commands."""

_MORE_DELIMITERS = (
    "{ } lparen rparen lbrack rbrack lbrace rbrace lfloor rfloor lceil rceil langle rangle lvert rvert lVert rVert Vert "
    "lgroup rgroup lmoustache rmoustache backslash uparrow Uparrow downarrow Downarrow updownarrow Updownarrow ulcorner "
    "urcorner llcorner lrcorner llbracket rrbracket lBrace rBrace mid parallel"
)


@cache
def delimiter_characters() -> dict[str, str]:
    """Return the character of each token; `.` is an empty delimiter."""
    more = {f"\\{name}": find_symbol(f"\\{name}") for name in _MORE_DELIMITERS.split()}
    return (
        DELIMITERS
        | {name: symbol.character for name, symbol in more.items() if symbol}
        | {"\\mid": "|", "\\parallel": "‖"}
    )


@cache
def text_symbols() -> dict[str, str]:
    words = _TEXT_SYMBOLS.split()
    return {f"\\{name}": character for name, character in zip(words[::2], words[1::2], strict=True)}


@cache
def _symbol_table() -> dict[str, Symbol]:
    table = {}
    for kind, words_by_kind in _SYMBOLS.items():
        words = words_by_kind.split()
        for name, character in zip(words[::2], words[1::2], strict=True):
            table[f"\\{name.removeprefix(chr(92))}"] = Symbol(character, kind)
    return table


@lru_cache(maxsize=4096)
def find_symbol(command: str) -> Symbol | None:
    """Return a command's symbol; raises `MissingExtra`."""
    symbol = _symbol_table().get(command)
    if symbol is not None:
        return symbol
    try:
        from latex2mathml.symbols_parser import convert_symbol
    except ModuleNotFoundError:
        raise MissingExtra("figures", "latex2mathml") from None
    codes = convert_symbol(command)
    if codes is None:
        return None
    character = "".join(chr(int(code, 16)) for code in codes.split("-"))
    return Symbol(character, character_kind(character))


def character_kind(character: str) -> AtomKind:
    """Return the kind by unicode-math."""
    if character in CHARACTER_SYMBOLS:
        return CHARACTER_SYMBOLS[character].kind
    return _kinds().get(character, "ord")


@cache
def _kinds() -> dict[str, AtomKind]:
    """Return the kind of each character that is not `ord`."""
    from pathlib import Path

    from latex2mathml.symbols_parser import SYMBOLS_FILE

    kinds: dict[str, AtomKind] = {}
    for line in Path(SYMBOLS_FILE).read_text("utf-8").splitlines():
        columns = line.split("^")
        if len(columns) > 5 and not line.startswith("#") and columns[5] in _KINDS:
            kinds.setdefault(chr(int(columns[0], 16)), _KINDS[columns[5]])
    return kinds
