"""Options with which a document is parsed."""

from typing import NamedTuple

from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS, Extension, RawHtml
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits


class ReaderOptions(NamedTuple):
    """The options of `parse` that scanners read, too."""

    raw_html: RawHtml = "sanitize"
    extensions: frozenset[Extension] = DEFAULT_EXTENSIONS
    limits: Limits = DEFAULT_LIMITS
    shows_unknown_tags: bool = True

    @property
    def filters_tags(self) -> bool:
        return self.raw_html == "keep" and "tagfilter" in self.extensions
