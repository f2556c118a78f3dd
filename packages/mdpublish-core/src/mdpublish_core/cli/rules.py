"""The rules of `check`: the codes of notices, in groups, with examples and remedies from `rules.toml`."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import click

from mdpublish_core.errors import choose_from, did_you_mean
from mdpublish_core.notices import NOTICES

_FILE = Path(__file__).with_suffix(".toml")

_UNDESCRIBED = "others"
"""Group of notices that the file does not have yet."""


class UnknownRule(click.ClickException):
    """A code or group that does not exist: one line, with the exit status of a usage error."""

    exit_code = 2


class Rule(NamedTuple):
    """A notice as a rule; `to` are the outputs for which the example is to be checked."""

    code: str
    meaning: str
    group: str
    remedy: str = ""
    example: str = ""
    to: tuple[str, ...] = ()
    fix: Literal["safe", "unsafe"] | None = None

    @property
    def shown_example(self) -> str:
        """The example as Markdown, with the outputs for which it is to be checked; empty without one."""
        options = "".join(f" --to {name}" for name in self.to)
        code = "\n".join(f"    {line}".rstrip() for line in self.example.split("\n"))
        return f"Example, for `check{options}`:\n\n{code}" if self.example.strip() else ""

    @property
    def fixability(self) -> str:
        options = {"safe": "`--fix`", "unsafe": "`--fix --unsafe-fixes`"}
        return f"If the notice has a fix, {options[self.fix]} writes it." if self.fix else ""


@cache
def read_rules() -> Mapping[str, Rule]:
    """Return the rules by code, group by group."""
    from tomllib import loads

    groups = loads(_FILE.read_text("utf-8"))
    rules = {
        code: Rule(code, NOTICES[code], group, **{**fields, "to": tuple(fields.get("to", ()))})
        for group, described in groups.items()
        for code, fields in described.items()
    }
    return rules | {code: Rule(code, meaning, _UNDESCRIBED) for code, meaning in NOTICES.items() if code not in rules}


def codes_of(selectors: Iterable[str]) -> frozenset[str]:
    """Return the codes that are named, or in groups that are. Raises `UnknownRule`."""
    rules = read_rules()
    groups: dict[str, set[str]] = {}
    for code, rule in rules.items():
        groups.setdefault(rule.group, set()).add(code)
    codes: set[str] = set()
    for selector in selectors:
        if selector not in rules and selector not in groups:
            suggestion = did_you_mean(selector, (*rules, *groups)) or f"; the groups are {', '.join(groups)}"
            raise UnknownRule(f"unknown rule {selector!r}{suggestion}")
        codes |= groups.get(selector, {selector})
    return frozenset(codes)


def format_rules(rules: Iterable[str], only: Iterable[str], also: Iterable[str], skip: Iterable[str]) -> frozenset[str]:
    """Return the rules of the formatter after a choice. Raises `UnknownRule`."""
    from mdpublish_core.formatting.rules import RULES

    for name in (*only, *also, *skip):
        if name not in RULES:
            raise UnknownRule(f"unknown rule {name!r}{choose_from(RULES, name)}")
    return frozenset((*(only or rules), *also)).difference(skip)


def explain(selector: str) -> str:
    """Return what a rule, or each of a group, is about, as Markdown."""
    rules = read_rules()
    return "\n\n".join(_explanation(rules[code]) for code in rules if code in codes_of([selector]))


def _explanation(rule: Rule) -> str:
    parts = (
        f"# {rule.code} ({rule.group})",
        rule.meaning,
        rule.shown_example,
        f"{rule.remedy} {rule.fixability}".strip(),
        f"To ignore it: <!-- mdpublish: ignore {rule.code} -->, or --ignore {rule.code}.",
    )
    return "\n\n".join(filter(None, parts))
