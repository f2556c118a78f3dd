"""Exceptions raised by the library.

    MdpublishError
    ├── UnknownChoice(choice, known)      also a ValueError
    │   ├── UnknownInputFormat
    │   ├── UnknownOutput
    │   ├── UnknownTemplate
    │   ├── UnknownCategory
    │   ├── UnknownThemeMode
    │   ├── UnknownPageWidth
    │   ├── UnknownPaper
    │   ├── UnknownRawHtmlMode
    │   ├── UnknownExtension
    │   ├── UnknownSource
    │   └── UnknownTransform
    ├── InvalidArgument(argument, problem)    also a TypeError
    ├── FrozenTree(what, remedy)          also an AttributeError
    ├── PluginError(plugin, problem)
    ├── FenceError(problem, line)         raised by plug-ins
    ├── InvalidTheme(source, key, problem)
    ├── InvalidStylesheet(problem, line)
    ├── InvalidFontUrl(url)
    ├── InvalidInput(problem)
    │   ├── InvalidEmail
    │   ├── InvalidReferenceDoc
    │   ├── InvalidPdf
    │   ├── InvalidFile
    │   ├── InvalidFigure
    │   ├── InvalidHtml
    │   └── InvalidSite
    ├── WrongContent(output, media_type, expected)    also an AttributeError
    ├── MissingExtra(extra, package)      also an ImportError
    └── LimitExceeded(limit, allowed, actual)

Exceptions report a caller's mistakes. Mistakes in a document give notices instead. All exceptions can be pickled.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar


class MdpublishError(Exception):
    """Base class of all exceptions raised by mdpublish."""


_MAX_COMPARED = 100
"""Characters of a name that is compared; all known ones are shorter."""


def nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the known name that is most like another, if any is as alike."""
    from difflib import get_close_matches  # late: it serves messages alone

    return next(iter(get_close_matches(name[:_MAX_COMPARED].lower(), tuple(known), 1, likeness)), None)


def did_you_mean(name: str, known: Collection[str]) -> str:
    """Return the question that continues a message, or nothing."""
    abbreviated = [each for each in known if _is_abbreviation(name.lower(), each)]
    shortened = abbreviated[0] if len(abbreviated) == 1 else None
    suggestion = nearest(name, known, 0.75) or shortened or nearest(name, known, 0.65)
    return f"; did you mean {suggestion!r}?" if suggestion else ""


def choose_from(known: Collection[str], instead_of: str, *others: str) -> str:
    """Return what continues a message about an unknown name: the one that was meant, maybe of `others`, and all known."""
    question = did_you_mean(instead_of, (*known, *others))
    return f"{question} Choose from: {', '.join(known)}" if question else f"; choose from: {', '.join(known)}"


def _is_abbreviation(name: str, known: str) -> bool:
    """Return whether a name has characters of another in their order, with the first, such as `gdocs`."""
    rest = iter(known)
    return len(name) > 2 and known[:1] == name[:1] and all(each in rest for each in name)


class UnknownChoice(MdpublishError, ValueError):  # noqa: N818  (the field's words name the fault, not the class)
    """Unknown name: `choice` is the value received, `known` lists the valid ones."""

    kind: ClassVar[str] = "choice"

    def __init_subclass__(cls, *, kind: str = "") -> None:
        cls.kind = kind or cls.kind

    def __init__(self, choice: str, known: tuple[str, ...]) -> None:
        super().__init__(choice, known)
        self.choice = choice
        self.known = known

    def __str__(self) -> str:
        return f"unknown {self.kind} {self.choice!r}{choose_from(self.known, str(self.choice))}"


class UnknownInputFormat(UnknownChoice, kind="input format"):
    """Unknown suffix of a file to be read."""


class UnknownOutput(UnknownChoice, kind="output"):
    """Unknown output."""


class UnknownTemplate(UnknownChoice, kind="template"):
    """Unknown template id."""


class UnknownCategory(UnknownChoice, kind="category"):
    """Unknown template category."""


class UnknownThemeMode(UnknownChoice, kind="theme mode"):
    """Unknown theme mode; must be `light` or `dark`, and on pages and for `generic` may be `auto`."""

    def __str__(self) -> str:
        if self.choice == "auto":
            return f"theme mode 'auto' is for web pages and generic only; choose from: {', '.join(self.known)}"
        return super().__str__()


class UnknownPageWidth(UnknownChoice, kind="page width"):
    """Unknown page width; must be `standard`, `wide` or `full`."""


class UnknownPaper(UnknownChoice, kind="paper"):
    """Unknown paper of a Word file or PDF."""


class UnknownRawHtmlMode(UnknownChoice, kind="raw HTML mode"):
    """Unknown mode for raw HTML; must be `sanitize`, `escape` or `keep`."""


class UnknownExtension(UnknownChoice, kind="extension"):
    """Unknown CommonMark extension."""


class UnknownSource(UnknownChoice, kind="source"):
    """Unknown program that HTML may come from."""


class UnknownTransform(UnknownChoice, kind="transform"):
    """Unknown transform: no installed package has one of this name."""

    def __str__(self) -> str:
        return (
            super().__str__() if self.known else f"unknown transform {self.choice!r}; no package with one is installed"
        )


class InvalidArgument(MdpublishError, TypeError):  # noqa: N818
    """An argument of the wrong type: its name, and what it must be."""

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(argument, problem)
        self.argument = argument
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.argument} {self.problem}"


class FrozenTree(MdpublishError, AttributeError):  # noqa: N818
    """A node of a finished tree cannot be changed; `remedy` makes another."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what} cannot be changed; use `nodes.{self.remedy}` or `nodes.transform`"


class PluginError(MdpublishError):
    """A plug-in cannot be loaded, raised an exception, or returned something else than it must; `plugin` names it."""

    def __init__(self, plugin: str, problem: str) -> None:
        super().__init__(plugin, problem)
        self.plugin = plugin
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.plugin} {self.problem}"


class FenceError(MdpublishError):
    """Raise it in a function of `fences` for a mistake in the source, which is then shown as code, with a notice.

    `problem` says what is wrong, `line` is that of the content, from 1, or None for the whole fence.
    """

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem, line)
        self.problem = problem
        self.line = line

    def __str__(self) -> str:
        return self.problem if self.line is None else f"line {self.line}: {self.problem}"


class InvalidTheme(MdpublishError):  # noqa: N818
    """Invalid theme file: `source` is the file, `key` the dotted key, `problem` what is wrong and what is allowed."""

    def __init__(self, source: str, key: str, problem: str) -> None:
        super().__init__(source, key, problem)
        self.source = source
        self.key = key
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.source}: {self.key}: {self.problem}"


class InvalidStylesheet(MdpublishError):  # noqa: N818
    """A custom stylesheet is too long, or has no rule at all.

    `problem` says what is allowed; `line` is 1-based, or None if it is about the whole.
    """

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem, line)
        self.problem = problem
        self.line = line

    def __str__(self) -> str:
        return f"stylesheet: {self.problem}" if self.line is None else f"stylesheet, line {self.line}: {self.problem}"


class InvalidFontUrl(MdpublishError):  # noqa: N818
    """Invalid base URL (`url`) for web fonts."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url

    def __str__(self) -> str:
        return (
            f"font URL must start with https://, http://, /, ./ or ../, end in / and contain only letters, digits and . _ ~ % - "
            f"(got {self.url!r})"
        )


class InvalidInput(MdpublishError):  # noqa: N818
    """What was given cannot be read or made into what was asked for; `problem` says why."""

    _subject: ClassVar[str] = ""

    def __init_subclass__(cls, *, subject: str = "") -> None:
        cls._subject = subject

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"{self._subject}{self.problem}"


class InvalidEmail(InvalidInput, subject="email: "):
    """An email cannot be built from a subject, an address or a conversion; `problem` says which."""


class InvalidReferenceDoc(InvalidInput, subject="the reference document "):
    """A reference document is no Word file, or exceeds a limit; `problem` says which."""


class InvalidPdf(InvalidInput, subject="the PDF "):
    """A PDF cannot be made: past a bound of time or memory, or without a system library; `problem` says which."""


class InvalidFile(InvalidInput, subject="the file "):
    """A file to be read is not of its format, or exceeds a limit; `problem` says which."""


class InvalidFigure(InvalidInput, subject="the figure "):
    """A figure cannot be rendered as an image; `problem` says what is allowed."""


class InvalidHtml(InvalidInput, subject="the HTML: "):
    """A limit of the HTML parser was exceeded, past which it drops the rest; `problem` says which."""


class InvalidSite(InvalidInput):
    """A site cannot be built from its folder or settings; `problem` says which."""


class WrongContent(MdpublishError, AttributeError):  # noqa: N818  (the field's words name the fault, not the class)
    """The content of an `output` is not what a property of `Conversion` returns: `expected`, such as `HTML`."""

    def __init__(self, output: str, media_type: str, expected: str) -> None:
        super().__init__(output, media_type, expected)
        self.output = output
        self.media_type = media_type
        self.expected = expected

    def __str__(self) -> str:
        return f"the output {self.output!r} is {self.media_type}, not {self.expected}; use `content`"


def install_command(extra: str) -> str:
    """Return the command that adds an extra to an installation from a wheel or a clone: pip keeps what is installed."""
    return f"pip install 'mdpublish-core[{extra}]'"


class MissingExtra(MdpublishError, ImportError):  # noqa: N818
    """A `package` from the optional `extra` is not installed."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(extra, package)
        self.extra = extra
        self.package = package

    def __str__(self) -> str:
        return f"{self.package} is not installed; run: {install_command(self.extra)}"


@contextmanager
def importing_extra(extra: str, package: str) -> Iterator[None]:
    """Raise `MissingExtra` if a package that the block imports is not installed."""
    try:
        yield
    except ModuleNotFoundError:
        raise MissingExtra(extra, package) from None


class LimitExceeded(MdpublishError):  # noqa: N818
    """A limit was exceeded, and no useful output is possible.

    `limit` is the name of a field of `Limits`, `allowed` its value, `actual` what arrived, both in the field's unit.
    """

    def __init__(self, limit: str, allowed: int, actual: int) -> None:
        super().__init__(limit, allowed, actual)
        self.limit = limit
        self.allowed = allowed
        self.actual = actual

    def __str__(self) -> str:
        return (
            f"{self.limit} exceeded: got {self.actual:,}, limit {self.allowed:,}; "
            f"shorten the input or pass Limits({self.limit}=…)"
        )
