"""A reader of Slack's mrkdwn, independent of our renderer: displayed text, links and mentions.

Slack publishes no grammar; this follows its pages and others' measurements:

- `&amp;`, `&lt;` and `&gt;` are the only escapes. Between `<` and `>` is a link (`<url|text>`), a person (`<@U1>`), a
  channel (`<#C1>`) or a command (`<!here>`, `<!subteam^S1>`, `<!date^1^{date}|x>`), even in code:
  https://docs.slack.dev/messaging/formatting-message-text
- Slack links bare URLs, and on request `@here`.
- Fences come first, then code spans, then emphasis, both within a line.
- A mark opens at a word's start and closes at its end, unless a space adjoins it. Repeated marks are literal.
- A quote is a line that begins with `>`, escaped or not, or its full-width form.

A zero-width space counts as a space. Where sources differ, a `strict` reader applies marks only where all agree, a
lenient one where any does. Intended marks must satisfy both, literal ones neither.
"""

import re
import string
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

ZERO_WIDTH_SPACE = "\u200b"

Kind = Literal["text", "code", "token"]

_FENCE = re.compile(r"```(?P<code>.+?)```", re.DOTALL)
_TOKEN = re.compile(r"<(?P<what>[^<>|\n]+)(?:\|(?P<label>[^<>\n]*))?>")
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">"}
_ENTITY = re.compile("|".join(_ENTITIES))
_QUOTE = re.compile(r"[ \t]*(?:>|&gt;|\uff1e) ?")
_NAME = re.compile(r"(?<![^\W_])@(?:here|channel|everyone|group)(?![^\W_])", re.IGNORECASE)
_BARE_URL = re.compile(rf"(?:https?://|www\.)[^\s<>|\0{ZERO_WIDTH_SPACE}]+", re.IGNORECASE)

# Full-width forms, from Japanese keyboards.
_MARKS = {"*": "*", "\uff0a": "*", "_": "_", "\uff3f": "_", "~": "~", "`": "`", "\uff40": "`"}
_NEVER_BEFORE = frozenset("@\\`)]}~*_<>&|;^%$#+")
_NEVER_AFTER = frozenset("@\\`([{~*_<>&|^%$#+=")
_TYPOGRAPHIC = frozenset("“”\u2018\u2019—…")


@dataclass(frozen=True, slots=True)
class VisibleCharacter:
    character: str
    marks: frozenset[str] = frozenset()
    is_code: bool = False
    url: str | None = None
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """`strays` are unescaped special characters."""

    shown: tuple[VisibleCharacter, ...]
    code: tuple[str, ...]
    links: tuple[str, ...]
    mentions: tuple[str, ...]
    bare_urls: tuple[str, ...]
    strays: tuple[str, ...]

    @property
    def content(self) -> str:
        """Without zero-width spaces."""
        return "".join(each.character for each in self.shown).replace(ZERO_WIDTH_SPACE, "")

    def with_mark(self, mark: str) -> str:
        return "".join(each.character for each in self.shown if mark in each.marks)

    @property
    def quoted(self) -> str:
        return "".join(each.character for each in self.shown if each.is_quoted)


@dataclass(frozen=True, slots=True)
class _Atom:
    raw: str
    shown: str
    kind: Kind = "text"
    url: str | None = None


def read(message: str, *, strict: bool = True) -> Message:
    reader = _Reader(strict=strict)
    shown: list[VisibleCharacter] = []
    for number, line in enumerate(_lines(list(reader.atoms(message)))):
        if number:
            shown.append(VisibleCharacter("\n"))
        quote = _QUOTE.match("".join(atom.raw for atom in line))
        is_quoted = bool(quote) and line[0].kind == "text"
        spans = reader.code_spans(_without(line, quote[0]) if quote and is_quoted else line)
        shown += [replace(each, is_quoted=is_quoted) for each in reader.with_marks(spans, frozenset())]
    return reader.message(tuple(shown))


class _Reader:
    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self._code: list[str] = []
        self._links: list[str] = []
        self._mentions: list[str] = []
        self._strays: list[str] = []

    def message(self, shown: tuple[VisibleCharacter, ...]) -> Message:
        masked = "".join("\0" if each.is_code or each.url is not None else each.character for each in shown)
        return Message(
            shown,
            tuple(self._code),
            tuple(self._links),
            (*self._mentions, *_NAME.findall(masked)),
            tuple(_BARE_URL.findall(masked)),
            tuple(self._strays),
        )

    def atoms(self, message: str) -> Iterator[_Atom]:
        position = 0
        while position < len(message):
            fence = _FENCE.match(message, position)
            token = _TOKEN.match(message, position)
            entity = _ENTITY.match(message, position)
            match = fence or token or entity
            if fence:
                code = fence["code"].removeprefix("\n").removesuffix("\n")
                yield _Atom(fence[0], "".join(atom.shown for atom in self.atoms_of_code(code)), "code")
            elif token:
                yield self._token(token)
            elif entity:
                yield _Atom(entity[0], _ENTITIES[entity[0]])
            else:
                yield _Atom(message[position], message[position])
            position = match.end() if match else position + 1

    def atoms_of_code(self, code: str) -> Iterator[_Atom]:
        """Yield the content of code, where links and mentions stay active."""
        position = 0
        while position < len(code):
            match = _TOKEN.match(code, position) or _ENTITY.match(code, position)
            if match is None:
                self._report_unescaped(code[position], code)
                yield _Atom(code[position], code[position])
                position += 1
                continue
            yield self._token(match) if match[0].startswith("<") else _Atom(match[0], _ENTITIES[match[0]])
            position = match.end()

    def code_spans(self, line: Sequence[_Atom]) -> list[_Atom]:
        spans: list[_Atom] = []
        position = 0
        while position < len(line):
            end = self._end(line, position) if _mark(line, position) == "`" else None
            if end is None:
                spans.append(line[position])
                self._report_unescaped(line[position].raw, line)
                position += 1
                continue
            inside = line[position + 1 : end]
            urls = [atom.url for atom in inside if atom.url is not None]
            shown = "".join(atom.shown for atom in inside)
            raw = "".join(atom.raw for atom in line[position : end + 1])
            for atom in inside:
                self._report_unescaped(atom.raw, raw)
            spans.append(_Atom(raw, shown, "code", urls[0] if urls else None))
            position = end + 1
        return spans

    def with_marks(self, line: Sequence[_Atom], marks: frozenset[str]) -> Iterator[VisibleCharacter]:
        position = 0
        while position < len(line):
            atom = line[position]
            mark = _mark(line, position)
            end = self._end(line, position) if mark in ("*", "_", "~") else None
            if mark and end is not None:
                yield from self.with_marks(line[position + 1 : end], marks | {mark})
                position = end + 1
                continue
            if atom.kind == "code":
                self._code.append(atom.shown)
            for character in atom.shown:
                yield VisibleCharacter(character, marks, atom.kind == "code", atom.url)
            position += 1

    def _token(self, match: re.Match[str]) -> _Atom:
        what = _decode(match["what"])
        label = match["label"]
        if what[0] in "@#!":
            self._mentions.append(match[0])
            return _Atom(match[0], _decode(label or what), "token")
        self._links.append(what)
        return _Atom(match[0], _decode(label) if label else what, "token", what)

    def _report_unescaped(self, raw: str, where: str | Sequence[_Atom]) -> None:
        if raw in {"<", ">", "&"}:
            context = where if isinstance(where, str) else "".join(atom.raw for atom in where)
            self._strays.append(f"{raw} in {context}")

    def _end(self, line: Sequence[_Atom], start: int) -> int | None:
        mark = _mark(line, start)
        if not self._opens(line, start):
            return None
        for position in range(start + 1, len(line)):
            if _mark(line, position) == mark:
                if position > start + 1 and self._closes(line, position):
                    return position
                if self._strict:
                    return None
        return None

    def _opens(self, line: Sequence[_Atom], position: int) -> bool:
        mark = _mark(line, position)
        if mark in (_mark(line, position - 1), _mark(line, position + 1)) or position + 1 == len(line):
            return False
        after = line[position + 1].raw
        if after == ZERO_WIDTH_SPACE or (mark != "`" and _is_space(after)):
            return False
        return position == 0 or self._can_adjoin(mark, line[position - 1], _NEVER_BEFORE)

    def _closes(self, line: Sequence[_Atom], position: int) -> bool:
        mark = _mark(line, position)
        if mark in (_mark(line, position - 1), _mark(line, position + 1)):
            return False
        is_end = position + 1 == len(line)
        is_after_space = _is_space(line[position - 1].raw)
        is_before_space = is_end or _is_space(line[position + 1].raw)
        if mark != "`" and is_after_space and (self._strict or is_before_space):
            return False
        return is_end or self._can_adjoin(mark, line[position + 1], _NEVER_AFTER)

    def _can_adjoin(self, mark: str | None, atom: _Atom, never: frozenset[str]) -> bool:
        if mark == "`" and atom.raw in {"*", "_", "~"}:
            # Code spans are parsed first.
            return True
        if atom.kind != "text":
            return not self._strict
        if not self._strict:
            return unicodedata.category(atom.shown)[0] not in "LMN"
        if _is_space(atom.shown) or atom.shown in _TYPOGRAPHIC:
            return True
        return atom.raw in string.punctuation and atom.raw not in never


def _lines(atoms: Sequence[_Atom]) -> Iterator[list[_Atom]]:
    line: list[_Atom] = []
    for atom in atoms:
        if atom.raw == "\n":
            yield line
            line = []
        else:
            line.append(atom)
    yield line


def _without(line: Sequence[_Atom], quote: str) -> Sequence[_Atom]:
    length = 0
    for number, atom in enumerate(line):
        if length == len(quote):
            return line[number:]
        length += len(atom.raw)
    return []


def _mark(line: Sequence[_Atom], position: int) -> str | None:
    if not 0 <= position < len(line) or line[position].kind != "text":
        return None
    return _MARKS.get(line[position].raw)


def _is_space(characters: str) -> bool:
    return not characters.replace(ZERO_WIDTH_SPACE, " ").strip()


def _decode(escaped: str) -> str:
    return _ENTITY.sub(lambda match: _ENTITIES[match[0]], escaped)
