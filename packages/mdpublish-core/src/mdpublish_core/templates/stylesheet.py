"""The rules that templates are made of: reading them from the files beside this one, and writing them under a scope.

`stylesheets/base.css` holds for every template; `<element>-<variant>.css` holds for those whose theme names the variant;
what only web pages show stands in `web.css` and `<element>-<variant>.web.css`; `page.css` frames a page of its own. A
`$name` stands for a value of the theme. The grammar is small on purpose: rules of a selector list and declarations, and
media rules around them, one level deep; `&` stands for the scope itself.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

_FOLDER = files("mdpublish_core.templates") / "stylesheets"

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

# A media rule with its rules inside, a media rule's end, or one rule; what else may stand between them is only white
# space, which `parse_rules` asserts: the files are ours, and a theme's own rules are checked when it is read.
_PIECE = re.compile(
    r"\s*(?:(?P<media>@media[^{}]+)\{|(?P<end>\})|(?P<selectors>[^{}@]+)\{(?P<declarations>[^{}]*)\})\s*"
)

_SPACE = re.compile(r"\s+")

# A comma between selectors, not one in brackets.
_COMMA = re.compile(r",(?![^(]*\))")

# White space that means nothing, around a mark or in a run; what is quoted is not to be touched.
_AROUND_COMBINATOR = re.compile(r"\s*([>+~])\s*|\s+")
_AROUND_MARK = re.compile(r"(\"[^\"]*\"|'[^']*')|\s*([:;,])\s*|\s+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_VALUE = re.compile(r"\$([a-z][a-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its selectors, its declarations in one string, and the media query it stands under."""

    selectors: tuple[str, ...]
    declarations: str
    media: str | None = None


@cache
def variants_of(element: str) -> tuple[str, ...]:
    """Return the variants that there are of an element, which are the files named after it."""
    prefix = f"{element}-"
    names = (entry.name.removesuffix(".css").removesuffix(".web") for entry in _FOLDER.iterdir())
    return tuple(sorted({name.removeprefix(prefix) for name in names if name.startswith(prefix)}))


def rules(names: Iterable[str], values: Mapping[str, str], extra_css: str = "") -> tuple[Rule, ...]:
    """Return the rules of the files called `names` and then those of `extra_css`, with the theme's `values`."""
    return tuple(_with_values(rule, values) for written in (*map(_read, names), _parsed(extra_css)) for rule in written)


def _with_values(rule: Rule, values: Mapping[str, str]) -> Rule:
    """Return a rule whose placeholders are replaced; `values` has each, since all rules are checked or our own."""

    def value(name: re.Match[str]) -> str:
        return values[name[1]]

    declarations = _VALUE.sub(value, rule.declarations) if "$" in rule.declarations else rule.declarations
    media = _VALUE.sub(value, rule.media) if rule.media and "$" in rule.media else rule.media
    return Rule(rule.selectors, declarations, media)


@lru_cache(maxsize=256)
def _parsed(source: str) -> tuple[Rule, ...]:
    """Return the rules of a text, their placeholders as they are: most of the work, and the same for every theme mode."""
    return tuple(parse_rules(_COMMENT.sub("", source)))


def parse_rules(source: str) -> Iterator[Rule]:
    """Yield the rules of a text of this grammar, without comments."""
    position, media = 0, None
    while position < len(source):
        piece = _PIECE.match(source, position)
        if not piece:
            assert not source[position:].strip(), f"not a rule: {source[position : position + 60]!r}"
            return
        position = piece.end()
        if piece["media"]:
            media = _SPACE.sub(" ", piece["media"].strip())
        elif piece["end"]:
            media = None
        else:
            selectors = (_compact(selector, _AROUND_COMBINATOR) for selector in _COMMA.split(piece["selectors"]))
            yield Rule(tuple(selectors), _compact(piece["declarations"], _AROUND_MARK).rstrip(";"), media)


def scoped_css(written: Iterable[Rule], scope: str) -> str:
    """Return rules as a stylesheet's text, each selector under the class `scope`, a rule a line."""
    lines: list[str] = []
    media = None
    for rule in written:
        if rule.media != media:
            lines += ["}"] if media else []
            lines += [f"{rule.media}{{"] if rule.media else []
            media = rule.media
        selectors = ",".join(_scoped(selector, scope) for selector in rule.selectors)
        lines.append(f"{selectors}{{{rule.declarations}}}")
    lines += ["}"] if media else []
    # One letter beyond ASCII would make Python take two bytes for each of a whole fragment.
    return _BEYOND_ASCII.sub(lambda character: f"\\{ord(character[0]):x} ", "\n".join(lines))


@cache
def _read(name: str) -> tuple[Rule, ...]:
    """Return a file's rules; a variant without anything for the web alone has no file of that name."""
    file = _FOLDER / f"{name}.css"
    if name.endswith(".web") and not file.is_file():
        return ()
    return tuple(parse_rules(_COMMENT.sub("", file.read_text("utf-8"))))


def _compact(source: str, around: re.Pattern[str]) -> str:
    """Return a selector or declarations without the white space that means nothing."""
    return around.sub(lambda match: match[match.lastindex] if match.lastindex else " ", source.strip())


def _scoped(selector: str, scope: str) -> str:
    return selector.replace("&", f".{scope}") if "&" in selector else f".{scope} {selector}"


def compile_css(names: tuple[str, ...], values: Mapping[str, str], scope: str, extra_css: str = "") -> str:
    """Return the rules of the files called `names` and of `extra_css` as a stylesheet's text under a scope."""
    return scoped_css(rules(names, values, extra_css), scope)
