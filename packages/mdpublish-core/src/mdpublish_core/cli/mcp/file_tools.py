"""Tools that read and write files, so that long documents need not pass through an assistant's context."""

import os
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import click
from mcp.server.mcpserver import ListRoots, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ClientCapabilities, ListRootsResult
from pydantic import Field

from mdpublish_core import Converter, convert, parse, read_file
from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.images import ImageEmbedder
from mdpublish_core.cli.imported import as_markdown
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.cli.mcp.folders import Folders, folders_of_roots
from mdpublish_core.cli.mcp.results import Changes, Checked, MergedFile, Published, Written, notice_fields
from mdpublish_core.cli.mcp.tools import ToolContext, find_notices, formatted_with_changes, reported, show_progress
from mdpublish_core.cli.publish.pages_file import PagesFile
from mdpublish_core.cli.service_keys import service_and_key
from mdpublish_core.mcp.schemas import DestinationNames, OptionValues, Repairs, TemplateId, WholePage, WithComments
from mdpublish_core.merging import find_converter, merge
from mdpublish_core.readers.formats import suffix_of
from mdpublish_core.strings.encodings import InvalidEncoding, decode_source
from mdpublish_core.writers.delivery import delivery_summary
from mdpublish_core.writers.options import misplaced_option
from mdpublish_core.writers.outputs import OUTPUTS, get_output

MAX_FILES = 200
"""Files of a published folder: an assistant reads the outcome of each."""

FilePath = Annotated[str, Field(description="Path of a file.")]
AnyPath = Annotated[str, Field(description="Path of a file or folder.")]
OutputPath = Annotated[str | None, Field(description="File to write; null: beside it, with the suffix of the format.")]
OutputName = Annotated[str, Field(description="Format.", json_schema_extra={"enum": list(OUTPUTS)})]
EditedPath = Annotated[str, Field(description="Path of the edited document.")]
SentPath = Annotated[str | None, Field(description="The Markdown as it was sent, if the file has changed since.")]
MergedPath = Annotated[str | None, Field(description="File to write; null: the Markdown file, by overwrite.")]
Incomplete = Annotated[bool, Field(description="Write even if the result lacks an edit, which a notice names.")]
Overwrite = Annotated[bool, Field(description="Whether to replace a file that is there.")]


def ask_for_roots(context: ToolContext) -> ListRoots | None:
    """Ask the client which folders it works in, unless some were named as the server started."""
    if context.request_context.lifespan_context:
        return None
    if not has_roots(context.client_capabilities):
        raise ToolError("no folder may be read; have the person start the server with: mdpublish mcp --folder DIR")
    return ListRoots()


def has_roots(capabilities: ClientCapabilities | None) -> bool:
    return capabilities is not None and capabilities.roots is not None


def open_folders(context: ToolContext, roots: Annotated[ListRootsResult | None, Resolve(ask_for_roots)]) -> Folders:
    """Return the folders that were named, or those that are the client's roots now."""
    named = context.request_context.lifespan_context
    if named or roots is None:
        assert named
        return named
    with reported():
        return folders_of_roots(str(root.uri) for root in roots.roots)


Opened = Annotated[Folders, Resolve(open_folders)]


def convert_file(
    context: ToolContext,
    folders: Opened,
    path: FilePath,
    to: OutputName,
    *,
    output: OutputPath = None,
    template: TemplateId = None,
    options: OptionValues = None,
    overwrite: Overwrite = False,
) -> Written:
    """Convert a Markdown file to a file, such as docx, eml or page; its text stays out of this chat."""
    with reported():
        show_progress(context, 0, 2, f"converting {path}")
        real, markdown = _read(folders, path)
        conversion = convert(markdown, to=to, template=template, options=_options(folders, to, options or {}))
        content = conversion.to_bytes()
        named = output or str(real.with_suffix(conversion.suffix))
        show_progress(context, 1, 2, f"writing {named}")
        written = folders.write(named, content, overwrite=overwrite)
    delivery = delivery_summary(conversion.delivery)
    return {**notice_fields(conversion.notices), "path": str(written), "bytes": len(content), "delivery": delivery}


def import_file(
    context: ToolContext,
    folders: Opened,
    path: FilePath,
    output: OutputPath = None,
    *,
    comments: WithComments = False,
    whole_page: WholePage = False,
    overwrite: Overwrite = False,
) -> Written:
    """Write a Word file, web page, email, notebook or table as a Markdown file."""
    with reported():
        show_progress(context, 0, 2, f"reading {path}")
        real, content = folders.read(path)
        suffix = real.suffix or suffix_of(content)
        markdown, notices = as_markdown(read_file(content, suffix, comments=comments, whole_page=whole_page))
        named = output or str(real.with_suffix(".md"))
        show_progress(context, 1, 2, f"writing {named}")
        written = folders.write(named, markdown.encode(), overwrite=overwrite)
    return {**notice_fields(notices), "path": str(written), "bytes": len(markdown.encode()), "delivery": ""}


def publish_file(context: ToolContext, folders: Opened, path: AnyPath) -> Published:
    """Publish Markdown files, or their changes, with images, and return their URLs. Only if the person asked for it."""
    with reported():
        # Needs the extra `client`, which other tools do without.
        from mdpublish_core.cli.publish.publisher import Publisher
        from mdpublish_core.client import Client

        root, files = _files_of(folders, path)
        service_url, api_key = service_and_key(os.environ.get("MDPUBLISH_URL"))
        if not api_key:
            raise click.ClickException("no key for the service; have the person run: mdpublish login")
        with Client(service_url, api_key=api_key) as client:
            publisher = Publisher(
                client,
                PagesFile(root, service_url, boundary=root),
                parsing=ParseOptions(),
                on_conflict="keep",
                is_draft=False,
                is_dry=False,
                progress=lambda step, steps, file: show_progress(context, step - 1, steps, file),
            )
            outcomes = [outcome._asdict() for outcome in publisher.publish(files)]
    return {"outcomes": outcomes}


def check_file(context: ToolContext, folders: Opened, path: FilePath, destinations: DestinationNames) -> Checked:
    """Report what some destinations could not show of a Markdown file, as check does."""
    with reported():
        notices = find_notices(context, parse(_read(folders, path)[1]), destinations)
    return {**notice_fields(notices), "is_fine": not notices}


def format_file(folders: Opened, path: FilePath, *, repair: Repairs = False) -> Changes:
    """Format a Markdown file in one style, without a change of what it says."""
    with reported():
        _, markdown = _read(folders, path)
        formatted, changes = formatted_with_changes(markdown, repairs=repair)
        if changes["is_changed"]:
            folders.write(path, formatted.encode(), overwrite=True)
    return changes


def merge_file(
    context: ToolContext,
    folders: Opened,
    path: FilePath,
    edited: EditedPath,
    *,
    sent: SentPath = None,
    output: MergedPath = None,
    overwrite: Overwrite = False,
    incomplete: Incomplete = False,
) -> MergedFile:
    """Merge what a person changed in a Word file, web page or email into the Markdown file that it was made of."""
    with reported():
        show_progress(context, 0, 2, f"reading {edited}")
        real, now = _read(folders, path)
        base = _read(folders, sent)[1] if sent else now
        document, content = folders.read(edited)
        suffix = document.suffix or suffix_of(content)
        read, images = read_file(content, suffix), ImageEmbedder(real.parent, allowed=[folders.root_of(real)])
        converter = find_converter(base, read, Converter(to="generic", rewrite_url=images), suffix)
        merged = merge(base, read, converter, ours=now if sent else None, labels=(path, edited))
        if merged.is_incomplete and not incomplete:
            missing = "; ".join(each.message for each in merged.notices if each.code == "merge-left-out")
            raise click.ClickException(
                f"nothing was written, since the result lacks an edit; set incomplete, if the person agrees: {missing}"
            )
        show_progress(context, 1, 2, f"writing {output or path}")
        written = folders.write(output or path, merged.markdown.encode(), overwrite=overwrite)
    return {**notice_fields(merged.notices), "path": str(written), "conflicts": merged.conflicts}


FILE_TOOLS: dict[str, Callable[..., Any]] = {
    "Convert a file": convert_file,
    "Make a Markdown file": import_file,
    "Publish files": publish_file,
    "Check a file": check_file,
    "Format a file": format_file,
    "Merge an edited document": merge_file,
}
"""By their titles."""


def _options(folders: Folders, to: str, values: Mapping[str, Any]) -> Any:
    output = get_output(to)
    for name in values:
        if name not in output.flags:
            raise click.ClickException(misplaced_option(name[:60], to))
    # A path, which stays within the folders, is read as it is named.
    files = {name: folders.read(str(path))[1] for name, path in values.items() if output.flags[name].is_file}
    return output.options_from({**values, **files})


def _files_of(folders: Folders, path: str) -> tuple[Path, list[str]]:
    """Return the folder that a path is in, and the files there that it stands for."""
    real = folders.find(path)
    root = folders.root_of(real)
    files = [Path(file) for file in islice(expand_folders([str(real)]), MAX_FILES + 1)]
    if not 0 < len(files) <= MAX_FILES:
        number = f"at most {MAX_FILES} Markdown files; have the person run: mdpublish publish {real}"
        raise click.ClickException(f"{path} must have {number if files else 'a Markdown file'}")
    return root, [file.relative_to(root).as_posix() for file in files]


def _read(folders: Folders, path: str) -> tuple[Path, str]:
    real, content = folders.read(path)
    try:
        return real, decode_source(content)
    except InvalidEncoding as error:
        raise click.ClickException(f"{path} is {error}") from None
