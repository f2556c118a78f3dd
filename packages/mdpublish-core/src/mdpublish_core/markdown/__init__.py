r"""Markdown from a program's data, which reads back as it was meant, whatever the values.

    from mdpublish_core import convert, markdown

    report = f"# Sales\n\n{markdown.table(rows)}\n\n{markdown.chart('bar', rows)}"
    mail = convert(report, to="email")

tables (`tables`), charts (`charts`) and pictures (`pictures`) from data of many kinds (`columns`), text (`text`)
"""

from mdpublish_core.markdown.charts import chart
from mdpublish_core.markdown.pictures import figure
from mdpublish_core.markdown.tables import table
from mdpublish_core.markdown.text import Markdown, code, escape, link

__all__ = ["Markdown", "chart", "code", "escape", "figure", "link", "table"]
