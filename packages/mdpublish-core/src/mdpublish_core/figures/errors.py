"""The error that engines and the SVG sanitizer raise."""


class FigureError(Exception):
    """An invalid figure source; `line` and `column` are 1-based."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column
