"""Prints the patterns that Python 3.11.0 to 3.11.4 match wrongly, of both packages, all compiled.

There, a possessive repetition of a group that fails after it moved stays where it was then: `(?:ab?c)*+` matches all of
`abca`. An alternative that moves nothing and always fails, the last one, puts it back: `(?:ab?c|(?!))*+`.
"""

import gc
import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from re import _constants as ops  # type: ignore[attr-defined]  # not in typeshed
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_CHARACTERS = (ops.LITERAL, ops.NOT_LITERAL, ops.IN, ops.ANY)
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
_LOOKAROUNDS = (ops.ASSERT, ops.ASSERT_NOT)
_NEVER = repr(parser.parse("(?!)"))


def wrong_repetitions(pattern: str | bytes, flags: int = 0) -> int:
    """Return how many possessive repetitions of a pattern may stay where they failed."""
    return sum(not _stays(body) for body in _possessive_bodies(parser.parse(pattern, flags)))


def _possessive_bodies(sequence: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for operation, argument in sequence:
        if operation is ops.POSSESSIVE_REPEAT and not _is_character(argument[2]):
            yield argument[2]
        for part in _parts(operation, argument):
            yield from _possessive_bodies(part)


def _parts(operation: Any, argument: Any) -> Sequence[Sequence[Any]]:
    if operation is ops.BRANCH:
        return argument[1]  # type: ignore[no-any-return]
    if operation is ops.SUBPATTERN:
        return [argument[3]]
    if operation in _LOOKAROUNDS:
        return [argument[1]]
    if operation in _REPEATS:
        return [argument[2]]
    if operation is ops.GROUPREF_EXISTS:
        return [part for part in argument[1:] if part]
    return [argument] if operation is ops.ATOMIC_GROUP else []


def _is_character(sequence: Sequence[Any]) -> bool:
    return len(sequence) == 1 and sequence[0][0] in _CHARACTERS


def _stays(sequence: Sequence[Any], *, is_moved: bool = False) -> bool:
    """Return whether what fails in it fails where it began.

    Only what goes on elsewhere, to come back, writes the position down: repetitions, alternatives and lookarounds.
    """
    for index, (operation, argument) in enumerate(sequence):
        rest = list(sequence[index + 1 :])
        if operation in (*_CHARACTERS, ops.GROUPREF):
            is_moved = True
        elif operation is ops.SUBPATTERN:
            return _stays([*argument[3], *rest], is_moved=is_moved)
        elif operation is ops.BRANCH:
            return not is_moved and (
                (not rest and repr(argument[1][-1]) == _NEVER)
                or all(_stays([*branch, *rest]) for branch in argument[1])
            )
        elif operation in _REPEATS and _is_character(argument[2]):
            if is_moved or operation is not ops.POSSESSIVE_REPEAT:
                return not rest and (not is_moved or argument[0] == 0)
            is_moved = True
        elif operation in _LOOKAROUNDS:
            if is_moved or not all(each in _CHARACTERS for each, _ in argument[1]):
                return False
        elif operation not in (ops.AT, ops.FAILURE):
            return False
    return True


def _compile_all() -> dict[str | bytes, int]:
    """Return what `re` has parsed for the packages, with flags."""
    parsed: dict[str | bytes, int] = {}
    parse = parser.parse

    def recorded(pattern: str | bytes, flags: int = 0, state: Any = None) -> Any:
        parsed[pattern] = flags
        return parse(pattern, flags, state)

    parser.parse = recorded
    for name in ("mdpublish_core", "mdpublish_server"):
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            if not module.name.endswith(("__main__", ".migrations.env")):
                importlib.import_module(module.name)

    from mdpublish_core.data_files import read_table
    from mdpublish_core.figures.mermaid.repairs import lines
    from mdpublish_core.highlighting.lexers import SAFE_LEXERS, lex
    from mdpublish_core.strings.lazy_patterns import compile_lazily

    for kind, *_ in read_table(lines.__file__, "slips.tsv"):
        lines._slips(kind)
    for alias in SAFE_LEXERS:
        list(lex("x", alias))
    for lazy in gc.get_objects():
        if type(lazy) is type(compile_lazily("")):
            assert hasattr(lazy, "match"), "compiled with the first attribute"
    parser.parse = parse
    return parsed


if __name__ == "__main__":
    patterns = _compile_all()
    wrong = (pattern for pattern, flags in patterns.items() if wrong_repetitions(pattern, flags))
    print(f"{len(patterns)} patterns", *wrong, sep="\n")  # noqa: T201  (its output)
