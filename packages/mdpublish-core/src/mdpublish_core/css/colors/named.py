"""CSS named colors."""

from collections.abc import Mapping

from mdpublish_core.data_files import read_table

NAMED_COLORS: Mapping[str, str] = dict(read_table(__file__, "named.tsv"))
"""`#rrggbb` by lower-case name."""
