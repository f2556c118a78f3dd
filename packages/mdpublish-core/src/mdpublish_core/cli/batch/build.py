"""Conversion of a document of a plan."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import PurePosixPath
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any

from mdpublish_core import MdpublishError
from mdpublish_core.cli.batch.cache import CacheEntry, navigation
from mdpublish_core.cli.batch.links import LinkRewriter
from mdpublish_core.cli.batch.plan import Plan
from mdpublish_core.cli.dialects import included_files
from mdpublish_core.cli.inputs import error_message
from mdpublish_core.cli.options import default_title, render_output
from mdpublish_core.resources.folder_files import open_within
from mdpublish_core.strings.encodings import InvalidEncoding, decode_source

if TYPE_CHECKING:
    from mdpublish_core import Document, Notice


def convert_document(plan: Plan, document: PurePosixPath) -> CacheEntry | str:
    """Convert and write a document; return a cache entry, or the problem."""
    try:
        content = plan.read(document)
        rendered, notices, links = _convert(plan, document, decode_source(content))
        with plan.open_output(plan.outputs[document]) as new:
            new.write(rendered)
        _copy_files(plan, links.copies)
    except OSError as error:
        return f"{error.strerror or error}: {error.filename or document}"
    except InvalidEncoding as error:
        return str(error)
    except MdpublishError as error:
        return error_message(error)
    except Exception as error:  # noqa: BLE001  (a fault of ours in one document must not stop the others)
        return f"internal error, please report it: {error!r}"
    return CacheEntry(
        source=sha256(content).hexdigest(),
        output=str(plan.outputs[document]),
        navigation=navigation(plan, document),
        stamps=links.stamps,
        copies=tuple(sorted(map(str, links.copies))),
        notices=notices,
    )


def _convert(plan: Plan, document: PurePosixPath, markdown: str) -> "tuple[bytes, tuple[Notice, ...], LinkRewriter]":
    options = plan.options
    links = LinkRewriter(plan, document)
    included = included_files(str(plan.source / document))
    parsed = options.parsing.parse(markdown, links, included)
    # No state of a file is empty: what includes files is converted each time.
    links.stamps |= dict.fromkeys(map(str, included.paths if included else ()), "")
    values = _output_values(plan, document, parsed)
    conversion = render_output(parsed, options.output, values, options.style)
    return conversion.to_bytes(), links.merge_notices(conversion.notices), links


def _output_values(plan: Plan, document: PurePosixPath, parsed: "Document") -> dict[str, Any]:
    values = plan.options.values(parsed) | {"default_title": default_title(document.name)}
    if plan.options.output.is_page:
        values |= {"breadcrumbs": plan.breadcrumbs(document), "canonical_url": plan.canonical_url(document)}
    return values


def _copy_files(plan: Plan, paths: Iterable[PurePosixPath]) -> None:
    for path in paths:
        with open_within(plan.boundary, plan.source / path) as source, plan.open_output(path) as new:
            copyfileobj(source, new)
