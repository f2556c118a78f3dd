"""Highlighting takes half a second of CPU time for 50 KB, for any code and lexer in use.

`highlight` can only stop a lexer between two tokens, so these tests look for long gaps, briefly at 8 KB; the slowest
run to the end at 50 KB.
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

MAX_TIME_SHARE = 0.5
"""For real code; the rest is for slower machines."""

GLANCE_SECONDS = 0.0015
"""Time for hundreds of gaps, or one that is too long."""

LONG_WAIT = 0.001
"""At 8 KB; with cubic growth, a quarter of `MAX_SECONDS` at 50 KB."""

# ␣ is a space, ␤ a newline.
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

STARTS = ("/*", '"""', "'''", '"', "'", "`", "<!--", "<?php ", "{{", "${", "/", "def ", '<a b="', "@", "<script>", "[[")
BODIES = ("a ", "a\n", "\\", "\\a", "a.", "<")


def floods(alias: str) -> Iterator[tuple[str, str]]:
    """Yield prefixes and repeated units."""
    units = [*UNITS.replace("\n", " ").replace("␣", "\1").split(), *string.punctuation, *CONTROLS, *STARTS]
    yield from (("", unit.replace("\1", " ").replace("␤", "\n")) for unit in dict.fromkeys(units))
    yield from product(STARTS, BODIES)
    yield from ((start + "\\", "\\") for start in STARTS)
    yield from trouble(alias)


def flood(start: str, unit: str, size: int) -> str:
    """Interrupt long white space with letters."""
    code = start + unit * ((size - len(start.encode())) // len(unit.encode()))
    return re.sub(rf"(\s{{{MAX_WHITESPACE_RUN - 1}}})\s", r"\1a", code)


def longest_wait(code: str, alias: str) -> float:
    """Return the longest gap between tokens in a short run."""
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
        # Repeat in case of load on the machine.
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
