"""Presentation MathML to TeX, from the leaves to the root, so that no depth exhausts the stack."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

import re
from collections.abc import Callable

from mdpublish_core.figures.math.boxes import ENCLOSURES
from mdpublish_core.figures.math.delimiters import SIZES
from mdpublish_core.figures.math.lengths import format_ems
from mdpublish_core.figures.math.operators import BARS, CLOSING_FENCES, LARGE_OPERATORS, OPENING_FENCES
from mdpublish_core.figures.math.symbols import LIMIT_OPERATORS
from mdpublish_core.figures.math.tokens import MAX_CHARACTERS
from mdpublish_core.readers.tex import vocabulary
from mdpublish_core.readers.tex.nodes import Node, inherit
from mdpublish_core.readers.tex.rows import fenced_fraction, write_row
from mdpublish_core.readers.tex.tables import environment
from mdpublish_core.readers.tex.vocabulary import SPACE_WIDTHS, join, letters

_TALL = frozenset({"mfrac", "mtable", "munder", "mover", "munderover", "mroot"})
_PRIMES = {"'": 1, "′": 1, "″": 2, "‴": 3, "⁗": 4}
_BARS = {
    "|": {"prefix": "\\lvert", "postfix": "\\rvert"},
    "‖": {"prefix": "\\lVert", "postfix": "\\rVert"},
}
_LABELS = frozenset("~∼→←↔⇀↼⇒⋅.…_")
"""Accents that may also be labels."""

_TEXT_STYLES = {
    "bold": "\\textbf",
    "italic": "\\textit",
    "sans": "\\textsf",
    "mono": "\\texttt",
    "monospace": "\\texttt",
}
_STYLES = ("\\textstyle", "\\scriptstyle", "\\scriptscriptstyle")
_NOTATIONS = {frozenset(notation.split()): f"\\{name}" for name, (notation, _) in ENCLOSURES.items()} | {
    frozenset({name}): command
    for name, command in (
        ("box", "\\boxed"),
        ("roundedbox", "\\boxed"),
        ("top", "\\overline"),
        ("bottom", "\\underline"),
    )
}
_GAP = r"[\s\u2000-\u200a\u202f\u205f]+"
_LETTERS = r"[^\W\d_\U0001d400-\U0001d7ff]+"
_WORD = re.compile(rf"{_LETTERS}(?:(?:{_GAP}|-){_LETTERS})*")


def write_tex(root: Node) -> str:
    """Raises `ValueError` for what TeX cannot say, and for a formula too large."""
    for node in reversed(list(inherit(root))):
        if node.tag not in _WRITERS:
            raise ValueError(f"MathML's element {node.tag[:40]!r} cannot be written as TeX")
        node.tex = _WRITERS[node.tag](node)
        node.is_tall = node.tag in _TALL or any(child.is_tall for child in node.children)
        _paint(node)
        if len(node.tex) > MAX_CHARACTERS:
            raise ValueError(f"the formula must be at most {MAX_CHARACTERS:,} characters of TeX; split it")
    return root.tex.strip()


def _paint(node: Node) -> None:
    """Add a color and a background."""
    color = "" if "ground" in node.words else node.get("mathcolor")
    for command, value in (("\\textcolor", color), ("\\colorbox", node.get("mathbackground"))):
        if node.tex and node.tag != "mspace" and re.fullmatch("#?[0-9A-Za-z]{1,40}", value):
            content = node.tex if command == "\\textcolor" else f"${node.tex}$"
            node.tex, node.is_single = f"{command}{{{value}}}{{{content}}}", True


# Tokens


def _identifier(node: Node) -> str:
    content, variant = node.shown, node.get("mathvariant")
    if content and content in BARS:
        return "|" if content in "|∣" else "\\|"
    if len(content) > 1 and _WORD.fullmatch(content) and variant in {"", "normal"}:
        return _word(node)
    node.is_single = len(content) < 2
    return letters(content, variant)


def _word(node: Node, star: str = "") -> str:
    content = node.shown
    known = vocabulary.function_command(content)
    if known and (not star or vocabulary.takes_limits(content)):
        return known
    name = re.sub(_GAP, lambda _: "\\,", content)
    return f"\\operatorname{star}{{{name}}}" if node.is_name or star or "," in name else f"\\mathrm{{{name}}}"


def _number(node: Node) -> str:
    tex = letters(re.sub(r"\s", "\u2009", node.shown), node.get("mathvariant").replace("normal", ""))
    return tex.replace(",", "{,}").replace("\u2009", "\\,")


def _operator(node: Node) -> str:
    content, form, is_ordinary = node.shown, node.get("form"), node.get("data-mjx-texclass") == "ORD"
    size = next((name for name, ems in SIZES.items() if ems == node.get("minsize")), "")
    delimiter = vocabulary.delimiter_command(content)
    if size and delimiter:
        natural = "l" if content in OPENING_FENCES else "r" if content in CLOSING_FENCES else ""
        is_relation = node.get("fence") == "true" and not node.get("lspace") and content in BARS
        side = {"prefix": "l", "postfix": "r"}.get(form, natural or "m" * is_relation)
        return f"\\{size}{side}{delimiter}"
    if len(content) > 1 and _WORD.fullmatch(content):
        return _word(node)
    if content == "|" and not form and node.ems("lspace"):
        return "\\mid"
    is_plain = content in {"|", "‖"} or (content == "∥" and node.get("stretchy") == "false") or is_ordinary
    if delimiter and content in BARS and is_plain:
        return _BARS["|" if content in "|∣" else "‖"].get(form, delimiter)
    if content in _PRIMES:
        return "'" * _PRIMES[content]
    is_punctuation = node.is_zero("lspace") or node.get("data-mjx-texclass") == "PUNCT"
    if content == ":" and is_punctuation and not node.is_script:
        return "\\colon"
    node.is_single = len(content) < 2
    return join(map(vocabulary.sign_command, content))


def _text(node: Node) -> str:
    content = re.sub(r"[ \t\r\n\f]+", " ", node.text)
    spaces = content.strip("\u2063")
    if spaces and not spaces.strip("".join(SPACE_WIDTHS)):
        width = sum(SPACE_WIDTHS[each] for each in spaces)
        return vocabulary.space_command(width if spaces == content else -width)
    if not content.strip("\u00a0 "):
        return "\\ " * len(content)
    tex = vocabulary.escaped_text(content)
    styles = {*node.words, *node.get("mathvariant").split("-")} & _TEXT_STYLES.keys()
    for command in [_TEXT_STYLES[style] for style in sorted(styles)] or ["\\text"]:
        tex = f"{command}{{{tex}}}"
    return tex


def _space(node: Node) -> str:
    if node.get("mathbackground"):
        width, height = node.ems("width"), node.ems("height") + node.ems("depth")
        return f"\\rule{{{format_ems(width)}}}{{{format_ems(height)}}}" if width and height else ""
    return "\\\\ " if node.get("linebreak") == "newline" else vocabulary.space_command(node.ems("width"))


# Scripts, accents and labels


def _scripts(node: Node) -> str:
    base, lower, upper = _operands(node)
    if node.tag.startswith("ms"):
        node.is_single = False
        core = base.core()
        has_limits = core.shown in LIMIT_OPERATORS if core.tag == "mo" else vocabulary.takes_limits(core.shown)
        return _atom(base) + "\\nolimits" * (has_limits and node.is_display) + _script_tex(lower, upper)
    return _marked(node, base, lower, upper) or _arrow(base, lower, upper) or _stacked(node, base, lower, upper)


def _operands(node: Node) -> tuple[Node, Node | None, Node | None]:
    """Return the base, and what is below and above."""
    base, *scripts = node.children or [Node("mrow")]
    if len(scripts) > 2:
        # temml has what applies a function among its scripts.
        scripts = [each for each in scripts if each.tex and each.tag != "mspace"]
    if len(scripts) > 1:
        return base, scripts[0], scripts[1]
    script = scripts[0] if scripts else Node("mrow")
    return (base, script, None) if node.tag in {"msub", "munder"} else (base, None, script)


def _atom(node: Node) -> str:
    return node.tex if node.tex and node.is_single else f"{{{node.tex}}}"


def _script_tex(lower: Node | None, upper: Node | None) -> str:
    primes, raised = ("", "") if upper is None else _split_primes(upper)
    below = lower.tex if lower is not None else ""
    pairs = ((below, "_"), (raised, "^"))
    return primes + "".join(
        f"{sign}{tex if len(tex) == 1 and tex != '%' else f'{{{tex}}}'}" for tex, sign in pairs if tex
    )


def _split_primes(node: Node) -> tuple[str, str]:
    core = node.core()
    parts = core.children if core.tag == "mrow" else [core]
    is_prime = [part.tag in {"mo", "mi"} and part.shown != "" and _PRIMES.keys() >= set(part.shown) for part in parts]
    number = (*is_prime, False).index(False)
    primes = "'" * sum(_PRIMES[sign] for part in parts[:number] for sign in part.shown)
    return primes, write_row(Node("mrow", parts[number:])) if number else node.tex


def _marked(node: Node, base: Node, lower: Node | None, upper: Node | None) -> str:
    """Return an accent, or a line, arrow or brace, or an empty string."""
    mark = (upper or lower or base).core()
    is_mark = "true" in {node.get("accent"), node.get("accentunder"), mark.get("accent")} or mark.get("stretchy")
    sign = mark.shown if mark.tag in {"mo", "mi", "mtext"} and (lower is None or upper is None) else ""
    if sign in _LABELS and not is_mark:
        return ""
    is_wide = mark.get("stretchy") == "true" or (
        not mark.get("stretchy") and sign in _LABELS and base.core().children != []
    )
    command = vocabulary.mark_command(sign, is_over=lower is None, is_wide=is_wide)
    return f"{command}{{{base.tex}}}" if command else ""


def _arrow(base: Node, lower: Node | None, upper: Node | None) -> str:
    core = base.core()
    command = vocabulary.arrow_command(core.shown) if core.tag == "mo" and core.get("stretchy") != "false" else ""
    if not command or (core.shown == "=" and not core.get("stretchy")):
        return ""
    above, below = (_label(each) if each is not None else "" for each in (upper, lower))
    return f"{command}{f'[{below}]' if below else ''}{{{above}}}"


def _label(node: Node) -> str:
    """Return a label without the space on both sides."""
    core = node.core()
    if core.tag in {"munder", "mover"} and core.child(1).tag == "mspace":
        core = core.child(0).core()
    shown = core.children if core.tag in {"mrow", "mpadded"} else [core]
    is_space = [each.tag == "mspace" or (each.tag == "mtext" and not each.text.strip()) for each in shown]
    return write_row(Node("mrow", [each for each, is_gap in zip(shown, is_space, strict=True) if not is_gap]))


def _stacked(node: Node, base: Node, lower: Node | None, upper: Node | None) -> str:
    """Return limits, or what is set above and below."""
    core = base.core()
    if base.get("data-mjx-texclass") == "OP" and core.tag == "mrow":
        name = " ".join(each.core().shown for each in core.children if each.core().tag in {"mi", "mo"})
        core = Node("mi", text=name) if _WORD.fullmatch(name) else core
    sign = core.shown if core.tag in {"mo", "mi"} else ""
    scripts = _script_tex(lower, upper)
    node.is_single = False
    if sign and sign in LARGE_OPERATORS:
        is_forced = sign not in LIMIT_OPERATORS or (core.get("movablelimits") == "false" and not node.is_display)
        return _atom(base) + "\\limits" * is_forced + scripts
    if core.is_name or (len(sign) > 1 and _WORD.fullmatch(sign)):
        return _word(core, "*") + "\\limits" * (core.tag == "mi" and not node.is_display) + scripts
    if re.match(r"\\(?:over|under)brac", core.tex):
        return core.tex + scripts
    node.is_single = True
    if core.tag == "mover" and core.tex.startswith("\\x") and lower is not None and upper is None:
        command, _, label = core.tex.partition("{")
        return f"{command}[{_label(lower)}]{{{label}"
    tex = base.tex if lower is None else f"\\underset{{{lower.tex}}}{{{base.tex}}}"
    return tex if upper is None else f"\\overset{{{upper.tex}}}{{{tex}}}"


def _multiscripts(node: Node) -> str:
    base, scripts = node.child(0), node.children[1:]
    node.is_single = False
    number = next((index for index, child in enumerate(scripts) if child.tag == "mprescripts"), len(scripts))
    after, before = (
        [_script_tex(*(*side, Node("mrow"))[index : index + 2]) for index in range(0, len(side), 2)]
        for side in (scripts[:number], scripts[number + 1 :])
    )
    if base.core().shown in LARGE_OPERATORS:
        return f"\\sideset{{{''.join(before)}}}{{{''.join(after)}}}{base.tex}"
    return "".join((*(f"{{}}{each}" for each in before), _atom(base), "{}".join(after)))


# Fractions, roots, styles and boxes


def _fraction(node: Node) -> str:
    above, below = node.child(0), node.child(1)
    if node.get("bevelled") == "true":
        node.is_single = False
        return f"{_atom(above)}/{_atom(below)}"
    if node.get("linethickness")[:1].isdecimal():
        return fenced_fraction(node)
    if all(each.tag == "mstyle" and each.get("displaystyle") == "true" for each in (above, below)):
        return f"\\cfrac{{{write_row(above)}}}{{{write_row(below)}}}"
    return f"\\frac{{{above.tex}}}{{{below.tex}}}"


def _root(node: Node) -> str:
    index = node.child(1).tex
    return f"\\sqrt[{f'{{{index}}}' if ']' in index else index}]{{{node.child(0).tex}}}"


def _style(node: Node) -> str:
    is_display, level = node.get("displaystyle") == "true", node.get("scriptlevel").lstrip("+") or "0"
    core = node.core()
    if level == "1" and core.tag == "mtable":
        return environment(core, is_small=True)
    tex = write_row(node)
    is_known = is_display == node.is_display and not node.is_script if level == "0" else node.is_script
    if "displaystyle" not in node.attributes or is_known or not tex:
        return tex
    node.is_single = True
    fraction = re.match(r"\\(?=(?:frac|binom)\b)|\\cfrac", tex) if core.tag == "mfrac" and level == "0" else None
    if fraction:
        return tex if fraction[0] != "\\" else f"\\{'d' if is_display else 't'}{tex[1:]}"
    command = "\\displaystyle" if is_display else _STYLES[min(int(level), 2) if level.isdecimal() else 1]
    return f"{{{join((command, tex))}}}"


def _enclosed(node: Node) -> str:
    notation = node.get("notation")
    command = _NOTATIONS.get(frozenset(notation.split()))
    if command is None:
        raise ValueError(f"MathML's notation {notation[:40]!r} cannot be written as TeX")
    return f"{command}{{{write_row(Node('mrow', node.children))}}}"


def _padded(node: Node) -> str:
    tex = write_row(node)
    if node.core().tag == "mphantom":
        return tex.replace(
            "phantom", "vphantom" if node.is_zero("width") else "hphantom" if node.is_zero("height") else "phantom", 1
        )
    return tex


_WRITERS: dict[str, Callable[[Node], str]] = {
    **dict.fromkeys(("math", "mrow", "mtd"), write_row),
    **dict.fromkeys(("mtr", "mlabeledtr", "mprescripts"), lambda _: ""),
    **dict.fromkeys(("msub", "msup", "msubsup", "munder", "mover", "munderover"), _scripts),
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    "mtext": _text,
    "mspace": _space,
    "mmultiscripts": _multiscripts,
    "mfrac": _fraction,
    "msqrt": lambda node: f"\\sqrt{{{write_row(Node('mrow', node.children))}}}",
    "mroot": _root,
    "mstyle": _style,
    "menclose": _enclosed,
    "mphantom": lambda node: f"\\phantom{{{write_row(Node('mrow', node.children))}}}",
    "mpadded": _padded,
    "mtable": environment,
}
