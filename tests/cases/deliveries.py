"""A specimen of each construct, and how a reader of an output tells in which form it arrived."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mdpublish_core import parse, render
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.writers.clipboard import render_for_clipboard
from mdpublish_core.writers.forms import FOLDER, forms_in
from tests.cases.shapes import main_part, shapes_of

PNG = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAAEUlEQVR4nGP4z8DAwMCAjAAOGAEBKL0V4QAAAABJRU5ErkJggg=="

SPECIMENS: Mapping[str, str] = {
    "heading": "# Specimen\n\ntext",
    "emphasis": "a **Specimen** b",
    "strikethrough": "a ~~Specimen~~ b",
    "highlight": "a ==Specimen== b",
    "underline": "a <u>Specimen</u> b",
    "script": "a<sup>Specimen</sup> b",
    "inline-code": "a `Specimen` b",
    "key": "a <kbd>Specimen</kbd> b",
    "abbreviation": '<abbr title="Specimen">S</abbr> b',
    "link": "a [Specimen](https://example.org/) b",
    "internal-link": "# There\n\na [Specimen](#there) b",
    "relative-link": "a [Specimen](file.pdf) b",
    "phone-link": "a [Specimen](tel:123) b",
    "unsafe-link": "a [Specimen](ftp://example.org/) b",
    "image-link": "[![Specimen](https://example.org/a.png)](https://example.org/)",
    "image": "![Specimen](https://example.org/a.png)",
    "embedded-image": f"![Specimen]({PNG})",
    "relative-image": "![Specimen](a.png)",
    "tooltip": 'a [b](https://example.org/ "Specimen") c',
    "caption": '![a](https://example.org/a.png "Specimen")',
    "figure-caption": '```mermaid title="Specimen"\nflowchart LR\n  a --> b\n```',
    "list": "- Specimen\n- b",
    "numbered-list": "1. Specimen\n2. b",
    "continued-list": "7. Specimen\n8. b",
    "task": "- [x] Specimen\n- [ ] b",
    "numbered-task": "1. [x] Specimen\n2. [ ] b",
    "definition-list": "<dl><dt>Specimen</dt><dd>b</dd></dl>",
    "quote": "> Specimen",
    "nested-quote": "> a\n>\n> > Specimen",
    "callout": "> [!TIP]\n> Specimen",
    "fold": "<details><summary>Summary</summary>\n\nSpecimen\n\n</details>",
    "code-block": "```\nSpecimen\n```",
    "table": "| Specimen | b |\n|---|---|\n| c | d |",
    "diagram": "```mermaid\nflowchart LR\n  Specimen --> b\n```",
    "chart": '```chart\n{"type": "bar", "data": {"labels": ["Specimen"], "datasets": [{"data": [1]}]}}\n```',
    "formula": "a $q^2$ b",
    "display-formula": "a\n\n$$\n\\frac{q}{2}\n$$",
    "footnote": "a[^1]\n\n[^1]: Specimen",
    "rule": "a\n\n---\n\nb",
    "raw-html": '<div class="Specimen">b</div>',
    "extra-cell": "| a |\n|---|\n| b | Specimen |",
    "removed-html": "a <video>b</video><script>Specimen</script>",
}
"""A document for each construct, of which readers see the word, or the formula's letter."""

OTHERS: Mapping[tuple[str, str], str] = {
    ("formula", "picture"): "a $\\sqrt{\\frac{q}{2}}$ b",
    ("heading", "bold"): "# a\n\n- b\n\n  # Specimen",
    # In an item of a list, or another block that does not hold it in some outputs.
    ("quote", "text"): "- a\n\n  > Specimen",
    ("callout", "text"): "- a\n\n  > [!TIP]\n  > Specimen",
    ("fold", "text"): "- a\n\n  <details><summary>Summary</summary>\n\n  Specimen\n\n  </details>",
    ("task", "symbol"): "- [x] Specimen\n\n  b",
    ("rule", "symbol"): "- a\n  ***\n  b",
    ("table", "monospaced"): "- a\n\n  | Specimen | b |\n  |---|---|\n  | c | d |",
    ("image", "link"): "# ![Specimen](https://example.org/a.png)",
    ("image-link", "text"): "# [![Specimen](https://example.org/a.png)](https://example.org/)",
    ("table", "text"): "| Specimen |"
    + "".join(f" column number {n} |" for n in range(2, 40))
    + f"\n|{'---|' * 39}\n|{' some longer words |' * 39}",
}
"""For forms that are not the usual one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A construct in one of its forms in an output."""

    output: str
    construct: str
    form: str

    @property
    def markdown(self) -> str:
        return OTHERS.get((self.construct, self.form), SPECIMENS[self.construct])

    @property
    def content(self) -> str | bytes:
        raw_html: RawHtml = "keep" if self.construct == "raw-html" else "sanitize"
        document = parse(self.markdown, raw_html=raw_html)
        if self.output == "slack-composer":
            return render_for_clipboard(document, "slack")[0].html or ""
        return render(document, to=self.output).content


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader finds of a cell: the shape of what it understood, and the output's source."""

    cell: Cell
    shape: str
    source: str

    @property
    def word(self) -> str:
        return _WORDS.get(self.cell.construct, "Specimen")

    @property
    def is_native(self) -> bool:
        """Whether it is there as the program has it."""
        construct = self.cell.construct
        if attribute := _ATTRIBUTES.get((self.cell.output, construct)):
            return re.search(attribute, self.source) is not None
        return self.finds(_NATIVE.get(construct, "(?!)"))

    def finds(self, pattern: str) -> bool:
        return re.search(pattern, self.shape) is not None


def all_cells() -> list[Cell]:
    return [
        Cell(file.stem, construct, form)
        for file in sorted(FOLDER.glob("*.toml"))
        # What a PDF has, tests/core/test_pdf.py reads.
        if file.stem not in {"words", "pdf"}
        for construct, forms in forms_in(file.stem).items()
        for form in forms
    ]


def refuted(cells: Sequence[Cell]) -> list[str]:
    """Return the cells that a reader of the output does not find so, with what it finds."""
    contents = [each.content for each in cells]
    shapes = shapes_of([(cell.output, content) for cell, content in zip(cells, contents, strict=True)])
    return [
        f"{cell.output}: {cell.construct} {cell.form}, but {shape}"
        for cell, content, shape in zip(cells, contents, shapes, strict=True)
        if not _HOLDS[cell.form](Seen(cell, shape, content if isinstance(content, str) else main_part(content)))
    ]


_NATIVE: Mapping[str, str] = {
    "heading": r"Header\[.*Specimen",
    "emphasis": r"Strong\[Specimen",
    "strikethrough": r"Strikeout\[Specimen",
    "highlight": r"Span\.mark\[Specimen",
    "underline": r"Underline\[Specimen",
    "script": r"Superscript\[Specimen",
    "inline-code": r"Code\[Specimen",
    "key": r"(?:Code|Span\.kbd)\[Specimen",
    "link": r"Link<https://example.org/>\[Specimen",
    "internal-link": r"Link<#(?:md-)?there>\[Specimen",
    "relative-link": r"Link<file.pdf>\[Specimen",
    "phone-link": r"Link<tel:123>\[Specimen",
    "unsafe-link": r"Link<ftp://example.org/>",
    "image-link": r"Link<https://example.org/>\[(?:Image<https://example.org/a.png>\[)?Specimen",
    "image": r"Image<https://example.org/a.png>\[Specimen",
    "embedded-image": r"Image<[^>]+>\[Specimen",
    "relative-image": r"Image<a.png>\[Specimen",
    "tooltip": r"Link<https://example.org/ Specimen>",
    "caption": r"(?:Para|Figure)\[.*Specimen|<\S+ Specimen>",
    "figure-caption": r"(?:Para|Figure|Plain)\[.*Specimen",
    "list": r"BulletList\[.*Specimen",
    "numbered-list": r"OrderedList1\[.*Specimen",
    "continued-list": r"OrderedList7\[.*Specimen",
    "definition-list": r"DefinitionList\[.*Specimen|Strong\[Specimen\].*(?:Span.indented|BulletList|Para)\[b",
    "quote": r"(?:BlockQuote|Div.*cell|Span\.indented|Para)\[.*Specimen",
    "nested-quote": r"(?:BlockQuote|Div\.\S*cell|Span\.indented).*(?:BlockQuote|Div\.\S*cell|Span\.indented)\[.*Specimen",
    "callout": r"(?:Div.*(?:callout|cell)|Table)\[.*Tip.*Specimen|Para\[Tip\]Para\[Specimen",
    "fold": r"<details>.*Specimen",
    "code-block": r"CodeBlock\[Specimen",
    "table": r"Table\[.*Specimen.*\bb\b.*\bc\b",
    "formula": r"Math\[q",
    "display-formula": r"Math\[.*q",
    "footnote": r"(?:Note|Link<#[^>]+>)\[.*Specimen",
    "rule": r"a\].*(?:HorizontalRule|</p>).*b",
    "raw-html": r"(?:Para|Plain|Specimen)\[b",
}
"""The shape of what has arrived as it is."""

_WORDS = {"formula": "q", "display-formula": "q", "unsafe-link": "ftp://", "rule": "───"}
"""What else than `Specimen` is looked for."""

# What only the output itself shows: a style, a tooltip, a tag of the program.
_ATTRIBUTES: Mapping[tuple[str, str], str] = {
    ("docx", "highlight"): r'w:val="Highlight"/>(?:(?!</w:r>).)*Specimen',
    ("docx", "rule"): r'w:pStyle w:val="HorizontalRule"',
    ("docx", "key"): r'w:rStyle w:val="Keyboard"/>(?:(?!</w:r>).)*Specimen',
    ("docx", "tooltip"): r'w:tooltip="Specimen"',
    ("docx", "task"): r"<w14:checkbox>",
    ("docx", "numbered-task"): r"<w14:checkbox>",
    ("docx", "callout"): r"CalloutTip",
    ("word", "quote"): r"(?i)mso-style-name:'?\"?Quote",
    ("word", "nested-quote"): r"(?i)mso-style-name:'?\"?Quote[^<]*<?[^<]*Specimen",
    ("word", "formula"): r"<m:oMath",
    ("word", "display-formula"): r"<m:oMath",
    ("onenote", "task"): r'data-tag="to-do:completed"',
    ("onenote", "numbered-task"): r'data-tag="to-do:completed"',
    ("google-docs", "task"): r'role="checkbox" aria-checked="true"',
    **{(output, "task"): r'data-task-state="DONE"[^>]*>\s*Specimen' for output in ("jira", "confluence")},
    **{(output, "callout"): r'data-panel-type="success"[\s\S]*Specimen' for output in ("jira", "confluence")},
    **{(output, "fold"): r'data-node-type="expand"[\s\S]*Specimen' for output in ("jira", "confluence")},
    **{(output, "task"): r'type="checkbox"' for output in ("generic", "page", "html")},
    **{(output, "numbered-task"): r'type="checkbox"' for output in ("generic", "page", "html")},
    **{(output, "abbreviation"): r'title="Specimen"' for output in ("email", "generic", "page", "html")},
    **{(output, "diagram"): r"<svg[\s\S]*Specimen" for output in ("generic", "page")},
    **{(output, "chart"): r"<svg[\s\S]*Specimen" for output in ("generic", "page")},
    **{(output, "formula"): r"<math[\s\S]*<msup><mi>q" for output in ("generic", "page")},
    **{(output, "display-formula"): r"<math[\s\S]*<mfrac><mi>q" for output in ("generic", "page")},
}

_SOURCES: Mapping[str, str] = {
    "diagram": "flowchart LR",
    "chart": '"labels": ["Specimen"]',
    "formula": "$q^2$",
    "display-formula": r"\frac{q}{2}",
    "raw-html": '<div class="Specimen">b</div>',
}


_ALIKE = frozenset({"definition-list", "caption", "figure-caption", "image-link", "nested-quote"})
"""What readers do not tell from text."""


def _is_lost(seen: Seen) -> bool:
    stays = seen.cell.construct in {"emphasis", "underline", "inline-code", "key"}
    return not seen.is_native and (seen.word in seen.shape) == stays


def _is_image(seen: Seen) -> bool:
    is_drawn = seen.cell.construct in {"diagram", "chart"} and seen.is_native
    return is_drawn or seen.finds(rf"Image<[^>]+>\[[^\]]*{seen.word}")


def _is_text(seen: Seen) -> bool:
    if seen.cell.construct == "table" and "Table" in seen.shape:
        # Rows as pairs: the label of a column stands before each value.
        words = re.sub(r"\w+\[|\]", " ", seen.shape)
        return re.search(r"Specimen\W+\w*\W*some longer words.*column number 2", words) is not None
    if seen.cell.construct == "quote":
        return seen.word in seen.shape and not seen.finds("BlockQuote|cell|indented")
    # An image whose file is missing shows its text.
    if seen.cell.construct in _ALIKE or "<a.png>" in seen.shape:
        return seen.word in seen.shape
    other = rf"(?:Code|CodeBlock|BlockQuote|Link<[^>]*>|Image<[^>]*>)\[[^\]]*{seen.word}"
    return seen.word in seen.shape and not seen.is_native and not seen.finds(other)


def _is_symbol(seen: Seen) -> bool:
    return seen.cell.construct in {"task", "numbered-task", "rule"} and not seen.is_native and seen.finds("[☐☑☒]|───")


_HOLDS: Mapping[str, Callable[[Seen], bool]] = {
    "as-is": lambda seen: seen.is_native,
    "picture": _is_image,
    "text": _is_text,
    "monospaced": lambda seen: seen.finds(rf"Code(?:Block)?\[[^\]]*{seen.word}"),
    "symbol": _is_symbol,
    "bold": lambda seen: seen.finds(rf"(?<!Header\[)Strong\[{seen.word}"),
    "link": lambda seen: seen.finds(rf"Link<[^>]+>\[(?:Strong\[)?{seen.word}"),
    "quote": lambda seen: seen.finds(rf"BlockQuote\[[\s\S]*{seen.word}"),
    "source": lambda seen: _SOURCES.get(seen.cell.construct, seen.cell.markdown.strip()) in seen.shape,
    "lost": _is_lost,
}
"""Whether a form is what a reader finds."""
