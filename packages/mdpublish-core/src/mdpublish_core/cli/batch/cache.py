"""Build cache, stored next to the outputs."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from mdpublish_core.cli.batch.links import stamp
from mdpublish_core.cli.batch.plan import Plan
from mdpublish_core.notices import Notice

FILE_NAME = ".mdpublish-batch.json"


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """Everything that a document's output depends on, and its notices."""

    source: str
    output: str
    navigation: str
    stamps: Mapping[str, str]
    copies: tuple[str, ...]
    notices: tuple[Notice, ...]


def read_cache(plan: Plan) -> dict[PurePosixPath, CacheEntry]:
    """Return the last run's entries, if the options are the same."""
    try:
        content = json.loads((plan.target / FILE_NAME).read_bytes())
        if content["look"] != plan.options.fingerprint:
            return {}
        return {PurePosixPath(name): _entry(entry) for name, entry in content["documents"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _entry(content: dict[str, Any]) -> CacheEntry:
    notices = tuple(Notice(**notice) for notice in content["notices"])
    return CacheEntry(**{**content, "copies": tuple(content["copies"]), "notices": notices})


def write_cache(plan: Plan, entries: Mapping[PurePosixPath, CacheEntry]) -> None:
    documents = {str(document): asdict(entry) for document, entry in sorted(entries.items())}
    content = {"look": plan.options.fingerprint, "documents": documents}
    (plan.target / FILE_NAME).write_text(json.dumps(content, indent=1), "utf-8")


def navigation(plan: Plan, document: PurePosixPath) -> str:
    return repr(plan.breadcrumbs(document)) if plan.options.output.is_page else ""


def is_unchanged(plan: Plan, document: PurePosixPath, entry: CacheEntry) -> bool:
    try:
        source = sha256(plan.read(document)).hexdigest()
    except OSError:
        return False
    if any(notice.code == "machine-busy" for notice in entry.notices):
        return False
    return (
        (source, str(plan.outputs[document]), navigation(plan, document))
        == (entry.source, entry.output, entry.navigation)
        and all((plan.target / path).is_file() for path in (entry.output, *entry.copies))
        and all(stamp(plan, PurePosixPath(path)) == cached_stamp for path, cached_stamp in entry.stamps.items())
    )
