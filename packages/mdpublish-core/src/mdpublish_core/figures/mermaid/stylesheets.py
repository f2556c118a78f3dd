"""The rules of a drawing's style sheet that hold for something in it: merman writes those of everything that a type can have."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_CLASS = re.compile(r"\.(-?[_a-zA-Z][\w-]*)")


def remove_unused_rules(css: str, root: "etree._Element") -> str:
    """Return the rules whose classes the drawing has; those that only move or change something under a pointer go too."""
    classes: set[str] = set()
    for element in root.iter("{*}*"):
        classes.update((element.get("class") or "").split())
    rules: list[str] = []
    for selectors, body in _RULE.findall(css):
        matching = [
            each
            for each in selectors.strip().split(",")
            if ":hover" not in each and '[data-look="neo"]' not in each and classes.issuperset(_CLASS.findall(each))
        ]
        if matching and body:
            rules.append(f"{','.join(matching)}{{{body}}}")
    return "".join(rules)
