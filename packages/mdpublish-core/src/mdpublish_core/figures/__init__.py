"""Figures: diagrams, charts and formulas of a document, rendered as SVG, PNG, MathML, Office Math or text.

`render` goes from a document to its figures; `request` holds the data types. The engines come with the extra
`mdpublish-core[figures]`; without it, what needs them raises `MissingExtra`.
"""
