"""What arrives of a document in an output: as it is, in another form, or not at all.

A file in `forms` for each output says what forms each construct can have there, the usual one first: what happened
to figures, formulas and tables decides between them. A file for a destination has the forms of that, unless it has a
file of its own there. `words.toml` names constructs and forms, and the nodes and notices that tell them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS
from mdpublish_core.resources.urls import has_scheme, is_image_data_url, is_safe_url
from mdpublish_core.writers.forms import forms_in, words
from mdpublish_core.writers.pasting import pasting_of
from mdpublish_core.writers.structure.block_runs import only_image

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mdpublish_core.figures.results import RenderedFigures
    from mdpublish_core.notices import Notice
    from mdpublish_core.writers.forms import Forms
    from mdpublish_core.writers.outputs import Output

AS_IS = "as-is"

MAX_LINES = 100
"""Lines that a delivery lists; nobody reads more."""

_MAX_PHRASES = 3

_BESIDE = frozenset({"caption", "figure-caption", "tooltip"})
"""Constructs of a node that has another one."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What arrives of a construct in one form."""

    construct: str
    """Its name, such as `table`."""

    form: str
    """In what form it arrives: `as-is`, or another one."""

    count: int
    """How many there are."""

    lines: tuple[int, ...]
    """Lines on which they begin, 1-based, each once: the first 100. Nodes built by hand have none."""

    @property
    def phrase(self) -> str:
        """How many of what in which form: `2 diagrams as pictures`, or `2 tables` if they arrive as they are."""
        several = self.count != 1
        label, form = words()["constructs"][self.construct][several], words()["forms"][self.form][several]
        return f"{self.count:,} {label} {form}".rstrip()


def delivery_summary(deliveries: Iterable[Delivery]) -> str:
    """Return a report as a line for people, what is lost first: `2 diagrams as pictures, 1 table as text`."""
    changed = sorted((each for each in deliveries if each.form != AS_IS), key=lambda each: each.form != "lost")
    if not changed:
        return "Everything arrives"
    others = [f"{len(changed) - _MAX_PHRASES:,} more"] if len(changed) > _MAX_PHRASES else []
    return ", ".join([each.phrase for each in changed[:_MAX_PHRASES]] + others)


def forms_of(output: Output, *, is_pasted: bool = False) -> Forms:
    """Return the forms that each construct can have in an output, or in what is pasted where it is text; nothing for the tree."""
    if is_pasted and pasting_of(output).composer:
        return forms_in(f"{output.name}-composer")
    forms = {} if output.renderer else forms_in(output.name) or forms_in(output.destination)
    if forms or output.module:
        return forms
    rendered = words()["rendered"]
    figure, formula = rendered[output.figure_form], rendered[output.math_form]
    forms = dict.fromkeys(words()["constructs"], (AS_IS,))
    forms |= {"diagram": figure, "chart": figure, "formula": formula, "display-formula": formula}
    return {**forms, **{construct: (form,) for construct, form in output.delivery.items()}}


def survey(
    document: nodes.Document,
    figures: RenderedFigures,
    notices: Iterable[Notice],
    forms: Forms,
    replaced: Mapping[int, str] | None = None,
) -> tuple[Delivery, ...]:
    """Return what arrives of a document where constructs can have `forms`, by what was rendered and said of it.

    `replaced` has the forms of nodes, by their id, that the writer replaced where they are; None if it does not tell.
    """
    if not forms:
        return ()
    meanings = words()["notices"]
    reported = [((each.line, each.column), *meanings[each.code]) for each in notices if each.code in meanings]
    changed = {(place, construct): form for place, construct, form in reported}
    lines: dict[tuple[str, str], list[int | None]] = defaultdict(list)
    for place, construct, form in _arrivals(document, forms, figures, replaced):
        lines[construct, changed.get((place, construct), form)].append(place[0])
    for place, construct, form in reported:
        if form == "lost":
            lines[construct, form].append(place[0])
    constructs, kinds = [*forms], [*words()["forms"]]
    return tuple(
        Delivery(*key, len(lines[key]), tuple(sorted({line for line in lines[key] if line is not None})[:MAX_LINES]))
        for key in sorted(lines, key=lambda key: (constructs.index(key[0]), kinds.index(key[1])))
    )


def _arrivals(
    document: nodes.Document, forms: Forms, figures: RenderedFigures, replaced: Mapping[int, str] | None
) -> Iterator[tuple[tuple[int | None, int | None], str, str]]:
    """Yield the line and column, construct and form of all that a reader could miss."""
    line: int | None = None
    alone: nodes.Image | None = None
    pending: list[tuple[nodes.Token, nodes.Token, Forms]] = [(document, document, forms)]
    while pending:
        token, parent, forms = pending.pop()
        if isinstance(token, nodes.LineBreak) and line is not None:
            line += 1
        position = document.position_of(token)
        line = None if token is document else position.line or line
        if isinstance(token, nodes.Paragraph):
            alone = only_image(token.children)
        below = forms
        # A formula that only defines macros shows nothing.
        is_definition = isinstance(token, nodes.MathBlock | nodes.MathSpan) and figures.defines(token)
        for construct in () if is_definition else _constructs_of(token, parent, alone, document):
            form = _form(token, parent, forms[construct], figures, replaced is not None)
            form = _replaced_form(token, construct, replaced or {}) or form
            yield (line, position.column), construct, form
            if (construct, form) == ("table", "monospaced"):
                below = forms_in("plain-text")
            elif construct in {"quote", "callout"} and forms["quote"] != forms["nested-quote"]:
                below = {**forms, **dict.fromkeys(("quote", "callout"), forms["nested-quote"])}
        children = reversed(nodes.children_of(token) or ())
        pending += [(child, token, below) for child in children if type(child) is not nodes.RawText]


def _replaced_form(token: nodes.Token, construct: str, replaced: Mapping[int, str]) -> str | None:
    """Return the form of what was replaced where it is; a link around an image is then its text."""
    if construct == "image-link":
        return next((replaced[id(child)] for child in nodes.children_of(token) or () if id(child) in replaced), None)
    return None if construct in _BESIDE else replaced.get(id(token))


def _form(
    token: nodes.Token, parent: nodes.Token, forms: Sequence[str], figures: RenderedFigures, tells_replaced: bool
) -> str:
    """Return the form in which a node arrived, of those that are possible."""
    form = forms[0]
    match token:
        case nodes.Figure():
            rendered = figures.figure(token)
            is_shown = rendered and (rendered.png or rendered.svg if form == "picture" else rendered.plain_text)
            return form if is_shown else "source"
        case nodes.MathSpan() | nodes.MathBlock():
            if "picture" in forms and figures.formula_image(token):
                return "picture"
            return form if form != "picture" and figures.formula(token) else "source"
        case nodes.Image() if form == "link" and isinstance(parent, nodes.Link):
            return "text"  # of the link around it
        case nodes.Heading() | nodes.SetextHeading() if len(forms) > 1 and not tells_replaced:
            from mdpublish_core.writers.slack.block_kit import has_block

            return form if has_block(token, parent) else forms[1]
        case _:
            return form


def _constructs_of(
    token: nodes.Token, parent: nodes.Token, alone: nodes.Image | None, document: nodes.Document
) -> Iterator[str]:
    """Yield a node's construct, if a reader could miss it, and its parts; `alone` is an image with a caption."""
    if name := _name_of(token, parent, document):
        yield name
    if isinstance(token, nodes.Figure | nodes.MathBlock) and token.options.get("title"):
        yield "figure-caption"
    elif isinstance(token, nodes.Link | nodes.Image) and token.title:
        yield "caption" if token is alone else "tooltip"


def _name_of(token: nodes.Token, parent: nodes.Token, document: nodes.Document) -> str | None:
    name: str | None = words()["nodes"].get(type(token).__name__)
    match token:
        case nodes.HtmlElement() if token.tag != "abbr" or "title" in token.attributes:
            name = words()["tags"].get(token.tag)
        case nodes.Figure() if FIGURE_KINDS[token.kind].label == "Chart":
            name = "chart"
        case nodes.List() if all(isinstance(item, nodes.TaskItem) for item in token.children):
            name = None
        case nodes.List() if token.start is not None:
            name = "numbered-list" if token.start == 1 else "continued-list"
        case nodes.TaskItem() if isinstance(parent, nodes.List) and parent.start is not None:
            name = "numbered-task"
        case nodes.Quote() if isinstance(parent, nodes.Quote | nodes.Callout):
            name = "nested-quote"
        case nodes.Link() | nodes.AutoLink():
            name = "internal-link" if token.target.startswith("#") else _kind_of_url(token.target, "link", document)
            is_image = isinstance(token, nodes.Link) and token.children and all(map(_shows_no_text, token.children))
            name = "image-link" if name == "link" and is_image else name
        case nodes.Image():
            name = "embedded-image" if is_image_data_url(token.src) else _kind_of_url(token.src, "image", document)
    return name


def _shows_no_text(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Image) or not nodes.has_content(token)


def _kind_of_url(url: str, kind: str, document: nodes.Document) -> str | None:
    is_safe = is_safe_url(url)
    if not (is_safe or document.trusted):
        return "unsafe-link"
    if url[:4].lower() == "tel:":
        return "phone-link"
    return kind if has_scheme(url) or not is_safe else f"relative-{kind}" if url else None
