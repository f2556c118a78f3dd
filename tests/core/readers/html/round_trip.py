"""What a document keeps on its way to an output and back, and the list of what each output loses.

`python -m tests.core.readers.html.round_trip` prints how many documents come back, and the first that do not.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mdpublish_core import convert, nodes, parse, read_html
from mdpublish_core.resources.urls import encode_url, has_scheme, is_safe_url
from tests.cases.case_files import all_cases

Loss = Callable[[nodes.Token, str], nodes.Replacement]

OUTPUTS = ("generic", "page", "html", "google-docs", "word", "onenote", "email")


_EDITORS = frozenset({"google-docs", "word", "onenote"})

LOSSES: dict[str, Callable[[nodes.Token, str], nodes.Replacement]] = {}
"""What some outputs lose, in words, with how a tree without it looks."""


def _lost(words: str) -> Callable[[Loss], Loss]:
    def add(function: Loss) -> Loss:
        LOSSES[words] = function
        return function

    return add


@_lost("tabs in code: onenote")
def _tabs(token: nodes.Token, output: str) -> nodes.Replacement:
    if output == "onenote" and isinstance(token, nodes.CodeFence):
        return nodes.CodeFence(token.content.expandtabs(8), language=token.language)
    return token


@_lost("titles of links and images, and images with relative URLs: google-docs, onenote; email the images")
def _titles(token: nodes.Token, output: str) -> nodes.Replacement:
    if isinstance(token, nodes.Link) and output in {"google-docs", "onenote"}:
        return nodes.Link(token.target, token.children)
    if isinstance(token, nodes.Image):
        if output in {"google-docs", "onenote", "email"} and not has_scheme(token.src):
            return token.children
        if output in {"google-docs", "onenote"}:
            return nodes.Image(token.src, token.children)
    return token


@_lost("links to headings: google-docs, onenote")
def _anchors(token: nodes.Token, output: str) -> nodes.Replacement:
    if output in {"google-docs", "onenote"} and isinstance(token, nodes.Link) and token.target.startswith("#"):
        return token.children
    return token


@_lost("whether a list is loose: google-docs, word, email")
def _looseness(token: nodes.Token, output: str) -> nodes.Replacement:
    if isinstance(token, nodes.List) and output in _EDITORS | {"email"}:
        return nodes.List(token.children, start=token.start)
    return token


@_lost("which of two marks on the same text is the outer one: google-docs")
def _nesting(token: nodes.Token, output: str) -> nodes.Replacement:
    chain: list[nodes.Token] = [token]
    while output == "google-docs" and isinstance(chain[-1], _MARKS) and len(chain[-1].children) == 1:
        chain.append(chain[-1].children[0])
    marks = [each for each in chain if isinstance(each, _MARKS)]
    inner: Sequence[nodes.Token] = marks[-1].children if marks else ()
    for mark in sorted(marks, key=lambda mark: type(mark).__name__):
        inner = [nodes.replace(mark, children=inner)]
    return inner if marks else token


_MARKS = (nodes.Emphasis, nodes.Strong, nodes.Strikethrough, nodes.Link)


def comparable(document: nodes.Document, output: str = "generic") -> nodes.Document:
    """Return a copy without what no HTML of ours keeps.

    That is how a heading or a code block is written, bullets and labels of footnotes, words after a fence's language, a
    mark in its like, white space in TeX, whether a URL is a link by itself, escapes of URLs, the name and fold of a
    callout, and whether a line ends or a space stands between two words.
    """
    copied: nodes.Document = nodes.transform(document, _comparable)
    labels = {note.label: str(note.number) for note in copied.footnote_definitions}
    copied = nodes.transform(copied, lambda token: _relabeled(token, labels))
    for lose in LOSSES.values():
        copied = nodes.transform(copied, lambda token, lose=lose: lose(token, output))  # type: ignore[misc]
    copied = nodes.transform(copied, _with_joined_text)
    return nodes.Document(
        [block for block in copied.children if not _is_empty(block)], footnote_definitions=copied.footnote_definitions
    )


def _relabeled(token: nodes.Token, labels: Mapping[str, str]) -> nodes.Token:
    if isinstance(token, nodes.FootnoteReference | nodes.FootnoteDefinition):
        return nodes.replace(token, label=labels.get(token.label, ""))
    return token


def _is_empty(block: nodes.Token) -> bool:
    return isinstance(block, nodes.Paragraph | nodes.Heading) and not block.children


def _comparable(token: nodes.Token) -> nodes.Replacement:
    change = _CHANGES.get(type(token))
    return change(token) if change else token


def _code(token: Any) -> nodes.Replacement:
    content = "\n".join(line.rstrip() for line in token.content.split("\n")).strip("\n")
    return nodes.CodeFence(content + "\n", language=token.language) if content else None


def _image(image: Any) -> nodes.Replacement:
    alt = [nodes.RawText(nodes.text_content(image))] if nodes.text_content(image) else []
    copied: nodes.Token = nodes.replace(image, src=encode_url(image.src), children=alt)
    return copied


def _list(token: Any) -> nodes.Replacement:
    return nodes.List(
        [nodes.replace(item, leader="-") for item in token.children], start=token.start, loose=token.loose
    )


def _callout(token: Any) -> nodes.Replacement:
    title = token.title or nodes.Paragraph([nodes.RawText(token.label)])
    return nodes.Callout(token.kind, token.children, title=title)


def _once(token: Any) -> nodes.Replacement:
    """Return a mark without its like in it."""
    kind = type(token)
    once: nodes.Token = kind(
        nodes.transform(token, lambda each: each.children if type(each) is kind else each).children
    )
    return once


_CHANGES: dict[type[nodes.Token], Callable[[Any], nodes.Replacement]] = {
    nodes.SetextHeading: lambda token: nodes.Heading(token.level, token.children),
    nodes.BlockCode: _code,
    nodes.CodeFence: _code,
    nodes.LineBreak: lambda token: nodes.RawText(" ") if token.soft else token,
    nodes.AutoLink: lambda token: _link(nodes.Link(token.target, [nodes.RawText(token.content)])),
    nodes.Link: lambda token: _link(token) if token.children else None,
    nodes.Image: _image,
    nodes.List: _list,
    nodes.Callout: _callout,
    nodes.MathSpan: lambda token: nodes.MathSpan("".join(token.content.split()), display=token.display),
    nodes.MathBlock: lambda token: nodes.MathBlock("".join(token.content.split()) + "\n"),
    **dict.fromkeys((nodes.Emphasis, nodes.Strong, nodes.Strikethrough), _once),
    nodes.TableCell: lambda token: nodes.TableCell(token.children) if token.align == -1 else token,
    nodes.HtmlElement: lambda token: token.children if token.tag in {"div", "small", "span"} else token,
    nodes.Quote: lambda token: token if token.children else None,
}


def _link(link: nodes.Link) -> nodes.Replacement:
    if not is_safe_url(link.target) or not link.target:
        return link.children
    return nodes.Link(encode_url(link.target), link.children, title=" ".join(link.title.split()))


def _with_joined_text(token: nodes.Token) -> nodes.Replacement:
    """Join texts, and collapse their white space."""
    if not token.children:
        return token
    children: list[nodes.Token] = []
    for child in token.children:
        last = children[-1] if children else None
        if isinstance(child, nodes.RawText) and isinstance(last, nodes.RawText):
            children[-1] = nodes.RawText(last.content + child.content)
        elif isinstance(child, nodes.RawText):
            children.append(nodes.RawText(child.content))
        else:
            children.append(child)
    joined = [
        nodes.RawText(re.sub(r"[ \t\n]+", " ", child.content)) if isinstance(child, nodes.RawText) else child
        for child in children
    ]
    return nodes.replace(token, children=joined)


def documents() -> Iterator[tuple[str, str]]:
    for case in all_cases():
        yield case.name, case.markdown
    from tests.corpora.commonmark import commonmark_examples

    for example in commonmark_examples():
        yield f"CommonMark {example.number}", example.markdown


def comes_back(markdown: str, output: str) -> bool:
    return comparable(parse(markdown), output) == comparable(returned(markdown, output), output)


def returned(markdown: str, output: str) -> nodes.Document:
    source = "mdpublish" if output == "html" else "auto"
    return read_html(convert(markdown, to=output).html, source=source).document


def _print(outputs: Sequence[str], shown: int, chosen: Callable[[str], bool]) -> None:
    for output in outputs:
        counts: Counter[bool] = Counter()
        for name, markdown in documents():
            if not chosen(name):
                continue
            is_back = comes_back(markdown, output)
            counts[is_back] += 1
            if not is_back and counts[False] <= shown:
                written, read = (
                    comparable(each, output).dump() for each in (parse(markdown), returned(markdown, output))
                )
                sys.stdout.write(f"--- {output}: {name}\n{markdown}\n{written}=>\n{read}\n")
        sys.stdout.write(f"{output}: {counts[True]} of {counts.total()}\n")


if __name__ == "__main__":
    _print(
        sys.argv[1].split(",") if len(sys.argv) > 1 else OUTPUTS,
        int(sys.argv[2]) if len(sys.argv) > 2 else 0,
        lambda name: len(sys.argv) < 4 or sys.argv[3] in name,
    )
