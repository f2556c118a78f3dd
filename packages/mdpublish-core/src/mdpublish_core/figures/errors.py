"""The errors that engines and the SVG sanitizer raise."""


class FigureError(Exception):
    """An invalid figure source; `line` and `column` are 1-based."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column


class EngineNotLoaded(Exception):  # noqa: N818  (named after the fault)
    """An installed package whose native library cannot be loaded."""

    def __init__(self, package: str, error: Exception) -> None:
        super().__init__(package, error)
        self.package = package
        self.error = error

    def __str__(self) -> str:
        return f"{self.package} cannot be loaded: {self.error}"
