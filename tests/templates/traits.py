"""Visual traits of templates, from their theme files."""

from functools import cache

from mdpublish_core import get_template, list_templates
from mdpublish_core.templates import Template
from mdpublish_core.templates.font_families import font_class

MIN_DIFFERENT_TRAITS = 5


def traits(template: Template) -> dict[str, str]:
    web = template.fonts.web
    stacks = {"body": web.body, "heading": web.heading, "mono": web.mono}
    classes = {f"{purpose} font": font_class(stack[0]) or "unknown" for purpose, stack in stacks.items()}
    return {**template.variants.named(), **classes}


def difference(one: Template, other: Template) -> int:
    ours, theirs = traits(one), traits(other)
    return sum(ours.get(name) != theirs.get(name) for name in {*ours, *theirs})


@cache
def covering() -> tuple[Template, ...]:
    """Return the default template and few others that together have all variants, numbering, and sections."""
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
