"""A module per group of claims; each registers its checks."""

from tests.contract.checks import (
    access,
    conversion,
    demos,
    documents,
    errors,
    limits,
    messages,
    pages,
    plans,
    publishing,
    retries,
    templates,
    usage,
    versioning,
)

__all__ = [
    "access",
    "conversion",
    "demos",
    "documents",
    "errors",
    "limits",
    "messages",
    "pages",
    "plans",
    "publishing",
    "retries",
    "templates",
    "usage",
    "versioning",
]
