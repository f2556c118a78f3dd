"""Bold and italic words of mindmaps: merman measures them, and draws them as others."""

import re
from itertools import groupby

from lxml import etree

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.literals import split_emphasis, unbroken

# What a line says inside a shape, or without one; what is no label is not drawn.
_LABELS = (re.compile(r"(?<=\"`)[^`]+|(?<=[\[(){}\"])[^\[\](){}\"`\n]+"), re.compile(r"^[ \t]*[^\s%].*$", re.MULTILINE))


def emphasize(root: svg.Element, content: str) -> None:
    """Style the words that the source emphasizes."""
    labels: dict[str, list[str]] = {}
    for label in (each[0] for pattern in _LABELS for each in pattern.finditer(content)):
        if "*" in label or "_" in label:
            pieces = split_emphasis(unbroken(label))
            styles = [marks for piece, marks in pieces for _ in "".join(piece.split())]
            labels["".join("".join(piece for piece, _ in pieces).split())] = styles
    for drawn in root.iter(f"{svg.SVG_PREFIX}svg") if labels else ():
        lines = list(drawn.iterfind(svg.TEXT_TAG))
        styles = labels.get("".join((line.text or "").replace(" ", "") for line in lines), [])
        for line in lines if any(styles) else ():
            _style(line, [styles.pop(0) if character != " " else "" for character in line.text or ""])


def _style(line: svg.Element, styles: list[str]) -> None:
    words, line.text = line.text or "", None
    for marks, group in groupby(zip(words, styles, strict=True), key=lambda each: each[1]):
        run = etree.SubElement(line, svg.TSPAN_TAG)
        run.text = "".join(character for character, _ in group)
        if "**" in marks:
            run.set("font-weight", "bold")
        if marks.count("*") % 2:
            run.set("font-style", "italic")
