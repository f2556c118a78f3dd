"""Where the links and pictures of a document lead, once it is a page among others."""

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mdpublish_core.cli.folders.plan import DOCUMENT_SUFFIXES, Plan, relative
from mdpublish_core.cli.pictures import EmbeddedPictures, local_path
from mdpublish_core.notices import Notice, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mdpublish_core import Document
    from mdpublish_core.destinations.anchors import Anchors
    from mdpublish_core.urls import Address

ABSENT = ""
"""The stamp of a file that is not there."""


class Addresses:
    """Leaves a document's addresses as they are.

    After the document was parsed, `copies` names the files that its output needs beside it, `stamps` everything that was
    looked up with what was found there, and `notices` the addresses that lead nowhere.
    """

    def __init__(self, plan: Plan, document: PurePosixPath) -> None:
        self.notices: list[Notice] = []
        self.copies: set[PurePosixPath] = set()
        self.stamps: dict[str, str] = {}
        self.plan = plan
        self.document = document

    def __call__(self, address: "Address") -> str:
        """Return the address that means in the output what `address` means in the document."""
        return address.url

    def told_with(self, notices: "Iterable[Notice]") -> "tuple[Notice, ...]":
        """Return the notices on addresses with those of a conversion."""
        return (*self.notices, *notices)

    def find(self, path: str) -> PurePosixPath:
        """Return what a path in the document means, relative to the folder, and remember what is there."""
        found = PurePosixPath(os.path.normpath(self.document.parent / path))
        self.stamps[str(found)] = stamp(self.plan, found)
        return found


class PageAddresses(Addresses):
    """Leads links between documents to their outputs, and finds the other files that a page needs beside it."""

    def __call__(self, address: "Address") -> str:
        """Return where an address leads from the page."""
        path = local_path(address.url)
        if path is None:
            return address.url
        found = self.find(path)
        output = self.plan.page_at(found)
        if output:
            return self._to_page(output, address.url)
        if is_copied(self.plan.source, found):
            self.copies.add(found)
        else:
            self._give_notice(address, found)
        return address.url

    def _to_page(self, output: PurePosixPath, url: str) -> str:
        from mdpublish_core.destinations.anchors import page_anchor

        parts = urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        fragment = parts.fragment and f"#{page_anchor(parts.fragment) if self.plan.aim.is_page else parts.fragment}"
        return f"{relative(output, self.plan.outputs[self.document])}{query}{fragment}"

    def _give_notice(self, address: "Address", found: PurePosixPath) -> None:
        where = "leads out of the folder" if found.parts[:1] == ("..",) else "leads to no file"
        self.notices.append(_nowhere(address, where))


class EmbeddingAddresses(Addresses):
    """Takes pictures into the output, which is read away from the folder."""

    def __init__(self, plan: Plan, document: PurePosixPath) -> None:
        super().__init__(plan, document)
        self._pictures = EmbeddedPictures((plan.source / document).parent, allowed=(plan.source,))

    def __call__(self, address: "Address") -> str:
        """Return a picture's file as an address that holds it, any other address as it is."""
        path = local_path(address.url) if address.kind == "picture" else None
        if path is not None:
            self.find(path)
        return self._pictures(address)

    def told_with(self, notices: "Iterable[Notice]") -> "tuple[Notice, ...]":
        """Return the notices on pictures with those of a conversion."""
        is_bare_mail = (self.plan.aim.destination, self.plan.aim.form) == ("email", "html")
        return self._pictures.told_with(notices, mails="--eml" if is_bare_mail else None)


def addresses_for(plan: Plan, document: PurePosixPath) -> Addresses:
    """Return what the aim of a plan makes of a document's addresses."""
    if plan.aim.is_web:
        return PageAddresses(plan, document)
    return (EmbeddingAddresses if plan.aim.embeds else Addresses)(plan, document)


class CheckedAddresses:
    """Finds the relative addresses that lead to no file, and those that lead to no heading; changes none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._nowhere: list[Notice] = []
        self._to_headings: list[tuple[Address, str | None]] = []

    def __call__(self, address: "Address") -> str:
        """Return the address as it is."""
        path = local_path(address.url)
        # For a name that no file can have, os.path says no where pathlib raises.
        if path is not None and not os.path.exists(self._folder / path):  # noqa: PTH110
            self._nowhere.append(_nowhere(address, "leads to no file"))
        elif "#" in address.url and (address.url.startswith("#") or (path and _is_document(path))):
            self._to_headings.append((address, path))
        return address.url

    def notices_of(self, document: "Document") -> "Iterator[Notice]":
        """Yield a notice for each address of the document, once it is parsed, that leads nowhere."""
        yield from self._nowhere
        anchors: dict[str | None, Anchors | None] = {}
        for address, path in self._to_headings:
            file = path and os.path.realpath(self._folder / path)
            if file not in anchors:
                anchors[file] = _anchors(_other(Path(file)) if file else document)
            named = urlsplit(address.url).fragment
            found = anchors[file]
            if named and found and found.resolve(f"#{named}") == f"#{named}":
                yield _nowhere(address, "leads to no heading")


def _is_document(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in DOCUMENT_SUFFIXES


def _other(file: Path) -> "Document | None":
    """Return a document that another one leads to; None where it cannot be read, of which its own check tells."""
    from mdpublish_core import MdpublishError, parse

    try:
        return parse(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, MdpublishError):
        return None


def _anchors(document: "Document | None") -> "Anchors | None":
    from mdpublish_core.destinations.anchors import Anchors

    return document.once(Anchors) if document else None


def _nowhere(address: "Address", where: str) -> Notice:
    return Notice(
        "picture" if address.kind == "picture" else "link",
        f"the {address.kind} {shortened(address.url)!r} {where}",
        address.line,
    )


def is_copied(source: Path, path: PurePosixPath) -> bool:
    """Tell whether a page may have this file of its folder beside it: no hidden one, and none outside of the folder."""
    if any(part.startswith(".") for part in path.parts):
        return False
    # These tell no for a name that no file can have, where pathlib raises.
    file = source / path
    return os.path.isfile(file) and Path(os.path.realpath(file)).is_relative_to(os.path.realpath(source))  # noqa: PTH113


def stamp(plan: Plan, path: PurePosixPath) -> str:
    """Return what is found under a path, in a few characters that change whenever that does."""
    output = plan.page_at(path)
    if output:
        return str(output)
    file = plan.source / path
    # For a name that no file can have, os.path says no where pathlib raises.
    if not os.path.isfile(file):  # noqa: PTH113
        return ABSENT
    status = file.stat()
    return f"{status.st_mtime_ns} {status.st_size}"
