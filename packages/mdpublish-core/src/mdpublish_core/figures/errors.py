"""The errors that engines and the SVG sanitizer raise."""


class FigureError(Exception):
    """An invalid figure source; `line` and `column` are 1-based, `line_text` is the text of the line."""

    def __init__(
        self, problem: str, line: int | None = None, column: int | None = None, *, line_text: str = ""
    ) -> None:
        super().__init__(problem, line, column, line_text)
        self.problem = problem
        self.line = line
        self.column = column
        self.line_text = line_text


class SourceRefused(FigureError):  # noqa: N818  (named after what the engine did)
    """An error of syntax or content, whose line may not be known yet."""


class EngineNotLoaded(Exception):  # noqa: N818  (named after the fault)
    """An installed package whose native library cannot be loaded."""

    def __init__(self, package: str, error: Exception) -> None:
        super().__init__(package, error)
        self.package = package
        self.error = error

    def __str__(self) -> str:
        return f"{self.package} cannot be loaded: {self.error}"
