"""The error that an engine and the SVG sanitizer raise for a mistake in a figure's source."""


class FigureError(Exception):
    """The source of a figure is wrong; `line` and `column` are 1-based positions in it, None where unknown."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column
