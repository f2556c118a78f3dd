r"""Chemical equations: what is in `\ce` as TeX.

The table is the grammar; the states name what was read last. It follows mhchem's manual, else mhchemParser.
"""

from functools import partial

from mdpublish_core.figures.math.chemistry import equation_reader as act
from mdpublish_core.figures.math.chemistry import notation
from mdpublish_core.figures.math.chemistry.equation_reader import EquationReader
from mdpublish_core.figures.math.chemistry.rules import ALL, Machine, Rule

_OPEN, _CLOSE = partial(act.parenthesis, 1), partial(act.parenthesis, -1)
_HAS_SPACE, _HAS_NO_SPACE = act.change("has_space", to=True), act.change("has_space", to=False)
_BEGINS_WITH_BOND, _BEGINS_WITH_NO_BOND = (
    act.change("begins_with_bond", to=True),
    act.change("begins_with_bond", to=False),
)
_COPY, _OPERATOR = act.write_as(str), act.write_as(notation.operator)
_ENTITY, _RAISED, _LOWERED = act.add("entity"), act.add("raised"), act.add("lowered")
_RAISED_BEFORE, _LOWERED_BEFORE = act.add("raised before"), act.add("lowered before")

# The states `next` to a finished entity and `inside` parentheses; `begin` is after operators too.
_BEFORE = "raised-before lowered-before both-before"
_SCRIPTED = "entity raised closed raised-lowered both both-closed"
_AFTER_SCRIPTS = "raised closed lowered both both-closed raised-lowered"
_FREE = "begin next inside bond amount spaced"
_SCRIPTS = "raised group|raised math"
_ARROW = "arrow arrow-mode above above-mode below"

_RAISED_SIGNS = "raised character|raised command of two|raised command of one|raised command|prime"
_LOWERED_SIGNS = (
    "lowered group|lowered math|lowered character|lowered command of two|lowered command of one|lowered command"
)
_COMMANDS = "command of two|command of one|command"

_MACHINE = Machine(
    "begin",
    (
        Rule("end", ALL, (act.finish,)),
        Rule("any", "begin next inside", (_BEGINS_WITH_NO_BOND,), revisits=True, goes_on=True),
        Rule("oxidation state", "begin", (act.write_as(act.oxidation_state),)),
        Rule("label mode", "arrow", (act.replace("mode above"),), "arrow-mode"),
        Rule("label mode", "above", (act.replace("mode below"),), "above-mode"),
        Rule("precipitate or gas", "begin next inside spaced", (_HAS_NO_SPACE, act.finish, _OPERATOR), "next"),
        Rule("upright entity", "begin next inside", (_ENTITY, act.finish), "next"),
        Rule("orbital", "begin next inside bond", (_ENTITY,), "entity"),
        Rule("arrow", "begin next inside bond", (act.replace("arrow"),), "arrow"),
        Rule("arrow", ALL, (act.finish, act.replace("arrow")), "arrow"),
        Rule("plus", "entity", (act.raise_above,), "raised"),
        Rule("plus", "raised closed", (_RAISED,), "raised"),
        Rule("plus", "lowered", (_RAISED,), "both"),
        Rule("plus", "both both-closed", (_RAISED,), "both"),
        Rule("plus", "raised-lowered", (act.finish, _RAISED), "raised"),
        Rule("plus", "bond", (_HAS_NO_SPACE, act.finish, _OPERATOR), "begin"),
        Rule("amount", "begin inside", (act.add("amount"),), "amount"),
        Rule(
            "plus-minus",
            "begin next inside amount spaced",
            (_HAS_NO_SPACE, act.finish, act.write(notation.operator("\\pm"))),
            "begin",
        ),
        Rule("operator", "begin next inside amount spaced", (_HAS_NO_SPACE, act.finish, _OPERATOR), "begin"),
        Rule("charge", "entity lowered", (act.charge_or_bond, act.finish), "both"),
        Rule("charge", "raised", (_RAISED,)),
        Rule("charge", "closed both-closed raised-lowered", (act.finish, act.bond), "bond"),
        Rule("charge", "both", (_RAISED,)),
        Rule("dash before a digit", "bond entity", (act.finish, act.write(notation.HYPHEN)), "bond"),
        Rule("dash before an orbital", "entity raised", (act.finish, act.write(notation.HYPHEN)), "inside"),
        Rule("dash", "begin next inside", (act.finish_before_more, _BEGINS_WITH_BOND, act.bond), "bond"),
        Rule("dash", "bond", (act.bond,)),
        Rule("dash", "amount", (act.finish, act.write(notation.HYPHEN)), "inside"),
        Rule("dash", "spaced", (act.finish_before_entity, act.bond), "bond"),
        Rule("dash", "raised-before", (_RAISED_BEFORE,)),
        Rule("dash", "entity lowered", (act.dash,), "inside"),
        Rule("dash", "raised both raised-lowered", (partial(act.dash, after_charge=True),), "inside"),
        Rule("dash", "closed both-closed lowered-before", (act.finish, act.bond), "bond"),
        Rule("amount", "next bond", (act.add("amount"),), "amount"),
        Rule("letters", f"{_FREE} {_BEFORE} entity", (_ENTITY,), "entity"),
        Rule("letters", "lowered raised-lowered", (act.finish, _ENTITY), "entity"),
        Rule("letters", "raised closed both both-closed", (act.entity_after_raised,), "entity"),
        Rule("digits", "entity", (_LOWERED,), "lowered"),
        Rule("digits", "raised closed", (_LOWERED,), "raised-lowered"),
        Rule("digits", "lowered", (act.finish, _ENTITY), "entity"),
        Rule("digits", "amount", (_ENTITY,), "entity"),
        Rule("space before an entity", _BEFORE),
        Rule("space", "amount", (), "spaced"),
        Rule("space", "begin", (_HAS_NO_SPACE,)),
        Rule("space", "next inside", (_HAS_SPACE,)),
        Rule("space", _ARROW, (act.finish,), "begin"),
        Rule("space", ALL, (act.finish, _HAS_SPACE), "next"),
        Rule("table mark", "next inside", (act.finish, act.table_mark)),
        Rule("table mark", ALL, (act.finish, act.table_mark), "begin"),
        Rule("label", "arrow arrow-mode", (act.replace("above"),), "above"),
        Rule("label", "above above-mode", (act.replace("below"),), "below"),
        Rule("dots", _SCRIPTED, (act.finish, act.write(notation.bond("..."))), "bond"),
        Rule("dots", ALL, (act.finish_before_more, act.write("\\ldots ")), "next"),
        Rule("addition dot", ALL, (act.finish, act.write(notation.ADDITION)), "next"),
        Rule("state of aggregation", ALL, (act.finish, act.write_as(act.state_of_aggregation)), "next"),
        Rule("opening", "amount spaced entity begin next inside bond", (_ENTITY, act.finish, _OPEN), "inside"),
        Rule("opening", ALL, (act.finish, _ENTITY, act.finish, _OPEN), "inside"),
        Rule("closing", f"begin next inside bond {_BEFORE} entity", (_ENTITY, _CLOSE), "entity"),
        Rule("closing", f"amount spaced {_AFTER_SCRIPTS}", (act.finish, _ENTITY, _CLOSE), "entity"),
        Rule("comma", ALL, (act.finish, act.comma), "begin"),
        Rule("mark without script", ALL),
        Rule(_SCRIPTS, "begin next inside spaced", (_RAISED_BEFORE,), "raised-before"),
        Rule(_SCRIPTS, "lowered-before", (_RAISED_BEFORE,), "both-before"),
        Rule(_SCRIPTS, "bond entity", (act.raise_above,), "closed"),
        Rule(_SCRIPTS, "lowered", (_RAISED,), "both-closed"),
        Rule(_SCRIPTS, "raised closed both both-closed raised-lowered", (act.finish, _RAISED), "closed"),
        Rule(_RAISED_SIGNS, "begin next inside spaced", (_RAISED_BEFORE,), "raised-before"),
        Rule(_RAISED_SIGNS, "lowered-before", (_RAISED_BEFORE,), "both-before"),
        Rule(_RAISED_SIGNS, "bond entity", (act.raise_above,), "raised"),
        Rule(_RAISED_SIGNS, "lowered", (_RAISED,), "both"),
        Rule(_RAISED_SIGNS, "raised both closed both-closed", (_RAISED,)),
        Rule(_RAISED_SIGNS, "raised-lowered", (act.finish, _RAISED), "raised"),
        Rule("lowered state of aggregation", _AFTER_SCRIPTS, (act.finish, _LOWERED), "lowered"),
        Rule(_LOWERED_SIGNS, "begin next inside spaced", (_LOWERED_BEFORE,), "lowered-before"),
        Rule(_LOWERED_SIGNS, "raised-before", (_LOWERED_BEFORE,), "both-before"),
        Rule(_LOWERED_SIGNS, "bond entity", (_LOWERED,), "lowered"),
        Rule(_LOWERED_SIGNS, "raised closed", (_LOWERED,), "raised-lowered"),
        Rule(_LOWERED_SIGNS, "lowered both both-closed raised-lowered", (act.finish, _LOWERED), "lowered"),
        Rule("bond sign", f"{_FREE} lowered {_SCRIPTED}", (act.finish_before_entity, act.bond), "bond"),
        Rule(
            "triple bond",
            f"{_FREE} lowered {_SCRIPTED}",
            (act.finish_before_entity, act.write(notation.bond("#"))),
            "bond",
        ),
        Rule("separator before a raised", ALL, (act.finish_before_more, act.write(notation.NARROW_SPACE)), "next"),
        Rule("separator", ALL, (act.finish_before_more,), "next"),
        Rule("group", f"{_FREE} {_BEFORE}", (_ENTITY,), "entity"),
        Rule("group", f"lowered {_SCRIPTED}", (act.finish, _ENTITY), "entity"),
        Rule("math", "amount", (act.add("amount"),)),
        Rule("math", f"begin next inside bond spaced {_BEFORE} entity", (_ENTITY,), "entity"),
        Rule("math", _AFTER_SCRIPTS, (act.finish, _ENTITY), "entity"),
        Rule("bond", ALL, (act.finish_before_entity, act.bond), "bond"),
        Rule("fraction", ALL, (act.finish_before_more, act.command_of_two("\\frac")), "bond"),
        Rule("overset", ALL, (act.finish_before_entity, act.command_of_two("\\overset")), "bond"),
        Rule("underset", ALL, (act.finish_before_entity, act.command_of_two("\\underset")), "bond"),
        Rule("underbrace", ALL, (act.finish_before_entity, act.command_of_two("\\underbrace", "_")), "bond"),
        Rule("colored", ALL, (act.finish_before_entity, act.write_as(act.colored)), "bond"),
        Rule("color", ALL, (act.finish_before_entity, act.write_as(notation.color))),
        Rule("equation", ALL, (act.finish_before_entity, act.write_as(notation.equation)), "bond"),
        Rule("spacing", ALL, (act.finish_before_more, _COPY), "next"),
        Rule("unit", ALL, (act.finish, act.write_as(notation.unit)), "bond"),
        Rule(_COMMANDS, f"{_FREE} {_BEFORE} entity", (_ENTITY, act.finish), "bond"),
        Rule(_COMMANDS, ALL, (act.finish, _ENTITY, act.finish), "bond"),
        Rule("other sign", ALL, (act.finish_before_more, _COPY), "bond"),
        Rule("any", "amount", (act.amount_is_entity,), "entity", revisits=True),
        Rule("any", "spaced", (act.finish, _HAS_SPACE), "next", revisits=True),
        Rule("any", _ARROW, (act.finish,), "begin", revisits=True),
        Rule("any", ALL, (act.finish, _COPY), "bond"),
    ),
)


def convert_equation(content: str) -> tuple[str, bool]:
    r"""Return TeX, and whether it has marks of a table (`&` or `\\`), which must not be in a group.

    Raises `UnknownBond`.
    """
    reader = EquationReader()
    _MACHINE.run(reader, content)
    return reader.tex(), reader.has_table_marks
