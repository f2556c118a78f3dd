"""The examples of mhchem's manual with what they show, from `chemistry_examples.txt`.

Each has four lines: the command, its argument, what it shows (as `tests.chemistry` writes it; the values are those of
mhchemParser, which `tests/conformance/test_mhchem.py` compares), and its Unicode text.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("chemistry_examples.txt")


class ChemistryExample(NamedTuple):
    command: str
    notation: str
    shown: str
    unicode_text: str

    @property
    def tex(self) -> str:
        return f"\\{self.command}{{{self.notation}}}"


@cache
def examples() -> tuple[ChemistryExample, ...]:
    blocks = _FILE.read_text("utf-8").strip("\n").split("\n\n")
    return tuple(ChemistryExample(*block.split("\n")) for block in blocks)
