"""The check of files, in one or more processes, and their fixes."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import click

from mdpublish_core.cli.check.selection import Selection, without_ignored
from mdpublish_core.cli.console import library_errors
from mdpublish_core.cli.dialects import included_files
from mdpublish_core.cli.fixes import fixes_of, is_fixable
from mdpublish_core.cli.inputs import ParseOptions, folder_of, read_markdown, read_output_name
from mdpublish_core.cli.notice_formats import FileNotices, sort_notices
from mdpublish_core.resources import figure_cache
from mdpublish_core.strings.changes import with_changes

if TYPE_CHECKING:
    from mdpublish_core import Delivery

_MIN_PARALLEL_FILES = 32
"""Fewer are checked faster than processes start."""

_FIRST_FILES = 8

_CHUNKS = 4
"""Chunks per process: files that link to each other are mostly neighbors."""

_MAX_ROUNDS = 10
"""Rounds of fixes to a file: one fix may uncover another fault."""


class CheckOptions(NamedTuple):
    """How files are checked: for the outputs that are named, else the front matter's, else the default ones."""

    outputs: Sequence[str]
    default_outputs: Sequence[str]
    parsing: ParseOptions
    has_delivery: bool = False


class Checked(NamedTuple):
    """A file with its notices and what they depend on: its content, and the linked files with their stamps."""

    result: FileNotices
    digest: str = ""
    stamps: Mapping[str, str] = {}


class Fixed(NamedTuple):
    """A file before and after its fixes, with the notices that are left."""

    result: FileNotices
    before: str = ""
    after: str = ""
    fixed: int = 0


def check_files(files: Sequence[str], options: CheckOptions) -> Iterator[Checked]:
    check = partial(check_file, options=options)
    workers = min(os.cpu_count() or 1, len(files) // _FIRST_FILES)
    if len(files) < _MIN_PARALLEL_FILES or workers < 2:
        yield from map(check, files)
        return
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    # Where processes are forked, they have what the first files have loaded.
    yield from map(check, files[:_FIRST_FILES])
    chunk_size = max(_FIRST_FILES, len(files) // (workers * _CHUNKS))
    with ProcessPoolExecutor(workers, initializer=figure_cache.use, initargs=(figure_cache.in_use(),)) as executor:
        try:
            yield from executor.map(check, files[_FIRST_FILES:], chunksize=chunk_size)
        except BrokenProcessPool:
            raise click.ClickException("a process that checks files crashed, possibly out of memory") from None


def check_file(file: str, options: CheckOptions) -> Checked:
    try:
        with library_errors():
            return _check(file, read_markdown(file), options)
    except click.ClickException as error:
        return Checked(FileNotices(file, problem=error.message))


def fix_file(file: str, options: CheckOptions, selection: Selection, *, unsafe: bool) -> Fixed:
    """Fix a file's text as far as it can be fixed; write nothing."""
    try:
        with library_errors():
            before = after = read_markdown(file)
            count = 0
            for _ in range(_MAX_ROUNDS):
                result = _check(file, after, options).result
                notices = selection.reported(file, result.notices)
                fixes = fixes_of(after, [notice for notice in notices if is_fixable(notice, unsafe=unsafe)])
                if not fixes:
                    break
                after = with_changes(after, fixes)
                count += len(fixes)
            return Fixed(result, before, after, count)
    except click.ClickException as error:
        return Fixed(FileNotices(file, problem=error.message))


def _check(file: str, markdown: str, options: CheckOptions) -> Checked:
    from mdpublish_core.cli.batch.links import LinkChecker, file_stamp
    from mdpublish_core.cli.images import ImageEmbedder
    from mdpublish_core.readers.markdown.url_rewriting import rewrite_urls
    from mdpublish_core.writers.outputs import get_output
    from mdpublish_core.writers.rendering import RenderRequest, write

    named, invalid = read_output_name(markdown)
    names = options.outputs or ([named] if named else options.default_outputs)
    outputs = list(map(get_output, names))
    included = included_files(file)
    document = options.parsing.parse_once(markdown, included)
    links, images = LinkChecker(folder_of(file), options.parsing), None
    notices = [*invalid, *links.notices_of(document)]
    links.keep_targets(file, document)
    delivery: dict[str, Sequence[Delivery]] = {}
    # Embedded images become part of the document: the outputs that have them come last.
    for output in sorted(outputs, key=attrgetter("embeds_images")):
        if output.embeds_images and images is None:
            images = ImageEmbedder(folder_of(file))
            rewrite_urls(document, images)
        conversion = write(document, RenderRequest(output, plain_text=False, only_notices=True))
        delivery[output.name] = conversion.delivery if options.has_delivery else ()
        notices += images.merge_notices(conversion.notices) if images else conversion.notices
    reported = without_ignored(markdown, document, sort_notices(notices))
    arrived = {output.name: delivery[output.name] for output in outputs} if options.has_delivery else None
    result = FileNotices(file, tuple(reported), delivery=arrived)
    stamps = links.stamps | {str(path): file_stamp(path) for path in (included.paths if included else ())}
    return Checked(result, sha256(markdown.encode()).hexdigest(), stamps)
