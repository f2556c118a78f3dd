"""Random Markdown whose words are all different, and random edits of what was made of it, by programs that are not ours.

Word files are edited by python-docx, HTML by lxml: words, items, cells, boxes, sections, comments.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from io import BytesIO
from itertools import count, takewhile
from random import Random
from typing import Any, ClassVar, NamedTuple

import docx
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import nsmap, qn
from docx.text.paragraph import Paragraph
from lxml import etree, html

WORD = re.compile("(?:k|n)[0-9]+x")
"""A word of the source, or one that an edit wrote. None is part of another."""

SIGNS = {"✅": "❌", "❌": "✅"}

_LEAVES = (
    "# {} {}",
    "## {} *{}*",
    "{}\n---",
    "{} {} {}, {}.",
    "{}, **{} {}** and *{}* `{}` {}.\n{} ~~{}~~",
    "{} [{} {}](https://example.org/{}) {}",
    "{} ![{}](https://example.org/{}.png) {}",
    "{} ✅ {} H<sub>2</sub>O {} ❌ {}",
    "Yes.",
    "The {} of the {} is the same as the {}.",
    "{} $a_1 + b$ {}",
    "- {}\n- {} {}\n- {}",
    "* {}\n* {}\n    * {}\n    * {}\n* {}",
    "1. {}\n2. {}\n   - {}\n3. {}",
    "7. {}\n8. {}",
    "- [ ] {}\n- [x] {}\n- [ ] {} **{}**",
    "| {} | {} |\n|---|--:|\n| {} | {} {} |\n| ✅ | {} |\n| {} | |",
    "| {} | A | B |\n|---|---|---|\n| {} | ✅ | ❌ |\n| {} | ❌ | yes |\n| {} | $x_1$ | ✅ |\n| {} | `{}` | [{}](https://example.org/{}) |",
    "![{}](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)",
    # Programs show them as pictures, which may come back as such.
    *2 * ("$$\n{} = x^2\n$$", "```mermaid\nflowchart LR\n  A[{}] --> B[{}]\n```"),
    "```py\n{} = 1\n    {} = {}\n```",
    "***",
    "{} {}[^#]",
    "<details><summary>{}</summary>\n\n{} {}\n\n</details>",
)


_HEADINGS_OR_NONE = ("", "", "# {}", "## {}")


_CONTAINERS = (
    ("> ", "> ", ""),
    ("> [!NOTE]\n> ", "> ", ""),
    ("- {}\n\n  ", "  ", "\n\n- {}"),
    ("- ", "  ", "\n\n- {}"),
)
"""What is before the first line of a block, before others, and after it."""


class Edit(NamedTuple):
    """A kind of edit, and where it is made: a number, to be divided by the count of places."""

    kind: str
    place: int


class Case(NamedTuple):
    markdown: str
    output: str
    changes: Sequence[Edit]


def _filled(templates: Sequence[str]) -> str:
    """Return templates as blocks, with a word of its own in each hole, and the footnotes that they name."""
    numbers = count()
    blocks: list[str] = []
    notes: list[str] = []
    for template in templates:
        block = re.sub(r"\{\}", lambda _: f"k{next(numbers)}x", template).replace("#]", f"{len(notes)}]")
        blocks.append(block)
        notes += [f"[^{label}]: k{next(numbers)}x k{next(numbers)}x." for label in re.findall(r"\[\^(\w+)\]", block)]
    return "\n\n".join([*blocks, *notes]) + "\n"


def _block(random: Random, depth: int = 0) -> str:
    """Return a template, one in four of them in a quote, a callout or an item."""
    if depth > 1 or random.random() < 0.75:
        return random.choice(_LEAVES)
    first, further, after = random.choice(_CONTAINERS)
    return f"{first}{_block(random, depth + 1).replace(chr(10), chr(10) + further)}{after}"


OUTPUTS = ("docx", "google-docs", "word", "onenote", "email", "generic", "html", "page")

KINDS = (
    *("change a word", "insert a word", "delete a word", "change a cell", "tick a box", "comment a paragraph"),
    *("change a sign", "change a link", "delete a formula", "delete an image", "suggest a word", "divide a paragraph"),
    *(f"{action} {unit}" for unit in ("a paragraph", "an item", "a row") for action in ("add", "delete", "move")),
    *("delete a section", *4 * ("move a section",)),
)


def case_of(seed: str) -> Case:
    random = Random(seed)
    output = random.choice(("docx", "docx", *OUTPUTS))
    blocks = [
        each for _ in range(random.randint(1, 5)) for each in (random.choice(_HEADINGS_OR_NONE), _block(random)) if each
    ]
    changes = [Edit(random.choice(KINDS), random.randrange(100)) for _ in range(random.randint(1, 3))]
    return Case(_filled(blocks), output, changes)


_NAMESPACES = {
    **nsmap,
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "re": "http://exslt.org/regular-expressions",
}
_HAS_WORD = f"re:test(string(), '{WORD.pattern}')"
_BOXES = {"☐": "☑", "☑": "☐", "☒": "☐"}


class Editor:
    """A tree that is edited; places are counted anew for each edit, as others may have taken them away."""

    PLACES: ClassVar[Mapping[str, str]]
    """XPath expressions by unit; a section is where its heading is."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self._numbers = count()

    def new(self) -> str:
        return f"n{next(self._numbers)}x"

    def make(self, edit: Edit) -> None:
        """Make an edit or, where nothing is for it, the next of `KINDS` that can be made."""
        start = KINDS.index(edit.kind)
        for kind in (*KINDS[start:], *KINDS[:start]):
            action, _, unit = kind.split(" ")
            if places := self.places(kind if action in {"comment", "divide", "suggest"} else unit, self.root):
                place = places[edit.place % len(places)]
                if action in {"change", "insert"} or kind == "delete a word":
                    self._write(action, unit, place)
                elif action in {"add", "delete", "move"}:
                    self._place(action, unit, place)
                else:
                    getattr(self, action)(place)
                return

    def places(self, unit: str, root: Any) -> Sequence[Any]:
        path = self.PLACES.get(unit)
        return list(etree.XPath(path, namespaces=_NAMESPACES)(root)) if path else ()  # type: ignore[arg-type]

    def _write(self, action: str, unit: str, place: Any) -> None:
        if unit == "link":
            self.change_link(place, f"https://example.org/{self.new()}")
        elif unit == "sign":
            self.write(place, re.sub("[✅❌]", lambda match: SIGNS[match[0]], place.text, count=1))
        else:
            new = "" if action == "delete" else self.new()
            self.write(place, WORD.sub(f"\\g<0> {new}" if action == "insert" else new, place.text, count=1))

    def _place(self, action: str, unit: str, place: Any) -> None:
        if action == "add":
            copy = deepcopy(place)
            copy.tail = None
            place.addnext(copy)
            for number, each in enumerate(self.places("word", copy)):
                self.write(each, self.new() if number == 0 else "")
            for each in copy.iter():
                each.tail = WORD.sub("", each.tail) if each.tail else None
            return
        around, blocks = place.getparent(), [place]
        if unit == "section":
            headings = set(self.places("section", self.root))
            blocks += takewhile(
                lambda each: each not in headings and not str(each.tag).endswith("sectPr"), place.itersiblings()
            )
        for each in blocks:
            self.remove(each)
        for each in blocks if action == "move" else ():
            self.append(around, each)

    def write(self, place: Any, words: str) -> None:
        place.text = words

    def remove(self, block: Any) -> None:
        block.getparent().remove(block)

    def append(self, around: Any, block: Any) -> None:
        around.append(block)

    def divide(self, place: Any) -> None:
        """Press Enter before an element."""
        first = place.getparent()
        second = deepcopy(first)
        position = first.index(place)
        if isinstance(second, html.HtmlElement):
            second.text = None
        for each in [*first[position:]]:
            first.remove(each)
        for each in [*second[:position]]:
            if not str(each.tag).endswith("pPr"):
                second.remove(each)
        first.addnext(second)

    def change_link(self, place: Any, url: str) -> None:
        raise NotImplementedError

    def save(self) -> bytes | str:
        raise NotImplementedError

    def shown(self) -> Iterator[str]:
        """Yield the texts that a person sees, in order, and the targets of links, as the program knows them."""
        raise NotImplementedError


class WordEditor(Editor):
    """Edits a Word file with python-docx."""

    PLACES: ClassVar = {
        "word": f".//w:t[{_HAS_WORD}]",
        "cell": f".//w:tr//w:t[{_HAS_WORD}]",
        "sign": ".//w:t[re:test(string(), '[✅❌]')]",
        "box": ".//w:sdt[.//w14:checked]",
        "link": ".//w:hyperlink[@r:id]",
        "formula": ".//m:oMath",
        "image": ".//w:r[.//w:drawing]",
        "item": f".//w:p[.//w:numPr and {_HAS_WORD}]",
        "row": f".//w:tr[preceding-sibling::w:tr and {_HAS_WORD}]",
        # A cell needs a paragraph.
        "paragraph": f"w:p[{_HAS_WORD}]",
        "section": "w:p[starts-with(w:pPr/w:pStyle/@w:val, 'Heading')]",
        "comment a paragraph": f".//w:p[w:r and {_HAS_WORD}]",
        "suggest a word": f".//w:p/w:r[{_HAS_WORD}]",
        "divide a paragraph": f".//w:p/w:r[preceding-sibling::w:r and {_HAS_WORD}]",
    }

    def __init__(self, content: bytes) -> None:
        self.document = docx.Document(BytesIO(content))
        super().__init__(self.document.element.body)

    def write(self, place: Any, words: str) -> None:
        place.text = words
        place.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")

    def tick(self, place: Any) -> None:
        (state,) = place.iter("{*}checked")
        (name,) = state.attrib
        state.set(name, "0" if state.get(name) == "1" else "1")
        for each in place.iter(qn("w:t")):
            each.text = _BOXES.get(each.text, each.text)

    def comment(self, place: Any) -> None:
        self.document.add_comment(Paragraph(place, self.document).runs[:1], self.new(), author="Eve")

    def change_link(self, place: Any, url: str) -> None:
        # A link to an image stands for the image.
        if not self.document.part.rels[place.get(qn("r:id"))].target_ref.endswith(".png"):
            place.set(qn("r:id"), self.document.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))

    def suggest(self, place: Any) -> None:
        """Insert a copy with another word as a tracked change."""
        copy = deepcopy(place)
        for number, each in enumerate(copy.iter(qn("w:t"))):
            self.write(each, f" {self.new()}" if number == 0 else "")
        insertion = OxmlElement("w:ins", {qn("w:id"): "900", qn("w:author"): "Eve"})
        insertion.append(copy)
        place.addnext(insertion)

    def append(self, around: Any, block: Any) -> None:
        around.append(block)
        around.extend(around.findall(qn("w:sectPr")))

    def save(self) -> bytes:
        output = BytesIO()
        self.document.save(output)
        return output.getvalue()

    def shown(self) -> Iterator[str]:
        parts = {str(part.partname).rpartition("/")[2]: part for part in self.document.part.package.iter_parts()}
        for part in filter(None, map(parts.get, ("document.xml", "footnotes.xml", "comments.xml"))):
            for paragraph in etree.fromstring(part.blob).iter(qn("w:p")):
                yield "".join(each.text or "" for each in paragraph.iter(qn("w:t")))
                links = (each.get(qn("r:id")) for each in paragraph.iter(qn("w:hyperlink")) if any(each.itertext()))
                yield from (part.rels[each].target_ref for each in links if each)


# Drawings are left out as a whole, with a notice.
_SHOWN = (
    "not(ancestor-or-self::*[re:test(name(), '^(style|script|svg|title|head|xml|annotation|annotation-xml)$')"
    " or contains(@style, 'display:none')])"
)
_FIRST_TEXT = "text()[not(preceding-sibling::node()) and re:test(string(), '{}')]"


class HtmlEditor(Editor):
    """Edits HTML with lxml."""

    PLACES: ClassVar = {
        "word": f"descendant-or-self::*[{_FIRST_TEXT.format(WORD.pattern)} and {_SHOWN}]",
        "cell": f".//*[ancestor-or-self::td and {_FIRST_TEXT.format(WORD.pattern)} and {_SHOWN}]",
        "sign": f".//*[{_FIRST_TEXT.format('[✅❌]')} and {_SHOWN}]",
        "box": f".//*[({_FIRST_TEXT.format('^ *[☐☑☒]')} or @type='checkbox' or @role='checkbox') and {_SHOWN}]",
        "link": f".//a[re:test(@href, '{WORD.pattern}')]",
        "formula": ".//math | .//*[@data-math]",
        "image": f".//img[re:test(@alt, '{WORD.pattern}')]",
        "item": f".//li[{_HAS_WORD}]",
        # Tables without a head are there for their looks.
        "row": f".//tr[not(.//th) and ancestor::table[1]//th and {_HAS_WORD}]",
        "paragraph": f".//p[{_HAS_WORD} and {_SHOWN}]",
        "section": ".//*[re:test(name(), '^h[1-6]$')]",
        "divide a paragraph": f".//p/*[{_HAS_WORD} and {_SHOWN}]",
    }
    """There are no comments and no suggestions."""

    def __init__(self, content: str) -> None:
        super().__init__(html.document_fromstring(content if content.strip() else "<p>"))

    def tick(self, place: Any) -> None:
        if place.get("role") == "checkbox":
            place.set("aria-checked", "false" if place.get("aria-checked") == "true" else "true")
        elif place.tag != "input":
            self.write(place, re.sub("[☐☑☒]", lambda match: _BOXES[match[0]], place.text, count=1))
        elif place.attrib.pop("checked", None) is None:
            place.set("checked", "")

    def change_link(self, place: Any, url: str) -> None:
        place.set("href", url)

    def remove(self, block: Any) -> None:
        block.drop_tree()  # text behind it stays

    def save(self) -> str:
        return str(html.tostring(self.root, encoding="unicode"))

    def shown(self) -> Iterator[str]:
        strings: Any = etree.XPath(
            f".//text()[parent::*[{_SHOWN}]] | .//a[normalize-space()]/@href", namespaces=_NAMESPACES
        )(self.root)
        for each in strings:
            yield f"{each}\n" if each.is_attribute else str(each)


def editor_of(content: bytes | str) -> Editor:
    return WordEditor(content) if isinstance(content, bytes) else HtmlEditor(content)
