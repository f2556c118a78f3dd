"""The font families that are built: for pages, for images, and for formulas; packages, styles, fallbacks.

Only families under the OFL without a Reserved Font Name, which a subset could not carry. That excludes Playfair
Display, Josefin Sans, Quicksand, Source Serif 4, Source Code Pro, IBM Plex, Lora, Raleway and Merriweather.
"""

from dataclasses import dataclass, field
from pathlib import Path
from tomllib import loads
from typing import Any

BOLD = 600
"""The minimum weight for which browsers choose a bold font."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """An npm package of one family; `sha256` is of its archive.

    By default it is Fontsource's, which has a file of a style for each script. Others have whole fonts, `paths` by
    style.
    """

    name: str = field(kw_only=False)
    sha256: str = field(kw_only=False)
    version: str = "5.3.0"
    package: str = ""
    paths: tuple[str, ...] = ()
    licence: str = "LICENSE"

    @property
    def slug(self) -> str:
        return self.name.lower().replace(" ", "-")

    def __post_init__(self) -> None:
        if not self.package:
            object.__setattr__(self, "package", f"@fontsource/{self.slug}")


@dataclass(frozen=True, slots=True)
class Style:
    """One style of a family."""

    weight: int
    is_italic: bool = False

    @property
    def is_bold(self) -> bool:
        return self.weight >= BOLD


STYLES = {
    "light": Style(300),
    "regular": Style(400),
    "italic": Style(400, is_italic=True),
    "semibold": Style(600),
    "semibold-italic": Style(600, is_italic=True),
    "bold": Style(700),
    "bold-italic": Style(700, is_italic=True),
    "extrabold": Style(800),
}

TEXT_STYLES = (STYLES["regular"], STYLES["italic"], STYLES["bold"])
"""Regular, italic and bold, in the order of `Package.paths`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(Package):
    """A hosted family.

    `fallback` is a key of `STANDARDS`. `has_extended` adds a file per style for Central European letters; families that
    would exceed the font budget have none, nor have those for code. `titles` are the styles in which social images are
    drawn. `scale` makes a font larger or smaller than its designer did, so that lines hold as many letters as in the
    fallback.
    """

    fallback: str = field(kw_only=False)
    styles: tuple[Style, ...] = TEXT_STYLES
    titles: tuple[Style, ...] = ()
    has_extended: bool = True
    scale: float = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureFace(Package):
    """A family in which figures are drawn: regular, italic and bold, in `paths`."""

    kind: str
    styles: tuple[Style, ...] = TEXT_STYLES


def _described(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry of `families.toml`: what is a list there is a tuple, and styles have names there."""
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    styles = {key: tuple(STYLES[style] for style in fields[key]) for key in ("styles", "titles") if key in fields}
    return {"name": name, **fields, **styles}


_FILE = loads(Path(__file__).with_name("families.toml").read_text("utf-8"))
FACES = tuple(FigureFace(**_described(name, entry)) for name, entry in _FILE["faces"].items())
FAMILIES = tuple(Family(**_described(name, entry)) for name, entry in _FILE["families"].items())
STANDARDS = {system: Package(**_described(system, entry)) for system, entry in _FILE["standards"].items()}
"""Common system fonts, and free ones with the same metrics."""

SYMBOLS = Package(**_described("DejaVu Sans", _FILE["symbols"]))
