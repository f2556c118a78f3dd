"""What a person sees of a source, compared with the tree that was read from it: nothing is lost in silence.

source ────────▶ html, docx: entries ──┐
what the reader took out, on purpose ──┼─▶ comparison: losses ─▶ notices
tree ────────────────▶ tree: entries ──┘

`html` and `docx` read a source as it came, and share no step with the reader but how Word counts, so that no mistake there hides itself. `comparison` has what counts as
equal: a word may be in two spans, a written mark may be a list's number, and text a formula. An import is never refused for a loss.
"""

from mdpublish_core.ledger import docx, html, tree
from mdpublish_core.ledger.comparison import Loss, describe, loss_notices, losses
from mdpublish_core.ledger.entries import SeenEntry

__all__ = ["Loss", "SeenEntry", "describe", "docx", "html", "loss_notices", "losses", "tree"]
