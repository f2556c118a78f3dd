# The part of mistletoe 1.6 that mdpublish uses; children are typed as what a finished mdpublish tree holds.
from collections.abc import Sequence

class Token:
    children: Sequence[Token] | None
    @property
    def parent(self) -> Token | None: ...

_root_node: Token | None
