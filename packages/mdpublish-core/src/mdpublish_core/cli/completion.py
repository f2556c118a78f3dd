"""The `completion` command."""

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.cli.powershell import register

_PROGRAM = "mdpublish"
_VARIABLE = "_MDPUBLISH_COMPLETE"


@click.command(cls=Command, examples=[("completion bash", "Print the script for bash.")])
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish", "powershell"]))
@click.pass_context
def completion(context: click.Context, *, shell: str) -> None:
    """Print a shell completion script.

    \b
    bash: echo 'eval "$(mdpublish completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(mdpublish completion zsh)"' >> ~/.zshrc
    fish: mdpublish completion fish > ~/.config/fish/completions/mdpublish.fish
    PowerShell: mdpublish completion powershell >> $PROFILE
    """  # noqa: D301  (\b: click keeps the lines)
    from click.shell_completion import get_completion_class

    register()
    completer = get_completion_class(shell)
    assert completer
    click.echo(completer(context.find_root().command, {}, _PROGRAM, _VARIABLE).source())
