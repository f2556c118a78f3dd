r"""How each sign of chemistry is written in TeX. The commands that begin with `\chem@` are in `commands`."""

from mdpublish_core.figures.math.symbols import signs

THIN_SPACE = "\\,"
NARROW_SPACE = "\\mkern2mu "
ENTITY_SPACE = "~"
HYPHEN = "\\text{-}"
ADDITION = "\\,{\\cdot}\\,"
DOT = "\\mkern1mu\\text{•}\\mkern1mu "
TIGHT_PRODUCT = "\\chem@bond{⋅}"
CIRCA = "\\chem@bond{∼}"
DECIMAL_COMMA = "{,}"

ARROWS, BONDS = signs("reaction"), signs("bond")
"""The kinds of bonds, in few characters: each one is a token."""

OPERATORS = signs("operator of an equation")


symbols = "\\chem@symbols{{{}}}".format
fraction = "\\chem@fraction{{{}}}{{{}}}".format
color = "\\color{{{}}}".format
colored = "\\textcolor{{{}}}{{{}}}".format
equation = "{{\\ce{{{}}}}}".format
unit = "{{\\pu{{{}}}}}".format
variable = "{} ".format
"""TeX stays as it is; equations in it are left to the parser."""


def words(string: str) -> str:
    """Write upright text; in math mode if it has scripts."""
    if "^" in string or "_" in string:
        return f"\\mathrm{{{string.replace(' ', '~').replace('-', HYPHEN)}}}"
    return f"\\text{{{string}}}" if string else ""


def operator(sign: str) -> str:
    return f"\\chem@operator{{{OPERATORS[sign]}}}"


def bond(kind: str) -> str:
    return f"\\chem@bond{{{BONDS[kind]}}}"
