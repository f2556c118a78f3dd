"""The `format` command."""

from typing import TYPE_CHECKING, NamedTuple

import click

from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import STANDARD_OUTPUT, error_line, pluralize, write
from mdpublish_core.cli.fixes import print_diff
from mdpublish_core.cli.formatted_words import find_difference
from mdpublish_core.cli.inputs import STANDARD_INPUT, ParseOptions, display_name, error_message, read_markdown
from mdpublish_core.cli.options import extensions_option, wrap_option

if TYPE_CHECKING:
    from mdpublish_core import Document


class _Formatted(NamedTuple):
    """A file before and after; a `problem` says why it is left alone."""

    file: str
    before: str = ""
    after: str = ""
    problem: str | None = None

    @property
    def is_changed(self) -> bool:
        return self.before != self.after


@click.command(
    cls=ConfiguredCommand,
    input_name="files",
    examples=[
        ("format README.md docs", "Rewrite a file, and all those in a folder."),
        ("format --check .", "Fail in CI if a file is not formatted."),
        ("format --diff --wrap 80 notes.md", "Show what lines of 80 columns would change."),
    ],
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; exit with status 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change, with status 1 if anything would.")
@click.option(
    "--repair", "repairs", is_flag=True, help="Before, repair what a chat, a terminal or a mail program spoiled."
)
@wrap_option("lines end where they do")
@extensions_option
def format(  # noqa: A001  (the command's name)
    *,
    files: tuple[str, ...],
    check: bool,
    diff: bool,
    repairs: bool,
    wrap: int | None,
    extensions: tuple[str, ...],
    configured: ConfiguredDefaults,
) -> None:
    """Rewrite Markdown files in one style.

    A file is left alone, and named with the line on standard error, if it would lose or gain a word, URL or link
    definition, or be read as another document. Directories are searched recursively for Markdown files; - formats
    standard input to standard output. Exits with status 1 if a file is left alone.
    """
    parsing = ParseOptions("keep", extensions, (), configured.extensions)
    results = [_formatted(file, parsing, wrap, repairs=repairs) for file in expand_folders(files)]
    for result in results:
        if result.problem is not None:
            click.echo(error_line(result.problem), err=True)
        elif diff:
            print_diff(result.file, result.before, result.after)
        elif check and result.is_changed:
            click.echo(f"Would format {display_name(result.file)}")
        elif result.file == STANDARD_INPUT and not check:
            write(STANDARD_OUTPUT, result.after.encode())
        elif result.is_changed:
            write(result.file, result.after.encode())
    changed = sum(result.is_changed for result in results)
    failed = sum(result.problem is not None for result in results)
    if [result.file for result in results] != [STANDARD_INPUT]:
        click.echo(_summary(len(results), changed, failed, is_written=not (check or diff)), err=True)
    if failed or (changed and (check or diff)):
        raise SystemExit(1)


def _summary(files: int, changed: int, failed: int, *, is_written: bool) -> str:
    parts = [f"{pluralize(changed, 'file')} {'formatted' if is_written else 'would change'}"]
    if unchanged := files - changed - failed:
        parts.append(f"{unchanged:,} unchanged")
    if failed:
        parts.append(f"{failed:,} left alone")
    return ", ".join(parts)


def _formatted(file: str, parsing: ParseOptions, wrap: int | None, *, repairs: bool) -> _Formatted:
    from mdpublish_core import MdpublishError
    from mdpublish_core.repair import repair

    try:
        before = read_markdown(file)
        source = repair(before).markdown if repairs else before
        after = _format(source, parsing, wrap)
    except click.ClickException as error:
        return _Formatted(file, problem=error.message)
    except MdpublishError as error:
        return _Formatted(file, problem=f"{display_name(file)}: {error_message(error)}")
    if after is None:
        problem = "cannot be written in another way; it is left alone, please report its text"
        return _Formatted(file, problem=f"{display_name(file)} {problem}")
    if difference := find_difference(source, after):
        return _Formatted(file, problem=f"{display_name(file)}:{difference}; the file is left alone")
    unread = [notice for notice in parsing.parse(source).notices if notice.code == "unread-syntax"]
    messages = {notice.message for notice in parsing.parse(after).notices} if unread else ()
    if lost := next((notice for notice in unread if notice.message not in messages), None):
        problem = f"{display_name(file)}:{lost.line}: {lost.message}, or add --repair; the file is left alone"
        return _Formatted(file, problem=problem)
    return _Formatted(file, before, after)


def _format(source: str, parsing: ParseOptions, wrap: int | None) -> str | None:
    """Return a formatted text, or None if it would be read as another document.

    Front matter, the byte-order mark and the kind of line ends stay. Raw HTML is read as its source, so that comments
    stay, and not filtered.
    """
    from mdpublish_core import to_markdown
    from mdpublish_core.nodes import replace

    plain = parsing._replace(extensions=[*parsing.extensions, "no-tagfilter"])
    document = plain.parse(source)
    front_matter = _front_matter_of(source, document)
    body = to_markdown(replace(document, front_matter=None), wrap=wrap)
    formatted = front_matter + ("\n" if front_matter and body else "") + body
    for reading in (plain, plain._replace(raw_html="sanitize")):
        if not _are_same(reading.parse(source), reading.parse(formatted), is_wrapped=wrap is not None):
            return None
    mark = "\ufeff" if source.startswith("\ufeff") else ""
    return mark + (formatted.replace("\n", "\r\n") if "\r\n" in source else formatted)


def _front_matter_of(source: str, document: "Document") -> str:
    from mdpublish_core.readers.markdown.document import normalize
    from mdpublish_core.readers.markdown.front_matter import FrontMatterBlock, find_front_matter

    lines = normalize(source).split("\n")
    block = find_front_matter(lines) if "front-matter" in (document.origin.extensions or ()) else None
    return "".join(f"{line}\n" for line in lines[: block.end]) if isinstance(block, FrontMatterBlock) else ""


def _are_same(before: "Document", after: "Document", *, is_wrapped: bool) -> bool:
    from mdpublish_core.writers.markdown.rereading import flowed

    if not is_wrapped or before == after:
        return before == after
    return before.front_matter == after.front_matter and all(
        flowed(left) == flowed(right)
        for left, right in (
            (before.children, after.children),
            (before.footnote_definitions, after.footnote_definitions),
        )
    )
