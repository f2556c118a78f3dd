"""Presentation MathML to TeX, from the leaves to the root, so that no depth exhausts the stack."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

import re
from collections.abc import Callable
from functools import partial

from mdpublish_core.css.colors.named import NAMED_COLORS
from mdpublish_core.figures.math.delimiters import SIZES
from mdpublish_core.figures.math.operators import BARS, CLOSING_FENCES, LARGE_OPERATORS, OPENING_FENCES
from mdpublish_core.figures.math.symbols import LIMIT_OPERATORS, signs
from mdpublish_core.figures.math.tokens import format_ems
from mdpublish_core.readers.tex import vocabulary
from mdpublish_core.readers.tex.nodes import Node, check_length, inherit
from mdpublish_core.readers.tex.rows import fraction_command, write_row
from mdpublish_core.readers.tex.tables import environment
from mdpublish_core.readers.tex.vocabulary import SPACE_WIDTHS, join, styled_tex

_TALL = frozenset({"mfrac", "mtable", "munder", "mover", "munderover", "mroot"})
_PRIMES = {"'": 1, "′": 1, "″": 2, "‴": 3, "⁗": 4}
_SIDED_BARS = {"|prefix": "\\lvert", "|postfix": "\\rvert", "‖prefix": "\\lVert", "‖postfix": "\\rVert"}
_LABELS = frozenset("~∼→←↔⇀↼⇒⋅.…_")
"""Accents that may also be labels."""

_TEXT_STYLES = {style: name for name, style in reversed(signs("text style").items())}
_STYLES = ("\\textstyle", "\\scriptstyle", "\\scriptscriptstyle")
_BOXES = (("\\boxed", "box"), ("\\boxed", "roundedbox"), ("\\overline", "top"), ("\\underline", "bottom"))
_NOTATIONS = {frozenset(notation.split()): name for name, notation in (*_BOXES, *signs("enclosure").items())}
_GAP = r"[\s\u2000-\u200a\u202f\u205f]+"
_ALPHABETIC = r"[^\W\d_\U0001d400-\U0001d7ff]+"
_WORD = re.compile(rf"{_ALPHABETIC}(?:(?:{_GAP}|-){_ALPHABETIC})*")


def write_tex(root: Node) -> str:
    """Return TeX. Raises `ValueError` for what it cannot say, and for a formula too large."""
    for node in reversed(list(inherit(root))):
        if node.tag not in _WRITERS:
            raise ValueError(f"MathML's element {node.tag[:40]!r} cannot be written as TeX")
        node.tex = vocabulary.standalone(_WRITERS[node.tag](node))
        node.is_tall = node.tag in _TALL or any(child.is_tall for child in node.children)
        color = "" if "ground" in node.words else node.get("mathcolor")
        for command, value in (("\\textcolor", color), ("\\colorbox", node.get("mathbackground"))):
            is_color = value.lower() in NAMED_COLORS or re.fullmatch("#(?:[0-9A-Fa-f]{3}){1,2}", value)
            if is_color and node.tex and node.tag != "mspace":
                content = node.tex if command == "\\textcolor" else f"${node.tex}$"
                node.tex, node.is_single = f"{command}{{{value}}}{{{content}}}", True
        check_length(node.tex)
    return root.tex.strip()


# Tokens


def _identifier(node: Node) -> str:
    content, variant = node.shown, node.get("mathvariant")
    if content and content in BARS:
        return "|" if content in "|∣" else "\\|"
    if len(content) > 1 and _WORD.fullmatch(content) and variant in {"", "normal"}:
        return _word(node)
    node.is_single = len(content) < 2
    return styled_tex(content, variant)


def _word(node: Node, star: str = "") -> str:
    content = node.shown
    known = vocabulary.function_command(content)
    if known and (not star or vocabulary.takes_limits(content)):
        return known
    name = "\\,".join(re.split(_GAP, content))
    return f"\\operatorname{star}{{{name}}}" if node.is_name or star or "," in name else f"\\mathrm{{{name}}}"


def _number(node: Node) -> str:
    tex = styled_tex(re.sub(r"\s", "\u2009", node.shown), node.get("mathvariant").replace("normal", ""))
    return tex.replace(",", "{,}").replace("\u2009", "\\,")


def _operator(node: Node) -> str:
    content, form = node.shown, node.get("form")
    kind = node.get("data-mjx-texclass")
    delimiter = vocabulary.delimiter_command(content)
    if delimiter and node.get("minsize") in SIZES.values():
        return _sized(node, delimiter)
    if len(content) > 1 and _WORD.fullmatch(content):
        return _word(node)
    is_ordinary = kind == "ORD" or (content == "∥" and node.get("stretchy") == "false")
    if content in {"|", "‖"} or (delimiter and content in BARS and is_ordinary):
        bar = "|" if content in "|∣" else "‖"
        return "\\mid" if bar == "|" and not form and node.ems("lspace") else _SIDED_BARS.get(bar + form, delimiter)
    if content == ":" and (kind == "PUNCT" or node.is_zero("lspace")) and not node.is_script:
        return "\\colon"
    node.is_single = len(content) < 2
    return "'" * _PRIMES.get(content, 0) or join(map(vocabulary.sign_command, content))


def _sized(node: Node, delimiter: str) -> str:
    sign = node.shown
    natural = "prefix" if sign in OPENING_FENCES else "postfix" if sign in CLOSING_FENCES else ""
    is_relation = sign in BARS and node.get("fence") == "true" and not node.get("lspace")
    side = {"prefix": "l", "postfix": "r"}.get(node.get("form") or natural, "m" * is_relation)
    return next(f"\\{name}{side}{delimiter}" for name, ems in SIZES.items() if ems == node.get("minsize"))


def _literal(node: Node) -> str:
    content = re.sub(r"[ \t\r\n\f]+", " ", node.content)
    spaces = content.strip("\u2063")
    if spaces and not spaces.strip("".join(SPACE_WIDTHS)):
        width = sum(SPACE_WIDTHS[each] for each in spaces)
        return vocabulary.space_command(width if spaces == content else -width)
    if not content.strip("\u00a0 "):
        return "\\ " * len(content)
    tex = vocabulary.escaped_text(content)
    styles = {*node.words, *node.get("mathvariant").replace("monospace", "mono").split("-")} & _TEXT_STYLES.keys()
    for style in sorted(styles) or [""]:
        tex = f"{_TEXT_STYLES[style]}{{{tex}}}"
    return tex


def _space(node: Node) -> str:
    if node.get("mathbackground"):
        width, height = node.ems("width"), node.ems("height") + node.ems("depth")
        return f"\\rule{{{format_ems(width)}}}{{{format_ems(height)}}}" if width and height else ""
    return "\\\\ " if node.get("linebreak") == "newline" else vocabulary.space_command(node.ems("width"))


# Scripts, accents and labels


def _scripts(node: Node) -> str:
    base, *scripts = node.children or [Node("mrow")]
    if len(scripts) > 2:
        # temml has what applies a function among its scripts.
        scripts = [each for each in scripts if each.tex and each.tag != "mspace"]
    missing = Node("mrow")
    lower, upper = (*scripts, missing, missing)[:2]
    if node.tag in {"msup", "mover"}:
        lower, upper = missing, lower
    if node.tag.startswith("ms"):
        node.is_single, core = False, base.core()
        has_limits = core.shown in LIMIT_OPERATORS if core.tag == "mo" else vocabulary.takes_limits(core.shown)
        return _atom(base) + "\\nolimits" * (has_limits and node.is_display) + _script_tex(lower, upper)
    return _marked(node, base, lower, upper) or _arrow(base, lower, upper) or _stacked(node, base, lower, upper)


def _atom(node: Node) -> str:
    return node.tex if node.tex and node.is_single else f"{{{node.tex}}}"


def _script_tex(lower: Node, upper: Node) -> str:
    core = upper.core()
    parts = core.children if core.tag == "mrow" else [core]
    is_prime = [part.tag in {"mo", "mi"} and part.shown != "" and _PRIMES.keys() >= set(part.shown) for part in parts]
    number = (*is_prime, False).index(False)
    tex = "'" * sum(_PRIMES[sign] for part in parts[:number] for sign in part.shown)
    raised = write_row(Node("mrow", parts[number:])) if number else upper.tex
    for sign, script in (("_", lower.tex), ("^", raised)):
        if script:
            tex += sign + (script if len(script) == 1 and script not in "%'" else f"{{{script}}}")
    return tex


def _marked(node: Node, base: Node, lower: Node, upper: Node) -> str:
    """Return an accent, or a line, arrow or brace, or an empty string."""
    mark = (upper if upper.tex else lower).core()
    stretchy = mark.get("stretchy")
    is_mark = "true" in {node.get("accent"), node.get("accentunder"), mark.get("accent")} or stretchy
    if mark.tag not in {"mo", "mi", "mtext"} or (lower.tex and upper.tex) or (mark.shown in _LABELS and not is_mark):
        return ""
    is_long = len(base.core().children) > 0 or len(base.core().shown) > 1
    is_wide = stretchy == "true" or (not stretchy and is_long and (mark.shown in _LABELS or mark.shown == "¯"))
    command = vocabulary.mark_command(mark.shown, is_over=not lower.tex, is_wide=is_wide)
    return command and f"{command}{{{base.tex}}}"


def _arrow(base: Node, lower: Node, upper: Node) -> str:
    core = base.core()
    command = vocabulary.arrow_command(core.shown) if core.tag == "mo" and core.get("stretchy") != "false" else ""
    if not command or (core.shown == "=" and not core.get("stretchy")):
        return ""
    below = _label(lower)
    return f"{command}{f'[{below}]' if below else ''}{{{_label(upper)}}}"


def _label(node: Node) -> str:
    """Return a label without the space on both sides."""
    core = node.core()
    if core.tag in {"munder", "mover"} and core.child(1).tag == "mspace":
        core = core.child(0).core()
    parts = core.children if core.tag in {"mrow", "mpadded"} else [core]
    return write_row(Node("mrow", [each for each in parts if each.tag not in {"mspace", "mtext"} or each.shown]))


def _stacked(node: Node, base: Node, lower: Node, upper: Node) -> str:
    """Return limits, or what is set above and below."""
    core, scripts = base.core(), _script_tex(lower, upper)
    if base.get("data-mjx-texclass") == "OP" and core.tag == "mrow":
        core = Node("mi", content=" ".join(each.core().shown for each in core.children if each.core().shown))
    sign = core.shown if core.tag in {"mo", "mi"} else ""
    node.is_single = False
    if sign and sign in LARGE_OPERATORS:
        is_forced = sign not in LIMIT_OPERATORS or (core.get("movablelimits") == "false" and not node.is_display)
        return _atom(base) + "\\limits" * is_forced + scripts
    if _WORD.fullmatch(sign) and (core.is_name or len(sign) > 1):
        return _word(core, "*") + "\\limits" * (core.tag == "mi" and not node.is_display) + scripts
    if core.tag in {"munder", "mover"} and re.match(r"\\(?:over|under)brac", core.tex):
        return core.tex + scripts
    node.is_single = True
    if core.tag == "mover" and core.tex.startswith("\\x") and not upper.tex:
        return core.tex.replace("{", f"[{_label(lower)}]{{", 1)
    tex = f"\\underset{{{lower.tex}}}{{{base.tex}}}" if lower.tex else base.tex
    return f"\\overset{{{upper.tex}}}{{{tex}}}" if upper.tex else tex


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
        return fraction_command(node)
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
    if core.tag == "mfrac" and level == "0" and tex.startswith(("\\frac", "\\binom", "\\cfrac")):
        return tex if tex.startswith("\\c") else f"\\{'d' if is_display else 't'}{tex[1:]}"
    command = "\\displaystyle" if is_display else _STYLES[min(int(level), 2) if level.isdecimal() else 1]
    return f"{{{join((command, tex))}}}"


def _enclosed(node: Node) -> str:
    notation = node.get("notation")
    if (command := _NOTATIONS.get(frozenset(notation.split()))) is None:
        raise ValueError(f"MathML's notation {notation[:40]!r} cannot be written as TeX")
    return _command_with_row(command, node)


def _padded(node: Node) -> str:
    tex = write_row(node)
    side = "v" if node.is_zero("width") else "h" if node.is_zero("height") else ""
    return tex.replace("phantom", f"{side}phantom", 1) if node.core().tag == "mphantom" else tex


def _command_with_row(command: str, node: Node) -> str:
    tex = write_row(node)
    node.is_single = True
    return f"{command}{{{tex}}}"


_WRITERS: dict[str, Callable[[Node], str]] = {
    **dict.fromkeys(("math", "mrow", "mtd"), write_row),
    **dict.fromkeys(("mtr", "mlabeledtr", "mprescripts"), lambda _: ""),
    **dict.fromkeys(("msub", "msup", "msubsup", "munder", "mover", "munderover"), _scripts),
    "mi": _identifier, "mn": _number, "mo": _operator, "mtext": _literal, "mspace": _space,
    "mfrac": _fraction, "msqrt": partial(_command_with_row, "\\sqrt"), "mroot": _root, "mmultiscripts": _multiscripts,
    "mtable": environment, "mstyle": _style, "menclose": _enclosed, "mpadded": _padded,
    "mphantom": partial(_command_with_row, "\\phantom"),
}  # fmt: skip
