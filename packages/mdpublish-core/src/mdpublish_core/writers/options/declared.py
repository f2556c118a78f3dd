"""Options as their fields declare them: the command, its configuration and the front matter read them there.

A field's type says which values it has: `Literal` some, `bool` a switch, `bytes` a file, `int` numbers in `bounds`.
"""

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from functools import cache, partial
from typing import Any, Literal, NamedTuple, get_args, get_origin

from mdpublish_core.arguments import require_fields
from mdpublish_core.errors import InvalidArgument, UnknownPageWidth, UnknownPaper, did_you_mean
from mdpublish_core.notices import shorten

_ERRORS = {"page_width": UnknownPageWidth, "paper": UnknownPaper}
"""Errors of options that have an error of their own."""


class Option(NamedTuple):
    """How people set an option."""

    help: str = ""
    """What it does, in the command's help; without one, only programs set it."""
    otherwise: str = ""
    """What counts without it, in words."""
    is_written: bool = False
    """Whether the front matter of a document may set it."""
    is_per_document: bool = False
    """Whether it is for one document: neither for those of a folder, nor in a configuration, nor for a service, which has the text alone."""
    is_requested: bool = True
    """Whether requests to a service may set it, if it is not per document."""
    metavar: str | None = None
    flag: str = ""
    """The command's, if it is not the field's name."""
    bounds: range | None = None
    unit: str = ""
    check: Callable[[str], object] = str
    """Raises `ValueError` for a text that it cannot be, with a message that continues the option's name."""

    # Of its field.
    name: str = ""
    choices: tuple[str, ...] = ()
    is_switch: bool = False
    is_file: bool = False
    """Whether people name a file, whose content is the value."""
    is_list: bool = False

    @property
    def initial(self) -> str:
        """What counts without it, the front matter included, in words; empty if nothing does."""
        return ", or ".join(filter(None, ("from the front matter" * self.is_written, self.otherwise)))

    @property
    def parameter(self) -> str:
        """The command's parameter: the command has a `to` of its own."""
        return "recipients" if self.name == "to" else self.name

    @property
    def schema(self) -> dict[str, Any]:
        """What JSON Schema says of its values."""
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        if self.bounds:
            return {"type": "integer", "minimum": self.bounds[0], "maximum": self.bounds[-1]}
        if self.is_list:
            return {"type": "array", "items": {"type": "string"}}
        return {"type": "boolean" if self.is_switch else "string"}

    def problem(self, value: object) -> str | None:
        """Return what is wrong with a value, as a text that continues the option's name."""
        if self.choices and value not in self.choices:
            expected = f"one of {', '.join(self.choices)}"
        elif self.bounds and value not in self.bounds:
            expected = f"{self.bounds[0]} to {self.bounds[-1]} {self.unit}"
        else:
            return self._problem_of_text(value) if isinstance(value, str) else None
        if isinstance(value, str):
            shown = repr(shorten(value))
        else:
            shown = f"{value:,}" if type(value) is int else shorten(str(value))
        return f"must be {expected} (got {shown})"

    def _problem_of_text(self, value: str) -> str | None:
        try:
            self.check(value)
        except ValueError as error:
            return str(error)
        return None


def option(help_text: str = "", *, value: object = None, is_shown: bool = True, **declared: Any) -> Any:
    """Declare a field of a dataclass, as `dataclasses.field` does; `value` is its default, `is_shown` in the `repr`."""
    return field(default=value, repr=is_shown, metadata={"option": Option(help_text, **declared)})


@cache
def declared_in(kind: Any) -> Mapping[str, Option]:
    """Return the options that a dataclass declares, by name."""
    declared = {}
    for each in fields(kind):
        types = (each.type, *get_args(each.type))
        choices = tuple(value for type_ in types if get_origin(type_) is Literal for value in get_args(type_))
        stated: Option = each.metadata.get("option", Option())
        declared[each.name] = stated._replace(
            name=each.name,
            flag=stated.flag or each.name.replace("_", "-"),
            choices=choices,
            is_switch=bool in types,
            is_file=bytes in types,
            is_list=isinstance(each.default, tuple),
        )
    return declared


class OutputOptions:
    """Base of options, whose values are checked as they are made.

    Raises `InvalidArgument`, `UnknownPageWidth` or `UnknownPaper` for the first value that an option cannot have.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        require_fields(self)
        kind: Any = type(self)
        for name, declared in declared_in(kind).items():
            value = getattr(self, name)
            if value is not None and (problem := declared.problem(value)):
                if name in _ERRORS:
                    raise _ERRORS[name](value, declared.choices)
                meant = did_you_mean(value, declared.choices) if isinstance(value, str) else ""
                raise InvalidArgument(f"{name} of {kind.__name__}", problem + meant)


def _language(value: str) -> str:
    from mdpublish_core.writers.language import language_tag  # late: few documents name one

    return language_tag(value)


# Options of several outputs; each class needs a field of its own.
title_option = partial(
    option,
    "Title of a page, Word file or PDF.",
    otherwise="the first heading",
    is_written=True,
    is_per_document=True,
)
lang_option = partial(
    option,
    "Language of a page, Word file or PDF, a BCP 47 tag.",
    otherwise="by the script of the text",
    metavar="TAG",
    check=_language,
    is_written=True,
)
default_lang_option = partial(option, check=_language)
paper_option = partial(option, "Paper of Word files and PDFs.", otherwise="a4", is_written=True)
toc_option = partial(
    option, "Begin Word files, PDFs and long pages with a table of contents.", otherwise="without one", is_written=True
)
