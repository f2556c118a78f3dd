"""The formatter: small changes of a source in place of a text that is written from the tree.

Rules (`rules`) read where marks stand and propose units of changes, each of which is made as a whole or not at all. All
are made at once, and tried in halves where the text would be read differently or lose a word (`proof`). What no rule
changes keeps its bytes, so what this parser cannot read is safe; what other programs read (`foreign`) is not changed.
"""

from mdpublish_core.formatting.formatter import Formatted, RefusedUnit, format_markdown

__all__ = ["Formatted", "RefusedUnit", "format_markdown"]
