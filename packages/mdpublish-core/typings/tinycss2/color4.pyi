from collections.abc import Sequence

class Color:
    space: str
    coordinates: Sequence[float | None]
    alpha: float

    def to(self, space: str) -> Color: ...
