"""A chart's data as a file in a link, which needs neither a script nor a connection."""

import csv
import re
from collections.abc import Sequence
from io import StringIO
from urllib.parse import quote

from mdpublish_core.resources.urls import TrustedUrl

# Spreadsheets run what is no number: https://owasp.org/www-community/attacks/CSV_Injection
_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d.]+(?:e[+-]?\d+)?$)")


def csv_url(table: Sequence[Sequence[str]]) -> TrustedUrl:
    """Return a URL with all rows, whose mark of UTF-8 Excel needs."""
    file = StringIO()
    csv.writer(file).writerows([f"'{cell}" if _FORMULA.match(cell) else cell for cell in row] for row in table)
    return TrustedUrl(f"data:text/csv;charset=utf-8,%EF%BB%BF{quote(file.getvalue(), safe=',')}")
