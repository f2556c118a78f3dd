"""Validation of a theme's rules: `css` for every destination, `web_css` for web pages.

They must not load anything or escape from the stylesheet. `css` is limited to `matcher`'s grammar; a test checks
`stylesheets`.
"""

import re
from collections.abc import Iterable, Iterator

from mdpublish_core.css.cascade import KEYWORDS
from mdpublish_core.data_files import read_table
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.templates.colors import CALLOUT_KINDS, ROLES

VARIABLE_NAMES = frozenset(
    {
        *(role for role in ROLES if role != "chart"),
        *(f"{kind}_ground" for kind in CALLOUT_KINDS),
        *(f"h{level}_size" for level in range(1, 7)),
        *("body_font", "heading_font", "mono_font", "code_size", "size", "larger", "leading", "weight", "tracking"),
        *("rhythm", "gap", "measure", "h1_small", "on_accent", "list_mark", "theme_mode", "print_size"),
    }
)
"""Allowed as `$name`."""


def _one_of(words: Iterable[str]) -> tuple[str, str]:
    return "|".join(words), ", ".join(words)


_PROPERTY_SYNTAX = {
    name: (expression, words) if expression else _one_of(KEYWORDS[name])
    for names, expression, words in read_table(__file__, "property_syntax.tsv")
    for name in names.split()
}
"""What each property may have: as an expression, and in words."""

# Properties for a last child, which emails detect only after opening it.
_LAST_CHILD_PROPERTIES = compile_lazily(r"(?:margin|padding|border)(?:-(?:top|right|bottom|left))?")

# Could load something, end the style element, or hide either.
_UNSAFE = compile_lazily(r"<|\\|url\(|expression\(|image-set\(|src\(|!", re.IGNORECASE)

_COMMENT = compile_lazily(r"/\*.*?\*/", re.DOTALL)
_PIECE = compile_lazily(r"[^{}]*[{}]")
_MEDIA = compile_lazily(r"@media[^@;]+")


def css_problem(css: str) -> str | None:
    """Return the problem, or None."""
    try:
        for prelude, declarations in _rules(css, media=False):
            for selector in prelude.split(","):
                _check_selector(selector.strip(), declarations)
            _check_declarations(declarations)
    except _ProblemError as problem:
        return str(problem)
    return None


def web_css_problem(css: str) -> str | None:
    try:
        for _ in _rules(css, media=True):
            pass
    except _ProblemError as problem:
        return str(problem)
    return None


class _ProblemError(Exception):
    pass


def _rules(css: str, *, media: bool) -> Iterator[tuple[str, str]]:
    if unsafe := _UNSAFE.search(css):
        raise _ProblemError(f"contains {unsafe[0]!r}; allowed: rules that load nothing, without escapes and '!'")
    for name in re.findall(r"\$(\w*)", css):
        if name not in VARIABLE_NAMES:
            raise _ProblemError(f"unknown value ${name}; allowed: {', '.join(sorted(VARIABLE_NAMES))}")
    css = _COMMENT.sub("", css)
    position, in_media, prelude = 0, False, ""
    for piece in _PIECE.finditer(css):
        position = piece.end()
        source, brace = piece[0][:-1].strip(), piece[0][-1]
        if brace == "{" and media and not in_media and not prelude and _MEDIA.fullmatch(source):
            in_media = True
        elif brace == "{" and not prelude and source and "@" not in source and ";" not in source:
            prelude = source
        elif brace == "}" and prelude:
            yield prelude, source
            prelude = ""
        elif brace == "}" and in_media and not source:
            in_media = False
        else:
            raise _ProblemError(f"expected a rule at {piece[0].strip()[:40]!r}; allowed: selectors {{ declarations }}")
    if css[position:].strip() or prelude or in_media:
        raise _ProblemError("ends within a rule")


def _check_selector(selector: str, declarations: str) -> None:
    # Late: output with a stylesheet has no use for selectors.
    from mdpublish_core.css.selectors import LAST_CHILD, InvalidSelector, parse_selector

    try:
        compounds = parse_selector(selector).compounds
    except InvalidSelector:
        raise _ProblemError(
            f"selector {selector!r}; allowed: types, classes, '&', ' ', '>', '+', '~', :first-child, :last-child"
        ) from None
    if any(compound.tests for compound in compounds[:-1]):
        raise _ProblemError(f"selector {selector!r}; allowed: :first-child and :last-child at the end")
    names = [declaration.partition(":")[0].strip() for declaration in declarations.split(";") if declaration.strip()]
    if LAST_CHILD in compounds[-1].tests and not all(map(_LAST_CHILD_PROPERTIES.fullmatch, names)):
        raise _ProblemError(f"selector {selector!r}; allowed for :last-child: margins, paddings and borders")


def _check_declarations(declarations: str) -> None:
    for declaration in filter(None, map(str.strip, declarations.split(";"))):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name not in _PROPERTY_SYNTAX:
            raise _ProblemError(f"property {name!r}; allowed: {', '.join(_PROPERTY_SYNTAX)}")
        syntax, words = _PROPERTY_SYNTAX[name]
        if not re.fullmatch(syntax, value):
            raise _ProblemError(f"{declaration!r}; allowed: {words}")
