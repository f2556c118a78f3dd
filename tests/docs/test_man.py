"""The manual page: current, complete, and nothing in it that roff would read as a request."""

import re

import click

from docs.man.make import PAGE, manual
from mdpublish_core.cli import main
from mdpublish_core.writers.outputs import DESTINATIONS

MACROS = {"TH", "SH", "SS", "TP", "PP", "nf", "fi", '\\"'}


def test_manual_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == manual(), "renew it with: python -m docs.man.make"


def test_manual_page_has_each_command_option_and_destination() -> None:
    page = manual().replace("\\-", "-")
    context = click.Context(main)
    missing = [name for name in DESTINATIONS if f"\\fB{name}\\fR" not in page]
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command
        section = page.partition(f".SS mdpublish {name} ")[2].partition("\n.S")[0]
        options = [option for param in command.params for option in param.opts if option.startswith("-")]
        missing += [f"{name} {option}" for option in options if not re.search(rf"{option}\b", section)]

    assert missing == []


def test_lines_of_the_manual_page_are_text_or_known_macros() -> None:
    controls = [line for line in manual().splitlines() if line.startswith((".", "'"))]

    assert {line[1:].split(" ")[0] for line in controls} == MACROS
    assert manual().isascii()
