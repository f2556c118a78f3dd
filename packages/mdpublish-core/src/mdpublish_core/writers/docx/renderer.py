"""The writer of Word files."""

from mdpublish_core.writers.docx.blocks import DocxBlocks
from mdpublish_core.writers.docx.tables import table


class DocxRenderer(DocxBlocks):
    """Renders a document as the body of a Word file."""

    write_table = table
