"""JSON's values as JavaScript would take them, since that is how Chart.js's options are meant."""

import json
import math
from collections.abc import Mapping
from unicodedata import category

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Object = Mapping[str, Json]

MAX_NUMBER = 1e200
"""What is larger is taken for infinite: reckoning with it would come to what is."""

# How much of a value a message repeats, in characters.
_MAX_REPR_LENGTH = 40

EMPTY_OBJECT: Object = {}
"""What has no keys."""


def parse_number(value: Json) -> float | None:
    """Return a value as a finite number, also where it is a text that says one; None for anything else."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        number = _parse_string(value)
        return number if math.isfinite(number) else None
    return None


def finite_number(value: Json) -> float | None:
    """Return a number that is finite; None for anything else, a text that says a number too."""
    return (
        float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        else None
    )


def to_number(value: Json) -> float:
    """Return what unary plus makes of a value; not a number for what is none."""
    if value is None:
        return 0.0
    if isinstance(value, str):
        return _parse_string(value)
    if isinstance(value, list):
        return to_number(value[0]) if len(value) == 1 else (math.nan if value else 0.0)
    return math.nan if isinstance(value, dict) else float(value)


def leading_number(string: str) -> float | None:
    """Return the number with which a text begins, as `parseFloat` does; None where it begins with none."""
    stripped = string.strip()
    for end in range(len(stripped), 0, -1):
        number = _parse_string(stripped[:end])
        if math.isfinite(number):
            return number
    return None


def is_truthy(value: Json) -> bool:
    """Tell whether a value counts as true: an empty list or object does."""
    return isinstance(value, list | dict) or (bool(value) and not (isinstance(value, float) and math.isnan(value)))


def get_path(value: Json, key: str) -> Json:
    """Return what a path of keys parted by dots leads to; None where it leads nowhere.

    A dot that a backslash stands before is part of a key.
    """
    for part in _keys(key):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def as_object(value: Json) -> Object:
    """Return an object as it is, and one without keys for anything else."""
    return value if isinstance(value, dict) else EMPTY_OBJECT


def as_list(value: Json) -> list[Json]:
    """Return a list as it is, and an empty one for anything else."""
    return value if isinstance(value, list) else []


def to_string(value: Json) -> str:
    """Return a value as text, as JavaScript writes it, but for characters that nobody sees and no drawing may hold."""
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
    """Return an entry of a list as text; "" where the list is too short."""
    return to_string(values[index]) if index < len(values) else ""


def short_repr(value: Json) -> str:
    """Return as much of a value as a message repeats."""
    string = json.dumps(value) if isinstance(value, list | dict) else to_string(value)
    return repr(string if len(string) <= _MAX_REPR_LENGTH else f"{string[: _MAX_REPR_LENGTH - 1]}…")


def number_to_string(value: float) -> str:
    """Return a number in as few digits as say it.

    https://tc39.es/ecma262/#sec-numeric-types-number-tostring
    """
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
    """Return what is shown of a character: a space for controls and ends of lines, a sign for half a character."""
    kind = category(character)
    if kind == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    return " " if kind in {"Cc", "Zl", "Zp"} or character in "\ufffe\uffff" else character


def _parse_string(string: str) -> float:
    stripped = string.strip()
    if not stripped:
        return 0.0
    if "_" in stripped or stripped[-1] in "yfnYFN":
        # What Python reads as a number, and JavaScript does not: `1_000`, `nan`, `inf`, `infinity`.
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
