"""What a figure takes from its template: colours and fonts, so that it looks like a part of the document."""

from dataclasses import dataclass

MONOSPACE = "monospace"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureLook:
    """A template in a theme mode, as figures see it; each colour is `#rrggbb`, and stands for the role of its name."""

    background: str
    """What the figure stands on; a picture has it as its ground, a drawing in a page is transparent."""

    text: str
    """Letters, and whatever must be seen first."""

    muted: str
    """Letters that step back, and lines that carry meaning, such as edges: at least 3:1 on the background."""

    accent: str
    """The one thing that stands out."""

    surface: str
    """The ground of boxes; letters in `text` can be read on it."""

    rule: str
    """Lines that only part things: they need not be seen by everybody."""

    series: tuple[str, ...]
    """Eight colours that are told apart, each at least 3:1 on the background."""

    font: tuple[str, ...]
    """Families of the body's font in the order of preference, of which the last is generic."""

    is_dark: bool
    """Whether letters are lighter than what they stand on."""

    @property
    def font_family(self) -> str:
        """The families as CSS writes them."""
        return ",".join(f"'{family}'" if " " in family else family for family in self.font)

    @property
    def is_monospaced(self) -> bool:
        """Whether all letters take the same room."""
        return self.font[-1] == MONOSPACE
