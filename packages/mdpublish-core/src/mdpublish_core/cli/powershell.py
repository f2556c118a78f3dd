"""Completion in PowerShell, for which click has no class.

The script passes the words before the cursor, one a line, as PowerShell's own parser divides them. Where the command
offers nothing, PowerShell completes names of files.
"""

import os
from pathlib import Path
from typing import ClassVar

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class


class PowerShellComplete(ShellComplete):
    """Completion for Windows PowerShell 5.1 and PowerShell 7."""

    name: ClassVar[str] = "powershell"
    source_template: ClassVar[str] = Path(__file__).with_name("completion.ps1").read_text("utf-8")

    def get_completion_args(self) -> tuple[list[str], str]:
        words = os.environ["COMP_WORDS"].splitlines()[1:]
        incomplete = os.environ.get("COMP_WORD", "")
        return (words[:-1] if incomplete and words else words), incomplete

    def format_completion(self, item: CompletionItem) -> str:
        if item.type != "plain":
            return ""  # dropped below
        value = str(item.value)
        return f"{value}\t{' '.join((item.help or value).split())}"

    def complete(self) -> str:
        return "\n".join(filter(None, super().complete().split("\n")))


def register() -> None:
    add_completion_class(PowerShellComplete)
