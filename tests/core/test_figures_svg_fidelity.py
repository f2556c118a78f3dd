"""Sanitized SVGs look like the engine's output, pixel by pixel: stylesheets are resolved correctly."""

import json
import re

import merman
import pytest
from pygraphviz import AGraph  # type: ignore[attr-defined]
from resvg_py import svg_to_bytes

from mdpublish_core.figures.fonts import FONT_FAMILY, font_path
from mdpublish_core.figures.graphviz.bindings import load_fonts
from mdpublish_core.figures.svg import CleanSvg, clean_svg
from tests.core.png_images import PngImage
from tests.sampling import sampled

pytestmark = pytest.mark.needs("merman")

MERMAID = {
    "flowchart": """flowchart TD
        A[Start] -->|yes| B{Is it?}
        B -- no --> C((Circle))
        subgraph one
            C --> D[(Data)]
            D -.-> E>flag]
            D --o F{{six}}
            F --x G[/lean/]
        end
        E ==> A
        classDef red fill:#f00,stroke:#333,stroke-width:4px,color:#fff
        class B red
        style C fill:hsl(40.58, 60%, 83.3%),stroke-dasharray:5 5
        linkStyle 0 stroke:#0a0,stroke-width:4px
        click A "https://example.com" "tip" """,
    "sequence": """sequenceDiagram
        autonumber
        participant A as Alice
        actor B as Bob
        A->>B: Hello
        activate B
        Note right of B: thinks
        B-->>A: Hi
        deactivate B
        rect rgba(0, 0, 255, .1)
        loop every minute
            A-)B: ping
        end
        end
        alt ok
            A-xB: lost
        else bad
            B->>B: self
        end""",
    "class": """classDiagram
        class Animal {
            <<abstract>>
            +int age
            +eat(food) bool
        }
        Animal <|-- Duck
        Animal *-- Leg : has
        Animal o-- Tail
        Duck ..> Egg
        Duck ..|> Bird
        note for Duck "quack" """,
    "state": """stateDiagram-v2
        [*] --> Idle
        Idle --> Run: go
        state Run {
            [*] --> a
            a --> [*]
        }
        state if <<choice>>
        Run --> if
        if --> [*]
        note right of Idle : hm""",
    "er": """erDiagram
        CUSTOMER ||--o{ ORDER : places
        ORDER ||--|{ LINE : contains
        CUSTOMER {
            string name PK
            int age
        }""",
    "pie": """pie showData title Pets
        "Dogs" : 386
        "Cats" : 85
        "Rats" : 15""",
    "gantt": """gantt
        title A Gantt
        dateFormat YYYY-MM-DD
        section S
        A task :a1, 2014-01-01, 30d
        Another :active, after a1, 20d
        section T
        Crit :crit, done, 2014-01-12, 12d
        Mile :milestone, 2014-02-01, 0d""",
    "journey": """journey
        title My day
        section Go
            Make tea: 5: Me
            Work: 1: Me, Cat""",
    "mindmap": """mindmap
  root((mindmap))
    Origins
      Long
    Research
      [square]
      (round)
    Tools
      ))bang((
      )cloud(
      {{hex}}""",
    "timeline": """timeline
        title History
        section X
        2002 : LinkedIn
        2004 : Facebook : Google
        2005 : YouTube""",
    "quadrant": """quadrantChart
        title Reach
        x-axis Low --> High
        y-axis Bad --> Good
        quadrant-1 Expand
        A: [0.3, 0.6]
        B: [0.45, 0.23] radius: 12, color: #ff3300""",
    "git": """gitGraph
        commit id: "a"
        branch develop
        checkout develop
        commit type: HIGHLIGHT
        commit tag: "v1"
        checkout main
        merge develop
        commit type: REVERSE""",
}

DOT = {
    "plain": 'digraph { rankdir=LR a -> b [label=hi style=dashed]; b -> c [color="red:blue"]; a -> c [dir=both arrowtail=odot] }',
    "clusters": 'digraph { bgcolor="lightblue:white"; subgraph cluster_x { style=filled; color=gray90; label=x; a; b } a -> b }',
    "records": 'digraph { a [shape=record label="<f0> l|{m|n}"]; b [shape=Mrecord label="{x|y}"]; a:f0 -> b }',
    "tables": 'graph { a [label=<<table><tr><td bgcolor="yellow"><b>x</b> <i>y</i><br/><font color="red" point-size="20">big</font></td></tr></table>>] }',
    "gradients": 'digraph { a [style=radial fillcolor="red:green"]; b [style=wedged shape=circle fillcolor="red:blue:green"]; a -> b [color="#00ff0080"] }',
    "shapes": 'graph { node [fontname="Helvetica,Arial"]; a [shape=star]; b [shape=cylinder label="two  spaces\\lleft\\l"]; c [shape=note style="filled,rounded" fillcolor="#ffff0040"]; a -- b -- c }',
    "links": 'digraph { a [URL="https://x.test/?a=1&b=2" tooltip=tip]; b [URL="javascript:alert(1)"]; a -> b [URL="#c" label=l] }',
}


def drawn_by_mermaid(source: str) -> str:
    options = {
        "svg": {"pipeline": "resvg-safe", "diagram_id": "fig"},
        "site_config": {"theme": "base", "look": "classic", "htmlLabels": False},
    }
    svg = merman.MermanEngine(options_json=json.dumps(options), services=None).render_svg(source, None)
    # Timeline boxes are brightened by a filter. Filters are removed; colors come from the template.
    return str(svg).replace("filter:brightness(120%);", "")


def drawn_by_graphviz(source: str, engine: str) -> str:
    # Graphviz reads its fonts once per process, and tests of it run in this one.
    load_fonts()
    drawn: bytes = AGraph(string=source).draw(format="svg", prog=engine)
    return drawn.decode()


def rasterize(svg: str) -> PngImage:
    return PngImage.decode(
        svg_to_bytes(
            svg_string=svg,
            dpi=96,
            background="white",
            skip_system_fonts=True,
            font_files=[str(font_path())],
            font_family=FONT_FAMILY,
            serif_family=FONT_FAMILY,
            sans_serif_family=FONT_FAMILY,
            monospace_family=FONT_FAMILY,
        )
    )


def in_natural_size(svg: str, clean: CleanSvg) -> str:
    """Give a drawing that fills its container its natural size."""
    root = svg[svg.index("<svg") :].partition(">")[0]
    sized = re.sub(r' width="[^"]*"| height="[^"]*"', "", root) + f' width="{clean.width}" height="{clean.height}"'
    return svg.replace(root, sized, 1)


def difference(one: PngImage, other: PngImage) -> tuple[float, int]:
    """Mean and maximum difference of two images, out of 255."""
    assert (one.width, one.height) == (other.width, other.height)
    before, after = b"".join(one.rows), b"".join(other.rows)
    changes = [abs(a - b) for a, b in zip(before, after, strict=True) if a != b]
    return sum(changes) / len(before), max(changes, default=0)


def check_alike(svg: str) -> None:
    clean = clean_svg(svg)
    before = rasterize(in_natural_size(svg, clean))
    mean, max_difference = difference(before, rasterize(clean.document()))

    assert before.ink(0, before.height) > 100
    assert mean < 0.2
    assert max_difference < 64
    assert clean_svg(clean.document()).document() == clean.document()


@pytest.mark.parametrize("kind", sampled(MERMAID, 4))
def test_svg_of_mermaid_renders_as_before(kind: str) -> None:
    check_alike(drawn_by_mermaid(MERMAID[kind]))


@pytest.mark.parametrize("engine", ["dot", "neato"])
@pytest.mark.parametrize("kind", DOT)
def test_svg_of_graphviz_renders_as_before(kind: str, engine: str) -> None:
    check_alike(drawn_by_graphviz(DOT[kind], engine))


def test_svg_of_mermaid_becomes_half_as_large() -> None:
    svg = drawn_by_mermaid(MERMAID["flowchart"])
    clean = clean_svg(svg).document()

    assert len(clean) < len(svg) / 2
    assert clean.count("<marker") == 4
    assert "style" not in clean.replace("font-style", "")
    assert "class" not in clean
