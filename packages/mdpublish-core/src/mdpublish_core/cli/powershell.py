"""Completion in PowerShell, for which click has no class.

The script passes the words before the cursor, one a line, as PowerShell's own parser divides them. Where the command
offers nothing, PowerShell completes names of files.
"""

import os
from typing import ClassVar

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

_SOURCE = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } }
    try {
        $env:%(complete_var)s = "powershell_complete"
        $env:COMP_WORDS = $words -join "`n"
        $env:COMP_WORD = $wordToComplete
        & %(prog_name)s | Where-Object { $_ } | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
        }
    } finally {
        Remove-Item -ErrorAction Ignore Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_WORD
    }
}
"""


class PowerShellComplete(ShellComplete):
    """Completion for Windows PowerShell 5.1 and PowerShell 7."""

    name: ClassVar[str] = "powershell"
    source_template: ClassVar[str] = _SOURCE

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
