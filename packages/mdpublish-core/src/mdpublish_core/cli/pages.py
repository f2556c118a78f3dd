"""Web pages for the commands: the library's page, with the notices that go with it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mdpublish_core import Document, Notice, Template
    from mdpublish_core.page import Frame
    from mdpublish_core.templates import ThemeMode


def page_with_notices(
    document: "Document", template: "Template", theme_mode: "ThemeMode", css: str | None, frame: "Frame"
) -> tuple[str, tuple["Notice", ...]]:
    """Return a page, and what its author is to be told."""
    from mdpublish_core.destinations import Setting, get_destination, notices_of
    from mdpublish_core.page import frame_document
    from mdpublish_core.templates import bind
    from mdpublish_core.templates.overlay import overlay_rules

    setting = Setting(bind(template, theme_mode), overlay=overlay_rules(css), trusted=document.trusted)
    page = frame_document(document, template, theme_mode, setting, frame)
    return page, (*document.notices, *notices_of(document, get_destination("generic")), *setting.notices)
