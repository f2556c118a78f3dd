"""What all renderers share: a class a destination, and in it a method a class of nodes.

A destination that is like another derives from that one's renderer and overrides methods. Nodes are written by the methods
of the renderer at hand, wherever they stand, so that an override holds in lists, quotes and tables, too.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from mdpublish_core.destinations.setting import Setting
from mdpublish_core.document import (
    AutoLink,
    BlockCode,
    Callout,
    CodeFence,
    Document,
    Emphasis,
    Figure,
    FootnoteDefinition,
    FootnoteReference,
    Heading,
    HtmlBlock,
    HtmlElement,
    HtmlSpan,
    Image,
    InlineCode,
    LineBreak,
    Link,
    List,
    ListItem,
    MathBlock,
    MathSpan,
    Paragraph,
    Quote,
    RawText,
    SetextHeading,
    Strikethrough,
    Strong,
    Table,
    TableCell,
    TableRow,
    TaskItem,
    ThematicBreak,
    Token,
)

BLOCK_METHODS: Mapping[type[Token], str] = {
    Heading: "render_heading",
    SetextHeading: "render_heading",
    Paragraph: "render_paragraph",
    Quote: "render_quote",
    Callout: "render_callout",
    List: "render_list",
    ListItem: "render_list_item",
    TaskItem: "render_task_item",
    CodeFence: "render_code_block",
    BlockCode: "render_code_block",
    Figure: "render_figure",
    MathBlock: "render_math_block",
    Table: "render_table",
    TableRow: "render_table_row",
    TableCell: "render_table_cell",
    ThematicBreak: "render_thematic_break",
    FootnoteDefinition: "render_footnote_definition",
    HtmlBlock: "render_html_block",
    HtmlElement: "render_html_element",
}
"""The method of each class of the union `Block`."""

INLINE_METHODS: Mapping[type[Token], str] = {
    RawText: "render_raw_text",
    Emphasis: "render_emphasis",
    Strong: "render_strong",
    Strikethrough: "render_strikethrough",
    InlineCode: "render_inline_code",
    Link: "render_link",
    AutoLink: "render_auto_link",
    Image: "render_image",
    LineBreak: "render_line_break",
    MathSpan: "render_math_span",
    FootnoteReference: "render_footnote_reference",
    HtmlSpan: "render_html_span",
    HtmlElement: "render_inline_html_element",
}
"""The method of each class of the union `Inline`. Renderers of HTML write elements among inlines by that of blocks."""

Methods = Mapping[type[Token], Callable[[Any, Any], Any]]


class Renderer:
    """A document on its way to a destination; what a method returns or writes is the destination's affair.

    Looking methods up by name would cost a third of the time, so each class has them in tables.
    """

    block_methods: ClassVar[Methods]
    inline_methods: ClassVar[Methods]
    methods: ClassVar[Methods]

    def __init_subclass__(cls, **options: Any) -> None:
        """Collect the methods of a class, its own and inherited ones."""
        super().__init_subclass__(**options)
        cls.block_methods = _methods_of(cls, BLOCK_METHODS)
        cls.inline_methods = _methods_of(cls, INLINE_METHODS)
        cls.methods = {**cls.inline_methods, **cls.block_methods}

    @classmethod
    def render(cls, document: Document, setting: Setting) -> str:
        """Return a document as it is at the destination."""
        raise NotImplementedError


def _methods_of(cls: type[Renderer], names: Mapping[type[Token], str]) -> Methods:
    return {node: getattr(cls, name) for node, name in names.items() if hasattr(cls, name)}
