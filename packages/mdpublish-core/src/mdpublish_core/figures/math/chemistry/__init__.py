r"""Chemistry: `\ce` and `\pu`, with the syntax of mhchem (https://mhchem.github.io/MathJax-mhchem/).

`equations` and `units` read their notation with the tables of `rules` and write TeX, which the parser reads on. Parts
that have a notation of their own (`fragments`) are flat, and what contains an equation again stays `\ce{…}`: the
parser gets to it, with its limit of nested groups. So one pass is linear in its text.
"""

from mdpublish_core.figures.math.chemistry.commands import CHEMISTRY_COMMANDS

__all__ = ["CHEMISTRY_COMMANDS"]
