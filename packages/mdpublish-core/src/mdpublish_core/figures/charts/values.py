"""JSON values with JavaScript's conversions, as in options of Chart.js."""

import json
import math
import re
from collections.abc import Mapping
from unicodedata import category

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Object = Mapping[str, Json]

Path = tuple[str | int, ...]
"""Keys and indexes that lead to an option."""

MAX_NUMBER = 1e200
"""Larger numbers are infinite, since arithmetic would overflow."""

# Characters of a value in a message.
_MAX_REPR_LENGTH = 40

EMPTY_OBJECT: Object = {}


class Section(dict[str, Json]):
    """An object of the author's, and where the author wrote it."""

    __slots__ = ("path",)

    def __init__(self, values: Object, path: Path) -> None:
        super().__init__(values)
        self.path = path


def format_path(path: Path) -> str:
    """Write a path as in JavaScript: `data.datasets[0].label`."""
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return steps.removeprefix(".")


def parse_number(value: Json) -> float | None:
    """Convert a number or numeric string; None if not finite."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        number = _parse_string(value)
        return number if math.isfinite(number) else None
    return None


def finite_number(value: Json) -> float | None:
    """Return a finite number; None for strings."""
    return None if isinstance(value, str | bool) else parse_number(value)


def to_number(value: Json) -> float:
    """Convert like unary plus; NaN if invalid."""
    if value is None:
        return 0.0
    if isinstance(value, str):
        return _parse_string(value)
    if isinstance(value, list):
        return to_number(value[0]) if len(value) == 1 else (math.nan if value else 0.0)
    if isinstance(value, dict):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def leading_number(string: str) -> float | None:
    """Parse the start of a string like `parseFloat`; None if invalid."""
    stripped = string.strip()
    for end in range(len(stripped), 0, -1):
        number = _parse_string(stripped[:end])
        if math.isfinite(number):
            return number
    return None


def is_truthy(value: Json) -> bool:
    """Whether a value is true in JavaScript, where empty lists and objects are."""
    return isinstance(value, list | dict) or (bool(value) and not (isinstance(value, float) and math.isnan(value)))


def get_path(value: Json, key: str) -> Json:
    r"""Look up a dotted path; `\.` escapes a dot in a key."""
    for part in _keys(key):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def as_object(value: Json) -> Object:
    return value if isinstance(value, dict) else EMPTY_OBJECT


def as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def to_string(value: Json) -> str:
    """Convert like JavaScript's `String`, without characters invisible or invalid in XML."""
    if isinstance(value, str):
        return value if value.isprintable() else "".join(map(_visible, value))
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_to_string(float(value))
    if isinstance(value, list):
        return ",".join(map(to_string, value))
    return "[object Object]"


def string_at(values: list[Json], index: int) -> str:
    return to_string(values[index]) if index < len(values) else ""


def short_repr(value: Json) -> str:
    string = json.dumps(value) if isinstance(value, list | dict) else to_string(value)
    return repr(string if len(string) <= _MAX_REPR_LENGTH else f"{string[: _MAX_REPR_LENGTH - 1]}…")


def number_to_string(value: float) -> str:
    """See https://tc39.es/ecma262/#sec-numeric-types-number-tostring."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    string = repr(value)
    mantissa, e, exponent = string.partition("e")
    if not e:
        return string
    power = int(exponent)
    if -7 < power < 0:
        digits = mantissa.replace(".", "").replace("-", "")
        return f"{'-' if value < 0 else ''}0.{'0' * (-power - 1)}{digits}"
    if 0 <= power < 21:
        return str(int(value))
    mantissa = mantissa.removesuffix(".0")
    return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"


def _visible(character: str) -> str:
    """Replace controls and line separators by spaces, surrogates by U+FFFD."""
    kind = category(character)
    if kind == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    return " " if kind in {"Cc", "Zl", "Zp"} or character in "\ufffe\uffff" else character


def _parse_string(string: str) -> float:
    stripped = string.strip()
    if not stripped:
        return 0.0
    if "_" in stripped or stripped[-1] in "yfnYFN":
        # Python accepts `1_000`, `nan` and `inf`; JavaScript does not.
        return (
            math.inf if stripped in {"Infinity", "+Infinity"} else (-math.inf if stripped == "-Infinity" else math.nan)
        )
    try:
        number = float(stripped)
        return number if abs(number) <= MAX_NUMBER else math.copysign(math.inf, number)
    except ValueError:
        return _parse_radix(stripped)


def _parse_radix(string: str) -> float:
    bases = {"0x": 16, "0o": 8, "0b": 2}
    base = bases.get(string[:2].lower())
    if base is None or len(string) > 200:
        return math.nan
    try:
        return float(int(string[2:], base))
    except (ValueError, OverflowError):
        return math.nan


def _keys(key: str) -> list[str]:
    if "\\" not in key:
        return key.split(".")
    return [part.replace("\0", ".") for part in key.replace("\\.", "\0").split(".")]


# A pair of surrogates is one character.
_PAIR = r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"\\({_PAIR}|u[0-9a-fA-F]{{4}}|u\{{[0-9a-fA-F]{{1,6}}\}}|x[0-9a-fA-F]{{2}}|\r\n|[\s\S])")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LINE_BREAKS = frozenset({"\n", "\r", "\r\n", "\u2028", "\u2029"})


def unescape(content: str) -> str:
    """Return the value of a string. Raises ValueError for an escape that JavaScript does not know."""
    return _ESCAPE.sub(_unescaped, content) if "\\" in content else content


def _unescaped(match: "re.Match[str]") -> str:
    escape = match[1]
    if escape in _LINE_BREAKS:
        return ""
    if escape[0] == "u" and len(escape) > 1:
        digits = escape[1:].strip("{}")
        if "\\" in digits:
            high, low = (int(part, 16) for part in digits.split("\\u"))
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        code = int(digits, 16)
        if code > 0x10FFFF:
            raise ValueError(escape)
        return chr(code)
    if escape[0] == "x" and len(escape) > 1:
        return chr(int(escape[1:], 16))
    if escape in {"u", "x"}:
        raise ValueError(escape)
    return _CONTROLS.get(escape, escape)
