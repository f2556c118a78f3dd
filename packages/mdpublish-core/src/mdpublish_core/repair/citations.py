"""Marks of sources that mean something in a chat window only."""

from collections.abc import Iterator

from mdpublish_core.readers.markdown.slips import CITATION
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_SOURCE = (
    rf"{CITATION}|【(?:\d+(?::\d+)?†[^】\n]{{0,200}}|turn\d+[a-z]+\d+(?:†[^】\n]{{0,200}})?)】"
    r"|\(\{\"attribution\": ?\{\"attributableIndex\": ?\"[\d-]+\"\}\}\)"
)
_MARK = rf"{_SOURCE}|\[\^\d+\^\](?![:(]|\[(?!\^))"
_MARKS = compile_lazily(rf"(?: ?(?:{_MARK}|\((?:{_SOURCE})+\)))+")
_BING = compile_lazily(r"\[\^(\d+\^)\]")
# The second name is the one to show.
_ENTITY = compile_lazily(
    r'\ue200entity\ue202\["[^"\n]{0,99}","((?:[^"\\\n]|\\.){0,200})"[^\ue200\ue201\n]{0,500}\ue201'
)
_LINK = compile_lazily(
    "\ue200(?:url|link_title)\ue202([^\ue200-\ue206\n]{1,200})\ue202([^\ue200-\ue206\\s]{1,500})\ue201"
)
_BOUNDARIES = compile_lazily(r"[\ue203\ue204\ue206]")
_SITE = compile_lazily(r"\[oai_citation:\d+‡(?=[^\]\n]{1,200}\]\()")
# One is in each mark: to look for them is faster than to match.
_PARTS = ("†", "oaicite", "\ue200", "turn", "attributableIndex", "[cite", "^]")


def remove_citations(source: Source) -> Iterator[Changes]:
    """Remove the marks with the space before them; keep links to sources, and names of what is cited."""
    for match in source.matches(_MARKS) if any(part in source.markdown for part in _PARTS) else ():
        labels = _BING.findall(match[0])
        if not source.footnote_labels.intersection(labels):
            yield (_removal(source, *match.span()),)
    for pattern, after in ((_SITE, "["), (_BOUNDARIES, "")):
        for match in source.matches(pattern):
            yield (Change(*match.span(), after),)
    for match in source.matches(_ENTITY):
        yield (Change(*match.span(), match[1].replace('\\"', '"')),)
    for match in source.matches(_LINK, is_markup=True):
        yield (Change(*match.span(), f"[{match[1]}]({match[2]})" if "://" in match[2] else match[1]),)


def _removal(source: Source, start: int, end: int) -> Change:
    """Return what removes marks; if a line has nothing else, the line, which left blank would divide a paragraph."""
    markdown = source.markdown
    before, after = markdown[start - 1 : start], markdown[end : end + 1]
    if before in {"", "\r", "\n"} and after in {"", "\r", "\n"}:
        return Change(start, end + (2 if markdown.startswith("\r\n", end) else len(after)), "")
    if markdown[start] == " " and (after.isalnum() or markdown[start + 1 : end] == "[cite_start]"):
        start += 1
    elif after == " " and before in {"", "\r", "\n", " "}:
        end += 1
    return Change(start, end, "")
