"""Fences read by functions: the caller's, else those of installed packages.

code fence → Fence → the function → nodes, checked and copied → in the fence's place, for all destinations

Nothing that a function does loses what the author wrote: the fence is then shown as code, with a notice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from mdpublish_core import nodes
from mdpublish_core.errors import FenceError, InvalidArgument, PluginError
from mdpublish_core.front_matter import FrontMatter
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.notices import Notice, shorten, too_complex_notice, unsafe_link_notice
from mdpublish_core.options.budget import Budget, BudgetExhausted
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.options.limits import STEPS_PER_INPUT_BYTE, html_levels
from mdpublish_core.plugins import describe, find_plugin, load_plugin
from mdpublish_core.readers.markdown.claims import claims_of
from mdpublish_core.readers.markdown.document import DocumentParser, source_lines
from mdpublish_core.readers.markdown.includes import INCLUDED
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.readers.markdown.raw_html import convert_raw_html
from mdpublish_core.readers.markdown.tree_check import InvalidTree, TreeCopier
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url
from mdpublish_core.strings.positions import Positions, SourcePosition


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block, passed to a function of `fences`."""

    content: str
    """The lines between the fences, each with its line end."""

    language: str = ""
    """First word of the info string, as the author wrote it."""

    options: Mapping[str, str] = field(default_factory=dict)
    """Words `key=value` of the info string; keys are in lower case."""

    info_string: str = ""
    """All that follows the opening fence."""

    line: int | None = None
    """Line of the opening fence, 1-based; None if unknown."""

    front_matter: Mapping[str, object] = field(default_factory=FrontMatter)
    """Values of the document's front matter."""

    _parser: "FenceParser | None" = field(default=None, repr=False, compare=False)

    def parse(self, markdown: str) -> Sequence[nodes.Token]:
        """Return Markdown as blocks under the document's options and limits, with its own footnotes and definitions."""
        return (self._parser or FenceParser({}, ReaderOptions(), FrontMatter())).parse(markdown, self)

    def notice(self, message: str, line: int | None = None) -> None:
        """Add a remark for the author: the notice `plugin-notice`. `line` is that of the content, from 1."""
        if self._parser is not None:
            self._parser.add(Notice("plugin-notice", message, line), self)


FenceFunction: TypeAlias = Callable[[Fence], nodes.Block | Sequence[nodes.Block]]
"""Returns the blocks that stand in place of a fence. Raises `FenceError` for a mistake of the author."""


class FenceParser:
    """Calls the functions of one document, within its options, limits and budget."""

    def __init__(
        self,
        functions: Mapping[str, FenceFunction] | None,
        options: ReaderOptions,
        front_matter: FrontMatter,
        *,
        nesting: int = 0,
    ) -> None:
        self._notices: list[Notice] = []
        self._source_bytes = 0
        self._functions = None if functions is None else {name.lower(): each for name, each in functions.items()}
        self._options = options
        self._front_matter = front_matter
        self._nesting = nesting
        self._level = 0
        self._budget = Budget(options.limits.max_steps)
        self._positions = Positions()

    def replace_fences(
        self, parents: Iterable[nodes.Token], fences: Sequence[nodes.CodeFence], budget: Budget, positions: Positions
    ) -> tuple[Sequence[Notice], int]:
        """Replace the fences below `parents`, at level 0, by what their functions return.

        Returns notices, and the size of the Markdown and images that the functions added, in bytes.
        """
        self._budget, self._positions = budget, positions
        pending = {id(fence) for fence in fences}
        stack = [(parent, 0) for parent in reversed(list(parents))]
        while stack and pending:
            parent, level = stack.pop()
            if pending.isdisjoint(map(id, parent.children)):
                stack += [(child, level + 1) for child in reversed(parent.children) if child.children]
                continue
            children: list[nodes.Token] = []
            for child in parent.children:
                if id(child) in pending:
                    pending.discard(id(child))
                    children += self._replacement(cast("nodes.CodeFence", child), level + 1)
                else:
                    children.append(child)
                    stack.append((child, level + 1))
            parent.children = children
        return self._notices, self._source_bytes

    def parse(self, markdown: str, fence: Fence) -> Sequence[nodes.Token]:
        if not isinstance(markdown, str):
            raise InvalidArgument("markdown", f"must be a str (got {type(markdown).__name__})")
        size = len(markdown.encode("utf-8", "replace"))
        left = max(self._budget.left, 0)
        limits = replace(
            self._options.limits,
            max_depth=max(1, self._options.limits.max_depth - self._level),
            max_steps=max(0, left - STEPS_PER_INPUT_BYTE * size),
        )
        extensions, nesting = self._options.extensions - {"footnote", "front-matter"}, self._nesting + 1
        options = self._options._replace(extensions=extensions, limits=limits)
        fences = FenceParser(self._functions, options, self._front_matter, nesting=nesting)
        claims = claims_of(self._functions, extensions, nesting)
        parser = DocumentParser(options, [], claims=claims, replace_fences=fences.replace_fences)
        document = parser.document(*source_lines(markdown, limits), self._front_matter)
        assert document.origin.steps_left is not None
        self._budget.try_spend(limits.max_steps + STEPS_PER_INPUT_BYTE * size - document.origin.steps_left)
        self._source_bytes += document.origin.source_bytes - size
        for notice in document.notices:
            if notice.code == "unsafe-link":
                continue  # reported if the function returns the link
            self.add(notice, fence)
        if fence.line is not None:
            for token in nodes.walk(document):
                if isinstance(token, nodes.BlockToken) and token is not document and token.line_number is not None:
                    token.line_number += fence.line
        seal(document)
        return document.children

    def add(self, notice: Notice, fence: Fence) -> None:
        """Add a notice whose line is that of the fence's content; a plug-in may have given it a wrong one."""
        one_line = " ".join(str(notice.message).split())
        line: object = notice.line
        count = fence.content.count("\n") + bool(fence.content)
        number = line if isinstance(line, int) and 0 < line <= count else None
        position = self._positions.of_content(fence.line, fence.content, number)
        self._notices.append(Notice(notice.code, one_line, *position))

    def _replacement(self, code: nodes.CodeFence, level: int) -> Sequence[nodes.Token]:
        is_included = code.info_string == INCLUDED and not code.language
        # Lines of another file are no lines of this one.
        content = "" if is_included else code.content
        fence = Fence(
            content, code.language, code.options, code.info_string, code.line_number, self._front_matter, self
        )
        self._level = level
        name = "an included file" if is_included else f"the {shorten(code.language)} fence"
        before = len(self._notices)
        try:
            result = fence.parse(code.content) if is_included else self._run_function(fence)
            return self._copy(result, fence, level)
        except FenceError as error:
            message = f"{name} is shown as its source: {error.problem}"
            self.add(Notice("fence-failed", message, error.line), fence)
        except BudgetExhausted:
            del self._notices[before:]
            self._notices.append(too_complex_notice(f"{name} is", code.line_number))
        except (InvalidTree, PluginError) as error:
            self.add(Notice("plugin-failed", f"{name} is shown as its source: {error}"), fence)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  (whatever a plug-in raises, the document is shown)
            message = f"{name} is shown as its source: its function raised {describe(error)}"
            self.add(Notice("plugin-failed", message), fence)
        return [code]

    def _run_function(self, fence: Fence) -> object:
        language = fence.language.lower()
        if self._functions is not None:
            return self._functions[language](fence)
        plugin = find_plugin("fence", language)
        assert plugin, "claimed"
        function = load_plugin(plugin)
        if not callable(function):
            raise PluginError(plugin.label, f"must be a function (got {type(function).__name__})")
        return function(fence)

    def _copy(self, result: object, fence: Fence, level: int) -> Sequence[nodes.Token]:
        blocks = [result] if isinstance(result, nodes.Token) else result
        if not isinstance(blocks, Sequence) or isinstance(blocks, str | bytes):
            got = "None" if blocks is None else type(blocks).__name__
            raise InvalidTree(
                f"its function must return a block of mdpublish_core.nodes, or a list of them (got {got})"
            )
        first, limits = fence.line or 1, self._options.limits
        copier = TreeCopier(
            self._budget,
            max_depth=2 * limits.max_depth,
            lines=range(first, first + fence.content.count("\n") + 2) if fence.line else range(0),
            line=fence.line,
        )
        copied = copier.copy_blocks(blocks, level, "what its function returns")
        copied, notices = finish_blocks(copied, copier, self._options.raw_html, html_levels(limits) - level + 1)
        self._notices += [replace(each, line=each.line or fence.line) for each in notices]
        self._source_bytes += copier.image_characters
        return copied


def finish_blocks(
    blocks: list[nodes.Token],
    copier: TreeCopier,
    raw_html: RawHtml,
    max_depth: int,
    *,
    known_urls: frozenset[str] = frozenset(),
) -> tuple[list[nodes.Token], list[Notice]]:
    """Sanitize the raw HTML of a plug-in's blocks as an author's, and report unsafe URLs that are not known."""
    if raw_html == "keep":
        return blocks, []
    notices: list[Notice] = []
    line: int | None = None
    for block in blocks:
        for token in nodes.walk(block):
            line = nodes.line_of(token) or line
            url = url_of(token)
            if url is None or url in known_urls or is_safe_url(url):
                continue
            if not (isinstance(token, nodes.Image) and is_image_data_url(url)):
                notices.append(unsafe_link_notice(url, SourcePosition(line)))
    if copier.has_raw_html:
        blocks, added = convert_raw_html(blocks, raw_html, max_depth=max_depth)
        notices += added
    return blocks, notices


def url_of(token: nodes.Token) -> str | None:
    if isinstance(token, nodes.Link | nodes.AutoLink):
        return token.target
    if isinstance(token, nodes.Image):
        return token.src
    return token.attributes.get("href") if isinstance(token, nodes.HtmlElement) else None
