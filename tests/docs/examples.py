"""The code blocks of a page, classified for `follower`.

- After a paragraph that ends in a file name and a colon (Write this as `hello.md`:), the block is that file;
- after `<!-- not run: REASON -->`, it cannot run in a test;
- after `<!-- run by: SESSION -->`, the nox session runs it;
- after a block that is run and at most one short paragraph, `text` or `console` is its output;
- between `<!-- made: … -->` and `<!-- end -->`, it is generated: see test_reference.py.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mdpublish_core import DEFAULT_EXTENSIONS, nodes, parse
from tests.docs.pages import PAGES, ROOT

GENERATED = ROOT / "docs/reference/constructs.md"
"""Tested by tests/core/test_cases.py and test_matrix.py."""

FOLLOWED = [page for page in PAGES if page != GENERATED]

STANDALONE = frozenset([ROOT / "README.md", *ROOT.glob("docs/tutorial/*.md")])
"""Followed in an empty folder, as by a new user."""

RUN = frozenset({"python", "sh"})
PRINTED = frozenset({"console", "text"})

_SUFFIXES = {
    "css": {".css"},
    "csv": {".csv"},
    "html": {".html"},
    "ini": {".cfg", ".conf", ".ini", ".service"},
    "json": {".json"},
    "markdown": {".markdown", ".md"},
    "python": {".py"},
    "sh": {".sh"},
    "text": {".conf", ".service", ".txt"},
    "toml": {".toml"},
    "yaml": {".yaml", ".yml"},
}
"""`hello.md:` before Python code is not its file name."""

_MARK = re.compile(r"<!--\s*(not run|run by):?\s*(.*?)\s*-->", re.DOTALL)
_GENERATED = re.compile(r"<!--\s*(made:|end\s*-->)")
_SHORT = 200
"""Characters between a command and its output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    page: str
    line: int
    language: str
    code: str
    file: str | None = None
    reason: str | None = None
    session: str | None = None
    shows: "Block | None" = None
    """The block whose output it is."""

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


@cache
def blocks_of(page: Path) -> tuple[Block, ...]:
    """Raises `ValueError` for an empty mark."""
    return tuple(read_blocks(page.read_text("utf-8"), str(page.relative_to(ROOT))))


def read_blocks(markdown: str, page: str) -> Iterator[Block]:
    # Figures and math are fences here, and comments must be visible.
    document = parse(markdown, raw_html="keep", extensions=DEFAULT_EXTENSIONS - {"figure", "math"})
    yield from _read(list(document.children), page)


def _read(tokens: Sequence[nodes.Token], page: str) -> Iterator[Block]:
    last: Block | None = None
    since: list[nodes.Token] = []  # since the last block, except marks
    mark: nodes.HtmlBlock | None = None
    is_generated = False
    for token in tokens:
        if isinstance(token, nodes.HtmlBlock) and (match := _GENERATED.match(token.content)):
            is_generated = match[1] == "made:"
        if isinstance(token, nodes.CodeFence) and is_generated and token.language in PRINTED:
            continue
        if isinstance(token, nodes.CodeFence):
            last = _block(token, page, since, mark, last)
            yield last
            since, mark = [], None
        elif isinstance(token, nodes.HtmlBlock) and _MARK.match(token.content):
            mark = token
        else:
            if mark:
                raise ValueError(f"{page}:{mark.line_number}: {mark.content} stands before no code block")
            since.append(token)
            yield from _read(list(token.children or ()), page)
    if mark:
        raise ValueError(f"{page}:{mark.line_number}: {mark.content} stands before no code block")


def _block(
    fence: nodes.CodeFence, page: str, since: Sequence[nodes.Token], mark: nodes.HtmlBlock | None, last: Block | None
) -> Block:
    block = Block(page=page, line=fence.line_number or 0, language=fence.language, code=fence.content)
    reason, session = _marked(mark, block)
    file = _file_name(since[-1], fence.language) if since else None
    shows = None
    if last and not file and block.language in PRINTED and _is_near(since):
        shows = last if last.language in RUN and not last.file else None
    if shows and not reason:
        reason = "it is printed by a block that is not run" if shows.reason else None
        session = shows.session
    return Block(
        page=page,
        line=block.line,
        language=block.language,
        code=block.code,
        file=file,
        reason=reason,
        session=session,
        shows=shows,
    )


def _marked(mark: nodes.HtmlBlock | None, block: Block) -> tuple[str | None, str | None]:
    match = mark and _MARK.match(mark.content)
    if not match:
        return None, None
    kind, said = match[1], " ".join(match[2].split())
    if not said:
        raise ValueError(f"{block.place}: <!-- {kind}: … --> does not say {'why' if kind == 'not run' else 'which'}")
    return (said, None) if kind == "not run" else (None, said)


def _file_name(before: nodes.Token, language: str) -> str | None:
    """Return the name that ends a paragraph: Write this as `hello.md`:"""
    if not isinstance(before, nodes.Paragraph):
        return None
    match list(before.children or ()):
        case [*_, nodes.InlineCode() as name, nodes.RawText(content=":")]:
            path = Path(nodes.text_content(name))
            is_inside = not path.is_absolute() and ".." not in path.parts and not re.search(r"\s", str(path))
            return str(path) if is_inside and path.suffix in _SUFFIXES.get(language, ()) else None
    return None


def _is_near(since: Sequence[nodes.Token]) -> bool:
    """Return whether at most one short paragraph is between a command and its output."""
    if not since:
        return True
    return len(since) == 1 and isinstance(since[0], nodes.Paragraph) and len(nodes.text_content(since[0])) <= _SHORT
