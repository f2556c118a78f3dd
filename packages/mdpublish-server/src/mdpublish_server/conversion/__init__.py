"""The core's work, done in processes beside the server's own: converting texts, and rendering the pages they become.

    Converter ──▶ Pool ──▶ Turns ──▶ a thread and its Worker ──▶ jobs, in another process ──▶ the core

`requests` holds what is asked for, `converter` what is asked; `pool` has the workers, `turns` says who comes next, `jobs`
is what a worker does, and `wire` what it is told and answers. A text that hangs, crashes or fills the memory costs its own
request, and nobody else's.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mdpublish_server.conversion.converter import (
        RENDER_VERSION,
        ConvertedAnswer,
        Converter,
        Preview,
        RenderedPage,
        stored_version,
    )
    from mdpublish_server.conversion.requests import ConversionRequest, PageRequest, Share, UnfurlRequest

__all__ = [
    "RENDER_VERSION",
    "ConversionRequest",
    "ConvertedAnswer",
    "Converter",
    "PageRequest",
    "Preview",
    "RenderedPage",
    "Share",
    "UnfurlRequest",
    "stored_version",
]

# A worker imports this package on its way to `jobs`, and has no use for the event loop and the database below `converter`.
_LATE = {
    "RENDER_VERSION": "converter",
    "ConversionRequest": "requests",
    "ConvertedAnswer": "converter",
    "Converter": "converter",
    "PageRequest": "requests",
    "Preview": "converter",
    "RenderedPage": "converter",
    "Share": "requests",
    "UnfurlRequest": "requests",
    "stored_version": "converter",
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    globals()[name] = value
    return value
