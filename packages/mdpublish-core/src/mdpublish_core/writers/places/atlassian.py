"""Blocks for Jira and Confluence in the Cloud: as JSON of their document format, and as the HTML that their editors paste.

The readers are the JSON schema and the ProseMirror schema of `@atlaskit/adf-schema`: of text that is pasted, its
`parseDOM` finds the language of code, callouts, folded text and tasks by attributes.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar

from mdpublish_core import nodes
from mdpublish_core.html import Attributes
from mdpublish_core.resources.urls import encode_url
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.places.blocks import NAMES, Block, MarkedSpan, PlaceRenderer
from mdpublish_core.writers.places.fit import RULES, fit
from mdpublish_core.writers.places.html import PlaceHtml, Tags, html_of
from mdpublish_core.writers.places.parts import Limit

Json = dict[str, Any]

HIGHLIGHT = "#fedec8"
"""One of the editors' own colors for the background of text."""

_MARKS: Mapping[str, Json] = {
    **{name: {"type": name} for name in ("em", "strong", "strike", "underline", "code")},
    **{name: {"type": "subsup", "attrs": {"type": name}} for name in ("sub", "sup")},
    "mark": {"type": "backgroundColor", "attrs": {"color": HIGHLIGHT}},
}


def adf(blocks: Sequence[Block]) -> Json:
    """Return a document of the format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/."""
    return {"version": 1, "type": "doc", "content": _Adf().nodes(blocks) or [{"type": "paragraph", "content": []}]}


JIRA_FIELD = Limit(32_767, "characters", lambda blocks: len(json.dumps(adf(blocks), ensure_ascii=False)))
"""A description or comment. Its characters are counted in the format in which it is stored, with its markup."""


class _Adf:
    def __init__(self) -> None:
        self._ids = count(1)

    def nodes(self, blocks: Sequence[Block], align: str | None = None) -> list[Json]:
        return [node for block in blocks for node in self._nodes(block, align)]

    def _nodes(self, block: Block, align: str | None) -> Iterator[Json]:
        attributes = _ATTRIBUTES[block.kind](block) if block.kind in _ATTRIBUTES else {}
        if block.kind in {"taskList", "taskItem"}:
            attributes["localId"] = str(next(self._ids))
        node: Json = {"type": block.kind} | ({"attrs": attributes} if attributes else {})
        match block.kind:
            case "taskItem":
                # Tasks below a task are beside it, in a list of their own.
                first, *below = block.blocks
                yield {**node, "content": _inlines(first.spans)}
                yield from self.nodes(below)
                return
            case "tableCell":
                node["type"] = "tableHeader" if block.attributes["is_header"] else "tableCell"
                align = block.attributes["align"]
            case "codeBlock":
                node["content"] = [{"type": "text", "text": span.content} for span in block.spans]
            case "mediaSingle":
                node["content"] = [_media(block.spans[0])]
            case "paragraph" | "heading" if align in {"center", "right"}:
                node["marks"] = [{"type": "alignment", "attrs": {"align": "end" if align == "right" else align}}]
        if block.kind != "rule":
            node.setdefault("content", self.nodes(block.blocks, align) if block.blocks else _inlines(block.spans))
        yield node


_ATTRIBUTES: Mapping[str, Callable[[Block], Json]] = {
    "heading": lambda block: {"level": block.attributes["level"]},
    "orderedList": lambda block: {"order": block.attributes["start"]},
    "codeBlock": lambda block: {"language": block.attributes["language"]} if block.attributes["language"] else {},
    "panel": lambda block: {"panelType": NAMES["panel"][block.attributes["callout"]]},
    **dict.fromkeys(("expand", "nestedExpand"), lambda block: {"title": block.attributes["title"]}),
    "taskItem": lambda block: {"state": _state(block)},
    "tableCell": lambda block: {
        name: block.attributes[name] for name in ("colspan", "rowspan") if block.attributes[name] > 1
    },
    "mediaSingle": lambda _block: {"layout": "center"},
}


def _state(block: Block) -> str:
    return "DONE" if block.attributes["is_checked"] else "TODO"


def _media(span: MarkedSpan) -> Json:
    node: Json = {"type": "media", "attrs": {"type": "external", "url": encode_url(span.src), "alt": span.content}}
    return node | ({"marks": [_link(span.link)]} if span.link else {})


def _link(url: str) -> Json:
    return {"type": "link", "attrs": {"href": encode_url(url)}}


def _inlines(spans: Sequence[MarkedSpan]) -> list[Json]:
    nodes: list[Json] = []
    for span in spans:
        if span.is_break:
            nodes.append({"type": "hardBreak"})
            continue
        marks = [_link(value) if name == "link" else _MARKS[name] for name, value in _with_allowed_marks(span).marks]
        node: Json = {"type": "text", "text": span.content}
        nodes.append(node | ({"marks": marks} if marks else {}))
    return nodes


def _with_allowed_marks(span: MarkedSpan) -> MarkedSpan:
    """Return text with the marks that the editors let it have: code has no others, and what is linked is no code."""
    names = {name for name, _ in span.marks}
    refused = {"code"} if {"code", "link"} <= names else names - {"code"} if "code" in names else set()
    if {"sub", "sup"} <= names:
        refused = refused | {"sup"}
    return span._replace(marks=tuple(each for each in span.marks if each[0] not in refused)) if refused else span


class AtlassianHtml(PlaceHtml):
    """The elements that the schema's `parseDOM` knows."""

    tags: ClassVar[Tags] = {
        **PlaceHtml.tags,
        "codeBlock": lambda block: [("pre", (("data-language", block.attributes["language"] or None),)), ("code", ())],
        "panel": lambda block: [
            ("div", (("data-panel-type", NAMES["panel"][block.attributes["callout"]]),)),
            ("div", ()),
        ],
        **dict.fromkeys(
            ("expand", "nestedExpand"),
            lambda block: [("div", (("data-node-type", block.kind), ("data-title", block.attributes["title"])))],
        ),
        "taskList": lambda _block: [("div", (("data-node-type", "actionList"),))],
        "mediaSingle": lambda _block: [("p", ())],
    }

    marks: ClassVar[Mapping[str, str]] = {**PlaceHtml.marks, "mark": "span"}
    highlight: ClassVar[Attributes] = (("style", f"background-color:{HIGHLIGHT}"),)

    def write_block(self, block: Block) -> None:
        if block.kind != "taskItem":
            super().write_block(block)
            return
        first, *below = block.blocks
        self.writer.start("div", (("data-task-local-id", ""), ("data-task-state", _state(block))))
        self.write_spans(first.spans)
        self.writer.end()
        self.write(below)

    def write_spans(self, spans: Sequence[MarkedSpan]) -> None:
        super().write_spans([_with_allowed_marks(span) for span in spans])


class AtlassianRenderer(PlaceRenderer):
    """Writes HTML for the editors: code's language, callouts, folded text and tasks are attributes."""

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        return html_of(AtlassianHtml, cls.fitted(document, context), context)

    @classmethod
    def fitted(cls, document: nodes.Document, context: RenderContext) -> list[Block]:
        """Return a document's blocks as the editors' schema has them."""
        return fit(cls.blocks_of(document, context), RULES["atlassian"], context)
