"""No two templates are one design in other colors or sizes, with the fonts of a phone."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import get_template, list_templates
from mdpublish_core.templates import Template, ThemeMode
from tests.templates.design import (
    MIN_FORM_DISTANCE,
    Design,
    all_designs,
    color_distance,
    design_of,
    form_distance,
    nearest_pairs,
    seen_distance,
)
from tests.templates.measurements import SPECIMEN
from tests.templates.phone import DESKTOP, PHONE, View, open_template

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

NEAREST = 20

VARIED = ("swiss", "github", "newspaper", "terminal", "tufte", "kanban", "poster", "midnight")

MIN_FAR_DISTANCE = 0.4
"""Of templates that nobody confuses."""

MIN_RENDERED_FAMILIES = 20

Change = Callable[[Template], Template]


def resized(template: Template, factor: float) -> Template:
    return replace(template, type=template.type._replace(size=template.type.size * factor))


def remeasured(template: Template) -> Template:
    return replace(template, type=template.type._replace(measure=template.type.measure * 0.8))


def respaced(template: Template) -> Template:
    type_ = template.type
    return replace(template, type=type_._replace(leading=type_.leading * 1.12, rhythm=type_.rhythm * 0.8))


def recolored(template: Template) -> Template:
    other = get_template("risograph")
    return replace(template, light=other.light, dark=other.dark)


def refonted(template: Template) -> Template:
    return replace(template, fonts=get_template("executive").fonts)


def varied_below(template: Template) -> Template:
    """What is below the first screen, as another template has it."""
    other = get_template("executive").variants
    chosen = {name: getattr(other, name) for name in ("quote", "callout", "code", "table", "list", "rule")}
    return replace(template, variants=template.variants._replace(**chosen))


CHANGES: dict[str, tuple[Change, float]] = {
    "larger": (lambda template: resized(template, 1.2), 0.05),
    "smaller": (lambda template: resized(template, 0.85), 0.05),
    "narrower": (remeasured, 0.05),
    "respaced": (respaced, 0.05),
    "recolored": (recolored, 0.03),
    "varied below": (varied_below, 0.13),
    "other fonts": (refonted, 0.26),
}
"""With the distance that each makes, at most."""


@pytest.mark.parametrize("view", [PHONE, DESKTOP], ids=str)
def test_no_single_change_makes_another_design(phone: "Page", view: View) -> None:
    distances = {}
    for template in map(get_template, VARIED):
        original = design_of(phone, template, "light", view)
        for name, (change, _) in CHANGES.items():
            distances[template.id, name] = form_distance(original, design_of(phone, change(template), "light", view))

    for name, (_, limit) in CHANGES.items():
        measured = [distance for (_, change), distance in distances.items() if change == name]
        print(f"\n{view}, {name}: {min(measured):.3f} to {max(measured):.3f}, at most {limit}", end="")  # noqa: T201
    assert {change: distance for change, distance in distances.items() if distance > CHANGES[change[1]][1]} == {}
    assert max(distances.values()) < MIN_FORM_DISTANCE


@pytest.mark.parametrize("view", [PHONE, DESKTOP], ids=str)
def test_swiss_with_larger_text_is_the_same(phone: "Page", view: View) -> None:
    swiss = get_template("swiss")

    original = design_of(phone, swiss, "light", view)
    larger = design_of(phone, replace(swiss, type=swiss.type._replace(size=18)), "light", view)

    assert swiss.type.size != 18
    assert seen_distance(original, larger) == pytest.approx(0, abs=0.001)


def test_recoloring_is_seen_and_is_no_other_form(phone: "Page") -> None:
    original = design_of(phone, get_template("swiss"), "light", PHONE)
    other = design_of(phone, recolored(get_template("swiss")), "light", PHONE)

    assert color_distance(original, other) > 0.3
    assert form_distance(original, other) < 0.03


@pytest.mark.parametrize("view", [PHONE, DESKTOP], ids=str)
def test_different_templates_are_far(phone: "Page", view: View) -> None:
    ids = ("swiss", "terminal", "art-deco", "newspaper", "tufte")
    designs = {each: design_of(phone, get_template(each), "light", view) for each in ids}

    assert [pair for pair in nearest_pairs(designs) if pair[0] < MIN_FAR_DISTANCE] == []


def test_no_two_templates_are_one_design(phone: "Page") -> None:
    alike = []
    for (view, mode), designs in all_designs(phone).items():
        nearest = nearest_pairs(designs)
        _print(view, mode, nearest, designs)
        for distance, one, other in nearest:
            if distance < MIN_FORM_DISTANCE:
                alike.append(f"{one} and {other}, {view}, {mode}: {distance:.3f}")
    assert not alike, "\n".join(alike)


def _print(view: View, mode: ThemeMode, nearest: list[tuple[float, str, str]], designs: dict[str, Design]) -> None:
    print(f"\n{view}, {mode}: {len(nearest)} pairs; nearest in form, with the distance of their colors:")  # noqa: T201
    for distance, one, other in nearest[:NEAREST]:
        colors = color_distance(designs[one], designs[other])
        print(f"  {distance:.3f}  {one} and {other} ({colors:.2f})")  # noqa: T201


def test_phone_shows_many_families(phone: "Page") -> None:
    session = phone.context.new_cdp_session(phone)
    session.send("DOM.enable")
    session.send("CSS.enable")
    families: dict[str, set[str]] = {}
    for template in list_templates():
        open_template(phone, template, "light", PHONE, SPECIMEN)
        root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        for selector in ("h1", ".lead"):
            node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
            fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
            main_font = max(fonts, key=lambda font: font["glyphCount"])
            families.setdefault(main_font["familyName"], set()).add(template.id)

    print(f"\n{len(families)} families: {', '.join(f'{name} {len(ids)}' for name, ids in sorted(families.items()))}")  # noqa: T201
    assert len(families) >= MIN_RENDERED_FAMILIES
