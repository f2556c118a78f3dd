"""The recipients of a mailing: a CSV file whose first row names the fields. All rows are checked before one is sent."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from email.headerregistry import Address
from typing import NamedTuple

import click

from mdpublish_core.cli.inputs import read_bytes
from mdpublish_core.mail.headers import CONTROLS, parse_mailbox
from mdpublish_core.readers.csv import read_rows

_EMAIL_COLUMNS = ("email", "e-mail", "mail", "address")

MAX_VALUE_CHARACTERS = 1_000


class Recipient(NamedTuple):
    """Who gets a message, and the values of their fields."""

    mailbox: Address
    values: Mapping[str, str]

    @property
    def email_address(self) -> str:
        return self.mailbox.addr_spec

    @property
    def key(self) -> str:
        """The address by which the ledger knows them: the same one in other letters is no other recipient."""
        return self.email_address.lower()


def read_recipients(file: str, fields: Collection[str]) -> list[Recipient]:
    """Return one recipient per row. Raises `ClickException` for the first with an invalid address or no such field."""
    (_, header), *rows = read_rows(read_bytes(file) or b"") or [(1, [])]
    columns = [name.strip() for name in header]
    email_column = next((name for name in columns if name.lower() in _EMAIL_COLUMNS), None)
    if email_column is None:
        raise click.ClickException(
            f"{file} must have a column email in its first row (got {', '.join(columns) or 'none'})"
        )
    if twice := next((name for name, times in Counter(columns).items() if name and times > 1), None):
        raise click.ClickException(f"{file} has two columns {twice}; rename one")
    if unknown := sorted(set(fields) - set(columns)):
        known = ", ".join(columns)
        raise click.ClickException(
            f"the text has the field {{{{{unknown[0]}}}}}, and {file} no such column; it has {known}"
        )
    seen: dict[str, int] = {}
    recipients, problems = [], []
    for number, row in rows:
        values = dict(zip(columns, (" ".join(cell.split()) for cell in row), strict=False))
        in_row = [*_problems(values, email_column, fields)]
        if any(map(str.strip, row[len(columns) :])):
            in_row.insert(0, f"has {len(row)} cells, and the first row {len(columns)}; put cells with commas in quotes")
        if not in_row:
            recipients.append(recipient := _recipient(values, email_column))
            if (first := seen.setdefault(recipient.key, number)) != number:
                in_row.append(f"{recipient.key} is also in row {first}; keep one of them")
        problems += [f"row {number}: {problem}" for problem in in_row]
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise click.ClickException(f"{file}: {problems[0]}{more}; nothing was sent")
    if not recipients:
        raise click.ClickException(f"{file} has no recipients below its first row")
    return recipients


def _problems(values: Mapping[str, str], email_column: str, fields: Collection[str]) -> Iterator[str]:
    for name, value in values.items():
        if len(value) > MAX_VALUE_CHARACTERS:
            yield f"{name} must be at most {MAX_VALUE_CHARACTERS:,} characters (got {len(value):,})"
        if CONTROLS.search(value):
            yield f"{name} must not have control characters (got {value[:60]!r})"
    for name in sorted(fields):
        if not values.get(name):
            yield f"{name} is empty"
    try:
        parse_mailbox(values.get(email_column, ""))
    except ValueError as error:
        yield f"{email_column}: {error}"


def _recipient(values: Mapping[str, str], email_column: str) -> Recipient:
    mailbox = parse_mailbox(values[email_column])
    name = mailbox.display_name or next((values[key] for key in values if key.lower() == "name"), "")
    return Recipient(Address(name, mailbox.username, mailbox.domain), values)
