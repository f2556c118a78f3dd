"""Options of the output `leaflet`."""

from dataclasses import dataclass
from typing import Literal

from mdpublish_core.writers.options.declared import OutputOptions, option


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafletOptions(OutputOptions):
    """Options of a leaflet."""

    folds: Literal["1", "2"] | None = option("Folds of a leaflet.", otherwise="1")
    """How often it is folded, and so printed."""
