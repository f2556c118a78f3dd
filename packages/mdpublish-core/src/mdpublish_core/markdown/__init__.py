r"""Markdown from a program's data, which reads back as it was meant, whatever the values.

    from mdpublish_core import convert, markdown

    report = f"# Sales\n\n{markdown.table(rows)}\n\n{markdown.chart('bar', rows)}"
    mail = convert(report, to="email")

tables (`tables`), charts (`charts`) and images (`images`) from data of many kinds (`columns`), text, links and code (`escaping`)
"""

from mdpublish_core.markdown.charts import chart
from mdpublish_core.markdown.escaping import Markdown, code, escape, link
from mdpublish_core.markdown.images import figure
from mdpublish_core.markdown.tables import table

__all__ = ["Markdown", "chart", "code", "escape", "figure", "link", "table"]
