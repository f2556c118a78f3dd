"""What was changed in a pasted or exported document, merged back into the Markdown that it was made of.

- Markdown → `convert` → read again: what was sent, with all that the way out and in loses.
- The edited file → read: what came back. `losses`: what a program stored again, or does not have, is no edit.
- `changes`: the edits between the two, made in the tree of the source, by words (`inlines`) of leaves (`alignment`).
- `sources`: that tree, written into the lines of the source.
- `unplaced`: edits that are not there then.
- `versions`: a source that has changed meanwhile, merged with that by blocks; and marks of what changed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.arguments import require_function, require_type
from mdpublish_core.conversion import Converter
from mdpublish_core.importing import Imported, read_file, read_html, with_image_urls
from mdpublish_core.merging import losses
from mdpublish_core.merging.alignment import match
from mdpublish_core.merging.changes import Version, edit
from mdpublish_core.merging.sources import write
from mdpublish_core.merging.unplaced import Documents, unplaced_notices
from mdpublish_core.merging.versions import merge_versions
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.notices import Notice
from mdpublish_core.resources.media import Media, image_data_url
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.outputs import BY_SUFFIX, DESTINATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mdpublish_core.merging.changes import Entry

__all__ = ["Merged", "find_converter", "merge"]


_COMMENT = compile_lazily("<!--.*?-->")
_UNREAD = frozenset({"content-left-out", "lost-on-import"})


@dataclass(frozen=True, slots=True)
class Merged:
    """A source with the edits of a document that was made of it."""

    markdown: str
    """The source. What both sides changed is in it twice, between conflict markers as git writes them."""

    conflicts: int
    """How many of these there are."""

    notices: tuple[Notice, ...]
    """What could not be merged, what the edited document does not have, and what reading it left out."""

    @property
    def is_incomplete(self) -> bool:
        """Whether an edit is not in `markdown`: a notice `merge-left-out` names it."""
        return any(notice.code == "merge-left-out" for notice in self.notices)


def merge(
    base: str,
    edited: Imported,
    converter: Converter,
    *,
    ours: str | None = None,
    labels: tuple[str, str] = ("ours", "edited"),
    media_url: Callable[[Media], str] | None = None,
) -> Merged:
    """Return a source with what was changed in a document that was made of it.

    `base` is the Markdown that `converter` made the document of, and `edited` the document, as `read_file` or
    `read_html` read it. `ours` is the Markdown as it is now, by default `base`: where both sides changed a block, both
    are in the result, between conflict markers with `labels`. `media_url` returns an added image's URL; by default, it
    is embedded.

    Raises `InvalidArgument`, and what the converter raises.
    """
    require_type("base", base, str)
    require_type("edited", edited, Imported)
    require_type("converter", converter, Converter)
    require_function("media_url", media_url)
    parsing = replace(converter, transform=None, rewrite_url=None, fences={})
    source, read = parsing.parse(base), _sent(base, converter)
    sent, formulas = read.document, losses.lost_formulas(read, edited)
    lost = losses.features_of(sent) - losses.features_of(edited.document)
    if formulas is not None:
        lost -= {losses.FEATURES[each] for each in losses.FORMULAS}
    unknown = {kind for kind, name in losses.FEATURES.items() if name in lost}
    images = losses.known_images(losses.with_sent_forms(edited.document, sent), sent)
    changed = Documents(losses.without(sent, lost, formulas or frozenset()), images.document)
    entries, notices = edit(source, *changed, unknown, images.descriptions)
    notices += images.notices
    notices += (each for each in Counter(edited.notices) - Counter(read.notices) if each.code in _UNREAD)
    theirs, is_exact = write(
        base,
        source,
        _with_media(entries, edited.media, media_url or (lambda each: image_data_url(each.data) or "")),
        parsing.parse,
    )
    if not is_exact:
        message = "the edits could not be written between the lines of the source, so all of it is in one style"
        notices.append(Notice("merge-rewritten", message))
    notices += _lost_comments(edited.document, theirs)
    result = parsing.parse(theirs)
    notices += unplaced_notices(changed, Documents(source, result))
    for feature in sorted(lost & losses.features_of(result)):
        notices.append(Notice("merge-kept", f"the edited document has no {feature}; those of the source stay"))
    if formulas:
        message = f"{len(formulas):,} of the formulas were lost by the editing program; those of the source stay"
        notices.append(Notice("merge-kept", message))
    merged, conflicts = theirs, 0
    if ours is not None:
        merged, conflicts = merge_versions((base, ours, theirs), parsing.parse, labels)
    return Merged(merged, conflicts, tuple(notices))


def _lost_comments(edited: nodes.Document, markdown: str) -> Iterator[Notice]:
    written = set(_COMMENT.findall(markdown.replace(r"\|", "|")))
    for token in nodes.walk(edited):
        if is_comment(token) and token.content not in written:
            yield Notice(
                "content-left-out", f"a comment has no place beside a figure or formula: {token.content[4:-3].strip()}"
            )


def find_converter(base: str, edited: Imported, converter: Converter, suffix: str = ".html") -> Converter:
    """Return a converter like another, to the output that the edited document most probably was.

    That is the one of the suffix of its file or, of those that are pasted, the one which has the most of its blocks.
    """
    if (output := BY_SUFFIX.get(suffix)) and not output.is_page:
        return replace(converter, to=output)
    keys = Version(losses.without(edited.document, set())).keys
    converters = [replace(converter, to=name) for name, each in DESTINATIONS.items() if not each.is_text]
    return max(converters, key=lambda each: len(match(Version(_sent(base, each).document).keys, keys)))


def _sent(base: str, converter: Converter) -> Imported:
    """Return what was sent of a source, as it is read."""
    conversion = converter.convert(base)
    if isinstance(conversion.content, bytes):
        return read_file(conversion.content, conversion.suffix)
    return read_html(conversion.html)


def _with_media(entries: Sequence[Entry], media: Sequence[Media], media_url: Callable[[Media], str]) -> Sequence[Entry]:
    """Return entries with the URLs of the images in them that were in the edited document itself."""
    images = (each for entry in entries for each in nodes.walk(entry.leaf.node) if isinstance(each, nodes.Image))
    sources = {each.src for each in images}
    urls = {each.content_id: media_url(each) for each in media if each.content_id in sources}
    return [entry._replace(leaf=entry.leaf._replace(node=with_image_urls(entry.leaf.node, urls))) for entry in entries]
