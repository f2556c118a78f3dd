"""The core's work, done in processes beside the server's own: converting texts, and rendering the pages they become.

    Converter ──▶ Pool ──▶ FairQueue ──▶ a thread and its Worker ──▶ jobs, in another process ──▶ the core

`protocol` holds what passes between the processes; `pool` has the workers, `fair_queue` says who comes next, `jobs` is what a
worker does. A text that hangs, crashes or fills the memory costs its own request, and nobody else's.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mdpublish_server.conversion.converter import Converter, Share
    from mdpublish_server.conversion.protocol import ConvertJob, Preview, Rendered, RenderJob, SocialImageJob

__all__ = ["ConvertJob", "Converter", "Preview", "RenderJob", "Rendered", "Share", "SocialImageJob"]

# A worker imports this package on its way to `jobs`, and has no use for the event loop and the database below `converter`.
_LATE = {
    "ConvertJob": "protocol",
    "Converter": "converter",
    "Preview": "protocol",
    "RenderJob": "protocol",
    "Rendered": "protocol",
    "Share": "converter",
    "SocialImageJob": "protocol",
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    globals()[name] = value
    return value
