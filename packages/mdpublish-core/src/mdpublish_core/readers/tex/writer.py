"""Presentation MathML to TeX, from the leaves to the root, so that no depth exhausts the stack."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

import re
from collections.abc import Callable

from mdpublish_core.figures.math.boxes import ENCLOSURES
from mdpublish_core.figures.math.delimiters import SIZES
from mdpublish_core.figures.math.lengths import format_ems
from mdpublish_core.figures.math.mathml_builder import FUNCTION_APPLICATION
from mdpublish_core.figures.math.operators import BARS, CLOSING_FENCES, LARGE_OPERATORS, OPENING_FENCES
from mdpublish_core.figures.math.symbols import LIMIT_OPERATORS, character_kind
from mdpublish_core.figures.math.tokens import MAX_CHARACTERS
from mdpublish_core.readers.tex.nodes import Node, inherit
from mdpublish_core.readers.tex.rows import fenced_fraction, write_row
from mdpublish_core.readers.tex.tables import environment
from mdpublish_core.readers.tex.vocabulary import (
    SPACE_WIDTHS,
    accent_command,
    arrow_command,
    brace_command,
    delimiter_command,
    escaped_text,
    function_command,
    join,
    letters,
    sign_command,
    space_command,
    takes_limits,
)

_TALL = frozenset({"mfrac", "mtable", "munder", "mover", "munderover", "mroot"})
_PRIMES = {"'": 1, "′": 1, "″": 2, "‴": 3, "⁗": 4}
_BARS = {
    **{("|", "prefix"): "\\lvert", ("|", "postfix"): "\\rvert", ("‖", "prefix"): "\\lVert"},
    **{("‖", "postfix"): "\\rVert", ("|", ""): "|", ("‖", ""): "\\|"},
}
_AMBIGUOUS_MARKS = frozenset("~∼→←↔⇀↼⋅.…⇒_")
"""Accents that may also be labels."""

_TEXT_STYLES = {"bold": "\\textbf", "italic": "\\textit", "sans": "\\textsf", "mono": "\\texttt", "monospace": "\\texttt"}
_STYLES = ("\\textstyle", "\\scriptstyle", "\\scriptscriptstyle")
_LAPS = {"llap": "\\mathllap", "clap": "\\mathclap", "rlap": "\\mathrlap"}
_STRUTS = {(True, False): "\\vphantom", (False, True): "\\hphantom"}


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
    if content in BARS:
        return "|" if content in "|∣" else "\\|"
    if len(content) > 1 and _is_word(content) and variant in {"", "normal"}:
        return _word(node)
    node.is_single = len(content) < 2
    return letters(content, variant)


def _is_word(content: str) -> bool:
    return re.fullmatch(r"[^\W\d_\U0001d400-\U0001d7ff]+(?:[\s\u2000-\u200a\u202f\u205f-]+[^\W\d_]+)*", content) is not None


def _word(node: Node, star: str = "") -> str:
    content = node.shown
    known = function_command(content)
    if known and (not star or takes_limits(content)):
        return known
    name = join(re.sub(r"[\s\u2000-\u200a\u202f\u205f]+", "\\,", content).partition(","))
    command = f"\\operatorname{star}" if node.is_name or star or "\\," in name else "\\mathrm"
    return f"{command}{{{name}}}"


def _number(node: Node) -> str:
    variant = node.get("mathvariant")
    tex = letters(node.shown.replace(" ", "\u2009"), "" if variant == "normal" else variant)
    return tex.replace(",", "{,}").replace("\u2009", "\\,")


def _operator(node: Node) -> str:
    content, form = node.shown, node.get("form")
    size = next((name for name, ems in SIZES.items() if ems == node.get("minsize")), "")
    if size and delimiter_command(content):
        side = {"prefix": "l", "postfix": "r"}.get(form) or _natural_side(content)
        is_relation = node.get("fence") == "true" and not node.get("lspace") and content in BARS
        return f"\\{size}{side or 'm' * is_relation}{delimiter_command(content)}"
    if len(content) > 1 and _is_word(content):
        return _word(node)
    is_plain_bar = node.get("data-mjx-texclass") == "ORD" or (content == "∥" and node.get("stretchy") == "false")
    if content and (content in "|‖" or (content in BARS and is_plain_bar)):
        if content == "|" and not form and node.ems("lspace"):
            return "\\mid"
        return _BARS["|" if content in "|∣" else "‖", form if form in {"prefix", "postfix"} else ""]
    if content and content in _PRIMES:
        return "'" * _PRIMES[content]
    is_punctuation = ("lspace" in node.attributes and not node.ems("lspace")) or node.get("data-mjx-texclass") == "PUNCT"
    if content == ":" and is_punctuation and not node.is_script:
        return "\\colon"
    node.is_single = len(content) < 2
    return join(map(sign_command, content))


def _natural_side(content: str) -> str:
    return "l" if content in OPENING_FENCES else "r" if content in CLOSING_FENCES else ""


def _text(node: Node) -> str:
    content = re.sub(r"[ \t\r\n\f]+", " ", node.text)
    if content and not content.translate(dict.fromkeys(SPACE_WIDTHS)).strip("\u2063"):
        width = sum(SPACE_WIDTHS.get(ord(each), 0) for each in content)
        return space_command(-width if "\u2063" in content else width)
    if not content.strip("\u00a0 "):
        return "\\ " * len(content)
    tex = escaped_text(content)
    styles = {*node.words, *node.get("mathvariant").split("-")} & _TEXT_STYLES.keys()
    for command in [_TEXT_STYLES[style] for style in sorted(styles)] or ["\\text"]:
        tex = f"{command}{{{tex}}}"
    return tex


def _space(node: Node) -> str:
    width, height = (format_ems(length) for length in (node.ems("width"), node.ems("height") + node.ems("depth")))
    if node.get("mathbackground"):
        return "" if "0" in {width, height} else f"\\rule{{{width}}}{{{height}}}"
    if node.get("linebreak") == "newline":
        return "\\\\ "
    return space_command(node.ems("width"))



# Scripts


def _scripts(node: Node) -> str:
    base, lower, upper = _operands(node)
    node.is_single = False
    if node.tag.startswith("ms"):
        has_limits = node.is_display and _has_natural_limits(base.core())
        return join((_base(base) + "\\nolimits" * has_limits, _script_tex(lower, upper)))
    return _accent(node, base, lower, upper) or _arrow(base, lower, upper) or _stacked(node, base, lower, upper)


def _operands(node: Node) -> tuple[Node, Node | None, Node | None]:
    """Return the base, and what is below and above."""
    base, *scripts = node.children or [Node("mrow")]
    if len(scripts) > 2:
        scripts = [each for each in scripts if each.tex and each.tag != "mspace"]
    if len(scripts) > 1:
        return base, scripts[0], scripts[1]
    script = scripts[0] if scripts else None
    return (base, script, None) if node.tag in {"msub", "munder"} else (base, None, script)


def _base(node: Node) -> str:
    return node.tex if node.tex and node.is_single else f"{{{node.tex}}}"


def _script_tex(lower: Node | None, upper: Node | None) -> str:
    primes, raised = ("", "") if upper is None else _split_primes(upper)
    below = f"_{_argument(lower.tex)}" if lower is not None and (lower.tex or upper is None) else ""
    return primes + below + (f"^{_argument(raised)}" if raised else "")


def _argument(tex: str) -> str:
    return tex if len(tex) == 1 and tex not in "'%" else f"{{{tex}}}"


def _split_primes(node: Node) -> tuple[str, str]:
    core = node.core()
    marks = core.children if core.tag == "mrow" else [core]
    number = next((index for index, each in enumerate(marks) if not _is_prime(each)), len(marks))
    primes = "'" * sum(_PRIMES[sign] for each in marks[:number] for sign in each.shown)
    return primes, write_row(Node("mrow", marks[number:])) if number else node.tex


def _is_prime(node: Node) -> bool:
    return node.tag in {"mo", "mi", "mtext"} and bool(node.shown) and set(node.shown) <= _PRIMES.keys()


def _accent(node: Node, base: Node, lower: Node | None, upper: Node | None) -> str:
    mark = upper if lower is None else lower
    if mark is None or (lower is not None and upper is not None):
        return ""
    core, is_over = mark.core(), lower is None
    sign = core.shown if core.tag in {"mo", "mi", "mtext"} else ""
    stretchy = core.get("stretchy")
    is_accent = "true" in {node.get("accent"), node.get("accentunder"), core.get("accent")} or stretchy
    if not sign or (sign in _AMBIGUOUS_MARKS and not is_accent):
        return ""
    is_wide = stretchy == "true" or (not stretchy and sign in _AMBIGUOUS_MARKS and bool(base.core().children))
    command = brace_command(sign, is_over=is_over) or accent_command(sign, is_over=is_over, is_wide=is_wide)
    node.is_single = bool(command)
    return f"{command}{{{base.tex}}}" if command else ""


def _arrow(base: Node, lower: Node | None, upper: Node | None) -> str:
    core = base.core()
    stretchy = core.get("stretchy")
    if core.tag != "mo" or stretchy == "false" or (core.shown == "=" and stretchy != "true"):
        return ""
    command = arrow_command(core.shown)
    label = f"[{_label(lower)}]" if lower is not None else ""
    return command and f"{command}{label}{{{'' if upper is None else _label(upper)}}}"


def _label(node: Node) -> str:
    """Return a label without the space on both sides."""
    core = node.core()
    if core.tag in {"munder", "mover"} and core.children[1:] and core.children[1].tag == "mspace":
        core = core.children[0].core()
    shown = core.children if core.tag in {"mrow", "mpadded"} else [core]
    return write_row(Node("mrow", [each for each in shown if each.tag != "mspace"]))


def _has_natural_limits(core: Node) -> bool:
    return core.shown in LIMIT_OPERATORS if core.tag == "mo" and len(core.shown) == 1 else takes_limits(core.shown)


def _stacked(node: Node, base: Node, lower: Node | None, upper: Node | None) -> str:
    core = base.core()
    if base.get("data-mjx-texclass") == "OP" and core.tag == "mrow":
        names = " ".join(each.shown for each in map(Node.core, core.children) if each.tag in {"mi", "mo"})
        core = Node("mi", text=names) if _is_word(names) else core
    name = core.shown if core.tag in {"mo", "mi"} else ""
    scripts = _script_tex(lower, upper)
    if name and name in LARGE_OPERATORS:
        is_forced = name not in LIMIT_OPERATORS or (core.get("movablelimits") == "false" and not node.is_display)
        return join((_base(base) + "\\limits" * is_forced, scripts))
    if core.is_name or (len(name) > 1 and _is_word(name)):
        is_forced = core.tag == "mi" and not node.is_display
        return _word(core, "*") + "\\limits" * is_forced + scripts
    if re.match(r"\\(?:over|under)brac", core.tex):
        return core.tex + scripts
    if core.tex.startswith("\\x") and upper is None and lower is not None and core.tag == "mover":
        command, _, label = core.tex.partition("{")
        return f"{command}[{_label(lower)}]{{{label}"
    node.is_single = True
    tex = base.tex if lower is None else f"\\underset{{{lower.tex}}}{{{base.tex}}}"
    return tex if upper is None else f"\\overset{{{upper.tex}}}{{{tex}}}"


def _multiscripts(node: Node) -> str:
    base, *scripts = node.children
    node.is_single = False
    number = next((index for index, child in enumerate(scripts) if child.tag == "mprescripts"), len(scripts))
    after, before = (
        [_script_tex(*(*side, Node("mrow"))[index : index + 2]) for index in range(0, len(side), 2)]
        for side in (scripts[:number], scripts[number + 1 :])
    )
    if base.core().shown in LARGE_OPERATORS:
        return f"\\sideset{{{''.join(before)}}}{{{''.join(after)}}}{base.tex}"
    return join((*(f"{{}}{each}" for each in before), _base(base), "{}".join(after)))


# Fractions, roots, styles and boxes


def _fraction(node: Node) -> str:
    above, below = (*node.children, Node("mrow"), Node("mrow"))[:2]
    if node.get("bevelled") == "true":
        node.is_single = False
        return f"{_base(above)}/{_base(below)}"
    width = node.get("linethickness")
    if width and not width.isalpha():
        return fenced_fraction(node, "", "")
    if all(each.tag == "mstyle" and each.get("displaystyle") == "true" for each in (above, below)):
        return f"\\cfrac{{{write_row(above)}}}{{{write_row(below)}}}"
    return f"\\frac{{{above.tex}}}{{{below.tex}}}"


def _root(node: Node) -> str:
    if node.tag == "msqrt":
        return f"\\sqrt{{{write_row(node)}}}"
    base, index = (*node.children, Node("mrow"), Node("mrow"))[:2]
    return f"\\sqrt[{f'{{{index.tex}}}' if ']' in index.tex else index.tex}]{{{base.tex}}}"


def _style(node: Node) -> str:
    is_display, level = node.get("displaystyle") == "true", node.get("scriptlevel").lstrip("+") or "0"
    core = node.core()
    if level == "1" and core.tag == "mtable" and core is not node:
        return environment(core, "", "", is_small=True)
    tex = write_row(node)
    is_known = is_display == node.is_display and not node.is_script if level == "0" else node.is_script
    if "displaystyle" not in node.attributes or is_known or not tex:
        return tex
    node.is_single = True
    if core.tag == "mfrac" and level == "0" and tex.startswith(("\\frac", "\\cfrac", "\\binom")):
        return tex if tex.startswith("\\c") else f"\\{'d' if is_display else 't'}{tex[1:]}"
    command = "\\displaystyle" if is_display else _STYLES[min(int(level), 2) if level.isdecimal() else 1]
    return f"{{{join((command, tex))}}}"


def _enclosed(node: Node) -> str:
    notation = set(node.get("notation").split())
    content = f"{{{write_row(node)}}}"
    if notation & {"box", "roundedbox"} or notation >= {"left", "right", "top", "bottom"}:
        command = "\\boxed"
    elif notation == {"top"} or notation == {"bottom"}:
        command = "\\overline" if "top" in notation else "\\underline"
    else:
        command = next((f"\\{name}" for name, (each, _) in ENCLOSURES.items() if set(each.split()) == notation), "")
    if not command:
        raise ValueError(f"MathML's notation {node.get('notation')[:40]!r} cannot be written as TeX")
    node.is_single = True
    return command + content


def _padded(node: Node) -> str:
    tex = write_row(node)
    flat = tuple(name in node.attributes and not node.ems(name) for name in ("width", "height", "depth"))
    lap = next((_LAPS[name] for name in node.words if name in _LAPS), "")
    if flat[0] and node.get("lspace").startswith("-"):
        lap = _LAPS["llap"] if node.get("lspace").startswith("-1") else _LAPS["clap"]
    if tex.startswith("\\phantom") and node.core().tag == "mphantom":
        return (_STRUTS.get((flat[0], flat[1] and flat[2])) or "\\phantom") + tex.removeprefix("\\phantom")
    if lap or (flat[0] and tex):
        node.is_single = True
        return f"{lap or _LAPS['rlap']}{{{tex}}}"
    if flat[1] or flat[2]:
        node.is_single = True
        return f"\\smash{'' if flat[1] and flat[2] else '[t]' if flat[1] else '[b]'}{{{tex}}}"
    return tex


def _phantom(node: Node) -> str:
    tex = write_row(node)
    node.is_single = True
    return f"\\phantom{{{tex}}}"


_WRITERS: dict[str, Callable[[Node], str]] = {
    **dict.fromkeys(("math", "mrow", "mtd"), write_row),
    **dict.fromkeys(("mtr", "mprescripts"), lambda _: ""),
    **dict.fromkeys(("msub", "msup", "msubsup", "munder", "mover", "munderover"), _scripts),
    **dict.fromkeys(("msqrt", "mroot"), _root),
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    "mtext": _text,
    "mspace": _space,
    "mmultiscripts": _multiscripts,
    "mfrac": _fraction,
    "mstyle": _style,
    "menclose": _enclosed,
    "mpadded": _padded,
    "mphantom": _phantom,
    "mtable": lambda node: environment(node, "", ""),
}
