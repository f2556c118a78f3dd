"""`mdpublish templates new` and `check`: a template of one's own, begun with a built-in one, and held to what makes a good one."""

from pathlib import Path

import click

from mdpublish_core.cli.console import library_errors, pluralize
from mdpublish_core.cli.inputs import display_name
from mdpublish_core.cli.options import BUILT_IN_TEMPLATE


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "base",
    metavar="TEMPLATE",
    type=BUILT_IN_TEMPLATE,
    default="swiss",
    show_default=True,
    help="Built-in template to begin with.",
)
def new(*, name: str, base: str) -> None:
    """Begin a template of your own, as the file NAME.toml.

    NAME is the id of your template: lower-case letters and digits, joined by hyphens.
    """
    from mdpublish_core.templates.scaffold import scaffold_theme

    with library_errors():
        theme = scaffold_theme(base, name)
    file = Path(f"{name}.toml")
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(theme)
    except FileExistsError:
        raise click.ClickException(f"{file} is there already; choose another name") from None
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file} is {base} under your name. Change it, and look at it:\n", err=True)
    click.echo(f"  mdpublish preview README.md --template ./{file}", err=True)
    click.echo(f"  mdpublish templates check {file}", err=True)


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
def check(*, files: tuple[str, ...]) -> None:
    """Print what is not well with theme files: each finding with its key and what to do.

    Keys and values, rules of its own, contrast, sizes and spaces, lines, fonts. The exit status is 1 where there is anything
    to print. What a browser alone can tell, such as how long lines are with your fonts, you see in `mdpublish preview`.
    """
    count = 0
    for file in files:
        for line in _findings(file):
            count += 1
            click.echo(f"{click.style(f'{display_name(file)}:', bold=True)} {line}")
    click.echo(f"{pluralize(count, 'finding')} in {pluralize(len(files), 'file')}", err=True)
    if count:
        raise SystemExit(1)


def _findings(file: str) -> list[str]:
    """Return a line for each finding in a file."""
    from mdpublish_core import InvalidTheme
    from mdpublish_core.templates.catalog import read_theme_file
    from mdpublish_core.templates.lint import lint_template
    from mdpublish_core.templates.loader import parse_theme, theme_problems

    try:
        content = read_theme_file(file)
    except OSError as error:
        return [f"cannot be read: {error.strerror}"]
    except InvalidTheme as error:
        return [_line(error.key, error.problem)]
    problems = theme_problems(content, file)
    if problems:
        return [_line(problem.key, problem.problem) for problem in problems]
    return [
        _line(finding.key, f"{finding.problem}; {finding.remedy}")
        for finding in lint_template(parse_theme(content, file))
    ]


def _line(key: str, message: str) -> str:
    return f"{click.style(key, fg='yellow')}: {message}"
