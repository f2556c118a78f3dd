"""No code takes a lexer that is used long: half a second for 50 KB, whatever the code.

`highlight` stops a lexer that works too long, but it can do so only between two tokens. So what is looked for here is a
long wait between two tokens: each lexer meets the common floods and those read off its own expressions at 8 KB, for as
long as shows its pace, and what made it wait longest once more at 50 KB, to the end. Times are processor time. Run by
`nox -s security`.
"""

import gc
import re
import string
from collections.abc import Iterator
from itertools import product
from time import thread_time

import pytest

from mdpublish_core import parse
from mdpublish_core.highlighting import highlighter, lexers
from mdpublish_core.highlighting.highlighter import BASE_SECONDS, MAX_CODE_BYTES, MAX_WHITESPACE_RUN, SECONDS_PER_BYTE
from mdpublish_core.highlighting.lexers import SAFE_LEXERS
from mdpublish_core.nodes import CodeFence, walk
from tests.corpora.readmes import many_readmes
from tests.security.expressions import trouble

pytestmark = pytest.mark.security

SMALL, LARGE = 8_000, MAX_CODE_BYTES

MAX_SECONDS = 0.5
"""For 50 KB, all in all."""

MAX_TIME_SHARE = 0.5
"""The part of the time it may take that real code takes at most; the rest is for slower machines."""

GLANCE_SECONDS = 0.0015
"""How long a lexer works on a flood to show its pace: hundreds of waits, or one that is too long."""

LONG_WAIT = 0.001
"""A wait at 8 KB that could be a quarter of `MAX_SECONDS` at 50 KB, if it grows with the cube of the size."""

# What is repeated; a space is ␣, the end of a line ␤.
UNITS = r"""
a A 0 é 漢 😀 ␣ ␤ ␣␤ a␤ A␤ 0␤ a␣ 0␣ a␣0␣ a␣b␤ ␣␣␣␣a␤ a_ A0 0. 0x 0e 0_ 1- 1, 1: a1
a. a, a: a; a= a( a[ a{ a< a- a/ a? a! a' a" a` a\ a() a:: a-> a␣=␣ a:␣ a\␤ a.b␣ a[]␣b( a<b< a<b, a␣b␣c( (a)
"" '' ``` "a␤ 'a␤ `a␤ "a␣ \" \' r" b" @" $" f"{ "#{ "${ `${ R"( r#" %q( %w[ q{ s/ m/ =~␣/ (/ =␣/ <<EOF␤ <<-EOF␤ <<~'A'␤
// //a␤ /* /*␣ /*a␤ */ /**/ #a␤ #␣a␤ --␣ -- --[[ --[==[ [==[ (* {- <!-- <!--␣a␤ --> ;a␤ %a␤ "a REM␣a␤ =begin␤ =pod␤ #|
() [] {} <> (( ((a␣ [[ [[␣a {{ {{a␣ {% {# #{ ${ $( $(( a{b:c; a{b [{ {"a": [a␤ (a␤ {a␤ (a,␣ (?: (a| [^ #[a( #_
<a␣ </a <a> <a␣b=" <a␣b=' <!A␣ <![CDATA[ <? <?php␣ <?= ?> <% <%=␣ %> <script> <style> <script␣ &a &a;
**a␣ __a␣ [a]( ![a]( [a]:␣ -␣a␤ -␣-␣ a:␤ a:␣|␤ >␣ ```c␤ \a{ \begin{a} $$ def␣a( def␣a␤ class␣a␤ class␣A:␤ function␣a(
public␣a( import␣a. from␣a␣ if␣( if␣ for␣a␣in␣ begin␤ end␤ do␤ case␣a␤ let␣a␣=␣ type␣a␣=␣ select␣ a␣where␣ module␣a␤
$␣a␤ $␣␤ >>>␣a␤ >>>␣␤ ...␣a␤ @@␣ +a␤ -a␤ @a␤ $a␤ :a␤ .a{ .a␤ a@b:~$␣ a=b␤ a␣=␣b␤ A:␣b␤ GET␣/␣HTTP/1.1␤ RUN␣a␣\␤
"""
CONTROLS = ("\0", "\t", "\r", "\xa0", "\u2028", "\ta\n", "a\r\n")

# What begins something, and what it is filled with, without an end.
STARTS = ("/*", '"""', "'''", '"', "'", "`", "<!--", "<?php ", "{{", "${", "/", "def ", '<a b="', "@", "<script>", "[[")
BODIES = ("a ", "a\n", "\\", "\\a", "a.", "<")


def floods(alias: str) -> Iterator[tuple[str, str]]:
    """Yield how code begins, and what it repeats: what every lexer meets, and what this one has trouble with."""
    units = [*UNITS.replace("\n", " ").replace("␣", "\1").split(), *string.punctuation, *CONTROLS, *STARTS]
    yield from (("", unit.replace("\1", " ").replace("␤", "\n")) for unit in dict.fromkeys(units))
    yield from product(STARTS, BODIES)
    # An even number of backslashes, or an odd one.
    yield from ((start + "\\", "\\") for start in STARTS)
    yield from trouble(alias)


def flood(start: str, unit: str, size: int) -> str:
    """Return code of a size in bytes, with letters where too much white space would be in a row."""
    code = start + unit * ((size - len(start.encode())) // len(unit.encode()))
    return re.sub(rf"(\s{{{MAX_WHITESPACE_RUN - 1}}})\s", r"\1a", code)


def longest_wait(code: str, alias: str) -> float:
    """Return the longest time between two tokens, of those that are found at a glance."""
    gc.disable()
    try:
        longest = 0.0
        begin = last = thread_time()
        for _ in lexers.lex(code + "\n", alias):
            now = thread_time()
            longest = max(longest, now - last)
            last = now
            if now - begin > GLANCE_SECONDS:
                return longest
        return max(longest, thread_time() - last)
    finally:
        gc.enable()


def seconds(code: str, alias: str) -> float:
    """Return the time of highlighting code that is not kept from before."""
    begin = thread_time()
    highlighter._highlight_uncached(code, alias)
    return thread_time() - begin


@pytest.mark.parametrize("alias", sorted(SAFE_LEXERS))
def test_code_takes_no_long_time(alias: str) -> None:
    waits = sorted((longest_wait(flood(*kind, SMALL), alias), kind) for kind in floods(alias))
    kinds = [kind for wait, kind in waits if wait > LONG_WAIT] or [waits[-1][1]]

    assert len(waits) > 300
    for kind in kinds[-3:]:
        code = flood(*kind, LARGE)
        # Another look, where something else may have been at work.
        assert seconds(code, alias) <= MAX_SECONDS or seconds(code, alias) <= MAX_SECONDS, kind


def test_real_code_takes_a_part_of_its_time() -> None:
    blocks = {
        (block.content, alias)
        for markdown in many_readmes().values()
        for block in walk(parse(markdown))
        if isinstance(block, CodeFence) and (alias := lexers.first_alias(block.language.lower())) in SAFE_LEXERS
    }
    parts = {
        min(seconds(code, alias) for _ in range(3)) / (BASE_SECONDS + SECONDS_PER_BYTE * len(code.encode()))
        for code, alias in blocks
    }

    assert len(blocks) > 1_500
    assert max(parts) <= MAX_TIME_SHARE
