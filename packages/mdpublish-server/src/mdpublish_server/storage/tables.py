"""Tables, as `tables.toml` describes them."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.types import TypeEngine

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# By their lengths, where they have one.
_TYPES: dict[str, Callable[[int], TypeEngine[Any]]] = {
    "bigint": lambda _: sa.BigInteger(),
    "binary": lambda _: sa.LargeBinary(),
    "boolean": lambda _: sa.Boolean(),
    "integer": lambda _: sa.Integer(),
    "serial": lambda _: sa.BigInteger().with_variant(sa.Integer, "sqlite"),
    "sorted": lambda length: sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql"),
    "text": lambda _: sa.Text(),
    "varchar": sa.String,
}
_COLUMN = re.compile(
    r"(?P<type>\w+)(?:\((?P<length>\d+)\))?(?P<is_primary> primary key)?(?P<is_unique> unique)?(?P<is_null> null)?"
    r"(?: default (?P<default>\S+))?(?: references (?P<table>\w+)(?: as (?P<constraint>\w+))?)?(?: key (?P<key>\w+))?"
)
_INDEX = re.compile(r"(?:(?P<name>\w+): )?(?P<columns>\w+(?:, \w+)*)(?: where (?P<rows>.+))?")


def _words(syntax: re.Pattern[str], description: str) -> dict[str, Any]:
    match = syntax.fullmatch(description)
    assert match, description
    return match.groupdict()


def _column(name: str, description: str) -> sa.Column[Any]:
    words = _words(_COLUMN, description)
    default = words["default"] and (sa.false() if words["default"] == "false" else sa.text(words["default"]))
    owner = words["table"] and sa.ForeignKey(f"{words['table']}.id", name=words["constraint"], ondelete="CASCADE")
    return sa.Column(
        name,
        _TYPES[words["type"]](words["length"] and int(words["length"])),
        *filter(None, [owner]),
        key=words["key"] or name,
        primary_key=bool(words["is_primary"]),
        autoincrement=words["type"] == "serial",
        nullable=bool(words["is_null"]),
        unique=bool(words["is_unique"]) or None,
        server_default=default,
    )


def _add_index(table: sa.Table, description: str) -> None:
    words = _words(_INDEX, description)
    name = words["name"] and f"ix_{table.name}_{words['name']}"
    rows = words["rows"] and sa.text(words["rows"])
    columns = (table.c[column] for column in words["columns"].split(", "))
    sa.Index(name, *columns, sqlite_where=rows, postgresql_where=rows)


def _table(name: str) -> sa.Table:
    columns = dict(_DESCRIBED[name])
    indexes = columns.pop("indexes", [])
    table = sa.Table(name, METADATA, *(_column(*column) for column in columns.items()))
    for index in indexes:
        _add_index(table, index)
    return table


_DESCRIBED: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text("utf-8"))

ACCOUNTS = _table("accounts")
USERNAMES = _table("usernames")
FORMER_USERNAMES = _table("former_usernames")
KEYS = _table("keys")
SESSIONS = _table("sessions")
DOCUMENTS = _table("documents")
DOCUMENT_WORDS = _table("document_words")
DOCUMENT_REVISIONS = _table("document_revisions")
WORKING_COPIES = _table("working_copies")
TRASH = _table("trash")
IMAGES = _table("images")
PAGES = _table("pages")
PERMALINKS = _table("addresses")
PAGE_CHANGES = _table("page_changes")
SITEMAP_PARTS = _table("sitemap_parts")
DEMO_PAGES = _table("demo_pages")
DEMO_USAGE = _table("demo_usage")
SERVER_KEYS = _table("server_keys")
REPLAYS = _table("replays")
REPORTS = _table("reports")
INVITATIONS = _table("invitations")
COPY_PAGES = _table("copy_pages")
APP_CLIENTS = _table("app_clients")
APP_GRANTS = _table("app_grants")
APP_TOKENS = _table("app_tokens")
READER_LINKS = _table("reader_links")
READER_SESSIONS = _table("reader_sessions")
READER_VIEWS = _table("reader_views")
PRIVATE_IMAGES = _table("private_images")
EMAIL_TOKENS = _table("letters")
AUDIT = _table("audit")
