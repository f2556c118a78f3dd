"""In which form constructs arrive in chats and wikis, and how many lines write them: tables of docs/explanation/comparison.md.

    python -m benchmarks.places             prints the tables
    python -m benchmarks.places --check     exits with 1 if the page has other ones

The specimens are those of tests/cases/deliveries.py. What Atlassian's JSON schema and ProseMirror schema understand, and
adflux, decides for its format, its transformer for wiki markup, TDLib for Telegram, html5lib for Teams.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import html5lib

import mdpublish_core
from benchmarks.comparison_page import PAGE, table_of_page
from mdpublish_core import convert
from tests.cases.deliveries import SPECIMENS
from tests.example_outputs import EXAMPLES, example_output
from tests.interop import adflux_tree
from tests.interop.atlassian import Json, read_all, text_of, walk
from tests.interop.telegram import read_messages

PEERS = ("marklassian", "md-to-adf")

WRITERS = Path(mdpublish_core.__file__).parent / "writers"

MODULES: Mapping[str, Sequence[Path]] = {
    "`teams`": [WRITERS / "teams.py"],
    "`jira`, `confluence`, `adf`": [
        *(WRITERS / f"{name}.py" for name in ("jira", "confluence", "adf", "places/atlassian", "options/adf")),
    ],
    "what places share": [WRITERS / f"places/{name}.py" for name in ("blocks", "fit", "html", "parts")],
    **{f"example `mdpublish-{name}`": [EXAMPLES / f"mdpublish-{name}/mdpublish_{name}.py"]
       for name in ("telegram", "jira", "confluence")},
}  # fmt: skip
"""What writes a place."""

UNLIKE = frozenset({"unsafe-link", "raw-html", "extra-cell", "removed-html"})
"""Specimens of which nothing, or text alone, should arrive."""

_IN_ADF: Mapping[str, Sequence[str]] = {
    "heading": ("heading",),
    "emphasis": ("strong",),
    "strikethrough": ("strike",),
    "highlight": ("backgroundColor",),
    "underline": ("underline",),
    "script": ("subsup",),
    "inline-code": ("code",),
    "key": ("code",),
    "link": ("link",),
    "phone-link": ("link",),
    "image-link": ("media", "link"),
    "image": ("media",),
    "caption": ("media", "em"),
    "figure-caption": ("codeBlock", "em"),
    "list": ("bulletList",),
    "numbered-list": ("orderedList",),
    "continued-list": ("orderedList", "order=7"),
    "task": ("taskItem", "state=DONE"),
    "quote": ("blockquote",),
    "callout": ("panel",),
    "fold": ("expand",),
    "code-block": ("codeBlock",),
    "table": ("table", "tableHeader"),
    "diagram": ("codeBlock",),
    "chart": ("codeBlock",),
    "display-formula": ("codeBlock",),
    "rule": ("rule",),
}
"""What must be in a document for a construct to have arrived as it is there; others are text at best."""

_IN_ADFLUX: Mapping[str, Sequence[str]] = {
    "heading": ("Header",),
    "emphasis": ("Strong",),
    "strikethrough": ("Strikeout",),
    "highlight": ("adf-mark-backgroundColor",),
    "underline": ("Underline",),
    "script": ("Superscript",),
    "inline-code": ("Code",),
    "key": ("Code",),
    "link": ("Link",),
    "phone-link": ("Link",),
    "image-link": ("adf-media",),
    "image": ("adf-media",),
    "caption": ("adf-media", "Emph"),
    "figure-caption": ("CodeBlock", "Emph"),
    "list": ("BulletList",),
    "numbered-list": ("OrderedList",),
    "continued-list": ("OrderedList",),
    "task": ("adf-taskItem",),
    "quote": ("BlockQuote",),
    "callout": ("adf-panel",),
    "fold": ("adf-expand",),
    "code-block": ("CodeBlock",),
    "table": ("Table",),
    "diagram": ("CodeBlock",),
    "chart": ("CodeBlock",),
    "display-formula": ("CodeBlock",),
    "rule": ("HorizontalRule",),
}
"""The same as adflux has it."""

_IN_TEAMS: Mapping[str, str] = {
    "heading": "h1",
    "emphasis": "strong",
    "strikethrough": "s",
    "underline": "u",
    "script": "sup",
    "inline-code": "code",
    "key": "code",
    "link": "a",
    "phone-link": "a",
    "image-link": "img",
    "image": "img",
    "list": "ul",
    "table": "th",
    "numbered-list": "ol",
    "quote": "blockquote",
    "nested-quote": "blockquote",
    "callout": "blockquote",
    "rule": "hr",
    **dict.fromkeys(("code-block", "diagram", "chart", "display-formula"), "pre"),
}


_IN_TELEGRAM: Mapping[str, str] = {
    "emphasis": "Bold",
    "strikethrough": "Strikethrough",
    "underline": "Underline",
    "inline-code": "Code",
    "key": "Code",
    "link": "TextUrl",
    "image-link": "TextUrl",
    "quote": "BlockQuote",
    "callout": "BlockQuote",
    "fold": "ExpandableBlockQuote",
    **dict.fromkeys(("code-block", "diagram", "chart", "display-formula"), "Pre"),
}


def of_telegram(construct: str, lines: str) -> str:
    messages = read_messages(lines)
    kind = f"textEntityType{_IN_TELEGRAM.get(construct)}"
    kinds = {entity.kind.replace("PreCode", "Pre") for each in messages for entity in each.entities}
    return _form(construct, "".join(each.content for each in messages), is_native=kind in kinds)


def _telegramify(markdown: str) -> str:
    message = import_module("telegramify_markdown").markdownify(markdown)
    return json.dumps({"parse_mode": "Markdown", "text": message})


def of_both(construct: str, reading: Json, document: str) -> str:
    """Return the form that both readers of Atlassian's format find."""
    forms = {of_adf(construct, reading), of_adflux(construct, document)}
    assert len(forms) == 1, (construct, forms)
    return forms.pop()


def of_adflux(construct: str, document: str) -> str:
    tree = adflux_tree.read_adf(document)
    present = {name for each in adflux_tree.walk(tree) for name in (each["t"], *adflux_tree.classes_of(each))}
    expected = _IN_ADFLUX.get(construct, ())
    return _form(construct, adflux_tree.text_of(tree), is_native=bool(expected) and present.issuperset(expected))


def of_adf(construct: str, reading: Json) -> str:
    if reading.get("problems"):
        return "refused"
    tree = reading["tree"]
    present = set()
    for node in walk(tree):
        present |= {node["type"], *(mark["type"] for mark in node.get("marks", ()))}
        present |= {f"{name}={value}" for name, value in (node.get("attrs") or {}).items()}
    expected = _IN_ADF.get(construct)
    return _form(construct, text_of(tree), is_native=bool(expected) and present.issuperset(expected or ()))


def of_teams(construct: str) -> str:
    tree = html5lib.parseFragment(convert(SPECIMENS[construct], to="teams").html, namespaceHTMLElements=False)
    words = "".join(tree.itertext()) + " ".join(each.get("alt", "") for each in tree.iter("img"))
    return _form(construct, words, is_native=tree.find(f".//{_IN_TEAMS.get(construct, 'none')}") is not None)


def _form(construct: str, words: str, *, is_native: bool) -> str:
    word = "q" if "formula" in construct else "" if construct == "rule" else "Specimen"
    is_text = word in words if word else re.search("[─—-]{3}", words) is not None
    return "yes" if is_native and word in words else "text" if is_text else "lost"


def rows() -> list[list[str]]:
    constructs = [each for each in SPECIMENS if each not in UNLIKE]
    adf = {each: convert(SPECIMENS[each], to="adf").text for each in constructs}
    given: list[Json] = [{"adf": json.loads(adf[each])} for each in constructs]
    given += [{"html": convert(SPECIMENS[each], to="jira").html} for each in constructs]
    given += [{"wiki": convert(SPECIMENS[each], to=example_output("jira")).text} for each in constructs]
    given += [{"markdown": SPECIMENS[each], "peer": peer} for peer in (*PEERS, "jira2md") for each in constructs]
    read = read_all(given)
    columns = [read[start : start + len(constructs)] for start in range(0, len(read), len(constructs))]
    for pasted in columns[1]:
        # Their editor's plug-in makes media of images.
        for node in walk(pasted["tree"]):
            node["type"] = "media" if node["type"] == "image" else node["type"]
    body = [
        [
            each,
            of_teams(each),
            of_both(each, columns[0][number], adf[each]),
            of_adf(each, columns[1][number]),
            *(of_adf(each, column[number]) for column in (*columns[3:5], columns[2], columns[5])),
            of_telegram(each, convert(SPECIMENS[each], to=example_output("telegram")).text),
            of_telegram(each, _telegramify(SPECIMENS[each])),
        ]
        for number, each in enumerate(constructs)
    ]
    totals = ["**as it is**", *(str(sum(row[n] == "yes" for row in body)) for n in range(1, len(body[0])))]
    gone = [
        "**lost or refused**",
        *(str(sum(row[n] in {"lost", "refused"} for row in body)) for n in range(1, len(body[0]))),
    ]
    return [*body, totals, gone]


def forms_table() -> str:
    ours, peers = ["`teams`", "`adf`", "`jira`, pasted"], ["marklassian 1.2.1", "md-to-adf 0.6.4"]
    others = ["wiki markup", "jira2md 3.0.1", "Telegram", "telegramify-markdown 1.4.1"]
    table = [["construct", *ours, *peers, *others], *rows()]
    # All columns beside each other would be wider than a page.
    return "\n".join(written([[row[0], *row[part]] for row in table]) for part in (slice(1, 6), slice(6, None)))


def lines_table() -> str:
    """Return how many lines write a place, and in how many files."""
    counts = [
        [name, str(len(files)), str(sum(len(file.read_text("utf-8").splitlines()) for file in files))]
        for name, files in MODULES.items()
    ]
    return written([["", "modules", "lines"], *counts])


def written(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *body))


TABLES: Mapping[str, Callable[[], str]] = {"places": forms_table, "place-lines": lines_table}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help=f"compare with {PAGE.name}")
    is_check = parser.parse_args().check
    for name, table in TABLES.items():
        counted = table()
        if not is_check:
            print(counted)
        elif table_of_page(name) != counted:
            sys.exit(f"{PAGE.name} has another table {name}")


if __name__ == "__main__":
    main()
