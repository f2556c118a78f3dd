"""Replaces what a container of a place may not hold, such as a table in a list item, by what it may; nothing is lost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from mdpublish_core.data_files import read_names
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.places.blocks import (
    BREAK,
    BULLET,
    NAMES,
    Block,
    MarkedSpan,
    bold,
    checkbox,
    paragraph,
    with_prefix,
)

RULES = read_names(__file__, "rules.tsv")
"""By place, the blocks that each container may hold besides paragraphs; one without a line holds nothing else."""

_PARTS = {container: frozenset({part}) for container, part in NAMES["part"].items()}
"""What lists and tables are made of, everywhere."""

_TEXT_STARTS = frozenset({"paragraph", "codeBlock", "mediaSingle"})
"""What an item may begin with."""


def fit(blocks: Sequence[Block], rules: Mapping[str, str], context: RenderContext) -> list[Block]:
    """Return a document's blocks as a place takes them that has such a table, with a notice for each kind of replacement.

    `context` also gets the form of each that is replaced, for the report of what arrives.
    """
    fitting = _Fitting({container: frozenset(held.split()) for container, held in rules.items()}, blocks)
    fitted = fitting.fit(blocks, "document")
    for (kind, container), lines in fitting.replaced.items():
        what, form = NAMES["name"][kind], NAMES["form"][kind]
        times = f", {len(lines):,} times" if len(lines) > 1 else ""
        where = f" in {NAMES['name'][container]}" if container in NAMES["name"] else ""
        context.notice("block-replaced", f"{what}{where} is {form}{times}: none can be there", lines[0])
    context.replaced = fitting.forms
    return fitted


class _Fitting:
    def __init__(self, rules: Mapping[str, frozenset[str]], blocks: Sequence[Block]) -> None:
        self._rules = {**dict.fromkeys(NAMES["name"], frozenset()), **_PARTS, **rules}
        self._has_image_blocks = "mediaSingle" in rules["document"]
        used = sorted({each.attributes["level"] for each in _walk(blocks) if each.kind == "heading"})
        shown = used[: int(*rules["headings"])] if "headings" in rules else range(1, 7)
        self._levels = {level: number for number, level in enumerate(shown, 1)}
        self._line: int | None = None
        self.replaced: dict[tuple[str, str], list[int | None]] = {}
        """Lines of what was replaced, by its kind and the container."""
        self.forms: dict[int, str] = {}
        """In which form it arrives, by the id of its token."""

    def fit(self, blocks: Sequence[Block], container: str) -> list[Block]:
        allowed = self._rules[container]
        fitted: list[Block] = []
        for block in blocks:
            if block.kind == "paragraph":
                fitted += self._with_images(block, container)
            elif block.kind == "heading":
                fitted += self._heading(block, container)
            elif block.kind in allowed and self._is_whole(block):
                fitted.append(self._inner(block))
            elif block.kind == "expand" and "nestedExpand" in allowed:
                fitted += self.fit([replace(block, kind="nestedExpand")], container)
            else:
                is_parted = block.kind == "taskList" and block.kind in allowed
                self._report(replace(block, kind="taskItem") if is_parted else block, container)
                fitted += self.fit(_REPLACEMENTS[block.kind](block, allowed), container)
        return fitted

    def _inner(self, block: Block) -> Block:
        """Return a block whose own blocks fit; an item begins with a text."""
        if not block.blocks:
            return block
        if block.kind == "listItem" and block.attributes.get("is_checked") is not None:
            self.forms[id(block.token)] = "symbol"
        outer, self._line = self._line, block.line or self._line
        blocks = self.fit(block.blocks, block.kind)
        self._line = outer
        if block.kind in {"listItem", "taskItem"} and (not blocks or blocks[0].kind not in _TEXT_STARTS):
            blocks = [paragraph(), *blocks]
        return replace(block, blocks=blocks or [paragraph()])

    def _heading(self, block: Block, container: str) -> list[Block]:
        level = self._levels.get(block.attributes["level"])
        if level and "heading" in self._rules[container]:
            spans = (
                [self._as_text(span, block, "heading") for span in block.spans]
                if self._has_image_blocks
                else block.spans
            )
            return [replace(block, spans=spans, attributes={"level": level})]
        self._report(block, container)
        return self.fit([bold(block.spans)], container)

    def _report(self, block: Block, container: str) -> None:
        """Note a replacement, with a notice if others of its kind arrive in their usual form, elsewhere in a document."""
        held, allowed = self._rules["document"], self._rules[container]
        usual = "blockquote" if block.kind == "panel" and "panel" not in held else block.kind
        if block.kind == "taskItem" or (usual in held and usual not in allowed):
            self.replaced.setdefault((block.kind, container), []).append(block.line or self._line)
        form = "quote" if block.kind == "panel" and "blockquote" in allowed else NAMES["arrival"][block.kind]
        for each in (block, *block.blocks) if form == "symbol" else (block,):
            self.forms[id(each.token)] = form

    def _as_text(self, span: MarkedSpan, block: Block, container: str) -> MarkedSpan:
        """Return an image as a link to it, or the text of the link around it."""
        if not span.src:
            return span
        self.replaced.setdefault(("mediaSingle", container), []).append(block.line or self._line)
        self.forms[id(span.token)] = "text" if span.link else "link"
        marks = span.marks if span.link else (*span.marks, ("link", span.src))
        return MarkedSpan(span.content.strip() or span.src, marks)

    def _with_images(self, block: Block, container: str) -> list[Block]:
        """Divide a paragraph at its images, where these are blocks. Several with links, such as badges, stay links."""
        count = sum(bool(span.src) for span in block.spans)
        if not self._has_image_blocks or not count:
            return [block]
        can_have_images = "mediaSingle" in self._rules[container]
        if can_have_images and count > 1:
            container = "badges"
        parts: list[Block] = []
        run: list[MarkedSpan] = []
        for span in block.spans:
            if span.src and can_have_images and (count == 1 or not span.link):
                parts += [paragraph(*run), Block("mediaSingle", [span])]
                run = []
            else:
                run.append(self._as_text(span, block, container))
        parts.append(paragraph(*run))
        return [each for each in parts if any(span.src or span.content.strip() for span in each.spans)]

    def _is_whole(self, block: Block) -> bool:
        """Whether tasks hold nothing but a text, and tasks below it."""
        if block.kind != "taskList":
            return True
        return all(
            each.kind == "taskList" and self._is_whole(each) if number else each.kind == "paragraph"
            for item in block.blocks
            for number, each in enumerate(item.blocks)
        )


def _walk(blocks: Sequence[Block]) -> Iterator[Block]:
    pending = [*blocks]
    while pending:
        block = pending.pop()
        yield block
        pending += block.blocks


def _panel(block: Block, allowed: frozenset[str]) -> Sequence[Block]:
    return [replace(block, kind="blockquote")] if "blockquote" in allowed else block.blocks


def _expand(block: Block, _allowed: frozenset[str]) -> Sequence[Block]:
    title = block.attributes["title"]
    return [*([bold([MarkedSpan(title)])] if title else []), *block.blocks]


def _tasks(block: Block, _allowed: frozenset[str]) -> Sequence[Block]:
    items = [
        Block("listItem", blocks=with_prefix(checkbox(is_checked=item.attributes["is_checked"]), item.blocks))
        for item in block.blocks
    ]
    return [Block("bulletList", blocks=items)]


def _table(block: Block, _allowed: frozenset[str]) -> Sequence[Block]:
    content = "\n".join(block.attributes["lines"]())
    return [Block("codeBlock", [MarkedSpan(content)] if content else [], (), {"language": ""})]


def _code(block: Block, _allowed: frozenset[str]) -> Sequence[Block]:
    lines = "".join(span.content for span in block.spans).split("\n")
    spans = [each for line in lines for each in (BREAK, MarkedSpan(line, (("code", ""),))) if each is BREAK or line]
    return [paragraph(*spans[1:])]


def _list(block: Block, _allowed: frozenset[str]) -> Sequence[Block]:
    start = block.attributes.get("start")
    signs = [BULLET if start is None else f"{start + number}." for number in range(len(block.blocks))]
    return [each for sign, item in zip(signs, block.blocks, strict=True) for each in with_prefix(sign, item.blocks)]


_REPLACEMENTS: Mapping[str, Callable[[Block, frozenset[str]], Sequence[Block]]] = {
    "blockquote": lambda block, _allowed: block.blocks,
    "panel": _panel,
    "expand": _expand,
    "nestedExpand": _expand,
    "rule": lambda _block, _allowed: [paragraph(MarkedSpan("───"))],
    "table": _table,
    "taskList": _tasks,
    "codeBlock": _code,
    **dict.fromkeys(("bulletList", "orderedList"), _list),
}
