"""Media queries of a user's stylesheet (Media Queries Level 4).

The color scheme is that of the theme mode everywhere, since the rest of the document has it; with `auto`, a browser
decides. Destinations without stylesheets evaluate the other queries once, for a screen as wide as the text.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, gt, le, lt

from mdpublish_core.css.lengths import PIXELS
from mdpublish_core.css.normalize import Units
from mdpublish_core.css.tokens import Token, css_text, split_at, tokens_of, words_of
from mdpublish_core.data_files import read_pairs

_COLOR_SCHEME = "prefers-color-scheme"

_FIXED_FEATURES = read_pairs(__file__, "media_features.tsv")

_RELATIONS: Mapping[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq}

_PIXELS = {**PIXELS, "em": 16.0, "rem": 16.0}


def media_holds(media: str, theme_mode: str, units: Units) -> bool | None:
    """Answer a list of queries for a destination without stylesheets; None if one cannot be answered."""
    results = [_query_holds(each, theme_mode, units) for each in split_at(tokens_of(media), ",")]
    return True if True in results else None if None in results else False


def browser_media(media: str, theme_mode: str) -> str | None:
    """Return the queries that are left to a browser, None if they never hold; `all` if they always do."""
    if theme_mode == "auto":
        return media
    left = [each for part in split_at(tokens_of(media), ",") if (each := _browser_query(part, theme_mode)) is not None]
    return "all" if "all" in left else ", ".join(left) or None


def _browser_query(tokens: Sequence[Token], theme_mode: str) -> str | None:
    words = words_of(tokens)
    if any(word.type == "ident" and word.lower_value in {"not", "or"} for word in words):
        return css_text(tokens)
    left: list[str] = []
    for word in words:
        if word.type == "ident" and word.lower_value == "and":
            continue
        if word.type == "() block" and (scheme := _color_scheme(word)) is not None:
            if scheme != theme_mode:
                return None
            continue
        left.append(css_text([word]))
    if left[:1] == ["only"]:
        left = [" ".join(left[:2]), *left[2:]]
    return " and ".join(left) or "all"


def _color_scheme(block: Token) -> str | None:
    words = words_of(block.content or ())
    values = [word.lower_value for word in words if word.type == "ident"]
    return values[1] if len(values) == 2 and values[0] == _COLOR_SCHEME else None


def _query_holds(tokens: Sequence[Token], theme_mode: str, units: Units) -> bool | None:
    words = words_of(tokens)
    if words and words[0].type == "ident" and words[0].lower_value == "only":
        words = words[1:]
    is_negated = bool(words) and words[0].type == "ident" and words[0].lower_value == "not"
    result = _conjunction_holds(words[1:] if is_negated else words, theme_mode, units)
    return None if result is None else result != is_negated


def _conjunction_holds(words: Sequence[Token], theme_mode: str, units: Units) -> bool | None:
    """Answer conditions joined by `and`, or by `or`."""
    results: list[bool | None] = []
    is_disjunction = False
    for word in words:
        if word.type == "() block":
            results.append(_condition_holds(word, theme_mode, units))
        elif word.type != "ident":
            return None
        elif word.lower_value == "or":
            is_disjunction = True
        elif word.lower_value != "and":
            results.append(word.lower_value in {"all", "screen"})
    decisive = is_disjunction
    if decisive in results:
        return decisive
    return None if None in results or not results else not decisive


def _condition_holds(block: Token, theme_mode: str, units: Units) -> bool | None:
    words = words_of(block.content or ())
    if words and (words[0].type == "() block" or (words[0].type == "ident" and words[0].lower_value == "not")):
        return _query_holds(words, theme_mode, units)
    if any(word.type == "literal" and word.value[:1] in _RELATIONS for word in words):
        return _range_holds(words, units)
    name = words[0].lower_value if words and words[0].type == "ident" else ""
    value = words[2] if len(words) == 3 and words[1].type == "literal" and words[1].value == ":" else None
    if name in {"min-width", "max-width", "width"} and value is not None:
        length = _pixels(value)
        relation = {"min-width": ge, "max-width": le, "width": eq}[name]
        return None if length is None else bool(relation(units.width, length))
    result = theme_mode if name == _COLOR_SCHEME else _FIXED_FEATURES.get(name)
    if result is None:
        return None
    return result == (value.lower_value if value is not None and value.type == "ident" else "")


def _range_holds(words: Sequence[Token], units: Units) -> bool | None:
    """Answer `width >= 400px` and `400px <= width <= 700px`; an operator is one token or two."""
    values: list[float | None] = []
    relations: list[str] = []
    for word in words:
        if word.type != "literal":
            is_width = word.type == "ident" and word.lower_value == "width"
            values.append(units.width if is_width else _pixels(word))
            relations.append("")
        elif relations:
            relations[-1] += word.value
    if None in values or len(values) not in {2, 3} or relations[-1]:
        return None
    steps = zip(values, relations, values[1:], strict=False)
    results = [
        _RELATIONS[mark](left, right) if mark in _RELATIONS and left is not None and right is not None else None
        for left, mark, right in steps
    ]
    return None if None in results else all(results)


def _pixels(token: Token) -> float | None:
    if token.type == "number":
        return 0.0 if float(token.value) == 0 else None
    factor = _PIXELS.get(token.lower_unit) if token.type == "dimension" else None
    return None if factor is None else float(token.value) * factor
