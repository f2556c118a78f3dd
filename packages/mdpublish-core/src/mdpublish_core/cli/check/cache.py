"""Notices of earlier runs: those of a file that has not changed, and whose links lead to files that have not."""

import json
import os
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from mdpublish_core import __version__
from mdpublish_core.cli.batch.links import file_stamp
from mdpublish_core.cli.check.checking import Checked, CheckOptions
from mdpublish_core.cli.inputs import STANDARD_INPUT, read_content
from mdpublish_core.cli.notice_formats import FileNotices
from mdpublish_core.notices import Notice
from mdpublish_core.plugins import installed_plugins
from mdpublish_core.resources.folder_files import atomic_write, read_within

FOLDER_NAME = ".mdpublish_cache"

_FILE_NAME = "check.json"

_MAX_ENTRIES = 50_000
"""Above this number, only the files of the last run are kept."""


class CheckCache:
    """The notices of files, kept in `folder`, for runs with the same options."""

    def __init__(self, folder: Path, options: CheckOptions) -> None:
        self._folder = folder.parent.resolve() / folder.name
        self._fingerprint = sha256(
            f"{__version__} {options!r} {installed_plugins()!r} {Path.cwd()}".encode()
        ).hexdigest()
        self._previous = self._read()
        self._entries: dict[str, Any] = {}
        self._has_news = False

    def _read(self) -> dict[str, Any]:
        try:
            content = json.loads(read_within(self._folder.parent, self._folder / _FILE_NAME))
            return dict(content["files"]) if content["fingerprint"] == self._fingerprint else {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}

    def get(self, file: str) -> FileNotices | None:
        """Return the notices of a file that is as it was."""
        key = os.path.abspath(file)  # noqa: PTH100  (links stay)
        try:
            content, stamps, notices = self._previous[key]
            if content != sha256(read_content(file)).hexdigest() or any(
                stamp != file_stamp(path) for path, stamp in stamps.items()
            ):
                return None
            result = FileNotices(file, tuple(Notice(**notice) for notice in notices))
        except (OSError, KeyError, TypeError, ValueError, AttributeError, AssertionError):
            return None
        self._entries[key] = self._previous[key]
        return result

    def add(self, checked: Checked) -> None:
        result = checked.result
        if (
            result.problem
            or result.file == STANDARD_INPUT
            or any(each.code == "machine-busy" for each in result.notices)
        ):
            return
        key = os.path.abspath(result.file)  # noqa: PTH100
        self._entries[key] = [checked.digest, checked.stamps, [asdict(notice) for notice in result.notices]]
        self._has_news = True

    def write(self) -> None:
        """Replace the file at once, so that other runs read a whole one; do without it where nothing can be written."""
        if not self._has_news:
            return
        previous = self._previous if len(self._previous) < _MAX_ENTRIES else {}
        content = json.dumps({"fingerprint": self._fingerprint, "files": previous | self._entries})
        with suppress(OSError):
            with atomic_write(self._folder / _FILE_NAME, root=self._folder.parent) as new:
                new.write(content.encode())
            with suppress(FileExistsError), (self._folder / ".gitignore").open("x", encoding="utf-8") as opened:
                opened.write("*\n")
