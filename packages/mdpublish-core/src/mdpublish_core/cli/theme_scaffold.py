"""The `templates new` and `templates check` commands."""

from pathlib import Path

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.cli.console import library_errors, pluralize
from mdpublish_core.cli.inputs import display_name
from mdpublish_core.cli.options import table_options


@click.command(cls=Command, examples=[("templates new brand --from paper", "Write brand.toml.")])
@click.argument("name")
@table_options("templates new")
def new(*, name: str, base: str) -> None:
    """Create a theme file from a built-in template.

    Writes NAME.toml. NAME is the id of the new template: lowercase letters and digits, joined by hyphens.
    """
    from mdpublish_core.templates.scaffold import scaffold_theme

    with library_errors():
        theme = scaffold_theme(base, name)
    file = Path(f"{name}.toml")
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(theme)
    except FileExistsError:
        raise click.ClickException(f"{file} already exists; choose another name") from None
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"Created {file} from {base}. Edit it, then preview and check it:\n", err=True)
    click.echo(f"  mdpublish preview README.md --template ./{file}", err=True)
    click.echo(f"  mdpublish templates check {file}", err=True)


@click.command(cls=Command, examples=[("templates check brand.toml", "List what should be better.")])
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
def check(*, files: tuple[str, ...]) -> None:
    """Check theme files.

    Reports invalid keys and values, CSS rules that do not style slots, contrast, sizes, spacing, line lengths and
    fonts, each with its key and a fix, CSS rules with their line. Exits with status 1 if there are any findings. Some
    properties need a browser, such as line lengths with your own fonts: use `mdpublish preview` for them.
    """
    count = 0
    for file in files:
        with library_errors():
            findings = _findings(file)
        count += len(findings)
        for line in findings:
            click.echo(f"{click.style(f'{display_name(file)}:', bold=True)} {line}")
    click.echo(f"{pluralize(count, 'finding')} in {pluralize(len(files), 'file')}", err=True)
    if count:
        raise SystemExit(1)


def _findings(file: str) -> list[str]:
    from mdpublish_core.errors import InvalidTheme
    from mdpublish_core.templates.catalog import read_theme_file
    from mdpublish_core.templates.lint import inlining_findings, lint_template
    from mdpublish_core.templates.loader import parse_theme, theme_problems

    try:
        content = read_theme_file(file)
    except OSError as error:
        return [f"cannot read file: {error.strerror}"]
    except InvalidTheme as error:
        return [_line(error.key, error.problem)]
    if problems := theme_problems(content, file):
        return [_line(problem.key, problem.problem) for problem in problems]
    template = parse_theme(content, file)
    return [
        _line(finding.key, f"{finding.problem}; {finding.remedy}")
        for finding in (*lint_template(template, content), *inlining_findings(template))
    ]


def _line(key: str, message: str) -> str:
    return f"{click.style(key, fg='yellow')}: {message}"
