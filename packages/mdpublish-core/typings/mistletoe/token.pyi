from collections.abc import Sequence

class Token:
    children: Sequence[Token] | None
