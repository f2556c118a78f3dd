"""Generates parts of the reference from registries and docstrings.

`python -m docs.reference.make` replaces the text between `<!-- made: NAME -->` and `<!-- end -->` in the pages of
this directory, and in the one about the architecture, and first takes over the results of a page of `mdpublish arrivals`
that it is given. A missing docstring or help text raises an AssertionError.
"""

import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from docs.reference.making import (
    arrivals,
    clients,
    commands,
    import_layers,
    library,
    nodes,
    objects,
    operations,
    registries,
)

_DOCS = Path(__file__).parent.parent
PAGES = (*sorted(_DOCS.glob("reference/*.md")), _DOCS / "explanation/architecture.md")

_PART = re.compile(r"^<!-- made: (?P<name>.+) -->\n(?:(?!<!--).*\n)*<!-- end -->$", re.MULTILINE)


def main() -> None:
    for results in sys.argv[1:]:
        arrivals.merge(Path(results))
    for page in PAGES:
        page.write_text(renewed(page.read_text("utf-8")), "utf-8")


def renewed(page: str) -> str:
    return _PART.sub(lambda part: f"<!-- made: {part['name']} -->\n\n{PARTS[part['name']]()}\n\n<!-- end -->", page)


def parts_of(page: str) -> list[str]:
    return [part["name"] for part in _PART.finditer(page)]


PARTS: Mapping[str, Callable[[], str]] = {
    "functions": library.functions,
    "classes": library.classes,
    **{name: partial(library.function, name) for name in objects.FUNCTIONS},
    **{name: partial(library.class_, name) for name in objects.CLASSES},
    "constants": library.constants,
    "arrivals": arrivals.arrivals,
    "errors": library.errors,
    "blocks": nodes.blocks,
    "inlines": nodes.inlines,
    "renderer methods": nodes.methods,
    "for tests": library.for_tests,
    "for hosts": library.hosting,
    **{name: partial(commands.program, name) for name in commands.PROGRAMS},
    **{name: partial(commands.command, name) for program in commands.PROGRAMS for name in commands.names_of(program)},
    "configuration": commands.configuration,
    "notices": registries.notices,
    "repairs": registries.repairs,
    "rules": registries.rules,
    "settings": registries.settings,
    "service errors": registries.service_errors,
    "service operations": operations.operations,
    "plans": operations.plans,
    "destinations": registries.destinations,
    "files": registries.files,
    "schemes": registries.schemes,
    "figure kinds": registries.figure_kinds,
    "categories": registries.categories,
    "hosted fonts": registries.hosted_fonts,
    "type": registries.type_,
    "figures": registries.figures,
    "variants": registries.variants,
    "colors": registries.colors,
    "checks": registries.checks,
    "slots": registries.slots,
    "MCP clients": clients.mcp_clients,
    "sources of MCP clients": clients.mcp_client_sources,
    "import layers": import_layers.import_layers,
}
"""Generators, by name."""

if __name__ == "__main__":
    main()
