"""Output `telegram`: messages for a bot of Telegram, one JSON object a line, for the method `sendMessage`.

https://core.telegram.org/bots/api#html-style. Text has few elements there: no headings, lists, tables or images, and
quotes do not nest. A line lacks only the `chat_id`.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from mdpublish_core import Output, nodes
from mdpublish_core.renderers import Block, Limit, MarkedSpan, PlaceHtml, PlaceRenderer, RenderContext, fit, in_parts

RULES = {
    "headings": "0",
    "document": "heading bulletList orderedList codeBlock blockquote expand",
    "blockquote": "bulletList orderedList codeBlock",
    "expand": "bulletList orderedList codeBlock",
    "listItem": "bulletList orderedList codeBlock",
}
"""The blocks that each container may hold, besides paragraphs; headings of no level are bold."""

MAX_UNITS = 4_096
"""Of UTF-16, without markup; the entity limit is 100, past which text has no marks."""

UNITS_PER_ENTITY = MAX_UNITS // 100

BETWEEN = 6
"""Units between two blocks at most, and those of an item's number."""

MAX_PIECE = 3_000
"""Units of code or a paragraph that are sent in one piece."""

_WORD_JOINER = "\u2060"
_PINGS = re.compile(r"(?<!\w)@(?=\w|\Z)")
_SHOWN_URL = re.compile(r"https?://[^/?#@:]+\.[^/?#@:]+(?::\d+)?(?:[/?#]|\Z)", re.IGNORECASE)
"""Of links that Telegram keeps; it drops others without a word."""

SCRIPTS = {
    "sup": ("^", str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")),
    "sub": ("_", str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")),
}
"""Of raised and lowered text, its sign and its small digits."""

_LINE_ENDS = str.maketrans({character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"})
"""For `str.splitlines`, which JSON allows in strings."""


def inert(content: str) -> str:
    """Return text that mentions nobody; all that an author wrote goes through here, then through the writer of HTML."""
    return _PINGS.sub(f"@{_WORD_JOINER}", content)


class TelegramHtml(PlaceHtml):
    """Line breaks are characters, as are the signs of lists."""

    marks: ClassVar = {"strong": "b", "em": "i", "underline": "u", "strike": "s", "code": "code", "link": "a"}

    indentation = ""

    def write(self, blocks: Sequence[Block], separator: str = "\n\n") -> None:
        for number, block in enumerate(blocks):
            if number:
                self.writer.write_text(separator if block.kind == "codeBlock" else f"{separator}{self.indentation}")
            self.write_block(block)

    def write_block(self, block: Block) -> None:
        match block.kind:
            case "codeBlock":
                self.write_code(block)
            case "blockquote" | "expand":
                self.writer.start("blockquote", (("expandable", True if block.kind == "expand" else None),))
                title = block.attributes.get("title")
                self.write([*([_bold(title)] if title else []), *block.blocks], "\n")
                self.writer.end()
            case "bulletList" | "orderedList":
                for number, item in enumerate(block.blocks):
                    if number:
                        self.writer.write_text(f"\n{self.indentation}")
                    start = block.attributes.get("start")
                    self.write_item(item, "• " if start is None else f"{start + number}. ")
            case "listItem":
                self.write_item(block, "• ")
            case _:
                self.write_spans(block.spans)

    def write_item(self, item: Block, sign: str) -> None:
        self.writer.write_text(sign)
        outer, self.indentation = self.indentation, f"{self.indentation}   "
        self.write(item.blocks, "\n")
        self.indentation = outer

    def write_code(self, block: Block) -> None:
        self.writer.start("pre")
        language = block.attributes["language"]
        if language:
            self.writer.start("code", (("class", f"language-{language}"),))
        for span in block.spans:
            self.writer.write_text(span.content)
        if language:
            self.writer.end()
        self.writer.end()

    def write_span(self, span: MarkedSpan) -> None:
        if span.is_break:
            self.writer.write_text(f"\n{self.indentation}")
        else:
            is_code = ("code", "") in span.marks
            self.writer.write_text(span.content if is_code else inert(span.content.replace("\n", " ")))

    def write_spans(self, spans: Sequence[MarkedSpan]) -> None:
        super().write_spans([_as_script(_without_image(span)) for span in spans])


def _bold(content: str) -> Block:
    return Block("paragraph", [MarkedSpan(content, (("strong", ""),))])


def _without_image(span: MarkedSpan) -> MarkedSpan:
    """Return an image as a link to it, or as the text of the link around it."""
    if not span.src:
        return span
    is_linked = span.link or not _SHOWN_URL.match(span.src)
    return MarkedSpan(span.content or span.src, span.marks if is_linked else (*span.marks, ("link", span.src)))


def _as_script(span: MarkedSpan) -> MarkedSpan:
    """Return raised or lowered text with a sign, or as small digits; the number of a footnote is in brackets."""
    name = next((name for name, _ in span.marks if name in SCRIPTS), "")
    if not name or span.is_break or span.content.startswith("["):
        return span
    sign, small = SCRIPTS[name]
    is_number = span.content.isascii() and span.content.isdecimal()
    written = span.content.translate(small) if is_number else f"{sign}({span.content})"
    return span._replace(content=written)


def units(blocks: Sequence[Block]) -> int:
    """Return what blocks take of a message: units of UTF-16 or, where there are many marks, their share."""
    html = written(blocks)
    entities = html.count("</")
    return max(len(html.encode("utf-16-le")) // 2 + BETWEEN * len(blocks), entities * UNITS_PER_ENTITY)


def written(blocks: Sequence[Block]) -> str:
    html = TelegramHtml()
    html.write(blocks)
    return html.writer.finish()


def divided(block: Block) -> Iterator[Block]:
    """Yield code or a paragraph in pieces that a message can have: each is a block of its own, and closed."""
    if block.kind not in {"codeBlock", "paragraph"} or units([block]) <= MAX_PIECE:
        yield block
        return
    run: list[MarkedSpan] = []
    size = 0
    for span in block.spans:
        for piece in _pieces(span, "\n" if block.kind == "codeBlock" else " "):
            added = units([replace(block, spans=[piece])])
            if run and size + added > MAX_PIECE:
                yield replace(block, spans=run)
                run, size = [], 0
            run.append(piece)
            size += added
    yield replace(block, spans=run)


def _pieces(span: MarkedSpan, separator: str) -> Iterator[MarkedSpan]:
    """Yield a text in pieces that end with a line of code or a word, where these are short enough."""
    rest = span.content
    while len(rest) > MAX_PIECE // 4:
        end = rest.rfind(separator, 0, MAX_PIECE // 4) + 1 or MAX_PIECE // 4
        yield span._replace(content=rest[:end])
        rest = rest[end:]
    yield span._replace(content=rest)


class TelegramRenderer(PlaceRenderer):
    """A text that is longer than a message is in numbered parts."""

    def link_target(self, url: str, span: tuple[int, int] | None = None) -> str | None:
        target = super().link_target(url, span)
        return target if target and _SHOWN_URL.match(target) else None

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        blocks = fit(cls.blocks_of(document, context), RULES, context)
        pieces = [piece for block in blocks for piece in divided(block)]
        parts = in_parts(pieces, Limit(MAX_UNITS, "characters", units), context.notices)
        messages = ({"parse_mode": "HTML", "text": written(part)} for part in parts)
        return "".join(f"{json.dumps(each, ensure_ascii=False).translate(_LINE_ENDS)}\n" for each in messages)


TELEGRAM = Output(
    "telegram",
    "messages for a bot of Telegram, one JSON object a line",
    renderer=TelegramRenderer,
    is_text=True,
    is_styled=False,
    suffix=".jsonl",
    media_type="application/x-ndjson",
    delivery={
        "heading": "bold",
        "highlight": "text",
        "script": "text",
        "abbreviation": "text",
        "internal-link": "text",
        "relative-link": "text",
        "phone-link": "text",
        "unsafe-link": "text",
        "image": "link",
        "embedded-image": "text",
        "relative-image": "text",
        "tooltip": "lost",
        "list": "symbol",
        "numbered-list": "symbol",
        "continued-list": "symbol",
        "task": "symbol",
        "numbered-task": "symbol",
        "definition-list": "text",
        "nested-quote": "text",
        "callout": "quote",
        "table": "monospaced",
        "diagram": "monospaced",
        "chart": "monospaced",
        "formula": "monospaced",
        "display-formula": "monospaced",
        "footnote": "text",
        "rule": "symbol",
        "raw-html": "source",
        "extra-cell": "lost",
        "removed-html": "lost",
    },
)
