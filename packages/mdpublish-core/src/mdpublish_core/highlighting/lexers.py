"""The Pygments lexers in use, and their aliases; the only module that imports Pygments.

Nearly every lexer is quadratic on some input: Python's on empty lines, JavaScript's on escaped quotes. Slow lexers
are stopped, which is possible only between two tokens. `SAFE_LEXERS` never took long between two in fuzzing
(tests/security/test_lexers.py); overrides replace rules that did, or that use a lexer named in the code.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import cast

from pygments.lexer import Lexer, bygroups, default, include, inherit, using
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import string_to_tokentype

from mdpublish_core.data_files import read_names, read_table

_NAMES = read_names(__file__, "lexers.tsv")

SAFE_LEXERS = frozenset(" ".join(_NAMES["safe"].values()).split(" "))

# No highlighting of embedded code in a language it names itself.
_OPTIONS = {"markdown": {"handlecodeblocks": False}, "restructuredtext": {"handlecodeblocks": False}}


def first_alias(name: str) -> str | None:
    return _aliases().get(_NAMES["alias"].get(name, name), (None,))[0]


def lex(content: str, alias: str) -> Iterator[tuple[int, tuple[str, ...], str]]:
    options: dict[str, bool] = _OPTIONS.get(alias, {})
    if alias == "php":
        options = {"startinline": "<?" not in content}
    return _lexer_class(alias)(**options).get_tokens_unprocessed(content)


@cache
def _aliases() -> dict[str, tuple[str, str]]:
    """Return first alias and lexer by alias; plug-ins are untested."""
    return {alias: (aliases[0], name) for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}


@cache
def _lexer_class(alias: str) -> type[Lexer]:
    for inside in _NAMES["embedded"].get(alias, "").split():
        _lexer_class(inside)()
    base = _BASES.get(alias, alias)
    lexer_class = find_lexer_class(_aliases()[base][1])
    assert lexer_class, alias
    overrides = _overrides(alias, lexer_class)
    return cast("type[Lexer]", type(lexer_class.__name__, (lexer_class,), overrides)) if overrides else lexer_class


# Untyped in Pygments's stubs.
_using: Callable[[type[Lexer]], object] = using
_bygroups: Callable[..., object] = bygroups


def _overrides(alias: str, base: type[Lexer]) -> dict[str, object]:
    """Return the members of a lexer that replace those of Pygments's; the table of rules says why."""
    if alias in _PROMPTS:
        prompt, inside = _PROMPTS[alias]
        return {"_ps1rgx": re.compile(prompt), "_innerLexerCls": _lexer_class(inside)}
    if alias in _WITH_BODIES:
        return {"_get_lexer": lambda _lexer, _language: _lexer_class("sql")()}
    states: dict[str, list[object]] = {}
    for aliases, names, expression, kind, following in read_table(__file__, "lexer_rules.tsv"):
        if alias in aliases.split():
            for state in names.split():
                states.setdefault(state, []).extend(_rules(base, state, expression, kind, following))
    return {"tokens": states} if states else {}


def _rules(base: type[Lexer], state: str, expression: str, kind: str, following: str) -> Iterable[object]:
    verb, _, name = kind.partition(" ")
    if verb == "others":
        others = re.compile(expression, re.DOTALL)
        return (rule for rule in vars(base)["tokens"][state] if not others.match(str(rule[0])))
    if not expression:
        return [inherit if verb == "inherit" else {"include": include, "default": default}[verb](name)]
    if verb == "using":
        kinds: object = _using(_lexer_class(name))
    else:
        tokens = [string_to_tokentype(each) for each in kind.split()]
        kinds = _bygroups(*tokens) if name else tokens[0]
    return [(expression, kinds, following) if following else (expression, kinds)]


_BASES = {"make": "basemake", "pycon": "console"}

_HOST = r"(?:\[[^\]\n]{1,80}\]|[\w.-]{1,40}@[^\s$#%❯]{1,80}(?: [^\s$#%❯]{1,80})?)"  # noqa: RUF001  (as shells show it)

_PROMPTS = {
    "console": (rf"({_HOST}? ?[$#%❯]\s*)(.*\n?)", "bash"),  # noqa: RUF001
    "pycon": (r"((?:>>>|\.\.\.)(?: |(?=\n)))(.*\n?)", "python"),
}
"""Prompts, which take Pygments seconds on a line of a few hundred letters, and the lexer of what follows them.

That of Python reads all code before its first token.
"""

_WITH_BODIES = frozenset({"plpgsql", "postgresql"})
"""Lexers that highlight the bodies of functions as SQL, whatever language they name."""
