"""Worker processes that run the core.

    Converter ──▶ Pool ──▶ FairQueue ──▶ thread and its Worker ──▶ jobs (in the worker process) ──▶ core

A crash, hang or memory exhaustion affects only its own request.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mdpublish_server.conversion.converter import Converter, Share
    from mdpublish_server.conversion.protocol import (
        CompareJob,
        Comparison,
        ConvertJob,
        FrontMatterValues,
        Placed,
        Rendered,
        RenderJob,
        SocialImageJob,
    )

__all__ = [
    "CompareJob",
    "Comparison",
    "ConvertJob",
    "Converter",
    "FrontMatterValues",
    "Placed",
    "RenderJob",
    "Rendered",
    "Share",
    "SocialImageJob",
]

# Lazy: workers import this package for `jobs`, and need no event loop or database.
_LATE = {
    "CompareJob": "protocol",
    "Comparison": "protocol",
    "ConvertJob": "protocol",
    "Converter": "converter",
    "FrontMatterValues": "protocol",
    "Placed": "protocol",
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
