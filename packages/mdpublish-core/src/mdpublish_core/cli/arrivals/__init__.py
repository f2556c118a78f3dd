"""The `arrivals` command: specimens to paste, open and mail, and a form in which a person ticks what arrived.

What other programs make of our outputs, only people with these programs can see.
"""

import json
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.data_files import read_table

if TYPE_CHECKING:
    from mdpublish_core import Document

_FOLDER = Path(__file__).parent

SPECIMENS = "specimens.md"


class ArrivalPlace(NamedTuple):
    """A program in which specimens arrive: by pasting a destination, or by opening a file."""

    name: str
    program: str
    kind: str
    subject: str
    steps: str


def read_places() -> list[ArrivalPlace]:
    """Return the places of outputs that there are."""
    from mdpublish_core.writers.outputs import output_names

    places = [ArrivalPlace(*row) for row in read_table(__file__, "places.tsv")]
    return [each for each in places if each.kind != "paste" or each.subject in output_names()]


@click.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path))
def arrivals(*, folder: Path) -> None:
    """Write twelve specimens to FOLDER, with a page that copies them for each program and keeps what arrived there.

    The page works offline. It saves its results as a table.
    """
    from mdpublish_core import MdpublishError, convert, parse
    from mdpublish_core.writers.outputs import output_of_suffix

    markdown = (_FOLDER / SPECIMENS).read_text("utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SPECIMENS).write_text(markdown, "utf-8")
    places = read_places()
    for name in sorted({each.subject for each in places if each.kind == "open"}):
        output = output_of_suffix(Path(name).suffix)
        assert output
        try:
            convert(markdown, to=output).save(folder / name)
        except MdpublishError as error:
            # Of a PDF, whose extra may be missing.
            click.echo(f"left out {name}: {error}", err=True)
            places = [each for each in places if each.subject != name]
    (folder / "index.html").write_text(_page(parse(markdown), places), "utf-8")
    click.echo(f"Open {folder / 'index.html'}")


def _page(document: "Document", places: list[ArrivalPlace]) -> str:
    from mdpublish_core.nodes import text_content
    from mdpublish_core.writers.clipboard import render_for_clipboard

    shown = []
    for each in places:
        values = {"name": each.name, "program": each.program, "steps": each.steps}
        if each.kind == "paste":
            contents, _ = render_for_clipboard(document, each.subject)
            values |= {"html": contents.html or "", "text": contents.plain_text or ""}
        shown.append(values)
    specimens = [text_content(each) for each in document.headings if each.level == 2]
    data = json.dumps({"specimens": specimens, "places": shown}, ensure_ascii=False).replace("<", "\\u003c")
    template = Template((_FOLDER / "page.html").read_text("utf-8"))
    return template.substitute(data=data, script=(_FOLDER / "page.js").read_text("utf-8"))
