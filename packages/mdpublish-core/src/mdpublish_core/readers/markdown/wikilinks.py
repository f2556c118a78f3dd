"""Links and embeds by name, as in Obsidian: `[[Page#Heading|label]]`, `![[image.png|300]]`.

Sources: comrak's option `wikilinks_title_after_pipe`; Obsidian's help, "Internal links" and "Embed files".
"""

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.options.limits import MAX_LABEL_CHARACTERS
from mdpublish_core.readers.markdown.links import PLAIN_INLINE
from mdpublish_core.resources.urls import github_anchor
from mdpublish_core.strings.lazy_patterns import compile_lazily

_WIKILINK = compile_lazily(
    rf"\[\[([^\[\]|\n]{{1,{MAX_LABEL_CHARACTERS}}})(?:\|([^\[\]\n]{{0,{MAX_LABEL_CHARACTERS}}}))?\]\]"
)
_SIZE = compile_lazily(r"([0-9]{1,4})(?:x([0-9]{1,4}))?")
_IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".avif")


def read_wikilink(
    source: str, start: int, *, is_embed: bool, has_block_ids: bool = False
) -> tuple[nodes.Link | nodes.Image, str, int] | None:
    """Return the link or image that begins at `[[`, without children, its text, and its end.

    An embed of anything but an image is a link. `has_block_ids` is whether `^id` ends a block as an anchor. `[[1]](url)`
    is none: its brackets are text of a link.
    """
    match = _WIKILINK.match(source, start)
    if not match or PLAIN_INLINE.match(source, match.end()):
        return None
    # Cells of tables need a backslash before the bar; elsewhere, it remains.
    name = match[1].removesuffix("\\").strip()
    page, _, heading = (part.strip() for part in name.partition("#"))
    if not (page or heading) or page.startswith("^"):
        return None
    label = (match[2] or "").strip()
    if is_embed and page.lower().endswith(_IMAGE_SUFFIXES):
        return *_image(page, label), match.end()
    target = _target(page, heading.removeprefix("^") if has_block_ids else heading, is_id=heading.startswith("^"))
    link = nodes.Link(target, (), by_name=True)
    return link, label or " > ".join(filter(None, (page, *map(str.strip, heading.split("#"))))), match.end()


def _image(name: str, label: str) -> tuple[nodes.Image, str]:
    alt, _, last = label.rpartition("|")
    if not (size := _SIZE.fullmatch(last.strip())):
        return nodes.Image(_target(name, ""), (), by_name=True), label or name
    image = nodes.Image(_target(name, ""), (), width=size[1], height=size[2], by_name=True)
    return image, alt.strip() or name


def _target(page: str, heading: str, *, is_id: bool = False) -> str:
    """Return a URL: names have no escapes and no query, and a heading's anchor is that of GitHub."""
    if "://" not in page:
        page = page.replace("%", "%25").replace("?", "%3F")
    last = heading.rpartition("#")[2].strip()
    fragment = last if is_id else github_anchor(last)
    return f"{page}#{fragment}" if fragment else page
