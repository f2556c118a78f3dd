"""The tools. Their docstrings and fields are what an assistant reads about them."""

from binascii import Error as NotBase64
from binascii import a2b_base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, cast

import click
from anyio import from_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from mdpublish_core import (
    Document,
    MdpublishError,
    Notice,
    convert,
    list_templates,
    parse,
    read_file,
    read_html,
    render,
)
from mdpublish_core.cli.clipboards import Clipboard
from mdpublish_core.cli.inputs import error_message
from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.results import Changes, Checked, Copied, FormattedText, notice_fields
from mdpublish_core.errors import UnknownOutput
from mdpublish_core.formatting import format_markdown
from mdpublish_core.mcp import schemas
from mdpublish_core.readers.formats import suffix_of
from mdpublish_core.readers.markdown import added_extensions
from mdpublish_core.repair import repair
from mdpublish_core.writers.clipboard import ClipboardContents, render_for_clipboard
from mdpublish_core.writers.delivery import delivery_summary
from mdpublish_core.writers.document_defaults import title_of
from mdpublish_core.writers.outputs import FILES, destination_names, get_destination
from mdpublish_core.writers.pasting import pasting_of

ToolContext = Context[Folders | None, Any]
"""A tool's context, whose lifespan has the folders that were named when the server started."""


def show_progress(context: ToolContext, done: int, steps: int, message: str) -> None:
    """Tell a client that asked for progress which step begins. A tool calls it in its thread."""
    from_thread.run(context.report_progress, done, steps, message)


def list_available_templates(category: schemas.CategoryName = None) -> schemas.TemplateList:
    """List templates by category; of one category, with descriptions."""
    with reported():
        templates = list_templates(category)  # type: ignore[arg-type]
    by_category: dict[str, list[str]] = {}
    for template in templates:
        line = f"{template.id}: {template.description}" if category else template.id
        by_category.setdefault(template.category, []).append(line)
    return {"templates": by_category}


def convert_markdown(
    context: ToolContext,
    markdown: schemas.Markdown,
    destination: schemas.DestinationName,
    template: schemas.TemplateId = None,
    theme_mode: schemas.Mode = None,
    *,
    format: schemas.FormatName = None,  # noqa: A002  (as in the API)
    include_output: schemas.IncludeOutput = False,
) -> schemas.Converted:
    """Convert Markdown for a destination, and report what could not be shown as written.

    To hand a document to a person who will paste it, use copy_to_clipboard where it is offered: it carries the
    formatted text, which no message in this chat can.
    """
    with reported():
        if destination in FILES:
            raise UnknownOutput(destination, destination_names())
        if format and FILES[format].destination != destination:
            raise click.ClickException(f"format {format} is for the destination {FILES[format].destination} alone")
        show_progress(context, 0, 1, f"converting for {destination}")
        conversion = convert(markdown, to=format or destination, template=template, theme_mode=theme_mode)
    output = conversion.to_bytes().decode()
    is_too_long = len(output) > schemas.MAX_OUTPUT_CHARACTERS
    return {
        **notice_fields(conversion.notices),
        "delivery": delivery_summary(conversion.delivery),
        "characters": len(output),
        "output": output if include_output and not is_too_long else None,
        "next_step": _too_long(len(output)) if include_output and is_too_long else None,
    }


def import_document(
    context: ToolContext,
    html: schemas.Html = None,
    file: schemas.FileContent = None,
    format: schemas.InputFormat = None,  # noqa: A002  (as in the API)
    *,
    whole_page: schemas.WholePage = True,
    offset: schemas.Offset = 0,
    comments: schemas.WithComments = False,
) -> schemas.Imported:
    """Make Markdown of HTML, a Word file, an email, a notebook or a table; long texts come in parts."""
    with reported():
        if (html is None) is (file is None):
            raise click.ClickException("give either html or file")
        if comments and file is None:
            raise click.ClickException("comments must be left out, unless file is given")
        show_progress(context, 0, 1, "importing")
        if file is None:
            imported = read_html(html or "", whole_page=whole_page)
        else:
            content = _decoded(file)
            suffix = suffix_of(content, format)
            imported = read_file(content, suffix, comments=comments, whole_page=whole_page)
        notices = map(asdict, imported.notices)
        title, images = title_of(imported.document), len(imported.media)
        return schemas.imported_fields(imported.markdown, title, notices, images=images, offset=offset)


def _decoded(file: str) -> bytes:
    try:
        return a2b_base64("".join(file.split()), strict_mode=True)
    except (NotBase64, ValueError):
        raise click.ClickException("file must be base64") from None


def check_markdown(context: ToolContext, markdown: schemas.Markdown, destinations: schemas.DestinationNames) -> Checked:
    """Report what some destinations could not show as written: notices with line, column and, where known, a fix."""
    with reported():
        notices = find_notices(context, parse(markdown), destinations)
    return {**notice_fields(notices), "is_fine": not notices}


def format_text(
    markdown: schemas.Markdown, *, repair: schemas.Repairs = False, offset: schemas.Offset = 0
) -> FormattedText:
    """Format Markdown in one style, without a change of what it says; long texts come in parts."""
    with reported():
        formatted, changes = formatted_with_changes(markdown, repairs=repair)
    return cast("FormattedText", {**changes, **schemas.part_of(formatted, "markdown", offset)})


def formatted_with_changes(markdown: str, *, repairs: bool) -> tuple[str, Changes]:
    """Return a text that is formatted as by the command, and what is said of it."""
    repaired = repair(markdown) if repairs else None
    source = repaired.markdown if repaired else markdown
    formatted = format_markdown(source, extensions=added_extensions(source, ()))
    refused = [f"line {each.line}, by {each.rule}: {each.reason}" for each in formatted.refused[: schemas.MAX_NOTICES]]
    said = repaired.summary if repaired else ""
    return formatted.markdown, {"is_changed": formatted.markdown != markdown, "repairs": said, "refused": refused}


def find_notices(context: ToolContext, document: Document, destinations: list[str]) -> list[Notice]:
    """Return the notices of all destinations."""
    notices: list[Notice] = []
    for done, name in enumerate(destinations):
        show_progress(context, done, len(destinations), f"checking for {name}")
        notices += render(document, to=name).notices
    return notices


def copying_to(clipboard: Clipboard) -> Callable[..., Copied]:
    """Return the tool that copies to `clipboard`."""

    def copy_to_clipboard(
        markdown: schemas.Markdown,
        destination: schemas.DestinationName,
        template: schemas.TemplateId = None,
        theme_mode: schemas.Mode = None,
    ) -> Copied:
        """Put a formatted document on the person's clipboard, replacing what is there, to paste where they write.

        Headings, lists, tables, code, diagrams and math arrive as the program of that destination keeps them.
        """
        with reported():
            output = get_destination(destination)
            contents, pasted = render_for_clipboard(parse(markdown), output, template=template, theme_mode=theme_mode)
            if contents.html is not None and not clipboard.supports_both_formats:
                contents = ClipboardContents(contents.html, None)
            clipboard.write(contents)
        return {
            **notice_fields(pasted.notices),
            "destination": destination,
            "next_step": f"Tell the person to paste (Ctrl+V, or Cmd+V) into {pasting_of(output).into}.",
        }

    return copy_to_clipboard


def _too_long(characters: int) -> str:
    return (
        f"The output has {characters:,} characters, more than the {schemas.MAX_OUTPUT_CHARACTERS:,} that a result may have. Use "
        "copy_to_clipboard or convert_file where they are offered."
    )


@contextmanager
def reported() -> Iterator[None]:
    """Turn errors into ones whose message the assistant sees."""
    try:
        yield
    except MdpublishError as error:
        raise ToolError(error_message(error)) from None
    except click.ClickException as error:
        raise ToolError(error.message) from None
