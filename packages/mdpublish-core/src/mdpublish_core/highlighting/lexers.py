"""The Pygments lexers in use, and their aliases; the only module that imports Pygments.

Nearly every lexer is quadratic on some input: Python's on empty lines, JavaScript's on escaped quotes. Slow lexers
are stopped, which is possible only between two tokens. `SAFE_LEXERS` never took long between two in fuzzing
(tests/security/test_lexers.py); overrides replace rules that did, or that use a lexer named in the code.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias, cast

from pygments.lexer import Lexer, bygroups, default, include, inherit, using
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

from mdpublish_core.data_files import read_names

LexerOverrides: TypeAlias = dict[str, object]

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
    overrides = _OVERRIDES[alias]() if alias in _OVERRIDES else None
    return cast("type[Lexer]", type(lexer_class.__name__, (lexer_class,), overrides)) if overrides else lexer_class


# Untyped in Pygments's stubs.
_using: Callable[[type[Lexer]], object] = using
_bygroups: Callable[..., object] = bygroups


# Overrides. Docstrings tell what is wrong with Pygments's rules, or what changes.


def _bash() -> LexerOverrides:
    """Here-documents and quoted strings are polynomial in their length."""
    here_document = (r"<<-?\s*('?)\\?(\w++)(?:[\s\S]+?\2|[\s\S]*)", String)
    quoted = (r"\$'(?:\\[\s\S]|[^'\\])*+'?", String)
    return {"tokens": {"basic": [here_document, inherit], "data": [quoted, inherit]}}


def _batch() -> LexerOverrides:
    """Half of the expressions are polynomial in carets."""
    words = (
        r"(?:call|defined|do|else|endlocal|equ|errorlevel|exist|exit|for|geq|goto|gtr|if|in|leq|lss|neq|not|setlocal)"
    )
    commands = (
        r"(?:assoc|attrib|cd|chdir|cls|copy|date|del|dir|echo|erase|md|mkdir|mklink|move|path|pause|popd|prompt|pushd|rd"
        r"|ren|rename|rmdir|set|shift|start|time|title|type|ver|verify|vol)"
    )
    return {
        "tokens": {
            "root": [
                (r"\s+", Whitespace),
                (r"@?rem\b.*|^\s*::.*", Comment),
                (r"^\s*:[\w.-]+", Name.Label),
                (rf"{words}\b", Keyword),
                (rf"{commands}\b", Name.Builtin),
                (r"\"[^\"\n]*+\"?", String),
                (r"%~?[\w:~,*-]++%?|![\w:~,*-]++!", Name.Variable),
                (r"\d+\b", Number),
                (r"[\w./\\-]+", Text),
                (r".", Punctuation),
            ]
        }
    }


def _c() -> LexerOverrides:
    """Functions are detected by parenthesis in `highlighter`, not by context."""
    path = r"""([^\S\n]*)(include|import)([^\S\n]*)(<[^>\n]*>|"[^"\n]*")"""
    return {
        "tokens": {
            "root": [include("whitespace"), include("keywords"), include("types"), default("statement")],
            "macro": [
                (path, _bygroups(Whitespace, Comment.Preproc, Whitespace, Comment.PreprocFile)),
                (r"[^/\n]+", Comment.Preproc),
                (r"/\*[\s\S]*?\*/", Comment),
                (r"//.*", Comment),
                (r"/", Comment.Preproc),
                (r"(?<=\\)\n", Comment.Preproc),
                (r"\n", Comment.Preproc, "#pop"),
            ],
        }
    }


def _common_lisp() -> LexerOverrides:
    """Names in `*` and `+` are polynomial in dots."""
    rules = vars(find_lexer_class("Common Lisp"))["tokens"]["body"]
    end = r"(?=[\s()\"',;`]|\Z)"
    names = [
        (rf"\*[^\s()\"',;`*]++\*{end}", Name.Variable.Global),
        (rf"\+[^\s()\"',;`+]++\+{end}", Name.Constant),
    ]
    return {"tokens": {"body": [*names, *(rule for rule in rules if str(rule[0])[:2] not in {r"\*", r"\+"})]}}


def _console() -> LexerOverrides:
    """Prompts take seconds on a line of a few hundred letters."""
    host = r"(?:\[[^\]\n]{1,80}\]|[\w.-]{1,40}@[^\s$#%❯]{1,80}(?: [^\s$#%❯]{1,80})?)"  # noqa: RUF001  (as shells show it)
    return {"_ps1rgx": re.compile(rf"({host}? ?[$#%❯]\s*)(.*\n?)"), "_innerLexerCls": _lexer_class("bash")}  # noqa: RUF001


def _docker() -> LexerOverrides:
    words = (
        r"(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME"
        r"|WORKDIR)\b"
    )
    return {
        "tokens": {
            "root": [
                (r"\s+", Whitespace),
                (r"#.*", Comment),
                (r"FROM\b", Keyword, "image"),
                (words, Keyword, "arguments"),
                (r".+", Text),
            ],
            "image": [
                (r"\n", Whitespace, "#pop"),
                (r"\s+", Whitespace),
                (r"AS\b", Keyword),
                (r"\S+", String),
            ],
            "arguments": [
                (r"\n", Whitespace, "#pop"),
                (words, Keyword),
                (r"(?:[^\\\n]|\\[\s\S]|\\)++", _using(_lexer_class("bash"))),
            ],
        }
    }


def _fortran() -> LexerOverrides:
    """Strings are polynomial in escapes."""
    strings = [(rf"{quote}(?:\\[\s\S]|[^{quote}\\])*+{quote}?", String) for quote in ("'", '"')]
    return {"tokens": {"strings": [*strings, inherit]}}


def _http() -> LexerOverrides:
    """Ignore the header's type of the body."""
    return {"tokens": {"content": [(r"[{\[].*", _using(_lexer_class("json"))), (r".+", Text)]}}


def _ini() -> LexerOverrides:
    """Most expressions take seconds on a few thousand equals signs."""
    return {
        "tokens": {
            "root": [
                (r"\s+", Whitespace),
                (r"[;#].*", Comment),
                (r"\[[^\]\n]*\]", Keyword),
                (r"[=:]", Operator, "value"),
                (r"[^=:\n]+", Name.Attribute),
            ],
            "value": [
                (r"\n", Whitespace, "#pop"),
                (r"\\\n", String.Escape),
                (r"\s+", Whitespace),
                (r"(?<=\s)[;#].*", Comment),
                (r"\"[^\"\n]*\"|'[^'\n]*'", String),
                (r"[^\s\\]+(?:[ \t]+[^\s\\;#][^\s\\]*)*|\\", String),
            ],
        }
    }


def _make() -> LexerOverrides:
    return {
        "tokens": {
            "root": [
                (r"^\t(?:[^\\\n]|\\[\s\S]|\\)++", _using(_lexer_class("bash"))),
                (r"\s+", Whitespace),
                (r"#.*", Comment),
                (r"-?(?:ifn?eq|ifn?def|else|endif|s?include|define|endef|vpath|(?:un)?export|override)\b", Keyword),
                (r"^([^\s:=#]++)(\s*)((?:[!?+]|:{1,3})?=)", _bygroups(Name.Variable, Whitespace, Operator)),
                (r"^([^\s:=#][^:=#\n]*+)(::?)", _bygroups(Name.Function, Operator)),
                (r"(\$[({])([a-z-]+)(?=[ \t])", _bygroups(Operator, Keyword)),
                (r"\"[^\"\n]*\"|'[^'\n]*'", String),
                (r"[^\s$#\"']+|.", Text),
            ]
        }
    }


def _ocaml() -> LexerOverrides:
    """Numbers take seconds on a few thousand digits."""
    based = r"-?0(?:[xX][\da-fA-F_]++|[oO][0-7_]++|[bB][01_]++)"
    decimal = r"-?\d[\d_]*+(?:\.[\d_]*+)?(?:[eE][+-]?\d[\d_]*+)?"
    return {"tokens": {"root": [(based, Number), (decimal, Number), inherit]}}


def _perl() -> LexerOverrides:
    """`s!` is polynomial in backslashes."""
    replacement = r"s!(?:\\[\s\S]|[^!\\])*+!(?:\\[\s\S]|[^!\\])*+![egimosx]*"
    return {"tokens": {"root": [(replacement, String.Regex), (r"s(?=!)", Name), inherit]}}


def _postgresql() -> LexerOverrides:
    """Highlight function bodies as SQL, whatever language they name."""
    return {"_get_lexer": lambda _lexer, _language: _lexer_class("sql")()}


def _pycon() -> LexerOverrides:
    """Replace a lexer that reads all code before its first token."""
    prompt = re.compile(r"((?:>>>|\.\.\.)(?: |(?=\n)))(.*\n?)")
    return {"_ps1rgx": prompt, "_innerLexerCls": _lexer_class("python")}


def _python() -> LexerOverrides:
    """`%` in strings takes seconds on a few thousand zeros."""
    formatted = r"%(?:\(\w++\))?[-#0 +]*+(?:[0-9]++|\*)?(?:\.(?:[0-9]++|\*))?[hlL]?[E-GXc-giorsaux%]"
    rules = [(formatted, String.Interpol), (r"%", String), inherit]
    return {"tokens": {f"{kind}-{quotes}": rules for kind in ("bytes", "strings") for quotes in ("double", "single")}}


def _restructuredtext() -> LexerOverrides:
    """Inlines and fields stop where the next one could begin."""
    rules = vars(find_lexer_class("reStructuredText"))["tokens"]["root"]
    field = (r"^( *)(:(?:\\.|[^:\\\n])++:(?=\s))", _bygroups(Whitespace, Name.Class))
    return {
        "tokens": {
            "root": [field, *(rule for rule in rules if not str(rule[0]).startswith("^( *)(:"))],
            "inline": [
                (r"\\.", Text),
                (r"``", String, "literal"),
                (r"(`[^`<\n]*+)(<[^`>\n]*+>)(`__?)", _bygroups(String, String.Interpol, String)),
                (r"`[^`\n]++`__?", String),
                (r"(`[^`\n]++`)(:[\w.+-]+:)?", _bygroups(Name.Variable, Name.Attribute)),
                (r"(:[\w.+-]+:)(`[^`\n]++`)", _bygroups(Name.Attribute, Name.Variable)),
                (r"\*\*[^*\n]++\*\*", Generic.Strong),
                (r"\*[^*\n]++\*", Generic.Emph),
                (r"\[[^\]\n]*+\]_", String),
                (r"<[^>\n]++>", Name.Tag),
                (r"[^\\\n\[*`:<]+", Text),
                (r".", Text),
            ],
        }
    }


def _scala() -> LexerOverrides:
    """Strings are polynomial in backslashes."""
    strings = [(r"\"\"\"[\s\S]*?(?:\"\"\"(?!\")|\Z)", String), (r"(?:raw)?\"(?:\\.|[^\"\\\n])*+\"?", String)]
    return {"tokens": {"constants": [*strings, inherit], "strings": [*strings, inherit]}}


def _vim() -> LexerOverrides:
    """Remove Python, which would use the original lexer."""
    rules = vars(find_lexer_class("VimL"))["tokens"]["root"]
    return {"tokens": {"root": [rule for rule in rules if "py(?:t" not in str(rule[0])]}}


_BASES = {"make": "basemake", "pycon": "console"}

_OVERRIDES: dict[str, Callable[[], LexerOverrides]] = {
    "arduino": _c,
    "bash": _bash,
    "batch": _batch,
    "c": _c,
    "common-lisp": _common_lisp,
    "console": _console,
    "cpp": _c,
    "cuda": _c,
    "docker": _docker,
    "fortran": _fortran,
    "gdscript": _python,
    "http": _http,
    "ini": _ini,
    "make": _make,
    "objective-c": _c,
    "objective-c++": _c,
    "ocaml": _ocaml,
    "perl": _perl,
    "plpgsql": _postgresql,
    "postgresql": _postgresql,
    "pycon": _pycon,
    "python": _python,
    "reasonml": _ocaml,
    "restructuredtext": _restructuredtext,
    "scala": _scala,
    "vim": _vim,
}
