"""Which columns hold a record: those that are named like its fields.

Times are stored as microseconds, tuples of texts as lines, SQLite's booleans as numbers; a field's type tells.
"""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from sqlalchemy import Column, Table, insert

from mdpublish_server.storage.timestamps import from_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Record = TypeVar("_Record", bound="DataclassInstance")


class RecordColumns(Generic[_Record]):
    """The columns of a class of records, in the order of its fields.

    A field's column is the one of `others`, else the first in `tables` of its name. One that has none is computed, and
    one that is no argument is written only.
    """

    def __init__(self, kind: type[_Record], *tables: Table, **others: Column[Any]) -> None:
        hints = {name: (hint, *get_args(hint)) for name, hint in get_type_hints(kind).items()}
        named = {column.key: column for table in reversed(tables) for column in table.c} | others
        self._kind = kind
        self._insert = Statement(insert(tables[0]))
        self._names = tuple(field.name for field in fields(kind) if field.name in named)
        self._times = [name for name in self._names if datetime in hints[name]]
        self._flags = [name for name in self._names if bool in hints[name]]
        self._lists = [name for name in self._names if get_origin(hints[name][0]) is tuple]
        self._written_only = [field.name for field in fields(kind) if not field.init]
        self.columns = tuple(named[name] for name in self._names)
        self.sql = ", ".join(f"{column.table.name}.{column.name}" for column in self.columns)

    def read(self, row: Row, **computed: Any) -> _Record:
        """Return the record of a row that has these columns."""
        values = dict(zip(self._names, row, strict=True))
        for name in self._times:
            values[name] = from_microseconds(values[name])
        for name in self._flags:
            values[name] = bool(values[name])
        for name in self._lists:
            values[name] = tuple(values[name].splitlines())
        for name in self._written_only:
            del values[name]
        return self._kind(**values, **computed)

    def written(self, record: _Record) -> dict[str, Any]:
        """Return the values of the columns by the names of the fields."""
        values = {name: getattr(record, name) for name in self._names}
        for name in self._lists:
            values[name] = "\n".join(values[name])
        return values

    def add(self, transaction: Transaction, record: _Record) -> None:
        """Insert a record into the first table, all of whose columns it has."""
        transaction.change(self._insert, **self.written(record))

    def first(self, transaction: Transaction, statement: Statement, **values: object) -> _Record | None:
        row = transaction.row(statement, **values)
        return None if row is None else self.read(row)

    def all(self, transaction: Transaction, statement: Statement, **values: object) -> Sequence[_Record]:
        return tuple(map(self.read, transaction.rows(statement, **values)))
