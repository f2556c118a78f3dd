"""Our own emails: quotes are cells with a padding, tabs spaces."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import restore_tabs, wrap_content
from mdpublish_core.strings.lazy_patterns import compile_lazily

_QUOTE = compile_lazily(r"padding:0 0 0 [0-9.]+px|padding:0 [0-9.]+px 0 0")


def clean(root: Element) -> None:
    restore_tabs(root)
    for cell in list(root.iter("td")):
        if _QUOTE.fullmatch(cell.get("style", "")):
            wrap_content(cell, "blockquote")
