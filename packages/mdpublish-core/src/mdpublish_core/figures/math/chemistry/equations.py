r"""Chemical equations: what is in `\ce` as TeX.

`equations.tsv` is the grammar: patterns, states, actions, the next state, and whether what matches stays to be read
in it, or later rules match at the same place too. The states name what was read last: `next` follows a finished entity,
`inside` is in parentheses, and `begin` is after operators, too. It follows mhchem's manual, else mhchemParser.
"""

from collections.abc import Callable
from functools import partial

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.math.chemistry import equation_reader as act
from mdpublish_core.figures.math.chemistry import notation
from mdpublish_core.figures.math.chemistry.equation_reader import EquationReader
from mdpublish_core.figures.math.chemistry.rules import Action, Machine, Rule

_WRITTEN = {
    "plus-minus": notation.operator("\\pm"),
    "dots": "\\ldots ",
    "dotted bond": notation.bond("..."),
    "triple bond": notation.bond("#"),
    "hyphen": notation.HYPHEN,
    "addition": notation.ADDITION,
    "narrow space": notation.NARROW_SPACE,
}
_NOTATED: dict[str, Callable[..., str]] = {
    "copy": str,
    "operator": notation.operator,
    "oxidation state": act.oxidation_state,
    "state of aggregation": act.state_of_aggregation,
    "colored": act.colored,
    "color": notation.color,
    "equation": notation.equation,
    "unit": notation.unit,
}
_VERBS: dict[str, Callable[[str], Action[EquationReader]]] = {
    "add": act.add,
    "replace": act.replace,
    "set": partial(act.change, to=True),
    "unset": partial(act.change, to=False),
    "write": lambda sign: act.write(_WRITTEN[sign]),
    "notate": lambda notation: act.write_as(_NOTATED[notation]),
    "command": lambda signs: act.command_of_two(*signs.split(" ")),
}
_ACTIONS: dict[str, Action[EquationReader]] = {
    "open": partial(act.parenthesis, 1),
    "close": partial(act.parenthesis, -1),
    "dash after charge": partial(act.dash, after_charge=True),
    **{
        function.__name__.replace("_", " "): function
        for function in (
            *(act.finish, act.finish_before_more, act.finish_before_entity, act.entity_after_raised, act.raise_above),
            *(act.amount_is_entity, act.bond, act.charge_or_bond, act.dash, act.comma, act.table_mark),
        )
    },
}


def _action(words: str) -> Action[EquationReader]:
    verb, _, rest = words.partition(" ")
    return _VERBS[verb](rest) if verb in _VERBS else _ACTIONS[words]


def _rule(patterns: str, states: str, actions: str = "", then: str = "", flow: str = "") -> Rule[EquationReader]:
    return Rule(
        patterns,
        states,
        tuple(map(_action, filter(None, actions.split(", ")))),
        then,
        revisits="revisits" in flow,
        goes_on="goes on" in flow,
    )


_MACHINE = Machine([_rule(*row) for row in read_table(__file__, "equations.tsv")])


def convert_equation(content: str) -> tuple[str, bool]:
    r"""Return TeX, and whether it has marks of a table (`&` or `\\`), which must not be in a group.

    Raises `UnknownBond`.
    """
    reader = EquationReader()
    _MACHINE.run(reader, content)
    return reader.tex(), reader.has_table_marks
