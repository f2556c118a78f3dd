"""Repairs of Markdown that a chat window, a terminal or a mail program spoiled.

text → `Source`, its blocks and code by the parser → each repair of the table finds changes → `Draft`, which has them as
changes of the original → again, until there are none: repairing what was repaired changes nothing.

Who wrote the text knows better: what reads as it should is left, code is touched by repairs of code alone, and each
repair can be undone by itself. A repair is a function that finds changes, and a line of `repairs.tsv`.
"""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from mdpublish_core.arguments import require_input_size, require_names, require_type
from mdpublish_core.data_files import load_function, read_table
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.repair import mojibake
from mdpublish_core.repair.draft import Changes, Draft, Repair, Repaired
from mdpublish_core.repair.source import Source

__all__ = ["REPAIRS", "Repair", "Repaired", "repair"]

MAX_ROUNDS = 6
"""How often a text is repaired until nothing is left to do; one that changes still is returned as it was."""

REPAIRS: Mapping[str, Callable[[Source], Iterator[Changes]]] = {
    code: load_function(__name__, reference) for code, reference in read_table(__file__, "repairs.tsv")
}
"""The repairs by their codes, in their order: the codes that `select` may have."""

OFFERED = frozenset({"bold-heading"})
"""Codes of repairs that are applied only if they are selected."""


def repair(markdown: str, *, select: AbstractSet[str] | None = None, limits: Limits = DEFAULT_LIMITS) -> Repaired:
    """Repair a text, by all repairs but those only offered, or by those whose codes are selected.

    Raises `LimitExceeded` for a text longer than `limits.max_input_bytes`.
    """
    require_type("markdown", markdown, str)
    codes = _selected(select)
    require_input_size(len(markdown.encode("utf-8", "replace")), limits)
    original = Source(markdown, limits)
    draft, source = _settled(original, codes, limits)
    repaired, repairs = draft.markdown, draft.repairs()
    for code in OFFERED if select is None else ():
        draft.apply(code, REPAIRS[code](source))
    return Repaired(
        markdown=repaired,
        repairs=tuple(sorted(repairs, key=lambda each: each.changes)),
        offers=tuple(each for each in draft.repairs() if each.code in OFFERED) if select is None else (),
        skipped=("mojibake",) if "mojibake" in codes and mojibake.is_missing(original) else (),
        original=markdown,
    )


def _settled(original: Source, codes: AbstractSet[str], limits: Limits) -> tuple[Draft, Source]:
    draft, source = Draft(original.markdown), original
    for _ in range(MAX_ROUNDS):
        before = source
        for code, find in REPAIRS.items():
            if code in codes and draft.apply(code, find(source)):
                source = Source(draft.markdown, limits)
        if source is before:
            return draft, source
    return Draft(original.markdown), original


def _selected(select: AbstractSet[str] | None) -> AbstractSet[str]:
    if select is None:
        return REPAIRS.keys() - OFFERED
    require_names("select", select, expected="codes of repairs")
    for code in sorted(select - REPAIRS.keys()):
        raise InvalidArgument("select", f"must have codes of repairs, such as 'bullet' (got {code!r})")
    return select
