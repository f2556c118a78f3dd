"""What the library raises.

    MdpublishError
    ├── UnknownChoice(choice, known)      also a ValueError
    │   ├── UnknownDestination
    │   ├── UnknownTemplate
    │   ├── UnknownCategory
    │   ├── UnknownThemeMode
    │   ├── UnknownPageWidth
    │   ├── UnknownRawHtmlMode
    │   └── UnknownExtension
    ├── InvalidTheme(source, key, problem)
    ├── InvalidStylesheet(problem, line)
    ├── InvalidFontUrl(url)
    ├── InvalidFigure(problem)
    ├── MissingExtra(extra, package)      also an ImportError
    └── LimitExceeded(limit, allowed, actual)

A raised error is a mistake of the caller. What the author of a document wrote wrongly never raises: it is shown as it
stands, with a notice (see `notices`). Every error can be pickled, so that it passes between processes unharmed.
"""

from typing import ClassVar


class MdpublishError(Exception):
    """Everything that mdpublish raises on purpose."""


class UnknownChoice(MdpublishError, ValueError):  # noqa: N818  (the field's words name the fault, not the class)
    """A name is none of the known ones: `choice` is what arrived, `known` what is allowed."""

    kind: ClassVar[str] = "choice"

    def __init__(self, choice: str, known: tuple[str, ...]) -> None:
        """Say which `choice` arrived and which names are `known`."""
        super().__init__(choice, known)
        self.choice = choice
        self.known = known

    def __str__(self) -> str:
        return f"unknown {self.kind} {self.choice!r}; known are: {', '.join(self.known)}"


class UnknownDestination(UnknownChoice):
    """No destination has this name."""

    kind = "destination"


class UnknownTemplate(UnknownChoice):
    """No template has this id."""

    kind = "template"


class UnknownCategory(UnknownChoice):
    """No template category has this name."""

    kind = "category"


class UnknownThemeMode(UnknownChoice):
    """No theme mode has this name; there are `light` and `dark`."""

    kind = "theme mode"


class UnknownPageWidth(UnknownChoice):
    """No page width has this name; there are `standard`, `wide` and `full`."""

    kind = "page width"


class UnknownRawHtmlMode(UnknownChoice):
    """No mode for raw HTML has this name; there are `sanitize`, `escape` and `keep`."""

    kind = "raw HTML mode"


class UnknownExtension(UnknownChoice):
    """No extension of CommonMark has this name."""

    kind = "extension"


class InvalidTheme(MdpublishError):  # noqa: N818
    """A theme file, the `source`, says at a dotted `key` what it may not say; the `problem` tells what is allowed."""

    def __init__(self, source: str, key: str, problem: str) -> None:
        """Name the file (`source`), the dotted `key` in it, and the `problem` with what is allowed."""
        super().__init__(source, key, problem)
        self.source = source
        self.key = key
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.source}: {self.key}: {self.problem}"


class InvalidStylesheet(MdpublishError):  # noqa: N818
    """A stylesheet of the caller's own loads something, or something of it would be dropped.

    The `problem` tells what is allowed; `line` is 1-based, or None.
    """

    def __init__(self, problem: str, line: int | None = None) -> None:
        """State the `problem` with what is allowed, and the 1-based `line` it stands in, where that is known."""
        super().__init__(problem, line)
        self.problem = problem
        self.line = line

    def __str__(self) -> str:
        return f"stylesheet: {self.problem}" if self.line is None else f"stylesheet, line {self.line}: {self.problem}"


class InvalidFontUrl(MdpublishError):  # noqa: N818
    """The address that a page is to load fonts from, the `url`, is not of the form that a stylesheet takes."""

    def __init__(self, url: str) -> None:
        """Keep the `url` that arrived."""
        super().__init__(url)
        self.url = url

    def __str__(self) -> str:
        return (
            f"the address of fonts is {self.url!r}; allowed is one that begins with https://, http:// or / and ends in /, "
            "of letters, digits and . _ ~ % -"
        )


class InvalidFigure(MdpublishError):  # noqa: N818
    """A drawing cannot be made into a picture; the `problem` tells what is allowed."""

    def __init__(self, problem: str) -> None:
        """State the `problem` with what is allowed."""
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"the figure {self.problem}"


class MissingExtra(MdpublishError, ImportError):  # noqa: N818
    """Something needs a `package` that comes with an `extra` of ours, and it is not installed."""

    def __init__(self, extra: str, package: str) -> None:
        """Name the `extra`, and the `package` of it that was looked for."""
        super().__init__(extra, package)
        self.extra = extra
        self.package = package

    def __str__(self) -> str:
        return f"this needs the package {self.package}, which is not installed; install mdpublish-core[{self.extra}]"


class LimitExceeded(MdpublishError):  # noqa: N818
    """There is more than a bound of `Limits` allows, and nothing useful could be served.

    `limit` is the field's name, `allowed` its value, and `actual` what arrived, in the field's unit.
    """

    def __init__(self, limit: str, allowed: int, actual: int) -> None:
        """Name the field of `Limits`, its value, and what arrived, in the field's unit."""
        super().__init__(limit, allowed, actual)
        self.limit = limit
        self.allowed = allowed
        self.actual = actual

    def __str__(self) -> str:
        return (
            f"{self.limit} is {self.actual:,}, more than the {self.allowed:,} allowed; "
            f"shorten the input or pass Limits({self.limit}=…)"
        )
