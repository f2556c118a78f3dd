"""Attributes as nodes have them."""

from collections.abc import Mapping

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.resources.allowed_elements import collapse_spaces, dimension
from mdpublish_core.strings.lazy_patterns import compile_lazily

ALIGNMENT_NUMBERS: Mapping[str | None, nodes.Alignment] = {"left": -1, "center": 0, "right": 1}

_LANGUAGE = compile_lazily(r"(?:^|[ \t\n])(?:language|lang|highlight-source)-([A-Za-z0-9_+#.\-]{1,40})(?![^ \t\n])")
LANGUAGE_NAME = compile_lazily(r"[A-Za-z0-9_+#.\-]{1,40}")


def image_of(attributes: Mapping[str, str], source: str) -> nodes.Image:
    """Return the image of an `img`, from a checked URL."""
    alt = collapse_spaces(attributes.get("alt", ""))
    return nodes.Image(
        source,
        [nodes.RawText(alt)] if alt else [],
        title=collapse_spaces(attributes.get("title", "")),
        width=dimension(attributes.get("width", "")),
        height=dimension(attributes.get("height", "")),
    )


def code_language(attributes: Mapping[str, str]) -> str:
    """From class `language-…` or GitHub's `lang`."""
    named = _LANGUAGE.search(attributes.get("class", ""))
    language = attributes.get("lang", "").strip()
    return named[1] if named else language if LANGUAGE_NAME.fullmatch(language) else ""
