"""Progress of long work: a line on a terminal, which the next line replaces; silent in pipes, in CI and for programs."""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import click

T = TypeVar("T")


class Progress:
    """Says on standard error what is being done; `is_silent` where a program reads the report."""

    def __init__(self, *, is_silent: bool = False) -> None:
        is_watched = sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"
        self._columns = shutil.get_terminal_size().columns - 1 if is_watched and not is_silent else 0
        self._width = 0

    def show(self, step: int, steps: int, name: object) -> None:
        """Say what is done now, until `clear`; one step alone is not worth a line."""
        if not self._columns or steps < 2:
            return
        from mdpublish_core.resources.characters import replace_invisible

        line = replace_invisible(f"{step:,} of {steps:,}: {name}")[: self._columns]
        click.echo(f"\r{line:<{self._width}}", nl=False, err=True)
        self._width = len(line)

    def clear(self) -> None:
        """Make room for a line of something else."""
        if self._width:
            click.echo(f"\r{'':{self._width}}\r", nl=False, err=True)
            self._width = 0

    def track(
        self, items: Iterable[T], steps: int | None = None, name: Callable[[T], object] = lambda item: item
    ) -> Iterator[T]:
        """Yield items, each after it was named; without `steps`, they are counted first."""
        if steps is None:
            items = list(items)
            steps = len(items)
        try:
            for step, item in enumerate(items, 1):
                self.show(step, steps, name(item))
                yield item
        finally:
            self.clear()
