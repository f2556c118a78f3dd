"""Makes the generated parts of the pages beside this file, of what the packages' registries and docstrings say.

A page is written by hand, but for its parts between `<!-- made: NAME -->` and `<!-- end -->`; converters drop the comments.
`python -m docs.reference.make` writes the parts anew, in place. `PARTS` has a line for each; it follows from the registries,
so that a test can hold that every part stands in one place. What has no docstring or help text ends in an AssertionError
that names it.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from docs.reference.making import commands, library, objects, operations, registries

PAGES = tuple(sorted(Path(__file__).parent.glob("*.md")))

_PART = re.compile(r"^<!-- made: (?P<name>.+) -->\n(?:(?!<!--).*\n)*<!-- end -->$", re.MULTILINE)


def main() -> None:
    """Write the parts of every page."""
    for page in PAGES:
        page.write_text(renewed(page.read_text("utf-8")), "utf-8")


def renewed(page: str) -> str:
    """Return a page with its parts as they are made now."""
    return _PART.sub(lambda part: f"<!-- made: {part['name']} -->\n\n{PARTS[part['name']]()}\n\n<!-- end -->", page)


def parts_of(page: str) -> list[str]:
    """Return the names of a page's parts."""
    return [part["name"] for part in _PART.finditer(page)]


PARTS: Mapping[str, Callable[[], str]] = {
    "functions": library.functions,
    "classes": library.classes,
    **{name: partial(library.function, name) for name in objects.FUNCTIONS},
    **{name: partial(library.class_, name) for name in objects.CLASSES},
    "constants": library.constants,
    "errors": library.errors,
    "for tests": library.for_tests,
    **{name: partial(commands.program, name) for name in commands.PROGRAMS},
    **{name: partial(commands.command, name) for program in commands.PROGRAMS for name in commands.names_of(program)},
    "notices": registries.notices,
    "settings": registries.settings,
    "service errors": registries.service_errors,
    "service operations": operations.operations,
    "plans": operations.plans,
    "destinations": registries.destinations,
    "figure kinds": registries.figure_kinds,
    "categories": registries.categories,
    "hosted fonts": registries.hosted_fonts,
    "type": registries.type_,
    "variants": registries.variants,
    "colours": registries.colors,
    "checks": registries.checks,
}
"""How each part is made, by its name."""

if __name__ == "__main__":
    main()
