"""Fits tables into a width: column widths from content, then smaller type and padding, then rows as labelled pairs."""

from mdpublish_core.writers.table_fit.cell_faces import run_face, table_faces
from mdpublish_core.writers.table_fit.fitting import (
    UNFITTED,
    Room,
    TableFit,
    fit_or_stack,
    fit_table,
    whole_pixels,
)
from mdpublish_core.writers.table_fit.stacking import column_labels, stack_rows, stacked_notice

MIN_PRINTED_SIZE = 8 / 0.75
"""In px: 8 points, the smallest type of what is printed."""
