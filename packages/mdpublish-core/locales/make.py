"""Makes the locales of charts from Unicode CLDR. Reproducible byte for byte. Run by `nox -s locales`.

They are those of CLDR's modern coverage. CLDR's JSON repeats what a locale inherits; ours has its parent's name and
differences.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterator
from pathlib import Path

from cldr import read, read_bytes
from fields import Fields, currency_decimals, locale_fields

FORMATTING = Path(__file__).parents[1] / "src/mdpublish_core/figures/charts/formatting"

ROOT = "und"

# Language, script, region. Variants such as el-polyton have the same numbers.
_NAME = re.compile(r"[a-z]+(-[A-Z][a-z]{3})?(-[A-Z0-9]{2,3})?")
_WITHOUT_REGION = re.compile(r"[a-z]+(-[A-Z][a-z]{3})?")


def main() -> None:
    levels = read("cldr-core", "coverageLevels.json")["effectiveCoverageLevels"]
    names = [name for name, level in levels.items() if level == "modern" and _NAME.fullmatch(name)]
    fields = {name: locale_fields(name) for name in names}
    locales = without_inherited(fields)
    for alias, name in aliases(fields.keys()):
        found = name if name in locales else name.rpartition("-")[0]
        if found in locales:
            locales.setdefault(alias, {"parent": found})
    text = as_json(currency_decimals(), difference(fields[ROOT], {}), locales)
    (FORMATTING / "locales.json").write_text(text, "utf-8")
    (FORMATTING / "locales.LICENSE.txt").write_bytes(read_bytes("cldr-core", "LICENSE"))
    print(f"{len(locales)} locales, {len(text.encode()):,} bytes")  # noqa: T201 - a program


def without_inherited(fields: dict[str, Fields]) -> dict[str, Fields]:
    """Leave out regions that differ in nothing from the locale that is found instead."""
    explicit = read("cldr-core", "supplemental/parentLocales.json")["supplemental"]["parentLocales"]["parentLocale"]

    def ancestors(name: str) -> list[str]:
        parent = explicit.get(name) or name.rpartition("-")[0] or ROOT
        return [] if name == ROOT else [parent, *ancestors(parent)]

    result: dict[str, Fields] = {}
    for name in sorted(fields.keys() - {ROOT}, key=lambda name: len(ancestors(name))):
        parent = next((each for each in ancestors(name) if each in result), ROOT)
        different = difference(fields[name], fields[parent])
        if different or name in explicit or _WITHOUT_REGION.fullmatch(name):
            result[name] = different if parent == ROOT else {"parent": parent, **different}
    return result


def difference(fields: Fields, inherited: Fields) -> Fields:
    """Return the fields that differ; of tables, the entries."""
    result: Fields = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            entries = inherited.get(name, {})
            # A currency without a symbol has its code.
            changed = {key: each for key, each in value.items() if each != entries.get(key, key)}
            if changed or name not in inherited:
                result[name] = changed
        elif name not in inherited or value != inherited[name]:
            result[name] = value
    return result


def aliases(names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield regions that imply another script than their language, and earlier names of languages."""
    existing = {*names, *read("cldr-core", "defaultContent.json")["defaultContent"]}
    likely = read("cldr-core", "supplemental/likelySubtags.json")["supplemental"]["likelySubtags"]
    yield from ((name, full) for name, full in likely.items() if full in existing and not name.startswith(ROOT))
    languages = read("cldr-core", "supplemental/aliases.json")["supplemental"]["metadata"]["alias"]["languageAlias"]
    yield from ((name, alias["_replacement"]) for name, alias in languages.items() if len(name) == 2)


def as_json(decimals: dict[str, int], root: Fields, locales: dict[str, Fields]) -> str:
    lines = ",\n".join(f'"{name}": {as_line(locales[name])}' for name in sorted(locales))
    return f'{{"currency_decimals": {as_line(decimals)},\n"root": {as_line(root)},\n"locales": {{\n{lines}\n}}}}\n'


def as_line(value: Fields) -> str:
    """Escape spaces other than ASCII's, and directional marks."""
    line = json.dumps(value, ensure_ascii=False)
    return "".join(
        f"\\u{ord(each):04x}" if each != " " and unicodedata.category(each) in {"Cf", "Zs"} else each for each in line
    )


if __name__ == "__main__":
    main()
