"""TeX formulas as MathML, Office Math and Unicode text; images are rendered by the engine `rasterize`."""

from mdpublish_core.figures.math.formulas import Formula, FormulaParser, parse_formula
from mdpublish_core.figures.math.macros import Macros

__all__ = ["Formula", "FormulaParser", "Macros", "parse_formula"]
