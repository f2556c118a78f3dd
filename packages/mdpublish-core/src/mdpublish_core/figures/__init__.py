"""Diagrams, charts and formulas of a document, rendered as SVG, PNG, MathML, Office Math or text.

The engines are installed with the extra `mdpublish-core[figures]`; without it they raise `MissingExtra`.
"""
