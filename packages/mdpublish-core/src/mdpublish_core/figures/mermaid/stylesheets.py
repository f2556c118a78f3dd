"""Remove unused CSS rules: merman writes all rules of a diagram type."""

import re

from mdpublish_core.figures.mermaid import elements as svg

_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_CLASS = re.compile(r"\.(-?[_a-zA-Z][\w-]*)")


def remove_unused_rules(css: str, root: svg.Element) -> str:
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
