"""The error raised by engines and the SVG sanitizer for an invalid figure source."""


class FigureError(Exception):
    """The figure's source is invalid; `line` and `column` are 1-based positions in the source."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column
