"""Mermaid's diagrams as we draw them: all of them, quickly, with the words that Mermaid itself shows, and nothing clipped.

Beside each stands Mermaid itself, in Chromium: what it refuses need not be drawn, what it draws must be. Each test prints
what it counted, type by type. A drawing's time is that of the whole way, through the process that draws, for which other
work on the machine is noise: of a diagram, the quickest of three drawings counts, each in another look.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from mdpublish_core import list_templates
from mdpublish_core.figures.request import RenderedFigure
from tests.chromium import launched
from tests.figures.chromium import Drawn, Layout, Mark, Mermaid, layouts, offline_page, words_of
from tests.figures.drafts import LOOKS, draft, look_of, median, order_of, quantile
from tests.figures.faults import misfits, outside, overlaps, pale_marks, pale_texts
from tests.figures.mermaid_diagrams import TYPES, Diagram, diagrams, our_diagrams, packaged_diagrams
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.figures

LEAST_DRAWN = 0.99
MEDIAN_MS, P95_MS = 10.0, 50.0
LEAST_FITTING = 0.995
MOST_OVERLAPPING = 0.005
OWN_OF_EACH_TYPE = 20

# Why our words may be others than Mermaid's: the name of a diagram, and the reason.
EXCEPTIONS: Mapping[str, str] = {
    "link and links: menus of actors": "menus that open by a click are no part of a picture that stands still",
    "texts in quotes with signs": "Mermaid escapes `<` twice, and so shows it as `&lt;`",
}

# What Mermaid makes up for commits without an id is drawn by lot there, and the same each time here.
_COMMIT = re.compile(r"\d+-[0-9a-f]{4,}")

# Of a calendar's days, we write as many as there is room for.
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

# What a page gives a drawing: the letters of its body.
_PAGE = '<div style="font-family:{family}">{svg}</div>'

Say = Callable[[str], None]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def by_mermaid(browser: "Browser") -> dict[Diagram, Drawn]:
    """What Mermaid itself makes of every diagram."""
    mermaid = Mermaid(browser)
    return {diagram: mermaid.draw(diagram.source) for diagram in diagrams()}


@pytest.fixture(scope="module")
def laid_out(browser: "Browser") -> dict[tuple[Diagram, str], Layout]:
    """How Chromium lays out every drawing of ours, in every look."""
    page = offline_page(browser)
    found: dict[tuple[Diagram, str], Layout] = {}
    for name in LOOKS:
        drawn = {diagram: drawing for diagram in diagrams() if (drawing := drawing_of(diagram, name))}
        markups = [markup(drawing, look_of(name).font_family) for drawing in drawn.values()]
        found.update(zip([(diagram, name) for diagram in drawn], layouts(page, markups), strict=True))
    return found


@pytest.fixture
def say(request: pytest.FixtureRequest) -> Say:
    return lambda line: remark(request.config, line)


def drawing_of(diagram: Diagram, look: str = "swiss") -> RenderedFigure | None:
    answer, _ = draft(order_of("mermaid", diagram.source, look_of(look)))
    return answer if isinstance(answer, RenderedFigure) and answer.svg else None


def markup(drawing: RenderedFigure, family: str) -> str:
    assert drawing.svg is not None
    return _PAGE.format(family=family.replace('"', "'"), svg=drawing.svg.document())


def words(drawing: RenderedFigure) -> Counter[str]:
    """Return the words that a drawing of ours shows."""
    assert drawing.svg is not None
    root = etree.fromstring(drawing.svg.document().encode())
    return words_of([str(piece) for text in root.iter("{*}text") for piece in text.itertext()])


def is_grid(diagram: Diagram, mark: Mark) -> bool:
    """Tell whether a mark steps back on purpose: the lines of a calendar, and its days off, behind the bars of a plan."""
    return diagram.kind == "gantt" and (mark.name == "line" or mark.stroke == "none")


def comparable(found: Counter[str]) -> Counter[str]:
    """Return the words without what may differ: ids that Mermaid makes up, and how many days a calendar names."""
    words = Counter("commit" if _COMMIT.fullmatch(word) else word for word in found.elements())
    days = [word for word in words if _DAY.fullmatch(word)]
    for day in days:
        del words[day]
    return words + Counter({"days": min(len(days), 2)})


def test_collection_has_enough_of_each_type() -> None:
    numbers = Counter(diagram.kind for diagram in our_diagrams())

    assert set(numbers) == set(TYPES)
    assert min(numbers.values()) >= OWN_OF_EACH_TYPE


def test_mermaid_itself_draws_the_collection(by_mermaid: dict[Diagram, Drawn], say: Say) -> None:
    refused = [f"{diagram}: {drawn.error}" for diagram, drawn in by_mermaid.items() if drawn.error]

    say(f"mermaid: of {len(by_mermaid)} diagrams, Mermaid itself refuses {len(refused)}")
    assert refused == []


def test_diagrams_are_drawn(by_mermaid: dict[Diagram, Drawn], say: Say) -> None:
    wanted = [diagram for diagram, drawn in by_mermaid.items() if not drawn.error]
    undrawn = [diagram for diagram in wanted if drawing_of(diagram) is None]
    for kind in TYPES:
        of_kind = [diagram for diagram in wanted if diagram.kind == kind]
        drawn = [drawing for diagram in of_kind if (drawing := drawing_of(diagram)) and drawing.svg]
        sizes = [len(drawing.svg.document().encode()) for drawing in drawn if drawing.svg]
        texts = sum(drawing.text is not None for drawing in drawn)
        times = [_milliseconds(diagram) for diagram in of_kind]
        say(
            f"mermaid {kind}: {len(drawn)} of {len(of_kind)} drawn, {texts} also in letters; median {median(times):.1f} ms, "
            f"p95 {quantile(times, 0.95):.1f} ms, {median(sizes):,.0f} bytes"
        )

    problems = [f"{diagram}: {draft(order_of('mermaid', diagram.source, look_of('swiss')))[0]}" for diagram in undrawn]
    assert len(wanted) - len(undrawn) >= LEAST_DRAWN * len(wanted), "\n".join(problems)


def test_other_types_of_the_package_are_told(say: Say) -> None:
    others = [diagram for diagram in packaged_diagrams() if diagram.kind not in TYPES]
    drawn = [diagram for diagram in others if drawing_of(diagram)]

    # Which of these types are drawn too is not promised; whether or not, nothing breaks.
    say(f"mermaid, other types: {len(drawn)} of the {len(others)} examples in the package are drawn too")
    assert all(draft(order_of("mermaid", diagram.source, look_of("swiss"))) for diagram in others)


def test_diagrams_are_drawn_quickly(say: Say) -> None:
    times = {diagram: _milliseconds(diagram) for diagram in diagrams()}

    slowest = sorted(times, key=lambda diagram: -times[diagram])[:5]
    say(f"mermaid: median {median([*times.values()]):.1f} ms, p95 {quantile([*times.values()], 0.95):.1f} ms")
    say("mermaid, slowest: " + "; ".join(f"{diagram} {times[diagram]:.0f} ms" for diagram in slowest))
    assert median([*times.values()]) <= MEDIAN_MS
    assert quantile([*times.values()], 0.95) <= P95_MS


def test_drawings_show_the_words_that_mermaid_shows(by_mermaid: dict[Diagram, Drawn], say: Say) -> None:
    same, elsewhere, lost = 0, 0, []
    for diagram, drawn in by_mermaid.items():
        drawing = drawing_of(diagram)
        if drawn.error or drawing is None:
            continue
        theirs, ours = comparable(drawn.words), comparable(words(drawing))
        if theirs == ours:
            same += 1
        elif Counter("".join(theirs.elements())) == Counter("".join(ours.elements())):
            # The same letters, of which some words are broken into lines at other places.
            elsewhere += 1
        elif diagram.name not in EXCEPTIONS:
            lost.append(f"{diagram}: lost {dict(theirs - ours)}, added {dict(ours - theirs)}")
    total = len(by_mermaid)
    say(
        f"mermaid: {same} of {total} with Mermaid's words, {elsewhere} more with its letters, {len(EXCEPTIONS)} excepted"
    )

    assert lost == [], "\n".join(lost)


def test_exceptions_are_needed(by_mermaid: dict[Diagram, Drawn]) -> None:
    by_name = {diagram.name: diagram for diagram in diagrams()}
    for name in EXCEPTIONS:
        drawing = drawing_of(by_name[name])
        assert drawing is not None
        assert comparable(by_mermaid[by_name[name]].words) != comparable(words(drawing)), f"{name} is none any more"


def test_labels_fit_into_their_shapes(laid_out: dict[tuple[Diagram, str], Layout], say: Say) -> None:
    labels = sum(text.shape is not None for layout in laid_out.values() for text in layout.texts)
    found = [
        f"{diagram} in {look}: {text.text!r} in a {text.shape}"
        for (diagram, look), layout in laid_out.items()
        for text in misfits(layout)
    ]

    say(f"mermaid: {labels - len(found):,} of {labels:,} labels fit into their shapes, in {len(LOOKS)} looks")
    assert len(found) <= (1 - LEAST_FITTING) * labels, "\n".join(found)


def test_no_letter_is_cut_off(laid_out: dict[tuple[Diagram, str], Layout]) -> None:
    found = [
        f"{diagram} in {look}: {text.text!r} at {text.points[0]} of {layout.view}"
        for (diagram, look), layout in laid_out.items()
        for text in outside(layout)
    ]

    assert found == [], "\n".join(found)


def test_labels_stand_apart(laid_out: dict[tuple[Diagram, str], Layout], say: Say) -> None:
    labels = sum(len(layout.texts) for layout in laid_out.values())
    found = [
        f"{diagram} in {look}: {one.text!r} and {other.text!r}"
        for (diagram, look), layout in laid_out.items()
        for one, other in overlaps(layout)
    ]

    say(f"mermaid: {len(found):,} pairs of {labels:,} labels stand on one another")
    assert len(found) <= MOST_OVERLAPPING * labels, "\n".join(found)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("template", [template.id for template in list_templates("free")])
def test_colors_are_told_apart(browser: "Browser", template: str, mode: str) -> None:
    look = look_of(template, "dark" if mode == "dark" else "light")
    drawn = [
        (diagram, answer)
        for diagram in diagrams()
        if not diagram.has_colors
        and isinstance(answer := draft(order_of("mermaid", diagram.source, look))[0], RenderedFigure)
        and answer.svg
    ]
    found: list[str] = []
    laid_out = layouts(offline_page(browser), [markup(drawing, look.font_family) for _, drawing in drawn])
    for (diagram, _), layout in zip(drawn, laid_out, strict=True):
        found += [
            f"{diagram}: {text.text!r} in {text.fill} has {ratio:.2f}"
            for text, ratio in pale_texts(layout, look.background)
        ]
        found += [
            f"{diagram}: a {mark.name} with line {mark.stroke} and ground {mark.fill} has {ratio:.2f}"
            for mark, ratio in pale_marks(layout, look.background)
            if not is_grid(diagram, mark)
        ]

    assert len(drawn) > 0.8 * len(diagrams())
    assert found == [], "\n".join(found)


def _milliseconds(diagram: Diagram) -> float:
    return min(draft(order_of("mermaid", diagram.source, look_of(look)))[1] for look in LOOKS)
