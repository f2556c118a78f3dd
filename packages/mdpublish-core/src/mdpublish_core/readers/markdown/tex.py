r"""Whether a text between `\(` and `\)`, or `\[` and `\]`, is TeX.

Both are also CommonMark's escapes of a bracket, which exporters write around any text. A command decides. Without one,
a text is TeX if it has only what formulas have: `x^2`, but not `see x_1`. Every check is linear in the length.
"""

from collections.abc import Callable

from mdpublish_core.strings.lazy_patterns import compile_lazily

_COMMAND = compile_lazily(r"(?<!\\)(?:\\\\)*\\(?:[A-Za-z]{2,}|[NRZ](?![A-Za-z]))")
_ARGUMENTS = compile_lazily(r"\\[A-Za-z]+\*?\s*(?:\[[^\[\]]*\]\s*)?(?:\{[^{}]*\}\s*)*|[_^]\s*\{[^{}]*\}")
_MARKUP = compile_lazily(r"`|\]\((?:[#/]|\.\.?/)|://|</|<!--")
_PATH = compile_lazily(r"(?:[A-Za-z]:(?!.*\\(?:to|[A-Za-z]*arrow|mapsto)\b)|\\\\[\w.-]+|[a-z]{3,})(?:\\[\w. -]+)+\\?")
r"""A file's path; `f:\R \to \R` is none."""

_FUNCTION_NAMES = (
    "arg|cos|cosh|cot|csc|deg|det|dim|exp|gcd|inf|ker|lcm|lg|lim|ln|log|max|min|mod|sec|sin|sinh|sup|tan|tanh"
)
_FUNCTION = compile_lazily(_FUNCTION_NAMES)
_PROSE = compile_lazily(rf"(?!(?:{_FUNCTION_NAMES})\b)\b[a-z]{{3,}}[,.]? +[a-z]{{3,}}\b")

_SPACES = compile_lazily(r"\\[,;:! {}]|\\\\(?=\s|\[)(?:\[[^\[\]]*\])?")
_SCRIPT_GROUP = compile_lazily(r"([_^])\s*\{[^{}]*\}")
_NAME = compile_lazily("[A-Za-z]+")

_SHORT_WORDS = frozenset({"if", "in", "is", "it", "no", "of", "on", "or", "to", "vs"})
"""Short English words that are no products, as `by` and `at` are in `ax + by` and `u + at`."""

_GREEK = r"\u0370-\u03ff\u2100-\u214f\U0001d400-\U0001d7ff"
_DIGITS = r"0-9\u00b2\u00b3\u00b9\u2070-\u209f"
_SIGNS = r"+\-\u2212\u00b1"
_OPERATORS = rf"{_SIGNS}*·\u00d7/÷"

_FOREIGN = compile_lazily(
    rf"""["#$%&@~`\\]|\*\*|\+\+|--|//|==|=>|!=|::|[A-Za-z]\.[A-Za-z]|_[A-Za-z]{{2}}|[^\W\dA-Za-z_{_GREEK}{_DIGITS}]"""
)
"""Signs of code, URLs, abbreviations and other scripts."""

_OPERAND_END = r"[^\W_][)\]}|'!]*"
_RELATION = compile_lazily(rf"{_OPERAND_END}\s*(?:[<>:]=|->|[=<>≤≥≠≈≡∈∉⊂⊆→↦∝≅])\s*(?!_)[\w(\[{{|.…?∞√∑∫{_SIGNS}]")
_SCRIPT = compile_lazily(rf"{_OPERAND_END}[_^]\s*[A-Za-z0-9({{*'{_SIGNS}]")
_SUM = compile_lazily(rf"{_OPERAND_END}\s*[{_SIGNS}]\s*[^\W_]")

_EXPRESSION = compile_lazily(
    rf"[(\[|√{_SIGNS}]*[^\W_][A-Za-z\s{_DIGITS}{_GREEK}{_OPERATORS}!'|()\[\],.…√]*(?<![{_OPERATORS},.\s])"
)
_NO_EXPRESSION = compile_lazily(
    r"[A-Za-z]'?\d|'[A-Za-z]|\d[ABCDFGKMTVW](?![a-z])|\d\s+[A-Za-z]|[A-Za-z]\."
    rf"|(?<![A-Za-z])(?!(?:{_FUNCTION_NAMES})\b)[A-Za-z]+\s+[A-Za-z0-9]"
)
"""Names such as `x86` and `3D`, quantities such as `5 s`, and letters next to each other."""

_NUMBERS = compile_lazily(rf"[{_SIGNS}]\s?\d[\d.,]*|[{_SIGNS}]?\d[\d.,]*\\%|[(\[][\d{_SIGNS}][\d.,;\s/{_SIGNS}]*[)\]]")
"""With a sign, or with a percent sign or brackets as TeX has them: exporters would have escaped these too."""

_CONDITION = compile_lazily(r"\([^()|]+\|[^()|]+\)")
_ABBREVIATIONS = frozenset({"n/a", "i/o", "w/o", "y/n", "a-z"})


def has_command(tex: str) -> bool:
    return bool(_COMMAND.search(tex))


def is_inline_tex(content: str, before: str, following: str) -> bool:
    r"""Return whether a text between `\(` and `\)` is TeX; the others are the characters around it."""
    tex = content.strip()
    if _COMMAND.search(tex):
        plain = _ARGUMENTS.sub(" ", tex)
        return not (_MARKUP.search(plain) or _PROSE.search(plain) or _PATH.fullmatch(tex))
    # An escaped link, call or ending: `\[a\]\(b\)`, `f\(x\)`, `file\(s\)`.
    if before == "]" or (before.isascii() and before.isalnum()):
        return False
    if len(tex) == 1:
        # Word processors' lists begin with `(a)`.
        is_mark = not before and following[:1] == " " and following[1:].isupper()
        return not is_mark and _is_expression(tex)
    return bool(_NUMBERS.fullmatch(tex)) or _is_formula(tex, _is_expression)


def is_display_tex(content: str) -> bool:
    r"""Return whether a text between `\[` and `\]` is TeX."""
    tex = content.strip()
    if _COMMAND.search(tex):
        return not _MARKUP.search(_ARGUMENTS.sub(" ", tex))
    if len(tex) == 1:
        # With spaces at both sides, which escaped brackets around a letter don't have.
        return (
            content != content.lstrip() and content != content.rstrip() and tex.isalpha() and not _FOREIGN.search(tex)
        )
    return _is_formula(tex, _is_sum)


def _is_formula(tex: str, is_other: Callable[[str], bool]) -> bool:
    """Return whether a text without commands has a relation or a script, or is another kind of formula."""
    if tex.count("\\|") % 2 == 0:
        tex = tex.replace("\\|", "|")
    formula = _SCRIPT_GROUP.sub(r"\g<1>1", _SPACES.sub(" ", tex.replace("\\%", "0"))).strip()
    if _FOREIGN.search(formula) or any(map(_is_word, _NAME.findall(formula))):
        return False
    return bool(_RELATION.search(formula) or _SCRIPT.search(formula)) or is_other(formula)


def _is_word(name: str) -> bool:
    if len(name) == 1 or _FUNCTION.fullmatch(name):
        return False
    return len(name) > 3 or name in _SHORT_WORDS or (len(name) == 3 and name[1:].islower())


def _is_sum(formula: str) -> bool:
    return bool(_SUM.search(formula)) and _is_expression(formula)


def _is_expression(formula: str) -> bool:
    formula = formula.replace("...", "…")
    if not _EXPRESSION.fullmatch(formula) or _NO_EXPRESSION.search(formula) or formula.lower() in _ABBREVIATIONS:
        return False
    if formula.count("(") + formula.count("[") != formula.count(")") + formula.count("]"):
        return False
    # Bars are in pairs, apart from conditions such as `P(A|B)`.
    if _CONDITION.sub("", formula).count("|") % 2:
        return False
    # `ax + b`, but not `dx`, `AB` or `co-op`, which may be words.
    max_length = 2 if "+" in formula or " - " in formula else 1
    names = [name for name in _NAME.findall(formula) if not _FUNCTION.fullmatch(name)]
    is_short = all(len(name) == 1 or (len(name) <= max_length and name.islower()) for name in names)
    return is_short and any(character.isalpha() for character in formula)
