"""TeX formulas as MathML, Office Math, Unicode and styled text; images are rendered by the engine `rasterize`."""

from mdpublish_core.figures.math.formulas import Formula, FormulaParser, parse_formula
from mdpublish_core.figures.math.macros import Macros
from mdpublish_core.figures.math.numbering import Numbering
from mdpublish_core.figures.math.styled_text import TextRun

__all__ = ["Formula", "FormulaParser", "Macros", "Numbering", "TextRun", "parse_formula"]
