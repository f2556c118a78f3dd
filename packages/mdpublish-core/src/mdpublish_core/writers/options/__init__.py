"""Options of outputs, apart from what writes them: the command, its configuration, requests and the front matter are made of these."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib import import_module
from typing import Any

from mdpublish_core.arguments import type_name
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.writers.options.declared import Option, declared_in

OPTIONS = {
    "page": "PageOptions",
    "docx": "DocxOptions",
    "pdf": "PdfOptions",
    "eml": "EmlOptions",
    "adf": "AdfOptions",
}
"""Classes of outputs that have options, each in the module of the output's name."""


def options_class(output: str) -> Any:
    """Return the class of an output's options, None if it has none. Its module is imported when it is used."""
    name = OPTIONS.get(output)
    return name and getattr(import_module(f"mdpublish_core.writers.options.{output}"), name)


def all_options(output: str) -> Mapping[str, Option]:
    """Return the options of an output by name, also those that only programs set."""
    kind = options_class(output)
    return declared_in(kind) if kind else {}


def settable_options(output: str) -> Mapping[str, Option]:
    """Return the options of an output that people set, by name."""
    return {name: each for name, each in all_options(output).items() if each.help}


def requested_options(output: str) -> Mapping[str, Option]:
    """Return the options of an output that requests to a service may set, by name."""
    settable = settable_options(output).items()
    return {name: each for name, each in settable if each.is_requested and not each.is_per_document}


@cache
def declared_options() -> Mapping[str, Option]:
    """Return the options of all outputs that people set, by name: those of one name are one option."""
    return {name: each for output in OPTIONS for name, each in settable_options(output).items()}


def given_values(options: Any) -> dict[str, Any]:
    """Return the values of options that are not as they are by default, by name."""
    values = {each: getattr(options, each.name) for each in fields(options)}
    return {each.name: value for each, value in values.items() if value != each.default}


def require_options(output: str, options: object) -> None:
    """Raise `InvalidArgument` for options that are not of an output's class; it says which output has the first that is set."""
    kind = options_class(output)
    if options is None or (kind and isinstance(options, kind)):
        return
    expected = f"{kind.__name__} or None" if kind else "None"
    is_of_another = any(isinstance(options, options_class(each)) for each in OPTIONS)
    misplaced = (set(given_values(options)) - set(all_options(output))) if is_of_another else ()
    hint = "".join(f"; {misplaced_option(name, output)}" for name in sorted(misplaced)[:1])
    raise InvalidArgument("options", f"must be {expected} for {output} (got {type_name(options)}){hint}")


def misplaced_option(name: str, output: str) -> str:
    """Say which outputs have an option, where another was asked for."""
    outputs = " and ".join(each for each in OPTIONS if name in all_options(each))
    return f"{name} is an option of {outputs}, not of {output}" if outputs else f"{name} is no option of {output}"
