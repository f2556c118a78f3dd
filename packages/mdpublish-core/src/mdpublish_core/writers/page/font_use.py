"""Which of a template's fonts a document has text for."""

from mdpublish_core import nodes
from mdpublish_core.templates.web_fonts import FontUse

_CODE_BLOCKS = nodes.CodeFence | nodes.BlockCode
_STRONG = nodes.Strong | nodes.Heading | nodes.SetextHeading
# Themes set quotations, captions and notes in italics.
_MAYBE_ITALIC = nodes.Emphasis | nodes.Quote | nodes.Callout | nodes.Figure | nodes.Image | nodes.FootnoteDefinition


def font_use(document: nodes.Document) -> FontUse:
    """Return it; HTML counts as all that themes style."""
    has_code = has_code_blocks = has_italic = has_bold_italic = is_extended = False
    for token in nodes.walk(document):
        is_html = isinstance(token, nodes.HtmlElement | nodes.HtmlSpan | nodes.HtmlBlock)
        has_code |= is_html or isinstance(token, nodes.InlineCode)
        has_code_blocks |= isinstance(token, _CODE_BLOCKS)
        has_italic |= is_html or isinstance(token, _MAYBE_ITALIC)
        if isinstance(token, _STRONG | nodes.Emphasis):
            other = nodes.Emphasis if isinstance(token, _STRONG) else _STRONG
            has_bold_italic |= any(isinstance(child, other) for child in nodes.walk(token))
        content = getattr(token, "content", "")
        is_extended |= not content.isascii() and any("\u0100" <= character < "\u0250" for character in content)
    return FontUse(has_code, has_code_blocks, has_italic, has_bold_italic, is_extended)
