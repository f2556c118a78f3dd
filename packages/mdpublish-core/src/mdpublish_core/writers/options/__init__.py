"""Options of outputs, apart from what writes them: source of the command, its configuration and front matter."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from mdpublish_core.writers.options.declared import Option, declared_in

OPTIONS = {"page": "PageOptions", "docx": "DocxOptions", "pdf": "PdfOptions", "eml": "EmlOptions"}
"""Classes of outputs that have options, each in the module of the output's name."""


def options_class(output: str) -> Any:
    """Return the class of an output's options, None if it has none. Its module is imported when it is used."""
    name = OPTIONS.get(output)
    return name and getattr(import_module(f"mdpublish_core.writers.options.{output}"), name)


@cache
def declared_options() -> Mapping[str, Option]:
    """Return the options of all outputs that people set, by name: those of one name are one option."""
    return {name: each for output in OPTIONS for name, each in settable_options(output).items()}


def settable_options(output: str) -> Mapping[str, Option]:
    """Return the options of an output that people set, by name."""
    kind = options_class(output)
    return {name: each for name, each in declared_in(kind).items() if each.help} if kind else {}
