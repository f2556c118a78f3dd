"""What people paste or drop as Markdown, and a line that says what came and what was repaired."""

import re
from collections import Counter
from collections.abc import Container, Iterator

from mdpublish_core import nodes, read_file
from mdpublish_core.hosting.files import program_title
from mdpublish_core.repair import repair
from mdpublish_server.conversion.protocol import Pasted, PasteJob

_COUNTED = {
    nodes.Table: "table",
    nodes.MathSpan: "formula",
    nodes.MathBlock: "formula",
    nodes.Figure: "diagram",
    nodes.CodeFence: "code block",
    nodes.BlockCode: "code block",
    nodes.Image: "image",
    nodes.FootnoteDefinition: "footnote",
}
"""What people look for when they have pasted."""

_IMAGE = re.compile(r"!\[(?P<alt>(?:\\.|[^\]\\])*)\]\((?P<url>[^\s)]*)[^)]*\)")

_HEAD_BYTES = 100_000


def read_pasted(job: PasteJob) -> Pasted:
    """Return what was pasted. Raises the errors of `read_file`."""
    imported = read_file(job.content, f".{job.format}")
    contained = {each.content_id: each.data for each in imported.media}
    tokens = [token for token in nodes.walk(imported.document) if type(token) in _COUNTED]
    counts = Counter(_COUNTED[type(token)] for token in tokens)
    lost = 0
    if not job.keeps_images:
        lost = sum(isinstance(token, nodes.Image) and token.src in contained for token in tokens)
        counts["image"] -= lost
    markdown = imported.markdown if job.keeps_images else _with_texts(imported.markdown, contained)
    repaired = repair(markdown)
    counts["repair"] = len(repaired.repairs)
    return Pasted(
        markdown=repaired.markdown,
        summary="".join(_summary(program_title(job.content[:_HEAD_BYTES].decode("utf-8", "replace")), counts, lost)),
        images=contained if job.keeps_images else {},
    )


def _with_texts(markdown: str, images: Container[str]) -> str:
    """Return a text with the alternative texts of some of its images in place of these."""
    return _IMAGE.sub(lambda match: match["alt"] if match["url"] in images else match[0], markdown)


def _summary(program: str, counts: Counter[str], lost: int) -> Iterator[str]:
    yield f"Pasted from {program}" if program else "Pasted as Markdown"
    names = {"formula": "formulas"}
    parts = [
        f"{count:,} {names.get(name, f'{name}s') if count > 1 else name}" for name, count in counts.items() if count
    ]
    if parts:
        yield f" · {', '.join(parts)}"
    if lost:
        yield f"; {lost:,} {'images are' if lost > 1 else 'image is'} left out: sign in to keep images"
