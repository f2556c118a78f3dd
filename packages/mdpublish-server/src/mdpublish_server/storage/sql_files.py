"""Statements in SQL, in files beside the modules that run them; both databases take the same.

    -- part: is_open
    closed_at IS NULL

    -- name: open
    SELECT {report} FROM reports WHERE {is_open}

A part stands for its text in what follows; others, such as a record's columns, come from the module. A comment below a
name says what the statement does, or returns.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import text

from mdpublish_server.storage.transactions import Statement

_HEAD = re.compile(r"^-- (name|part): (\w+)\n", re.MULTILINE)
_COMMENT = re.compile(r"^-- .*\n?", re.MULTILINE)


def read_statements(module: str, **parts: object) -> Mapping[str, Statement]:
    """Return the statements of a module's file, by name."""
    source = Path(__file__).with_name(f"{module.rpartition('.')[2]}.sql").read_text("utf-8")
    statements = {}
    _, *pieces = _HEAD.split(source)
    for kind, name, written in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        sql = _COMMENT.sub("", written).strip().format(**parts)
        if kind == "part":
            parts[name] = sql
        else:
            statements[name] = Statement(text(sql))
    return statements
