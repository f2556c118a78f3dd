"""Tools that read and write files, so that long documents need not pass through an assistant's context."""

import os
from collections.abc import Callable
from typing import Annotated, Any

import click
from pydantic import Field

from mdpublish_core import convert, parse, read_file, render
from mdpublish_core.cli.imported import as_markdown
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.results import Checked, Written, notice_fields
from mdpublish_core.cli.mcp.tools import reported
from mdpublish_core.cli.publish.pages_file import PagesFile
from mdpublish_core.cli.service_keys import service_and_key
from mdpublish_core.mcp_schemas import DestinationNames, TemplateId
from mdpublish_core.readers.formats import suffix_of
from mdpublish_core.writers.delivery import delivery_summary
from mdpublish_core.writers.outputs import OUTPUTS

FilePath = Annotated[str, Field(description="Path of a file.")]
OutputPath = Annotated[str | None, Field(description="File to write; null: beside it, with the suffix of the format.")]
OutputName = Annotated[str, Field(description="Format.", json_schema_extra={"enum": list(OUTPUTS)})]
Overwrite = Annotated[bool, Field(description="Whether to replace a file that is there.")]


class FileTools:
    """The tools for some folders."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The tools by their titles."""
        return {
            "Convert a file": self.convert_file,
            "Make a Markdown file": self.import_file,
            "Publish a file": self.publish_file,
            "Check a file": self.check_file,
        }

    def convert_file(
        self, path: FilePath, to: OutputName, output: OutputPath = None, template: TemplateId = None, *, overwrite: Overwrite = False
    ) -> Written:  # fmt: skip
        """Convert a Markdown file to a file, such as docx, eml or page; its text stays out of this chat."""
        with reported():
            real, markdown = self._read(path)
            conversion = convert(markdown, to=to, template=template)
            content = conversion.to_bytes()
            named = output or str(real.with_suffix(conversion.suffix))
            written = self._folders.write(named, content, overwrite=overwrite)
        delivery = delivery_summary(conversion.delivery)
        return {**notice_fields(conversion.notices), "path": str(written), "bytes": len(content), "delivery": delivery}

    def import_file(self, path: FilePath, output: OutputPath = None, *, overwrite: Overwrite = False) -> Written:
        """Write a Word file, web page, email, notebook or table as a Markdown file."""
        with reported():
            real, content = self._folders.read(path)
            markdown, notices = as_markdown(read_file(content, real.suffix or suffix_of(content)))
            named = output or str(real.with_suffix(".md"))
            written = self._folders.write(named, markdown.encode(), overwrite=overwrite)
        return {**notice_fields(notices), "path": str(written), "bytes": len(markdown.encode()), "delivery": ""}

    def publish_file(self, path: FilePath) -> dict[str, Any]:
        """Publish a Markdown file, or its changes, with its images, and return its URL. Only if the person asked for it."""
        with reported():
            # Needs the extra `client`, which other tools do without.
            from mdpublish_core.cli.publish.publisher import Publisher
            from mdpublish_core.client import Client

            real, _ = self._read(path)
            root = self._folders.root_of(real)
            service_url, api_key = service_and_key(os.environ.get("MDPUBLISH_URL"))
            if not api_key:
                raise click.ClickException("no key for the service; have the person run: mdpublish login")
            with Client(service_url, api_key=api_key) as client:
                publisher = Publisher(
                    client,
                    PagesFile(root, service_url),
                    parsing=ParseOptions(),
                    on_conflict="keep",
                    is_draft=False,
                    is_dry=False,
                    progress=lambda *_step: None,
                )
                outcomes = [outcome.as_json() for outcome in publisher.publish([real.relative_to(root).as_posix()])]
        return {"outcomes": outcomes}

    def check_file(self, path: FilePath, destinations: DestinationNames) -> Checked:
        """Report what some destinations could not show of a Markdown file, as check does."""
        with reported():
            document = parse(self._read(path)[1])
            notices = [each for name in destinations for each in render(document, to=name).notices]
        return {**notice_fields(notices), "is_fine": not notices}

    def _read(self, path: str) -> tuple[Any, str]:
        real, content = self._folders.read(path)
        try:
            return real, content.decode()
        except UnicodeDecodeError as error:
            raise click.ClickException(
                f"{path} is not valid UTF-8 (byte {error.start + 1}); save it as UTF-8"
            ) from None
