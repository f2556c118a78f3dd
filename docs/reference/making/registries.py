"""Reference tables from registries: notices, settings, service errors, destinations, themes."""

import ast
import inspect

from docs.reference.making.markdown import cell, joined, table, wrapped
from docs.reference.making.objects import meanings_in, summary_of
from mdpublish_core import list_templates
from mdpublish_core.cli.rules import read_rules
from mdpublish_core.figures.dress import NUMBERS, WORDS, FigureDress
from mdpublish_core.notices import NOTICES
from mdpublish_core.repair import REPAIRS
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS
from mdpublish_core.resources.urls import SCHEMES, Scheme
from mdpublish_core.templates.colors import REQUIRED_ROLES, Colors
from mdpublish_core.templates.hosted_fonts import HostedStyle, hosted_families
from mdpublish_core.templates.slots import SLOTS
from mdpublish_core.templates.stylesheet import variants_of
from mdpublish_core.templates.theme import CATEGORIES, CHECKS, RANGES, Typography, Variants
from mdpublish_core.writers.outputs import DESTINATIONS, FILES
from mdpublish_server.errors import ServiceError
from mdpublish_server.settings import SETTINGS


def notices() -> str:
    return table(("code", "meaning"), ((f"`{code}`", meaning) for code, meaning in NOTICES.items()))


def repairs() -> str:
    rows = ((f"`{code}`", cell(summary_of(function))) for code, function in REPAIRS.items())
    return table(("code", "what it does"), rows)


def rules() -> str:
    """Describe the rules of `check`, group by group, as `--explain` does."""
    parts, group = [], ""
    for rule in read_rules().values():
        if rule.group != group:
            group = rule.group
            parts.append(f"## {group.capitalize()}")
        parts += [
            f"### {rule.code}",
            wrapped(rule.meaning),
            rule.shown_example,
            wrapped(f"{rule.remedy} {rule.fixability}".strip()),
        ]
    return joined(*filter(None, parts))


def settings() -> str:
    defaults = (f" Default: `{each.default}`." if each.default else "" for each in SETTINGS)
    rows = ((f"`{each.name}`", f"{each.meaning}{default}") for each, default in zip(SETTINGS, defaults, strict=True))
    return table(("variable", "meaning"), rows)


def service_errors() -> str:
    kinds = sorted(ServiceError.__subclasses__(), key=lambda kind: kind.status)
    rows = ((f"`{kind.code}`", str(kind.status), cell(summary_of(kind))) for kind in kinds)
    return table(("code", "status", "meaning"), rows)


def destinations() -> str:
    rows = ((f"[`{name}`](#{name})", each.summary) for name, each in DESTINATIONS.items())
    return table(("name", "output"), rows)


def files() -> str:
    rows = (
        (f"`{name}`", each.summary, f"`{each.suffix}`", f"`{each.destination}`" if each.destination else "")
        for name, each in FILES.items()
    )
    return table(("name", "output", "suffix", "destination"), rows)


def schemes() -> str:
    names: dict[Scheme, list[str]] = {}
    for name, scheme in SCHEMES.items():
        names.setdefault(scheme, []).append(f"`{name}`")
    rows = ((", ".join(of_them), "yes" if each.is_linked else "no", each.reason) for each, of_them in names.items())
    return table(("scheme", "linked", "reason"), rows)


def figure_kinds() -> str:
    rows = (
        (", ".join(f"`{each}`" for each in kind.languages), kind.label, ", ".join(sorted(kind.forms)))
        for kind in FIGURE_KINDS.values()
    )
    return table(("fences", "label", "forms of the engine"), rows)


def categories() -> str:
    rows = (
        (f"`{category}`", ", ".join(f"`{each.id}`" for each in list_templates(category)) or "none yet")
        for category in CATEGORIES
    )
    return table(("category", "built-in templates"), rows)


def hosted_fonts() -> str:
    rows = (
        (f"`{name}`", ", ".join(map(_style, family.styles)), family.fallback)
        for name, family in hosted_families().items()
    )
    return table(("family", "styles", "fallback"), rows)


def _style(style: HostedStyle) -> str:
    return f"{style.weight} italic" if style.is_italic else str(style.weight)


def type_() -> str:
    meanings = _class_meanings(Typography)
    rows = ((f"`{key}`", f"{minimum:g} to {maximum:g}", meanings[key]) for key, (minimum, maximum) in RANGES.items())
    return table(("key", "value", "meaning"), rows)


def figures() -> str:
    values = {key: f"{minimum:g} to {maximum:g}" for key, (minimum, maximum) in NUMBERS.items()}
    values |= {key: ", ".join(f"`{word}`" for word in words) for key, words in WORDS.items()}
    meanings = _class_meanings(FigureDress)
    return table(("key", "value", "meaning"), ((f"`{key}`", values[key], meanings[key]) for key in FigureDress._fields))


def variants() -> str:
    rows = ((f"`{name}`", ", ".join(f"`{variant}`" for variant in variants_of(name))) for name in Variants._fields)
    return table(("element", "variants"), rows)


def colors() -> str:
    rows = (
        (f"`{role}`", "yes" if role in REQUIRED_ROLES else "", meaning)
        for role, meaning in _class_meanings(Colors).items()
    )
    return table(("role", "required", "used for"), rows)


def checks() -> str:
    return table(("key", "check"), ((f"`{key}`", check) for key, check in CHECKS.items()))


def slots() -> str:
    return table(("slot", "what it is"), ((f"`{selector}`", meaning) for selector, meaning in SLOTS.items()))


def _class_meanings(documented: type[Typography | FigureDress | Colors]) -> dict[str, str]:
    meanings = meanings_in(ast.parse(inspect.getsource(documented)).body[0])
    return {name: cell(meanings[name]) for name in documented._fields}
