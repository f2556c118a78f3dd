"""What can be made of a text, and what is copied."""

from mdpublish_core.options.styles import PAGE_WIDTHS, THEME_MODES, PageWidth, ThemeMode
from mdpublish_core.writers.clipboard import render_for_clipboard
from mdpublish_core.writers.delivery import delivery_summary
from mdpublish_core.writers.options import requested_options
from mdpublish_core.writers.options.declared import Option
from mdpublish_core.writers.outputs import DESTINATIONS, FILES, OUTPUTS, SAVED, destination_names
