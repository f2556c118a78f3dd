"""Selectors of a user's stylesheet (Selectors Level 4), read from tokens.

`html`, `body`, `:root` and the classes that popular stylesheets give to the element around the content mean the
document, which is written `&`. A selector is kept in two forms: as CSS for a browser, and as compounds for `matcher`.

The page around the document is out of reach by structure: a selector begins with `&`, as do those of several compounds
within `:is()` and the like, and `&` has neither siblings nor anything around it. Only what is listed here or in
`selector_names.tsv` is allowed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mdpublish_core.css.selectors import COUNTS, OPERATORS, ROOT, Combinator, Compound, InvalidSelector, Selector, Test
from mdpublish_core.css.tokens import Token, css_text, parse_nth, split_at, trimmed, words_of
from mdpublish_core.data_files import read_words

LEGACY_PSEUDO_ELEMENTS, PSEUDO_ELEMENTS, STATES, OTHER_PSEUDO_CLASSES = (
    frozenset(read_words(__file__, "selector_names.tsv")[kind]) for kind in ("legacy", "elements", "states", "others")
)


_ROOT_TYPES = frozenset({"html", "body"})
_ROOT_CLASSES = frozenset({"markdown-body", "prose"})
"""GitHub's and Tailwind's."""
_BELOW = f":where({ROOT} *)"
"""Holds within the document only, for conditions on siblings."""

_ALWAYS = ":not(mdpublish)"
"""Holds for every element, and has the specificity of a type."""

_ROOT_PSEUDO_CLASSES = frozenset({"root", "host"})

_WORDED = frozenset({"lang", "dir"})

_LISTS = {"is": "is", "matches": "is", "-webkit-any": "is", "-moz-any": "is", "where": "where", "not": "not"}

_NTH_FIXED = read_words(__file__, "nth_names.tsv")


class RefusedSelector(ValueError):  # noqa: N818  (it names the fault)
    """A selector, or a part of it, that is not known or would leave the document."""


@dataclass(slots=True)
class _Reading:
    """A compound while it is read."""

    css: list[str] = field(default_factory=list)
    type: str | None = None
    classes: set[str] = field(default_factory=set)
    tests: list[Test] = field(default_factory=list)
    specificity: list[int] = field(default_factory=lambda: [0, 0, 0])
    is_root: bool = False
    is_html: bool = False
    obstacle: str | None = None

    def finished(self) -> Compound:
        if self.is_root:
            return Compound(ROOT, frozenset(), tuple(self.tests))
        return Compound(self.type, frozenset(self.classes), tuple(self.tests))


DOCUMENT = Selector(ROOT, (Compound(ROOT),), (), (0, 1, 0))


def read_selectors(tokens: Sequence[Token]) -> tuple[Selector, ...]:
    """Read a complex selector; `*` alone means the document, too. Raises `InvalidSelector` or `RefusedSelector`."""
    selector = _complex(tokens, f"{ROOT} ")
    return (selector, DOCUMENT) if selector.css == f"{ROOT} *" else (selector,)


def _complex(tokens: Sequence[Token], around: str = f":where({ROOT}) ", *, is_relative: bool = False) -> Selector:
    """Read a selector. `around` goes before it, unless it begins with the document or is a condition on one element."""
    compounds: list[_Reading] = []
    combinators: list[Combinator] = []
    for combinator, part in _parts(trimmed(tokens)):
        compound = _compound(part)
        if compounds and compound.is_root and compounds[-1].is_root and combinator in {" ", ">"}:
            compounds[-1] = _merged(compounds[-1], compound)
            continue
        is_sibling = combinator in {"+", "~"} and bool(compounds) and compounds[-1].is_root
        if is_sibling or (compound.is_root and (compounds or is_relative)):
            raise RefusedSelector(css_text(tokens))
        combinators.append(combinator)
        compounds.append(compound)
    css = [each for mark, compound in zip(combinators, compounds, strict=True) for each in (mark, *compound.css)]
    if not is_relative:
        is_within = not compounds[0].is_root and (len(compounds) > 1 or around[0] == ROOT)
        css[0] = around if is_within else ""
    if len(compounds) == 1 and compounds[0].is_root:
        # As strong as the class that stands for the document.
        compounds[0].specificity[1] += 1
    ids, classes, types = map(sum, zip(*(compound.specificity for compound in compounds), strict=True))
    obstacle = next((compound.obstacle for compound in compounds if compound.obstacle), None)
    finished = tuple(compound.finished() for compound in compounds)
    if (ids, classes, types) == (0, 0, 0) and ":where(" in "".join(css):
        # Else any rule of the template would be stronger.
        types = 1
        css.append(_ALWAYS)
    return Selector(
        "".join(css).lstrip(" "),
        finished,
        tuple(combinators[1:]),
        (ids, classes, types),
        obstacle,
        len(compounds) == 1 and compounds[0].is_html,
    )


def _merged(outer: _Reading, inner: _Reading) -> _Reading:
    """Return `html body` as one element: the document is both."""
    return _Reading(
        [*outer.css, *inner.css[1:]],
        tests=[*outer.tests, *inner.tests],
        specificity=[max(each) for each in zip(outer.specificity, inner.specificity, strict=True)],
        is_root=True,
        obstacle=outer.obstacle or inner.obstacle,
    )


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[Combinator, list[Token]]]:
    """Yield compounds, each with the combinator before it."""
    combinator: Combinator = " "
    part: list[Token] = []
    for token in tokens:
        mark = token.value if token.type == "literal" else ""
        if token.type == "whitespace" or mark in {">", "+", "~"}:
            if part:
                yield combinator, part
                combinator, part = " ", []
            if mark:
                if not combinator.isspace():
                    raise InvalidSelector(css_text(tokens))
                combinator = mark  # type: ignore[assignment]
        elif token.type != "comment":
            part.append(token)
    if not part:
        raise InvalidSelector(css_text(tokens))
    yield combinator, part


def _compound(tokens: Sequence[Token]) -> _Reading:
    reading = _Reading()
    pending = list(reversed(tokens))
    while pending:
        token = pending.pop()
        mark = token.value if token.type == "literal" else ""
        following = pending[-1] if pending else None
        if token.type == "ident" and not reading.css:
            _read_type(reading, token)
        elif mark == "*" and not reading.css:
            reading.css.append("*")
        elif mark == "&":
            reading.is_root = True
            _write_root(reading)
        elif mark == "." and following is not None and following.type == "ident":
            _read_class(reading, pending.pop())
        elif mark == ":" and following is not None:
            _read_pseudo(reading, tokens, pending)
        elif token.type == "hash" and token.is_identifier:
            reading.specificity[0] += 1
            reading.css.append(_escaped(token))
            reading.tests.append(Test("=", "id", token.value))
        elif token.type == "[] block":
            _read_attribute(reading, token)
        else:
            raise InvalidSelector(css_text(tokens))
    if reading.is_root and _BELOW in reading.css:
        raise RefusedSelector(css_text(tokens))
    return reading


def _read_type(reading: _Reading, token: Token) -> None:
    if token.lower_value in _ROOT_TYPES:
        reading.is_root = True
        reading.is_html = token.lower_value == "html"
        _write_root(reading)
        return
    reading.type = token.lower_value
    reading.specificity[2] += 1
    reading.css.append(_escaped(token))


def _read_class(reading: _Reading, token: Token) -> None:
    reading.specificity[1] += 1
    if token.value in _ROOT_CLASSES:
        reading.is_root = True
        _write_root(reading)
        reading.css.append(ROOT)
        return
    reading.classes.add(token.value)
    reading.css.append(f".{_escaped(token)}")


def _write_root(reading: _Reading) -> None:
    """Write the document in place of a type."""
    if reading.css[:1] == ["*"] or (reading.css and reading.type):
        del reading.css[0]
        reading.type = None
    if ROOT not in reading.css:
        reading.css.insert(0, ROOT)


def _read_pseudo(reading: _Reading, tokens: Sequence[Token], pending: list[Token]) -> None:
    token = pending.pop()
    if token.type == "literal" and token.value == ":" and pending:
        token = pending.pop()
        if token.type not in {"ident", "function"}:
            raise InvalidSelector(css_text(tokens))
        _read_pseudo_element(reading, token)
    elif token.type == "ident" and token.lower_value in LEGACY_PSEUDO_ELEMENTS:
        _read_pseudo_element(reading, token)
    elif token.type == "ident":
        _read_pseudo_class(reading, token.lower_value)
    elif token.type == "function":
        _read_functional(reading, token)
    else:
        raise InvalidSelector(css_text(tokens))


def _read_pseudo_element(reading: _Reading, token: Token) -> None:
    if token.type != "ident" or token.lower_value not in PSEUDO_ELEMENTS:
        raise RefusedSelector(f"::{css_text([token])}")
    css = f"::{token.lower_value}"
    reading.specificity[2] += 1
    reading.css.append(css)
    reading.obstacle = reading.obstacle or css


def _read_pseudo_class(reading: _Reading, name: str) -> None:
    if name in _ROOT_PSEUDO_CLASSES:
        reading.is_root = reading.is_html = True
        _write_root(reading)
        return
    reading.specificity[1] += 1
    reading.css.append(f":{name}")
    if name in _NTH_FIXED:
        reading.tests += [Test(kind, offset=1) for kind in _NTH_FIXED[name]]
    elif name in {"link", "any-link"}:
        reading.tests.append(Test("link"))
    elif name in STATES:
        reading.tests.append(Test("state"))
        reading.obstacle = reading.obstacle or f":{name}"
    elif name not in OTHER_PSEUDO_CLASSES:
        raise RefusedSelector(f":{name}")
    else:
        reading.obstacle = reading.obstacle or f":{name}"


def _read_functional(reading: _Reading, token: Token) -> None:
    name = token.lower_name
    if name in _LISTS:
        _read_list(reading, token, _LISTS[name])
    elif name == "has":
        _read_has(reading, token)
    elif name in COUNTS:
        _read_nth(reading, token)
    elif name in _WORDED and all(_is_worded(each) for each in token.arguments):
        reading.specificity[1] += 1
        reading.css.append(f":{name}({','.join(_escaped(*part) for part in split_at(token.arguments, ','))})")
        reading.obstacle = reading.obstacle or f":{name}()"
    else:
        raise RefusedSelector(f":{css_text([token])}")


def _is_worded(token: Token) -> bool:
    return token.type in {"ident", "string", "whitespace", "comment"} or (
        token.type == "literal" and token.value == ","
    )


def _read_nth(reading: _Reading, token: Token) -> None:
    numbers, *lists = _split_at_of(token.arguments)
    if (nth := parse_nth(numbers)) is None:
        raise RefusedSelector(f":{css_text([token])}")
    reading.specificity[1] += 1
    if not lists:
        reading.css.append(f":{token.lower_name}({css_text(numbers)})")
        reading.tests.append(Test(token.lower_name, step=nth[0], offset=nth[1]))
        return
    selectors = [_complex(part) for part in split_at(lists[0], ",")]
    _strengthen(reading, selectors)
    written = ",".join(each.css for each in selectors)
    reading.css += [f":{token.lower_name}({css_text(numbers)} of {written})", _BELOW]
    reading.obstacle = reading.obstacle or f":{token.lower_name}()"


def _split_at_of(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """Split `2n of p` at its first `of`."""
    for index, token in enumerate(tokens):
        if token.type == "ident" and token.lower_value == "of":
            return [tokens[:index], tokens[index + 1 :]]
    return [tokens]


def _read_has(reading: _Reading, token: Token) -> None:
    selectors = [_complex(part, is_relative=True) for part in split_at(token.arguments, ",")]
    _strengthen(reading, selectors)
    reading.css.append(f":has({','.join(each.css for each in selectors)})")
    if any(each.css.startswith(("+", "~")) for each in selectors):
        reading.css.append(_BELOW)
    reading.obstacle = reading.obstacle or ":has()"


def _strengthen(reading: _Reading, selectors: Sequence[Selector]) -> None:
    strongest = max(selector.specificity for selector in selectors)
    reading.specificity = [weight + each for weight, each in zip(reading.specificity, strongest, strict=True)]


def _read_list(reading: _Reading, token: Token, kind: str) -> None:
    """Read `:is`, `:where` or `:not`."""
    selectors = tuple(_complex(part) for part in split_at(token.arguments, ","))
    if kind != "where":
        _strengthen(reading, selectors)
    css = f":{kind}({','.join(selector.css for selector in selectors)})"
    roots = [len(each.compounds) == 1 and each.compounds[0].type == ROOT for each in selectors]
    if kind != "not" and all(roots):
        reading.is_root = True
        reading.is_html = all(each.is_html for each in selectors)
        _write_root(reading)
        if not any(each.css.strip(ROOT) == "" for each in selectors):
            reading.css.append(css)
        reading.tests += [Test("is", compounds=tuple(each.compounds[0] for each in selectors))]
        return
    reading.css.append(css)
    unfit = next((each for each in selectors if len(each.compounds) > 1 or _is_unknown(each)), None)
    if unfit is not None:
        reading.obstacle = reading.obstacle or f":{kind}({unfit.obstacle or unfit.css})"
    compounds = tuple(each.compounds[0] for each in selectors)
    reading.tests.append(Test("not" if kind == "not" else "is", compounds=compounds))


def _is_unknown(selector: Selector) -> bool:
    """Whether a selector has an obstacle other than a state, which is known to be false."""
    return selector.obstacle is not None and not any(test.kind == "state" for test in selector.compounds[0].tests)


def _read_attribute(reading: _Reading, token: Token) -> None:
    if not (words := words_of(token.content or ())) or words[0].type != "ident":
        raise InvalidSelector(css_text([token]))
    reading.specificity[1] += 1
    name = words[0].lower_value
    if len(words) == 1:
        reading.css.append(f"[{_escaped(words[0])}]")
        reading.tests.append(Test("[]", name))
        return
    types = [each.type for each in words[1:]]
    if types[:2] not in (["literal", "ident"], ["literal", "string"]) or types[2:] not in ([], ["ident"]):
        raise InvalidSelector(css_text([token]))
    mark, value, *flags = words[1:]
    if mark.value not in OPERATORS:
        raise InvalidSelector(css_text([token]))
    flag = flags[0].lower_value if flags else ""
    if flag not in {"", "i", "s"}:
        raise RefusedSelector(css_text([token]))
    reading.css.append(f"[{_escaped(words[0])}{mark.value}{_escaped(value)}{flag and f' {flag}'}]")
    reading.tests.append(Test(mark.value, name, value.value, flag == "i"))


_MARK_OR_BACKSLASH = re.compile(r"(\\\\)|\\?&")


def _escaped(*tokens: Token) -> str:
    r"""Return tokens as CSS, with `&`, which stands for the document, as `\26 `."""
    return _MARK_OR_BACKSLASH.sub(lambda match: match[1] or r"\26 ", css_text(tokens))
