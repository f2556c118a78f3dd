from collections.abc import Iterable

from tinycss2.ast import Node

def parse_nth(input: str | Iterable[Node]) -> tuple[int, int] | None: ...
