"""TeX formulas as MathML, Office Math and Unicode text.

`parse_formula` reads TeX, and the `Formula` gives each form; `Macros` are what the formulas of a document share. Images are
rendered by the engine `rasterize`, which needs the extra `figures`.
"""

from mdpublish_core.figures.math.formulas import Formula, parse_formula
from mdpublish_core.figures.math.macros import Macros

__all__ = ["Formula", "Macros", "parse_formula"]
