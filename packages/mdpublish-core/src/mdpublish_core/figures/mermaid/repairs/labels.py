"""Labels in double quotes."""

import re

STRUCTURAL = re.compile(r'[()\[\]{}|@"]')
"""Characters that end an unquoted label."""

# An entity code stays. Assistants escape quotes as in a programming language.
_QUOTE = re.compile(r'\\?"')
_PROPER = re.compile(r'"[^"]*"', re.DOTALL)
_PAIRS = {'"': '"', "“": "”", "”": "”", "„": "“"}

_CLOSING = {"[": "]", "(": ")", "{": "}"}
_SHAPE = re.compile(r"(?P<opening>\(\(\(|\(\(|\(\[|\[\[|\[\(|\{\{|[\[({])(?P<label>[^()\[\]{}]+)[\])}]*")

INNER_QUOTES = "#quot; stands for double quotes inside a label"


def is_quoted(label: str) -> bool:
    return _PROPER.fullmatch(label) is not None


def quote(label: str) -> str:
    """Return a label in double quotes; outer quotes of the author are replaced."""
    label = label.strip()
    if len(label) > 1 and _PAIRS.get(label[0]) == label[-1]:
        label = label[1:-1]
    elif label.count('"') == 1:
        # One of the outer quotes is missing.
        label = label.removeprefix('"').removesuffix('"')
    return f'"{_QUOTE.sub("#quot;", label)}"'


def problem_of(label: str) -> str:
    """Return why a label must be quoted."""
    inner = label.strip()
    if is_quoted(inner):
        return "a label has no space around its quotes"
    if inner[:1] == inner[-1:] == '"':
        return INNER_QUOTES
    structural = STRUCTURAL.search(inner)
    sign = structural[0] if structural else inner[:1]
    return f"a label with {'brackets' if sign in '()[]{}' else sign} must be in double quotes"


def complete(shape: str) -> str:
    """Return a label in brackets that match, if those at its ends do not and there are none inside: `((a)`, `[a)`."""
    match = _SHAPE.fullmatch(shape)
    if match is None:
        return shape
    closing = "".join(_CLOSING[sign] for sign in reversed(match["opening"]))
    return f"{match['opening']}{match['label'].strip()}{closing}"
