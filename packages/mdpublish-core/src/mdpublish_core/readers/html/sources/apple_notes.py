"""Apple's Notes and TextEdit: styles are rules of classes in a style sheet."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.strings.lazy_patterns import compile_lazily

_RULE = compile_lazily(r"(?<!\w)(\w+)\.(\w+)\s*\{([^{}]*)\}")


def clean(root: Element) -> None:
    sheets = (sheet.text or "" for sheet in root.iter("style"))
    rules = {(rule[1], rule[2]): rule[3] for sheet in sheets for rule in _RULE.finditer(sheet)}
    for element in root.iterfind(".//*[@class]"):
        if rule := rules.get((str(element.tag), element.get("class", ""))):
            element.set("style", f"{rule};{element.get('style', '')}")
