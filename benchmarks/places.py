"""In which form constructs arrive in Teams, Jira and Confluence: a table of docs/explanation/comparison.md.

    python -m benchmarks.places             prints the table
    python -m benchmarks.places --check     exits with 1 if the page has another one

The specimens are those of tests/cases/deliveries.py. What Atlassian's JSON schema and ProseMirror schema understand
decides for its format, html5lib for Teams.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence

import html5lib

from benchmarks.comparison_page import PAGE, table_of_page
from mdpublish_core import convert
from tests.cases.deliveries import SPECIMENS
from tests.interop.atlassian import Json, read_all, text_of, walk

PEERS = ("marklassian", "md-to-adf")

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
    return "yes" if is_native and word in words else "text" if word and word in words else "lost"


def rows() -> list[list[str]]:
    constructs = [each for each in SPECIMENS if each not in UNLIKE]
    given: list[Json] = [{"adf": json.loads(convert(SPECIMENS[each], to="adf").text)} for each in constructs]
    given += [{"html": convert(SPECIMENS[each], to="jira").html} for each in constructs]
    given += [{"markdown": SPECIMENS[each], "peer": peer} for peer in PEERS for each in constructs]
    read = read_all(given)
    columns = [read[start : start + len(constructs)] for start in range(0, len(read), len(constructs))]
    for pasted in columns[1]:
        # Their editor's plug-in makes media of images.
        for node in walk(pasted["tree"]):
            node["type"] = "media" if node["type"] == "image" else node["type"]
    body = [
        [each, of_teams(each), *(of_adf(each, column[number]) for column in columns)]
        for number, each in enumerate(constructs)
    ]
    totals = ["**as it is**", *(str(sum(row[n] == "yes" for row in body)) for n in range(1, len(body[0])))]
    gone = [
        "**lost or refused**",
        *(str(sum(row[n] in {"lost", "refused"} for row in body)) for n in range(1, len(body[0]))),
    ]
    return [*body, totals, gone]


def table() -> str:
    head = ["construct", "`teams`", "`adf`", "`jira`, pasted", "marklassian 1.2.1", "md-to-adf 0.6.4"]
    lines = [head, ["---"] * len(head), *rows()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help=f"compare with {PAGE.name}")
    counted = table()
    if not parser.parse_args().check:
        print(counted, end="")
    elif table_of_page("places") != counted:
        sys.exit(f"{PAGE.name} has another table of places")


if __name__ == "__main__":
    main()
