"""The places that a text is made for: the workbench's tabs, and their buttons."""

from dataclasses import dataclass

from mdpublish_server.services.workbench import PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbenchTab:
    """A tab; `copies` is the label of its Copy button, None where there is nothing to paste."""

    name: str
    label: str
    copies: str | None


PLACES = (
    WorkbenchTab(name=PAGE, label="Web page", copies=None),
    WorkbenchTab(name="google-docs", label="Google Docs", copies="Google Docs"),
    WorkbenchTab(name="word", label="Word", copies="Word"),
    WorkbenchTab(name="slack", label="Slack", copies="Slack"),
    WorkbenchTab(name="onenote", label="OneNote", copies="OneNote"),
    WorkbenchTab(name="email", label="Email", copies="email"),
    WorkbenchTab(name="plain-text", label="Plain text", copies=None),
)

EXAMPLES = tuple(each for each in PLACES if each.name in {"google-docs", "slack", "email"})
"""The places that the landing page shows an excerpt in, as it is and as it is copied."""


def shown_place(name: str) -> str:
    """Return the place that a form names, the first instead of an unknown one."""
    return name if any(each.name == name for each in PLACES) else PLACES[0].name
