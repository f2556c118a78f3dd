"""A document's tree without what a text form hides: emphasis in plain text, levels of headings in Slack."""

from collections.abc import Iterable, Sequence

from mdpublish_core import nodes
from mdpublish_core.figures.math import parse_formula
from tests.text_forms.formula_structure import Part
from tests.text_forms.prose_reader import marked, read_scripts


def document_tree(document: nodes.Document, *, is_slack: bool) -> Part:
    trees = _Trees(is_slack=is_slack)
    notes = [("note", note.number, *trees.blocks(note.children)) for note in document.footnote_definitions]
    return ("document", *trees.blocks(document.children), *notes)


class _Trees:
    def __init__(self, *, is_slack: bool) -> None:
        self.is_slack = is_slack

    def blocks(self, tokens: Iterable[nodes.Token]) -> list[Part]:
        return [self.block(token) for token in tokens]

    def block(self, token: nodes.Token) -> Part:
        tree: Part
        match token:
            case nodes.Paragraph():
                tree = ("p", *self.inlines(token.children))
            case nodes.Heading() | nodes.SetextHeading():
                tree = ("heading", 0 if self.is_slack else token.level, *self.inlines(token.children))
            case nodes.Quote():
                tree = ("quote", *self.blocks(token.children))
            case nodes.Callout() if not self.is_slack:
                tree = ("quote", *_with_start(f"{token.label.upper()}: ", self.blocks(token.children)))
            case nodes.Callout():
                tree = ("quote", ("p", ("*", *token.label)), *self.blocks(token.children))
            case nodes.List():
                tree = ("list", token.start, *(self.item(item) for item in token.children))
            case nodes.CodeFence() | nodes.BlockCode():
                tree = ("code", token.content.strip("\n"))
            case nodes.Table():
                rows = (row.children for row in (token.header, *token.children))
                tree = ("table", *(("row", *(("cell", *self.inlines(cell.children)) for cell in row)) for row in rows))
            case _:
                assert isinstance(token, nodes.ThematicBreak), token
                tree = ("rule",)
        return tree

    def item(self, item: nodes.ListItem) -> Part:
        blocks = self.blocks(item.children)
        box = f"[{'x' if item.checked else ' '}] " if isinstance(item, nodes.TaskItem) else ""
        return ("item", *(_with_start(box, blocks) if box else blocks))

    def inlines(self, tokens: Sequence[nodes.Token] | None) -> list[Part]:
        return [part for token in tokens or () for part in self.inline(token)]

    def inline(self, token: nodes.Token) -> list[Part]:
        inside = self.inlines(token.children)
        match token:
            case nodes.RawText():
                parts = read_scripts(token.content)
            case nodes.InlineCode():
                parts = [("code", token.content)] if self.is_slack else list(token.content)
            case nodes.MathSpan():
                line = parse_formula(token.content, display=False).unicode_line()
                parts = [("code", line)] if self.is_slack else read_scripts(line)
            case nodes.Strong() | nodes.Emphasis():
                parts = marked("*" if isinstance(token, nodes.Strong) else "_", inside) if self.is_slack else inside
            case nodes.Strikethrough():
                parts = marked("~~", inside)
            case nodes.LineBreak():
                parts = [" " if self.is_slack else "\n"]
            case nodes.FootnoteReference():
                parts = [("note", token.number)]
            case nodes.Link():
                title = f" “{token.title}”" if token.title and not self.is_slack else ""
                parts = [*inside, *f" ({token.target}{title})"]
            case nodes.Image():
                parts = [*"[", *inside, *f"] ({token.src})"]
            case _:
                assert isinstance(token, nodes.HtmlElement), token
                parts = self.element(token, inside)
        return parts

    def element(self, token: nodes.HtmlElement, inside: list[Part]) -> list[Part]:
        match token.tag:
            case "sub" | "sup":
                return [("_" if token.tag == "sub" else "^", *inside)]
            case "mark":
                return marked("==", inside)
            case "rt":
                return ["(", *inside, ")"]
            case "q":
                return ["“", *inside, "”"]
            case "abbr":
                return [*inside, *f" ({token.attributes['title']})"]
        return inside


def _with_start(start: str, blocks: list[Part]) -> list[Part]:
    (_, *inside), *others = blocks
    return [("p", *start, *inside), *others]
