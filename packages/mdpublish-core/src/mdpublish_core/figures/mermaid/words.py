"""Compare what a diagram says with its source: words that are lost, and dates that nobody wrote."""

import json
import re
import string
from collections.abc import Iterator

from mdpublish_core.data_files import read_names
from mdpublish_core.figures import words
from mdpublish_core.figures.errors import SourceRefused
from mdpublish_core.figures.mermaid.gantt_dates import find_misplaced
from mdpublish_core.figures.mermaid.sources import MermaidSource, after_front_matter
from mdpublish_core.figures.outlines import Outline
from mdpublish_core.figures.request import Remark
from mdpublish_core.figures.words import words_of

# Comments, styles and links, which are not drawn.
_SILENT = re.compile(
    r"%%\{(?s:.*?)\}%%|[ \t]%%.*$|^[ \t]*(?:%%|(?:style|linkStyle|classDef|class|cssClass|click|callback|links?|properties|details"
    r"|accTitle|accDescr|Update\w+)\b(?![^\n]*\{[ \t]*$)).*$",
    re.MULTILINE,
)

_KEYWORDS = frozenset(" ".join(read_names(__file__, "words.tsv")["keyword"].values()).split(" "))

# Of the icons, engines have those without a colon.
_IMAGE = re.compile(
    r"@\{[^{}\n]*\b(?:img|icon):\s*[\"']?([^\"'\s,}]+)|::icon\(([^()\n]+)\)"
    r"|^[ \t]*(?:service|group)[ \t]+[\w-]+\(([\w-]+:[\w-]+)\)",
    re.MULTILINE,
)

_ASCII_SIGNS = dict.fromkeys(map(ord, string.digits + string.punctuation), " ")

_YEAR = re.compile(r"\b[12]\d{3}(?=[-/.]\d)|(?<=\d[-/.])[12]\d{3}\b")
_DATED = re.compile(r"(?P<task>.*): (?P<year>\d{4})-\d\d-\d\d.*")


def lost_words(source: MermaidSource, drawn: str) -> Iterator[Remark]:
    """Return a remark for each line with words that are neither in what is drawn nor of Mermaid's syntax."""
    start = after_front_matter(source.content)
    body = _SILENT.sub(lambda silent: "\n" * silent[0].count("\n"), source.content[start:])
    # What is drawn is 30 times as long as the source; most words are between ASCII signs.
    lost = words_of(body) - _KEYWORDS - words_of(source.kind) - set(drawn.lower().translate(_ASCII_SIGNS).split())
    shown = words_of(drawn) if lost else lost
    # `x` and `o` are heads of arrows: `A-xB`, `Bo--A`.
    lost = {
        word
        for word in lost - shown
        if (len(word) > 1 or not word.isascii())
        and not {word[1:] * (word[0] in "xo"), word[:-1] * (word[-1] in "xo")} & shown
    }
    lines = enumerate(body.split("\n") if lost else (), source.content.count("\n", 0, start) + 1)
    yield from words.lost_words(((lost & words_of(content), line, "") for line, content in lines), frozenset())
    images = (image[image.lastindex or 0] for image in _IMAGE.finditer(body))
    yield from words.lost_images([*words.images_of(body), *images], source.content)


def check_dates(source: MermaidSource, outline: Outline, database: str) -> None:
    """Raise `SourceRefused` if a Gantt chart has a bar before all years that it names, or on another day than written."""
    years = list(map(int, _YEAR.findall(source.content)))
    dated = filter(None, (_DATED.fullmatch(line.words) for line in outline.lines if years))
    early = ((each["task"], each["year"]) for each in dated if int(each["year"]) < min(years))
    misplaced = next(early, None) or find_misplaced(json.loads(database))
    if misplaced:
        task, date = misplaced
        lines = enumerate(source.content.split("\n"), 1)
        number = next((index for index, line in lines if line.strip().startswith(task)), None)
        raise SourceRefused(f"the engine takes a date for one of {date}, which the chart does not name", number)
