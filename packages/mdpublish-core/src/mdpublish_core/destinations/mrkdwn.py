"""Slack's mrkdwn: spans of text with their marks, and the lines in which Slack reads exactly those.

What is known of it, since Slack publishes no grammar: `&`, `<` and `>` are the only characters with an escape. `*`, `_`,
`~` and the backtick act in pairs on one line, from a mark at the beginning of a word to one at the end of a word; a space on
either side keeps them from it, and marks beside their like (`**`) do nothing. Beside letters of any script, and beside
most of what is not ASCII, a mark is no mark. Marks inside a link's text break the link on Android. A line that begins
with `>` is a quotation, also where the sign is escaped. A fence is read before all else.
https://docs.slack.dev/messaging/formatting-message-text

A zero-width space stands for a space, which Slack's pages do not promise but others rely on: behind a literal mark that
would open something, beside a mark of ours that stands in a word, in a run of three literal backticks, before a literal `>`
at a line's beginning, and behind the `@` of `@here`, `@channel`, `@everyone` and `@group`, which Slack makes a mention of
where it looks for names (`link_names`, `parse=full`). It stands nowhere else. Code is left as it is, but that what would
end it is broken. Names of other people, channels and emoji (`:smile:`) and bare addresses are the author's own text, of
which Slack may make what it likes.

The tokens are `slack`'s.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from mdpublish_core.urls import encode_url

Mark = Literal["*", "_", "~"]

Marks = tuple[Mark, ...]
"""Marks in one another, the outermost first."""

BOLD: Mark = "*"
ITALIC: Mark = "_"
STRUCK: Mark = "~"

Lines = list[str]
"""Lines without their ends. A fence is one of them, and the only one that holds line ends: nothing is put before those."""

ZERO_WIDTH_SPACE = "\u200b"

_SPACES = "".join(filter(str.isspace, map(chr, range(0x3001)))) + ZERO_WIDTH_SPACE

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

# The signs that act, and which of them Slack takes for the same; Japanese keyboards write the wide ones.
_FAMILIES = {"*": "*", "\uff0a": "*", "_": "_", "\uff3f": "_", "~": "~", "`": "`", "\uff40": "`"}
_SPACES_AND_SIGNS = _SPACES + "".join(_FAMILIES)
_ANY_MARK = re.compile(f"[{''.join(_FAMILIES)}]")
_FAMILY_SIGNS = {
    mark: re.compile(f"[{''.join(sign for sign in _FAMILIES if _FAMILIES[sign] == mark)}]") for mark in "*_~"
}

# What Slack takes beside a mark of ours without a doubt, apart from white space; beside all else a zero-width space helps.
_SAFE_BEFORE = frozenset("([{\"'“\u2018—…-/:,.!?=")
_SAFE_BEHIND = frozenset(")]}\"'”\u2019—…-/:;,.!?")

_ENDS_CODE = re.compile("[`\uff40]")

_WORDS_AND_SPACES = re.compile(rf"[\s{ZERO_WIDTH_SPACE}]+|[^\s{ZERO_WIDTH_SPACE}]+")
_INNER_FENCE = re.compile("``(?=`)")
_BROADCAST = re.compile(r"(?<![^\W_])@(?=(?:here|channel|everyone|group)(?![^\W_]))", re.IGNORECASE)
_LITERAL_QUOTE = re.compile(r"[ \t]*(?=&gt;|\uff1e)")
_LINE_END = re.compile(r"\r\n?|\n")
_LINKED = re.compile(r"(?:https?://[^\s/?#]|mailto:[^\s?])", re.IGNORECASE)

# What stands for a character that is no text, where only texts' marks are looked at.
_MASKED = "\0"


class Span(NamedTuple):
    """A piece of a line: its text, and the marks around it.

    A text's newline is a line break. `code` is a code span, and `address` leads where the text is to link to.
    """

    text: str
    marks: Marks = ()
    code: bool = False
    address: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether it is neither code nor a link."""
        return not self.code and self.address is None


def with_mark(marks: Marks, mark: Mark) -> Marks:
    """Return the marks that text has in one more; twice the same is once."""
    return marks if mark in marks else (*marks, mark)


def web_address(url: str) -> str | None:
    """Return an address as it stands in a link, not escaped; None where Slack is to link nothing.

    `encode_url` encodes what would end it: the bar, white space and angle brackets.
    """
    return encode_url(url) if _LINKED.match(url) else None


def fence(code: str) -> Lines:
    """Return a block of code; none where there is nothing to show, since an empty fence is none to Slack."""
    code = code.removesuffix("\n")
    return [f"```\n{_code(code)}\n```"] if code.strip() else []


def is_fence(line: str) -> bool:
    """Tell whether one of `Lines` is a block of code."""
    return "\n" in line


def text_lines(spans: Sequence[Span]) -> Lines:
    """Return the lines of spans, without white space around them and without empty ones at the ends."""
    lines = [_written(_normalized(line)).strip(" \t") for line in _split(spans)]
    while lines and not lines[-1]:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line), 0)
    return lines[first:]


def whole_text(lines: Lines) -> str:
    """Return a message of lines, which ends in one newline; no text in it is a quotation that is not one of ours."""
    shown = [line if is_fence(line) else _unquoted(line.rstrip(" \t")) for line in lines]
    return "\n".join(shown).strip("\n") + "\n"


def _unquoted(line: str) -> str:
    quote = _LITERAL_QUOTE.match(line)
    return f"{quote[0]}{ZERO_WIDTH_SPACE}{line[quote.end() :]}" if quote else line


def _split(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield the spans of each line; in code and links, which cannot be broken, a line's end is a space."""
    line: list[Span] = []
    for span in spans:
        if "\n" not in span.text and "\r" not in span.text:
            line.append(span)
        elif not span.is_text:
            line.append(span._replace(text=_LINE_END.sub(" ", span.text)))
        else:
            first, *others = span.text.replace("\r", " ").split("\n")
            line.append(Span(first, span.marks))
            for text in others:
                yield line
                line = [Span(text, span.marks)]
    yield line


def _normalized(line: list[Span]) -> list[Span]:
    """Return the spans of a line as mrkdwn can express them."""
    line = [span for span in line if span.text or span.address is not None]
    if not any(span.marks for span in line):
        return line
    # A block of code, which stands in no marks, is the only code that can hold a backtick.
    line = [span._replace(marks=()) if span.code and _needs_fence(span.text) else span for span in line]
    if not any(span.marks and _ANY_MARK.search(span.text) for span in line):
        return line
    for mark in (BOLD, ITALIC, STRUCK):
        line = list(_without_literal(_joined(line), mark))
    return line


def _joined(line: list[Span]) -> Iterator[Span]:
    """Yield the spans with neighbouring texts of the same marks made one."""
    for (is_text, marks), run in groupby(line, key=lambda span: (span.is_text, span.marks)):
        spans = list(run)
        if is_text and len(spans) > 1:
            yield Span("".join([span.text for span in spans]), marks)
        else:
            yield from spans


def _without_literal(line: Iterator[Span], mark: Mark) -> Iterator[Span]:
    """Yield the spans so that no word with a literal mark in it stands between two such marks: they would end there."""
    signs = _FAMILY_SIGNS[mark]
    for span in line:
        if mark in span.marks and span.is_text and signs.search(span.text):
            for word in _WORDS_AND_SPACES.findall(span.text):
                yield Span(word, _less(span.marks, mark) if signs.search(word) else span.marks)
        else:
            yield span


def _less(marks: Marks, mark: Mark) -> Marks:
    return tuple(other for other in marks if other != mark)


def _written(spans: list[Span]) -> str:
    """Return one line of mrkdwn."""
    line = _Line()
    if not any(span.marks for span in spans):
        for span in spans:
            _add(line, span, span.text)
        return line.finish()
    gap: list[Span] = []
    for span in spans:
        before, words, behind = _parts(span.text) if span.is_text else ("", span.text, "")
        if before:
            gap.append(Span(before, span.marks))
        if words or not span.is_text:
            line.stand_in(span.marks, gap)
            _add(line, span, words)
            gap = []
        if behind:
            gap.append(Span(behind, span.marks))
    line.stand_in((), gap)
    return line.finish()


def _parts(text: str) -> tuple[str, str, str]:
    """Return a text's words, and the edges that marks need not hold.

    These are white space, and literal marks at the end: the zero-width space that they may need would be before a closing
    mark.
    """
    words = text.lstrip(_SPACES)
    shown = words.rstrip(_SPACES_AND_SIGNS)
    return text[: len(text) - len(words)], shown, words[len(shown) :]


def _add(line: "_Line", span: Span, words: str) -> None:
    if span.address is not None:
        link = _link(span.text, span.address)
        line.code(link) if span.code and not _needs_fence(link) else line.add(link, is_text=False)
    elif not span.code:
        line.add(_escaped(words), is_text=True)
    elif _needs_fence(span.text):
        line.block(_code_in_line(span.text))
    else:
        line.code(span.text.translate(_ESCAPES))


class _Line:
    """A line as it is written, and beside it a mask that shows what of it are texts and marks."""

    def __init__(self) -> None:
        self._shown: list[str] = []
        self._mask: list[str] = []
        self._length = 0
        self._own_marks: set[int] = set()
        self._open: Marks = ()
        self._last = ""
        self._opened = False
        self._closed = False

    def stand_in(self, marks: Marks, gap: Sequence[Span]) -> None:
        """Close the marks that the next span does not stand in, add what is between, and open those that it does."""
        kept = 0
        while kept < len(self._open) and all(
            self._open[kept] in each for each in (marks, *(each.marks for each in gap))
        ):
            kept += 1
        for mark in reversed(self._open[kept:]):
            self._close(mark)
        if gap:
            self.add(_escaped("".join([span.text for span in gap])), is_text=True)
        new = [mark for mark in marks if mark not in self._open[:kept]]
        for mark in new:
            self._begin(mark)
        self._open = (*self._open[:kept], *new)

    def add(self, piece: str, *, is_text: bool) -> None:
        """Add a text, or what marks mean nothing in."""
        if not piece:
            return
        first = piece[0]
        needs_gap = self._closed and first not in _SAFE_BEHIND and not _is_blank(first)
        if needs_gap or first == self._last == "`":
            self._append(ZERO_WIDTH_SPACE)
        self._append(piece, piece if is_text else _MASKED * len(piece))

    def code(self, piece: str) -> None:
        """Add a code span."""
        self._begin("`")
        self._append(piece, _MASKED * len(piece))
        self._close("`")

    def block(self, piece: str) -> None:
        """Add a block of code among the text."""
        self._gap_before()
        self.add(f"```{piece}```", is_text=False)
        self._closed = True

    def finish(self) -> str:
        """Return the line, in which only marks of ours act."""
        shown = "".join(self._shown)
        mask = "".join(self._mask)
        if not _ANY_MARK.search(mask) or len(self._own_marks) == sum(1 for _ in _ANY_MARK.finditer(mask)):
            return shown
        edges = [0, *reversed(list(_gaps(mask, self._own_marks))), len(shown)]
        return ZERO_WIDTH_SPACE.join(shown[start:end] for start, end in pairwise(edges))

    def _begin(self, mark: str) -> None:
        self._gap_before()
        self._add_mark(mark)
        self._opened = True

    def _close(self, mark: str) -> None:
        self._add_mark(mark)
        self._closed = True

    def _gap_before(self) -> None:
        """See that a mark can open here."""
        is_edge = not self._last or self._opened or _is_blank(self._last)
        if self._closed or not (is_edge or self._last in _SAFE_BEFORE):
            self._append(ZERO_WIDTH_SPACE)

    def _add_mark(self, mark: str) -> None:
        self._own_marks.add(self._length)
        self._append(mark)

    def _append(self, piece: str, mask: str | None = None) -> None:
        self._shown.append(piece)
        self._mask.append(piece if mask is None else mask)
        self._length += len(piece)
        self._last = piece[-1:]
        self._opened = self._closed = False


def _gaps(mask: str, own_marks: set[int]) -> Iterator[int]:
    """Yield where a line's literal marks need a zero-width space behind them."""
    last_closing: dict[str, int] = {}
    for match in reversed(list(_ANY_MARK.finditer(mask))):
        position = match.start()
        family = _FAMILIES[match[0]]
        before, behind = mask[position - 1 : position], mask[position + 1 : position + 2]
        if family in (_FAMILIES.get(before), _FAMILIES.get(behind)):
            continue
        opens = position not in own_marks and _opens(family, before, behind)
        if opens and last_closing.get(family, 0) > position + 1:
            yield position + 1
        if _closes(family, before, behind):
            last_closing.setdefault(family, position)


def _opens(family: str, before: str, behind: str) -> bool:
    """Tell whether a mark may begin something, which code may do with a space."""
    is_kept_from_it = behind in {"", ZERO_WIDTH_SPACE} if family == "`" else _is_blank(behind)
    return not is_kept_from_it and not (before and _is_word(before))


def _closes(family: str, before: str, behind: str) -> bool:
    """Tell whether a mark may end something: it may even behind a space, and one of code between spaces."""
    is_kept_from_it = family != "`" and _is_blank(before) and _is_blank(behind)
    return not is_kept_from_it and not (behind and _is_word(behind))


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _is_blank(text: str) -> bool:
    """Tell whether a text is white space, or nothing; Slack takes a zero-width space for one."""
    return not text.strip(_SPACES)


def _escaped(text: str) -> str:
    """Return a text with the three escapes, in which nobody is called and no fence begins."""
    text = text.translate(_ESCAPES)
    if "@" in text:
        text = _BROADCAST.sub(f"@{ZERO_WIDTH_SPACE}", text)
    return _INNER_FENCE.sub(f"``{ZERO_WIDTH_SPACE}", text) if "```" in text else text


def _link(text: str, address: str) -> str:
    """Return a link; its text holds no marks, and is left out where it is the address."""
    target = address.translate(_ESCAPES)
    if _is_blank(text) or text == address:
        return f"<{target}>"
    label = _Line()
    label.add(_escaped(text), is_text=True)
    return f"<{target}|{label.finish()}>"


def _code(code: str) -> str:
    """Return code in which no fence ends it."""
    return _INNER_FENCE.sub(f"``{ZERO_WIDTH_SPACE}", code.translate(_ESCAPES))


def _needs_fence(code: str) -> bool:
    """Tell whether a code span would end too early, or not begin."""
    return _ENDS_CODE.search(code) is not None or code.startswith(ZERO_WIDTH_SPACE)


def _code_in_line(code: str) -> str:
    before = ZERO_WIDTH_SPACE if code.startswith("`") else ""
    behind = ZERO_WIDTH_SPACE if code.endswith("`") else ""
    return f"{before}{_code(code)}{behind}"
