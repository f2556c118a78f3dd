import gc
import inspect
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from time import thread_time

import pytest
from pygments.lexer import Lexer
from pygments.lexers.data import JsonLexer

from mdpublish_core import convert
from mdpublish_core.highlighting import highlighter
from mdpublish_core.highlighting.highlighter import (
    BASE_SECONDS,
    CODE_ROLES,
    MAX_CODE_BYTES,
    MAX_WHITESPACE_RUN,
    HighlightedCode,
    highlight,
)
from mdpublish_core.highlighting.lexers import _NAMES, SAFE_LEXERS, _lexer_class, first_alias
from mdpublish_core.lru_cache import LruCache
from mdpublish_core.writers.context import MAX_SLOW_BLOCKS

ODD_SOURCES = {
    "empty lines around": "\n\n  a = 1\n\n\n",
    "no line end": "a = 'b'",
    "tabs": "\tif a:\n\t\tb\t= 1\n",
    "controls": "a\0b\x01\x0b\x0c\x1b[0m\x7f\x85\r\n\rc\n",
    "beyond ascii": "é漢😀\u2028\u202e\ufeff\xa0\u0301«\n",
    "surrogates": "a\ud800'\udfff\n",
    "marks": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\n" * 3,
    "openers": '/* <!-- """ \'\'\' (* {- #{ ${ {{ {% <? <% r" @" %q( s/ [[ --[[ =begin\n<<EOF\n$ a\n>>> b\n```c#\nd\n',
}


def roles_of(content: str, language: str) -> dict[str, str | None]:
    """Role of each span, by its text without surrounding white space."""
    return {source.strip(): role for role, source in highlight(content, language).spans}


@pytest.fixture
def no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes longer for any code."""
    monkeypatch.setattr(highlighter, "_within_time", lambda tokens, _seconds: tokens)
    monkeypatch.setattr(highlighter, "_cache", LruCache(1_000))


@pytest.mark.usefixtures("no_time_limit")
@pytest.mark.parametrize("alias", sorted(SAFE_LEXERS))
def test_pieces_joined_are_the_code(alias: str) -> None:
    for name, content in ODD_SOURCES.items():
        highlighted = highlight(content, alias)

        assert "".join(source for _, source in highlighted.spans) == content, name
        assert highlighted.problem is None, name
        assert all(source for _, source in highlighted.spans), name
        assert all(first != second for (first, _), (second, _) in pairwise(highlighted.spans)), name
        assert {role for role, _ in highlighted.spans} <= {None, *CODE_ROLES}, name


def lexers_inside(alias: str) -> set[type[Lexer]]:
    """Lexers that a lexer delegates to, in closures of its actions or in its attributes."""
    lexer = _lexer_class(alias)()
    tables = getattr(lexer, "_tokens", {}).values()
    pygments_lexers: dict[int, object] = {
        id(value): value for value in [getattr(lexer, "_innerLexerCls", None), *vars(lexer).values()]
    }
    waiting: list[object] = [action for rules in tables for _, action, _ in rules]
    while waiting:
        value = waiting.pop()
        if id(value) not in pygments_lexers:
            pygments_lexers[id(value)] = value
            cells = getattr(value, "__closure__", None) or ()
            waiting += value if isinstance(value, list | tuple) else [cell.cell_contents for cell in cells]
    classes = {value if isinstance(value, type) else type(value) for value in pygments_lexers.values()}
    return {each for each in classes if issubclass(each, Lexer)} - {type(lexer)}


@pytest.mark.parametrize("alias", sorted(SAFE_LEXERS))
def test_lexer_hands_code_to_proven_ones_only(alias: str) -> None:
    inside = _NAMES["embedded"].get(alias, "").split()

    assert set(inside) <= SAFE_LEXERS
    assert lexers_inside(alias) <= {_lexer_class(other) for other in inside}


def test_lexers_that_let_code_name_others_are_known() -> None:
    naming = {
        alias
        for alias in SAFE_LEXERS
        for base in _lexer_class(alias).__mro__
        if base.__module__.startswith("pygments.lexers.") and re.search("(get|guess)_lexer", inspect.getsource(base))
    }

    # The next tests show that these delegate to no other lexer.
    assert naming == {"http", "markdown", "plpgsql", "postgresql", "restructuredtext"}


@pytest.mark.parametrize(
    ("language", "content"),
    [
        ("markdown", "```js\nlet a\n```\n"),
        ("rst", ".. code:: js\n\n    let a\n"),
        ("http", "HTTP/1.1 200 OK\nContent-Type: text/javascript\n\nlet a\n"),
    ],
)
def test_code_inside_is_of_no_other_language(language: str, content: str) -> None:
    assert "let" not in roles_of(content, language)


def test_body_of_a_request_may_be_json() -> None:
    roles = roles_of('POST / HTTP/1.1\nHost: a\n\n{"a": null}', "http")

    assert roles["null"] == "constant"


def test_body_of_a_function_in_postgresql_is_sql() -> None:
    roles = roles_of("CREATE FUNCTION a() AS $$ SELECT 1 $$ LANGUAGE csharp;", "postgres")

    assert roles["SELECT"] == "keyword"


def test_lexers_that_are_used_exist() -> None:
    assert {alias: first_alias(alias) for alias in SAFE_LEXERS} == {alias: alias for alias in SAFE_LEXERS}


@pytest.mark.parametrize("language", ["", "text", "Plain", "plaintext", "txt", "NONE", "output-of-make", "tree", " "])
def test_code_of_no_known_language_is_plain(language: str) -> None:
    assert highlight("def a():\n", language) == HighlightedCode(((None, "def a():\n"),))


def test_no_code_has_no_pieces() -> None:
    assert highlight("", "python") == HighlightedCode(())


@pytest.mark.parametrize(
    ("language", "alias"),
    [
        ("py", "python"),
        ("Python3", "python"),
        ("JS", "javascript"),
        ("mjs", "javascript"),
        ("C++", "cpp"),
        ("hpp", "cpp"),
        ("C#", "csharp"),
        ("sh", "bash"),
        ("zsh", "bash"),
        ("shellscript", "bash"),
        ("shell-session", "console"),
        ("jsonc", "json"),
        ("yml", "yaml"),
        ("Dockerfile", "docker"),
        ("rs", "rust"),
        ("kt", "kotlin"),
        ("tf", "terraform"),
        (" html ", "html"),
    ],
)
def test_language_may_be_called_by_another_name(language: str, alias: str) -> None:
    content = 'if x: "a" // b\n# <c d="e">\n'

    assert highlight(content, language) == highlight(content, alias)
    assert first_alias(language.strip().lower()) == alias


@pytest.mark.parametrize(
    ("language", "content", "roles"),
    [
        (
            "python",
            '@cache\ndef area(self, r: float = 1.5) -> str:\n    """Doc."""\n    return f"{pi}a\\n" if not r else open(None)  # c',
            {
                "@cache": "attribute",
                "def": "keyword",
                "area": "function",
                "1.5": "number",
                '"""Doc."""': "string",
                "not": "keyword",
                "\\n": "constant",
                "None": "constant",
                "# c": "comment",
            },
        ),
        ("python", "class A(B): pass\nfrom os import path\nrun(x)", {"A": "type", "os": "type", "run": "function"}),
        (
            "js",
            "const a = /b+/g, c = true; // d\nclass E {} e.f(1)",
            {
                "const": "keyword",
                "/b+/g": "string",
                "true": "constant",
                "// d": "comment",
                "f": "function",
                "1": "number",
            },
        ),
        ("ts", "interface A { b: string }", {"interface": "keyword", "string": "type"}),
        ("tsx", '<A b="c" />', {"A": "type", "b": "attribute", '"c"': "string"}),
        (
            "java",
            "@Override\npublic int size() { return 'a'; }",
            {"@Override": "attribute", "int": "type", "size": "function"},
        ),
        (
            "c",
            '#include <a.h>\nint main(void) { puts("b"); }',
            {"<a.h>": "string", "main": "function", "puts": "function"},
        ),
        ("rust", "/// Doc\nfn a() { println!(1) }", {"/// Doc": "comment", "a": "function", "println!": "function"}),
        ("php", "/** Doc */\nfunction a($b) { return null; }", {"/** Doc */": "comment", "function": "keyword"}),
        ("go", "func Run(a int) {}", {"func": "keyword", "Run": "function", "int": "type"}),
        ("ruby", "puts :a if true", {"puts": "constant", ":a": "constant", "if": "keyword"}),
        ("bash", 'echo "$A" # b\nif true; then', {"echo": "constant", "# b": "comment", "if": "keyword"}),
        ("console", "me@host:~/a$ echo 1\n2\n", {"me@host:~/a$": "comment", "echo": "constant", "2": None}),
        ("sql", "SELECT a FROM b WHERE c = 'd' -- e", {"FROM": "keyword", "'d'": "string", "-- e": "comment"}),
        ("html", '<p class="a">&amp;</p>', {"p": "type", "class": "attribute", '"a"': "string", "&amp;": "constant"}),
        (
            "html",
            "<script>let a</script>\n<style>b { top: 1px }</style>",
            {"let": "keyword", "top": "keyword", "1": "number"},
        ),
        ("css", "a { color: #fff; top: 1px }", {"a": "type", "color": "attribute", "#fff": "number", "1px": "number"}),
        ("json", '{"a": [1, true, "b"]}', {'"a"': "attribute", "1": "number", "true": "constant", '"b"': "string"}),
        ("yaml", "a: b\nc: |\n  d\n", {"a": "attribute", "b": "string", "d": "string"}),
        ("toml", "a = 1979-05-27", {"a": "attribute", "1979-05-27": "number"}),
        ("ini", "[a]\nb = c d ; e", {"[a]": "keyword", "b": "attribute", "c d": "string", "; e": "comment"}),
        ("pycon", ">>> None\n... def\n1\n", {">>>": "comment", "None": "constant", "def": "keyword", "1": None}),
        ("dockerfile", "FROM a AS b", {"FROM": "keyword", "AS": "keyword"}),
        ("make", "all: a # b", {"all": "function", "# b": "comment"}),
        ("tex", "\\a{b} % c", {"\\a": "keyword", "{b}": None, "% c": "comment"}),
        ("markdown", "# A\n\n`b`\n", {"# A": "function", "`b`": "string"}),
        (
            "diff",
            "@@ -1 +1 @@\n-a\n+b\n c\n",
            {"@@ -1 +1 @@": "function", "-a": "deleted", "+b": "inserted", "c": None},
        ),
    ],
)
def test_tokens_have_roles(language: str, content: str, roles: dict[str, str | None]) -> None:
    matches = roles_of(content, language)

    assert {source: matches.get(source, "no such piece") for source in roles} == roles


def test_code_of_a_lexer_that_may_be_slow_is_plain() -> None:
    assert highlight("a", "CSS+Mako") == HighlightedCode(
        ((None, "a"),), "code in 'css+mako' is not highlighted: its lexer is too slow on some inputs"
    )


def test_code_too_long_is_plain() -> None:
    longest, longer = "é" * (MAX_CODE_BYTES // 2), "é" * (MAX_CODE_BYTES // 2) + "a"

    assert highlight(longest, "json").problem is None
    assert highlight(longer, "json") == HighlightedCode(
        ((None, longer),), "code in 'json' is not highlighted: it has 50,001 bytes, more than 50,000"
    )


def test_code_with_much_white_space_is_plain() -> None:
    wide, wider = f"a{' ' * MAX_WHITESPACE_RUN}b", f"a{' ' * MAX_WHITESPACE_RUN}\nb"

    assert highlight(wide, "c").problem is None
    assert highlight(f"{wide} c", "c").problem is None
    assert highlight(wider, "c") == HighlightedCode(
        ((None, wider),), "code in 'c' is not highlighted: it has 201 characters of white space in a row, more than 200"
    )


def test_longer_code_has_more_time() -> None:
    short, long = (highlighter._time_limit("x" * size, proven=True) for size in (1_000, 41_000))

    assert long - short == pytest.approx(40_000 * highlighter.SECONDS_PER_BYTE)


def test_code_that_takes_too_long_is_plain() -> None:
    # Eight seconds without the timeout.
    content = '\\"' * 20_000

    assert highlight(content, "js") == HighlightedCode(
        ((None, content),), "code in 'js' is not highlighted: its lexer takes too long", timed_out=True
    )


def test_document_of_code_that_takes_too_long_is_given_up() -> None:
    # Some seconds each without the timeout.
    slow = "".join(f"```js\n{number}{chr(92)}{chr(34)}" + '\\"' * 15_000 + "\n```\n\n" for number in range(8))

    conversion = convert(f"{slow}```py\nimport a\n```\n")

    notices = [notice for notice in conversion.notices if notice.code == "code-not-highlighted"]
    assert len(notices) == MAX_SLOW_BLOCKS
    assert notices[-1].message.endswith("its lexer takes too long; later code is not highlighted either")
    assert '<span class="keyword">' not in conversion.html


@pytest.mark.parametrize(
    ("tokens", "problem"),
    [
        ([(0, ("Text",), "a")], "its lexer changed the code"),
        ([(0, ("Text",), "a"), (1, ("Text",), "b\n")], "its lexer changed the code"),
        (None, "its lexer failed"),
    ],
)
def test_code_is_plain_where_pygments_errs(tokens: object, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JsonLexer, "get_tokens_unprocessed", lambda _lexer, _code: tokens)
    monkeypatch.setattr(highlighter, "_cache", LruCache(1_000))

    assert highlight("a\n", "json") == HighlightedCode(
        ((None, "a\n"),), f"code in 'json' is not highlighted: {problem}"
    )


@pytest.mark.parametrize(("pauses", "timed_out"), [([gc.collect], False), ([gc.collect] * 2, True), ([int], True)])
def test_full_garbage_collection_is_not_charged_to_the_code(
    pauses: list[Callable[[], int]], timed_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tokens(_lexer: Lexer, code: str) -> Iterator[tuple[int, tuple[str, ...], str]]:
        for pause in pauses:
            end = thread_time() + 2 * BASE_SECONDS
            pause()
            while thread_time() < end:
                pass
            yield 0, ("Text",), ""
        yield 0, ("Text",), code

    monkeypatch.setattr(JsonLexer, "get_tokens_unprocessed", tokens)
    monkeypatch.setattr(highlighter, "_cache", LruCache(1_000))
    gc.disable()
    # A collection of all that the tests hold takes seconds.
    gc.freeze()
    try:
        assert highlight("a\n", "json").timed_out == timed_out
    finally:
        gc.unfreeze()
        gc.enable()


def test_result_is_cached() -> None:
    assert highlight("a = 1", "python") is highlight("a = 1", "Python")


def test_timeout_is_not_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlighter, "_cache", LruCache(1_000))
    monkeypatch.setattr(highlighter, "_time_limit", lambda _content, *, proven: -1.0)  # noqa: ARG005
    late = highlight("a = 2", "python")
    monkeypatch.undo()

    assert late.timed_out
    assert not highlight("a = 2", "python").timed_out


def test_results_are_cached_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlighter, "_cache", LruCache(10, highlighter._size))

    first, second, third = (highlight(content, "json") for content in ("[1]", "[2]", "[3]"))
    repeated = highlight("[1]", "json")
    highlight("[4]", "json")

    assert repeated is first
    assert highlight("[3]", "json") is third
    assert highlight("[2]", "json") is not second


@pytest.mark.usefixtures("no_time_limit")
def test_threads_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [(content, alias) for content in ODD_SOURCES.values() for alias in sorted(SAFE_LEXERS)[::4]]
    alone = [highlight(*sample) for sample in samples]
    monkeypatch.setattr(highlighter, "_cache", LruCache(1_000))

    with ThreadPoolExecutor(8) as threads:
        rounds = list(threads.map(lambda _: [highlight(*sample) for sample in samples], range(8)))

    assert rounds == [alone] * 8
