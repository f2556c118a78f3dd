"""Formulas back to TeX: MathML and Office Math become `writer.Node`, which `writer` writes in `vocabulary`'s names.

What comes out is read by `figures.math`, KaTeX and MathJax alike.
"""
