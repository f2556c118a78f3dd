"""A dark theme on a page that stays white: there a template's light colours hold, in painted cells its dark ones."""

from collections.abc import Callable, Mapping

from mdpublish_core.destinations.google_docs.looks import Look, projection
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.destinations.styled import sheet
from mdpublish_core.templates.inlining import Recorder, Replay
from mdpublish_core.templates.matcher import Styles
from mdpublish_core.templates.style import bind, rules_for


class Twofold:
    """Two cursors that go the same way; `depth` tells how many painted cells are open."""

    def __init__(self, ground: Styles[Look], painted: Styles[Look]) -> None:
        self._ground = ground
        self._painted = painted
        self.depth = 0

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> Look:
        """Open an element, and return what it looks like where it stands."""
        ground = self._ground.enter(element, last=last, attributes=attributes)
        painted = self._painted.enter(element, last=last, attributes=attributes)
        return painted if self.depth else ground

    def leave(self) -> None:
        """Close the innermost open element."""
        self._ground.leave()
        self._painted.leave()

    @property
    def current(self) -> Look:
        """What the innermost open element looks like."""
        return (self._painted if self.depth else self._ground).current


def write_twofold(setting: Setting, write: Callable[[Setting, Styles[Look]], str]) -> str:
    """Return what `write` makes of both of a template's styles, as `write_styled` does for one."""
    project = projection(setting.style.template.fonts)
    styles = (bind(setting.style.template, "light"), setting.style)
    ground, painted = (sheet(style, "docs", project) for style in styles)
    if not setting.overlay:
        return write(setting, Twofold(ground.cursor(), painted.cursor()))
    recorders = Recorder(ground), Recorder(painted)
    write(setting.trial(), Twofold(*recorders))
    replays = (
        Replay(recorder, rules_for(style.template, style.theme_mode, "docs"), setting.overlay, project)
        for recorder, style in zip(recorders, styles, strict=True)
    )
    return write(setting, Twofold(*replays))
