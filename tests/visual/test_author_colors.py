"""Colors that authors set are readable on light pages, on dark ones, and where dark ones are printed: on paper."""

from typing import TYPE_CHECKING

import pytest

from mdpublish_core import PageOptions, get_template, parse, render
from mdpublish_core.templates import ThemeMode
from mdpublish_core.templates.style import figure_theme
from tests.remarks import remark
from tests.visual.chromium import Layout, layouts_in
from tests.visual.legibility import low_contrast_marks, low_contrast_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.visual_figures

# Author's colors for light and dark grounds, and for neither.
_DIAGRAMS = """
flowchart LR
A[Start]:::dark --> B{Check} -->|yes| C([End])
classDef dark fill:#222,stroke:#000,color:#333
style B fill:#ffc,stroke:#ff9,color:#fff
linkStyle 0 stroke:#eee,stroke-width:2px
linkStyle 1 stroke:#111,color:#ddd

flowchart TD
subgraph one [Group]
A --> B
end
style one fill:#111,stroke:#222,color:#eee
style A fill:none,stroke:#fafafa,color:#fafafa
style B fill:transparent,stroke:#0a0a0a,color:#0a0a0a

flowchart TD
A[Half] --> B[Named]
style A fill:#0008,color:#888
style B fill:lightyellow,stroke:gold

stateDiagram-v2
[*] --> Idle
Idle --> Busy : works
classDef hot fill:#f00,color:yellow,stroke:#300
class Busy hot

classDiagram
class Duck {
+swim()
}
class Fish
Duck <|-- Fish : eats
style Duck fill:#024,color:#036,stroke:#012

%%{init: {"theme": "base", "themeVariables": {"primaryColor": "#000", "primaryTextColor": "#222", "lineColor": "#fdfdfd", "primaryBorderColor": "#fefefe"}}}%%
flowchart LR
A[One] -->|two| B[Three]

%%{init: {"theme": "base", "themeVariables": {"actorBkg": "#ffe", "actorTextColor": "#eee", "signalColor": "#111", "signalTextColor": "#111", "noteBkgColor": "#222", "noteTextColor": "#333"}}}%%
sequenceDiagram
A->>B: asks
Note over A,B: Once
rect rgb(20, 20, 40)
B-->>A: answers
end

%%{init: {"theme": "dark"}}%%
flowchart LR
A[Dark] -->|label| B[Theme]

%%{init: {"theme": "forest"}}%%
sequenceDiagram
A->>B: asks
Note right of B: Forest

%%{init: {"themeVariables": {"pie1": "#000", "pie2": "#fff", "pieSectionTextColor": "#888"}}}%%
pie title Pets
"Dogs": 3
"Cats": 2
"""
DIAGRAMS = tuple(_DIAGRAMS.strip().split("\n\n"))

# How the page is made, and how it is seen.
VIEWS: tuple[tuple[ThemeMode, str], ...] = (
    ("light", "screen"),
    ("dark", "screen"),
    ("light", "print"),
    ("dark", "print"),
)


def seen(browser: "Browser", template: str, mode: ThemeMode, media: str) -> list[Layout]:
    document = parse("\n".join(f"```mermaid\n{source}\n```\n" for source in DIAGRAMS))
    page = browser.new_page(viewport={"width": 900, "height": 900})
    page.route("**/*", lambda route: route.abort())
    page.set_content(
        render(document, to="page", options=PageOptions(title="Colors"), template=template, theme_mode=mode).html
    )
    page.emulate_media(media="print" if media == "print" else "screen")
    layouts = layouts_in(page, ".drawing svg")
    page.close()
    return layouts


@pytest.mark.parametrize("template", ["swiss", "terminal", pytest.param("newsletter", marks=pytest.mark.short)])
def test_colors_of_authors_are_readable(browser: "Browser", template: str, request: pytest.FixtureRequest) -> None:
    """Print a table by view: labels with at least 4.5:1, lines and shapes with at least 3:1."""
    weak: list[str] = []
    for mode, media in VIEWS:
        layouts = seen(browser, template, mode, media)
        assert len(layouts) == len(DIAGRAMS)
        background = "#ffffff" if media == "print" else figure_theme(get_template(template), mode).background
        weak_labels = [
            f"{mode}, {media}: {source!r}: {box.label!r} in {box.fill} has {ratio:.2f}"
            for source, layout in zip(DIAGRAMS, layouts, strict=True)
            for box, ratio in low_contrast_text(layout, background)
        ]
        weak_marks = [
            f"{mode}, {media}: {source!r}: a {mark.name} with line {mark.stroke} and ground {mark.fill} has {ratio:.2f}"
            for source, layout in zip(DIAGRAMS, layouts, strict=True)
            for mark, ratio in low_contrast_marks(layout, background)
            # Grounds of labels are judged by their labels.
            if mark.stroke != "none"
        ]
        labels, shapes = (sum(len(getattr(each, name)) for each in layouts) for name in ("text_boxes", "marks"))
        remark(
            request.config,
            f"mermaid, colors of authors, {template} in {mode} mode, {media}: {labels - len(weak_labels)} of {labels} "
            f"labels and {shapes - len(weak_marks)} of {shapes} shapes readable",
        )
        weak += [*weak_labels, *weak_marks]

    assert weak == [], "\n".join(weak)
