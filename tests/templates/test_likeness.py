"""No two templates look alike below their titles."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import get_template
from mdpublish_server.web.public.gallery import LEADING
from tests.templates.likeness import MIN_DISTANCE, all_below, below_distance, nearest_below, read_below

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates


def test_no_two_templates_are_alike_below_their_titles(phone: "Page") -> None:
    assert [pair for pair in nearest_below(all_below(phone)) if pair[0] < MIN_DISTANCE] == []


def test_templates_that_lead_the_gallery_differ_most(phone: "Page") -> None:
    leading = {each: read_below(phone, get_template(each)) for each in LEADING}

    assert len(leading) == 16
    # Of sixteen, 0.52 was the most that the search for it found.
    assert [pair for pair in nearest_below(leading) if pair[0] < 0.45] == []


def test_colors_and_larger_titles_make_no_distance(phone: "Page") -> None:
    swiss, other = get_template("swiss"), get_template("risograph")
    type_ = swiss.type._replace(scale=(3.4, *swiss.type.scale[1:]))

    changed = replace(swiss, type=type_, light=other.light)

    assert below_distance(read_below(phone, swiss), read_below(phone, changed)) < 0.03


def test_layout_makes_a_distance(phone: "Page") -> None:
    plain = read_below(phone, get_template("mono"))

    assert below_distance(plain, read_below(phone, replace(get_template("mono"), layout="cards"))) > MIN_DISTANCE / 2
