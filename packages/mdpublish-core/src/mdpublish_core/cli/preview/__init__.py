"""The `preview` command."""

from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import library_errors
from mdpublish_core.cli.inputs import STANDARD_INPUT, ParseOptions
from mdpublish_core.cli.options import markdown_options, style_options, table_options

if TYPE_CHECKING:
    from mdpublish_core.cli.preview.document import PreviewDocument
    from mdpublish_core.cli.preview.server import PreviewServer
    from mdpublish_core.templates import ThemeMode

PORT = 8765

_MAX_PORTS_TRIED = 20


@click.command(cls=ConfiguredCommand, input_name="file")
@click.argument("file", metavar="FILE", type=click.Path(path_type=str))
@table_options("preview to")
@style_options
@markdown_options
@table_options("preview")
@table_options("cache")
def preview(
    *,
    file: str,
    to: str | None,
    template: str | None,
    theme_mode: "ThemeMode | None",
    css_file: str | None,
    parsing: ParseOptions,
    port: int | None,
    open_browser: bool,
    configured: ConfiguredDefaults,
) -> None:
    """Preview a file in the browser, updating as you save.

    Shows the document as it would be published. The preview is accessible from this machine only. Press Ctrl-C to stop.
    """
    if file == STANDARD_INPUT:
        raise click.UsageError("cannot preview standard input; save the document to a file")
    from mdpublish_core.cli.preview.document import PreviewDocument

    with library_errors():
        document = PreviewDocument(
            file,
            to=to,
            template=template,
            theme_mode=theme_mode,
            css_file=css_file,
            parsing=parsing,
            configured=configured,
        )
    with _listen(document, port) as server:
        try:
            click.echo(f"Preview of {file} at {server.url}")
            click.echo("Press Ctrl-C to stop.")
            if open_browser:
                _open(server.url)
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()


def _listen(document: "PreviewDocument", port: int | None) -> "PreviewServer":
    from mdpublish_core.cli.preview.server import PreviewServer

    tried = [*range(PORT, PORT + _MAX_PORTS_TRIED), 0] if port is None else [port]
    for number in tried:
        try:
            return PreviewServer(document, port=number)
        except OSError as error:
            problem = error.strerror
    hint = "choose another --port, or omit it to use the next free one" if port is not None else "stop another preview"
    raise click.ClickException(f"cannot listen on port {tried[-1]}: {problem}; {hint}")


def _open(url: str) -> None:
    """Use a thread: some browsers block until they are closed."""
    import webbrowser
    from threading import Thread

    def opened() -> None:
        if not webbrowser.open(url):
            click.echo("Cannot open a browser; open the URL manually.", err=True)

    Thread(target=opened, daemon=True).start()
