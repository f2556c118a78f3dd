"""The `completion` command."""

import click

_PROGRAM = "mdpublish"
_VARIABLE = "_MDPUBLISH_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, *, shell: str) -> None:
    """Print a shell completion script.

    \b
    bash: echo 'eval "$(mdpublish completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(mdpublish completion zsh)"' >> ~/.zshrc
    fish: mdpublish completion fish > ~/.config/fish/completions/mdpublish.fish
    """  # noqa: D301  (\b: click keeps the lines)
    from click.shell_completion import get_completion_class

    completer = get_completion_class(shell)
    assert completer
    click.echo(completer(context.find_root().command, {}, _PROGRAM, _VARIABLE).source())
