"""What two templates have in common by their theme files."""

from functools import cache

from mdpublish_core import get_template, list_templates
from mdpublish_core.templates import Template
from mdpublish_core.templates.font_families import font_class

MIN_DIFFERENT_TRAITS = 5
"""In how many traits two templates differ at least."""


def traits(template: Template) -> dict[str, str]:
    """Return what makes a template look unlike another at first sight: its variants, and the classes of its fonts."""
    web = template.fonts.web
    stacks = {"body": web.body, "heading": web.heading, "mono": web.mono}
    classes = {f"{purpose} font": font_class(stack[0]) or "unknown" for purpose, stack in stacks.items()}
    return {**template.variants.named(), **classes}


def difference(one: Template, other: Template) -> int:
    """Return in how many traits two templates differ."""
    ours, theirs = traits(one), traits(other)
    return sum(ours.get(name) != theirs.get(name) for name in {*ours, *theirs})


@cache
def covering() -> tuple[Template, ...]:
    """Return the usual template and few others that between them have every variant of every element, numbering, and sections.

    What depends on the forms of elements, and not on colors, is tested with these.
    """
    chosen = [get_template("swiss")]
    missing = {form for template in list_templates() for form in _forms(template)} - _forms(chosen[0])
    while missing:
        best = max(list_templates(), key=lambda template: len(missing & _forms(template)))
        chosen.append(best)
        missing -= _forms(best)
    return tuple(chosen)


def _forms(template: Template) -> set[tuple[str, str]]:
    extras = {("numbering", template.numbering), ("sections", str(template.has_sections))}
    return {*template.variants.named().items(), *extras, ("category", template.category)}
