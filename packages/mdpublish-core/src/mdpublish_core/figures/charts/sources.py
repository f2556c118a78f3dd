"""Parsing of a chart's JSON, its limits, and removal of scripts."""

import json
import re
from collections.abc import Iterator

from mdpublish_core.figures.charts.options import Remarks
from mdpublish_core.figures.charts.values import MAX_NUMBER, Json, Object, as_list, as_object
from mdpublish_core.figures.errors import FigureError

MAX_POINTS = 20_000  # values in all datasets

MAX_DATASETS = 100

MAX_LABEL_LENGTH = 500
"""Characters of a label, title or name."""

MAX_LABELS = 20_000

MAX_DEPTH = 40
"""Options of Chart.js are nested less than 10 deep."""

MAX_LINES = 50  # of a label or title

_LABELS = frozenset({"labels", "xLabels", "yLabels"})

# A function in a string.
_FUNCTION = re.compile(r"\s*(?:async\s+)?(?:function\b|\([\w\s,{}=.]{0,200}\)\s*=>|\w{1,40}\s*=>)")

# Options for animation and interaction.
_MOVING = frozenset({"animation", "animations", "transitions"})

# Built-in plugins, supported or without effect in a static chart.
_BUILTIN_PLUGINS = frozenset({"legend", "title", "subtitle", "tooltip", "filler", "colors", "decimation"})

# Unexpected tokens, with a hint.
_HINTS = (
    ("//", "JSON has no comments"),
    ("/*", "JSON has no comments"),
    ("'", "strings must be in double quotes"),
    ("\N{LEFT DOUBLE QUOTATION MARK}", "use straight quotes"),
    ("\N{RIGHT DOUBLE QUOTATION MARK}", "use straight quotes"),
    ("function", "JSON has no functions"),
    ("async", "JSON has no functions"),
    ("new ", "JSON has no code"),
    ("...", "JSON has no code"),
    ("(", "JSON has no functions"),
    ("undefined", "use `null`"),
    ("None", "use `null`"),
    ("True", "use `true`"),
    ("False", "use `false`"),
    (".", "numbers must begin with a digit"),
    ("+", "numbers must begin with a digit"),
)
_ARROW = re.compile(r"\w{1,40}\s*=>")
_NAME = re.compile(r"[A-Za-z_$]")

# Messages of `json`, rephrased.
_MEANINGS = (
    ("Expecting ':' delimiter", "missing colon after the key"),
    ("Invalid control character", "line break in a string; use \\n"),
    ("Extra data", "unexpected text after the end"),
    ("Invalid \\", "invalid backslash in a string; use \\\\"),
    ("Unterminated string", "missing quote at the end of a string"),
    ("Expecting property name", "missing key in double quotes"),
    ("Expecting value", "missing value"),
)

_TOKENS = re.compile(r'"(?:\\.|[^"\\])*"|[-+.\w]+')


class _BadWord(Exception):  # noqa: N818  (it names what the word is)
    """An unsupported JSON literal."""

    def __init__(self, word: str, problem: str) -> None:
        super().__init__(word, problem)
        self.word = word
        self.problem = problem


def read_source(source: str) -> Object:
    """Raise `FigureError` with line and column if invalid."""
    source = source.removeprefix("\ufeff")
    try:
        value = json.loads(source, parse_constant=_constant, parse_int=_integer, parse_float=_number)
    except json.JSONDecodeError as error:
        error = _at_bracket(source, error)
        problem = _hint(source, error)
        raise FigureError(f"invalid JSON: {problem}", error.lineno, error.colno) from None
    except _BadWord as bad:
        raise FigureError(bad.problem, *_locate(source, bad.word)) from None
    except RecursionError:
        raise FigureError(_too_deep()) from None
    if not isinstance(value, dict):
        raise FigureError("a chart must be a JSON object", 1)
    if _is_too_deep(value):
        raise FigureError(_too_deep())
    return value


def check_limits(chart: Object) -> None:
    """Raise `FigureError` above a limit."""
    data = as_object(chart.get("data"))
    datasets = as_list(data.get("datasets"))
    if len(datasets) > MAX_DATASETS:
        raise FigureError(f"a chart must have at most {MAX_DATASETS} datasets (got {len(datasets):,})")
    points = sum(_length(as_object(dataset).get("data")) for dataset in datasets)
    if points > MAX_POINTS:
        raise FigureError(f"a chart must have at most {MAX_POINTS:,} values (got {points:,})")
    scales = as_object(as_object(chart.get("options")).get("scales"))
    for labels in (*(data.get(key) for key in ("labels", "xLabels", "yLabels")), *_scale_labels(scales)):
        if len(as_list(labels)) > MAX_LABELS:
            raise FigureError(f"a chart must have at most {MAX_LABELS:,} labels (got {len(as_list(labels)):,})")
    for lines in _multiline_labels(chart):
        if len(lines) > MAX_LINES:
            raise FigureError(f"labels must be at most {MAX_LINES} lines (got {len(lines):,})")
    for string in _strings(chart):
        if len(string) > MAX_LABEL_LENGTH:
            raise FigureError(
                f"strings must be at most {MAX_LABEL_LENGTH} characters (got {len(string):,}: {string[:30]!r}…)"
            )


def without_scripts(chart: Object, remarks: Remarks) -> Object:
    """Remove and report options that need JavaScript."""
    cleaned = _without_functions(dict(chart), "", remarks, 0)
    assert isinstance(cleaned, dict)
    if not isinstance(as_object(cleaned.get("data")).get("datasets", []), list):
        remarks.add("`data.datasets` is ignored: must be a list")
    options = as_object(cleaned.get("options"))
    for name in options:
        if name in _MOVING and options[name] is not False:
            remarks.add(f"`options.{name}` is ignored: charts are static")
    for name in as_object(options.get("plugins")):
        if name not in _BUILTIN_PLUGINS:
            remarks.add(f"`options.plugins.{name}` is ignored: plugins are not supported")
    if as_list(cleaned.get("plugins")):
        remarks.add("`plugins` is ignored: plugins are not supported")
    return cleaned


def _without_functions(value: Json, path: str, remarks: Remarks, depth: int) -> Json:
    if isinstance(value, list):
        # Lists of values and labels contain no options.
        has_objects = any(isinstance(each, dict) for each in value[:MAX_DATASETS])
        if not has_objects:
            return value
        return [_without_functions(each, f"{path}[{number}]", remarks, depth + 1) for number, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    remaining: dict[str, Json] = {}
    for key, each in value.items():
        where = f"{path}.{key}" if path else key
        # Titles and labels may look like functions.
        is_label = where.endswith((".text", ".label")) and ".callbacks." not in where
        if isinstance(each, str) and not is_label and _FUNCTION.match(each):
            remarks.add(f"`{where}` is ignored: functions are not supported")
            continue
        remaining[key] = (
            each if key in {"data", "labels"} and depth > 0 else _without_functions(each, where, remarks, depth + 1)
        )
    return remaining


def _length(value: Json) -> int:
    return len(value) if isinstance(value, list | dict) else 0


def _scale_labels(scales: Object) -> Iterator[Json]:
    for scale in scales.values():
        yield as_object(scale).get("labels")


def _multiline_labels(chart: Object) -> Iterator[list[Json]]:
    waiting: list[Json] = [dict(chart)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key, each in value.items():
                if key in _LABELS:
                    yield from (label for label in as_list(each) if isinstance(label, list))
                elif key in {"text", "label"} and isinstance(each, list):
                    yield each
                elif key != "data" or isinstance(each, dict):
                    waiting.append(each)
        elif isinstance(value, list):
            waiting.extend(each for each in value if isinstance(each, dict))


def _strings(chart: Object) -> Iterator[str]:
    """Yield all strings and keys. Not recursive, since JSON may be deep."""
    waiting: list[Json] = [dict(chart)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting.extend(each for each in value if isinstance(each, str | list | dict))
        elif isinstance(value, dict):
            yield from value
            waiting.extend(each for each in value.values() if isinstance(each, str | list | dict))


def _is_too_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else as_list(each))
            if isinstance(inner, list | dict)
        ]
        if not level:
            return False
    return True


def _too_deep() -> str:
    return f"JSON must be nested at most {MAX_DEPTH} levels deep"


def _constant(name: str) -> Json:
    raise _BadWord(name, f"invalid JSON: {name} is not allowed; use `null`")


def _integer(digits: str) -> Json:
    return int(digits) if len(digits) < 17 else _number(digits)


def _number(digits: str) -> Json:
    number = float(digits)
    if abs(number) > MAX_NUMBER:
        raise _BadWord(digits, f"numbers must be at most {MAX_NUMBER:g} (got {digits[:40]})")
    return number if abs(number) > 1 / MAX_NUMBER else 0.0


def _locate(source: str, word: str) -> tuple[int | None, int | None]:
    """Return line and column of a word outside of strings."""
    match = next((token for token in _TOKENS.finditer(source) if token[0] == word), None)
    if match is None:
        return None, None
    before = source[: match.start()]
    return before.count("\n") + 1, match.start() - before.rfind("\n")


def _at_bracket(source: str, error: json.JSONDecodeError) -> json.JSONDecodeError:
    """Return the error at the bracket after a trailing comma, as before Python 3.13."""
    if not error.msg.startswith("Illegal trailing comma"):
        return error
    after = source[error.pos + 1 :]
    return json.JSONDecodeError("Expecting value", source, len(source) - len(after.lstrip()))


def _hint(source: str, error: json.JSONDecodeError) -> str:
    """Return a hint for common mistakes."""
    rest, before = source[error.pos : error.pos + 50], source[: error.pos].rstrip()[-1:]
    if not rest.strip():
        return "unexpected end"
    if error.msg == "Extra data":
        return f"unexpected {rest.split(maxsplit=1)[0][:12]!r} after the end"
    if rest[0] in "}]":
        return _closing_hint(rest[0], before)
    if rest[0] == "\t":
        return "tab in a string; use \\t"
    if _ARROW.match(rest):
        return "JSON has no functions"
    known = [hint for beginning, hint in _HINTS if rest.startswith(beginning)]
    return known[0] if known else _meaning(error.msg, rest)


def _closing_hint(bracket: str, before: str) -> str:
    if before == ",":
        return f"trailing comma before {bracket!r}"
    if before == ":":
        return "missing value"
    return f"unexpected {bracket!r}; an earlier bracket is not closed"


def _meaning(message: str, rest: str) -> str:
    if message.startswith("Expecting ',' delimiter"):
        return f"missing comma before {rest.split(maxsplit=1)[0][:12]!r}"
    if message.startswith("Expecting property name") and _NAME.match(rest):
        return "keys must be in double quotes"
    return next((meaning for start, meaning in _MEANINGS if message.startswith(start)), message.lower())
