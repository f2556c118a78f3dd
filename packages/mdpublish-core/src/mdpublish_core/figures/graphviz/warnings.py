"""What Graphviz says on stderr about a drawing that it returns nonetheless."""

import re
from collections.abc import Iterator
from itertools import islice

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.request import Remark

_MAX_REMARKS, _MAX_NAME = 5, 80

# It names no label of an edge between neighbors in a rank, and places those of right-angled edges anywhere.
LOSES_LABELS = re.compile(r"Orthogonal edges do not currently handle|flat edge between adjacent nodes")
LOST_EDGE, BETWEEN_RECORDS = "Error: lost ", "flat edge between adjacent nodes"

ILL_FORMED = "Error: not well-formed"
BARE_AMPERSAND = re.compile(r"&(?!#?\w{1,31};)")
AMPERSAND = "an ampersand in an HTML label is written &amp;"


def remarks_of(said: str, source: str) -> Iterator[Remark]:
    """Yield remarks about what is not drawn as it is written, once each."""
    for notice, pattern, message in read_table(__file__, "warnings.tsv") if said else ():
        losses = {message.format(**loss.groupdict("")): loss["name"] for loss in re.finditer(pattern, said)}
        for words, name in islice(losses.items(), _MAX_REMARKS):
            place = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source)
            line = source.count("\n", 0, place.start() if place else 0) + 1
            yield Remark(words[: 2 * _MAX_NAME + len(message)], line, is_text=notice == "text")
