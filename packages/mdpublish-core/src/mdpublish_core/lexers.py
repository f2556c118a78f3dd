"""Which of Pygments's lexers highlight code, and by which names authors call them.

No other module names Pygments; `highlighting` imports this one late, since Pygments takes its time to load. What a token
type means to a reader, and how long a lexer may work, `highlighting` says.

Nearly every lexer is quadratic on some text: JavaScript's on `\\"`, Python's on empty lines, C's on `//`. So a lexer is
stopped that works too long, which can be done between two tokens only. `PROVEN` are those that floods have never made
wait long between two; tests/hostile/test_lexers.py floods them. What would make one of them hand code to a lexer that
the code itself names is changed here.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import cast

from pygments.lexer import Lexer, using
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import Comment, Keyword, Name, Operator, String, Text, Whitespace

PROVEN: frozenset[str] = frozenset(
    """
    python pycon pytb javascript jsx typescript tsx json json5 java c cpp csharp go rust ruby php swift kotlin scala sql postgresql mysql plpgsql tsql bash console powershell pwsh-session html css scss sass less yaml toml ini properties xml markdown restructuredtext diff docker make julia matlab perl lua haskell elixir erlang clojure dart groovy objective-c graphql protobuf nginx terraform vim tex cmake zig nixos solidity vue batch http django erb coffeescript pug haml output rbcon splus
    """.split()  # noqa: SIM905  (a list would have a line for each)
)
"""The lexers that are used, each by its first alias."""

_OTHER_NAMES = {
    "cc": "cpp",
    "cjs": "javascript",
    "cmd": "batch",
    "cts": "typescript",
    "cxx": "cpp",
    "dotenv": "properties",
    "editorconfig": "ini",
    "env": "properties",
    "gitconfig": "ini",
    "gql": "graphql",
    "gradle": "groovy",
    "h": "c",
    "hh": "cpp",
    "hpp": "cpp",
    "htm": "html",
    "ino": "arduino",
    "jenkinsfile": "groovy",
    "jinja2": "django",
    "jsonc": "json",
    "jsonl": "json",
    "kt": "kotlin",
    "kts": "kotlin",
    "mdx": "markdown",
    "mjs": "javascript",
    "mk": "make",
    "mts": "typescript",
    "ndjson": "json",
    "patch": "diff",
    "plist": "xml",
    "rss": "xml",
    "shellscript": "bash",
    "shellsession": "console",
    "sol": "solidity",
    "svelte": "vue",
    "svg": "xml",
    "terminal": "console",
    "vb": "vb.net",
    "vhd": "vhdl",
    "vimscript": "vim",
    "viml": "vim",
    "xhtml": "html",
    "xsd": "xml",
}
"""What authors call languages that Pygments calls otherwise."""

# Fences and bodies whose language the code itself names.
_OPTIONS = {"markdown": {"handlecodeblocks": False}, "restructuredtext": {"handlecodeblocks": False}}

_INSIDE = {
    "console": ("bash",),
    "docker": ("bash", "json"),
    "erb": ("ruby",),
    "haml": ("ruby",),
    "html": ("css", "javascript"),
    "http": ("json",),
    "plpgsql": ("sql",),
    "postgresql": ("sql",),
    "pug": ("scala",),
    "pwsh-session": ("powershell",),
    "pycon": ("python",),
    "pytb": ("python",),
    "rbcon": ("ruby",),
    "vim": ("python",),
    "vue": ("css", "javascript"),
}
"""The lexers that a lexer hands code to. Each is as proven, and made ready with it: tables take longer than most code."""

# A user and a host, or what stands in brackets; then the sign.
_SHELL_PROMPT = re.compile(
    r"((?:\[[^\]\n]{1,80}\]|[\w.-]{1,40}@[^\s$#%❯]{1,80}(?: [^\s$#%❯]{1,80})?)? ?[$#%❯]\s*)(.*\n?)"  # noqa: RUF001
)
_PYTHON_PROMPT = re.compile(r"((?:>>>|\.\.\.)(?: |(?=\n)))(.*\n?)")

_INI = {
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
        (r""" "[^"\n]*" | '[^'\n]*' """.replace(" ", ""), String),
        (r"[^\s\\]+(?:[ \t]+[^\s\\;#][^\s\\]*)*|\\", String),
    ],
}


def first_alias(name: str) -> str | None:
    """Return the first alias of the lexer for a language, None where there is none; `name` is in lower case."""
    return _aliases().get(_OTHER_NAMES.get(name, name), (None,))[0]


def lex(content: str, alias: str) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """Yield the tokens of code: positions, token types and texts. Nothing is stripped or expanded before."""
    options: dict[str, bool] = _OPTIONS.get(alias, {})
    if alias == "php":
        # Authors leave the opening tag out.
        options = {"startinline": "<?" not in content}
    return _lexer_class(alias)(**options).get_tokens_unprocessed(content)


@cache
def _aliases() -> dict[str, tuple[str, str]]:
    """Return each alias's first alias and lexer, as Pygments names them; plug-ins left out, since nobody has proven them."""
    return {alias: (aliases[0], name) for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}


@cache
def _lexer_class(alias: str) -> type[Lexer]:
    """Return the class of one of `PROVEN`, its tables and those of what it hands code to made."""
    for inside in _INSIDE.get(alias, ()):
        _lexer_class(inside)()
    changes = _changes(alias)
    # Pygments's own lexer for sessions of Python reads all of the code before its first token.
    found = find_lexer_class(_aliases()["console" if alias == "pycon" else alias][1])
    assert found, alias
    return cast("type[Lexer]", type(found.__name__, (found,), changes)) if changes else found


def _changes(alias: str) -> dict[str, object]:
    """Return what a lexer of ours has instead of Pygments's."""
    match alias:
        case "console":
            # Pygments's expression takes seconds for a line of a few hundred letters.
            return {"_ps1rgx": _SHELL_PROMPT}
        case "pycon":
            return {"_ps1rgx": _PYTHON_PROMPT, "_innerLexerCls": _lexer_class("python")}
        case "ini":
            # Pygments's expressions take seconds for a line of a few thousand equals signs.
            return {"tokens": _INI}
        case "http":
            # The body would be of whatever language the header says.
            body = [(r"[{\[].*", using(_lexer_class("json"))), (r".+", Text)]  # type: ignore[no-untyped-call]
            return {"tokens": {"content": body}}
        case "plpgsql" | "postgresql":
            # So would the body of a function.
            return {"_get_lexer": lambda _lexer, _language: _lexer_class("sql")()}
    return {}
