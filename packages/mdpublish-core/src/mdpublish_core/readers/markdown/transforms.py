"""Transforms: functions from a document to a document, the caller's or those of installed packages."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from mdpublish_core import nodes
from mdpublish_core.errors import InvalidArgument, PluginError, UnknownTransform
from mdpublish_core.nodes import open_nodes
from mdpublish_core.nodes.tokens import amend, seal
from mdpublish_core.notices import Notice, limit_notices, sorted_by_position
from mdpublish_core.options.budget import LEAF_STEPS, Budget, BudgetExhausted
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.options.limits import Limits, html_levels
from mdpublish_core.plugins import describe, find_plugin, load_plugin, plugin_names
from mdpublish_core.readers.markdown.fences import finish_blocks, url_of
from mdpublish_core.readers.markdown.tree_check import InvalidTree, TreeCopier, footnote_numbers, steps_of

Transform: TypeAlias = Callable[[nodes.Document], nodes.Document]
"""Gets the document, and returns it or another one."""

TransformChoice: TypeAlias = Transform | str | Sequence[Transform | str] | None
"""Transforms, or the names of those of installed packages, in order."""


def find_transforms(chosen: TransformChoice) -> list[tuple[str, Transform]]:
    """Return transforms with what messages call them. Raises `UnknownTransform`, `PluginError`, `InvalidArgument`."""
    if chosen is None:
        return []
    each_chosen = chosen if isinstance(chosen, Sequence) and not isinstance(chosen, str | bytes) else [chosen]
    return [_find(each) for each in each_chosen]


def apply_transforms(
    document: nodes.Document, transforms: Sequence[tuple[str, Transform]], *, raw_html: RawHtml, limits: Limits
) -> nodes.Document:
    """Apply transforms in order; one that fails leaves the document as it was, with a notice.

    What they read themselves is no unread syntax.
    """
    unread = [each for each in document.notices if each.code == "unread-syntax" and each.source]
    shown = nodes.text_content(document) if unread else ""
    unread = [each for each in unread if str(each.source) in shown]
    for label, transform in transforms:
        try:
            document = _apply(document, transform, raw_html, limits)
            continue
        except BudgetExhausted:
            problem = "returns a document that takes more work than documents of its size are allowed"
        except (InvalidTree, PluginError) as error:
            problem = f"returns an invalid document: {error}"
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001  (whatever a plug-in raises, the document is shown)
            problem = f"raised {describe(error)}"
        notice = Notice("plugin-failed", f"{label} {problem}; the document is shown without it")
        amend(document, notices=(*document.notices, notice))
    shown = nodes.text_content(document) if unread else ""
    if read := {each for each in unread if str(each.source) not in shown}:
        amend(document, notices=tuple(each for each in document.notices if each not in read))
    return document


def _find(chosen: object) -> tuple[str, Transform]:
    if isinstance(chosen, str):
        if (plugin := find_plugin("transform", chosen)) is None:
            raise UnknownTransform(chosen, plugin_names("transform"))
        loaded = load_plugin(plugin)
        if not callable(loaded):
            raise PluginError(plugin.label, f"must be a function (got {type(loaded).__name__})")
        return plugin.label, loaded
    if not callable(chosen):
        raise InvalidArgument(
            "transform",
            f"must be a function, the name of a transform, or a list of these (got {type(chosen).__name__})",
        )
    return f"the transform {getattr(chosen, '__name__', type(chosen).__name__)}", chosen


def _apply(document: nodes.Document, transform: Transform, raw_html: RawHtml, limits: Limits) -> nodes.Document:
    steps_left = document.origin.steps_left
    assert steps_left is not None
    result: object = transform(document)
    if not isinstance(result, nodes.Document):
        got = "None" if result is None else type(result).__name__
        raise InvalidTree(f"it must be a nodes.Document (got {got})")
    # The parser has paid for what it returned; a result pays for what it adds.
    paid = sum(map(steps_of, nodes.walk(document))) - LEAF_STEPS
    budget = Budget(paid + steps_left)
    copied = _copied(result, document, budget, limits, raw_html)
    copied.origin = copied.origin._replace(steps_left=steps_left - max(0, budget.spent - paid))
    seal(copied)
    return copied


def _copied(
    document: nodes.Document, original: nodes.Document, budget: Budget, limits: Limits, raw_html: RawHtml
) -> nodes.Document:
    """Return a checked copy, with what the original was read from."""
    lines = range(1, 1 + max((nodes.line_of(token) or 0 for token in nodes.walk(original)), default=0))
    copier = TreeCopier(
        budget,
        max_depth=2 * limits.max_depth,
        footnotes=footnote_numbers(document),
        lines=lines,
        line=None,
        spans=frozenset(
            token.span for token in nodes.walk(original) if isinstance(token, nodes.SpanToken) and token.span
        ),
    )
    blocks, notes = copier.copy_all(document.children, 1), copier.copy_all(document.footnote_definitions, 1)
    known_urls = frozenset(filter(None, map(url_of, nodes.walk(original))))
    levels = html_levels(limits)
    blocks, added = finish_blocks(blocks, copier, raw_html, levels, known_urls=known_urls)
    for note in notes:
        children = list(note.children)
        note.children, more = finish_blocks(children, copier, raw_html, levels - 1, known_urls=known_urls)
        added += more
    return open_nodes.Document(
        blocks,
        footnote_definitions=notes,
        notices=tuple(limit_notices(sorted_by_position((*document.notices, *added)))),
        front_matter=document.front_matter,
        trusted=original.trusted,
        origin=original.origin._replace(source_bytes=original.origin.source_bytes + copier.image_characters),
    )
