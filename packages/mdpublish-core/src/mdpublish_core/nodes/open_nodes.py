"""The classes of `nodes` for readers: what they make is not checked, and open to changes until `seal`."""

from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.nodes.tokens import OPEN

if TYPE_CHECKING:
    from mdpublish_core.nodes import *  # noqa: F403
else:
    # A line break has nothing to change, and readers share two.
    _TWINS = {kind.__name__: twin for kind, twin in OPEN.items() if kind is not nodes.LineBreak}
    globals().update({name: value for name, value in vars(nodes).items() if name[0] != "_"} | _TWINS)
