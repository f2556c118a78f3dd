"""Base class of renderers: one class per destination, one method per node class."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NoReturn

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.data_files import read_names
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.figures.results import NO_FIGURES, RenderedFigures
from mdpublish_core.notices import Notice
from mdpublish_core.writers.context import RenderContext


def _methods(kind: str) -> dict[type[nodes.Token], str]:
    return {getattr(nodes, name): method for name, method in read_names(__file__, "methods.tsv")[kind].items()}


BLOCK_METHODS: Mapping[type[nodes.Token], str] = _methods("block")
"""Methods of the union `Block`."""

INLINE_METHODS: Mapping[type[nodes.Token], str] = _methods("inline")
"""HTML renderers use `render_html_element` for inline elements."""

Methods = Mapping[type[nodes.Token], Callable[[Any, Any], Any]]


class Renderer:
    """Dispatches nodes by per-class tables: `getattr` would take a third of the rendering time."""

    figures: RenderedFigures = NO_FIGURES
    why_no_anchors: ClassVar[str] = ""
    """Why links cannot lead to places in the document, if so."""

    block_methods: ClassVar[Methods]
    inline_methods: ClassVar[Methods]
    methods: ClassVar[Methods]

    def __init__(self, notices: list[Notice] | None = None) -> None:
        self.notices: list[Notice] = [] if notices is None else notices

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.block_methods = _Table("blocks", _collect_methods(cls, BLOCK_METHODS))
        cls.inline_methods = _Table("inlines", _with_references(_collect_methods(cls, INLINE_METHODS)))
        cls.methods = {**cls.inline_methods, **cls.block_methods}

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        raise NotImplementedError

    def notice(self, code: str, message: str, line: int | None = None) -> None:
        """Add a notice for the author; `code` is one of `NOTICES`."""
        self.notices.append(Notice(code, message, line))


class _Table(dict[type[nodes.Token], Callable[[Any, Any], Any]]):
    """Methods by the class of nodes, with an error for one that is none of these."""

    def __init__(self, names: str, methods: Methods) -> None:
        super().__init__(methods)
        self._names = names

    def __missing__(self, kind: type[nodes.Token]) -> NoReturn:
        raise InvalidArgument("parent", f"must have {self._names} in it (got {type_name(kind)})")


def contents_of(parent: nodes.Token | Sequence[nodes.Token]) -> Sequence[nodes.Token]:
    """Return what is in a node, or nodes that are in a list. Raises `InvalidArgument`."""
    if isinstance(parent, nodes.Token):
        return parent.children or ()
    require_type("parent", parent, list, tuple, expected="a node or a list of nodes")
    return parent


def _collect_methods(cls: type[Renderer], names: Mapping[type[nodes.Token], str]) -> Methods:
    return {node: getattr(cls, name) for node, name in names.items() if hasattr(cls, name)}


def _with_references(methods: Methods) -> Methods:
    """Let a formula that is only a reference be a link to what it names, or the number where there are no anchors."""
    render_math, render_link, render_text = (methods.get(each) for each in (nodes.MathSpan, nodes.Link, nodes.RawText))
    if render_math is None or render_link is None or render_text is None:
        return methods

    def render(renderer: Renderer, token: nodes.MathSpan) -> Any:
        shown = renderer.figures.references.get(id(token))
        if shown is None:
            return render_math(renderer, token)
        if isinstance(shown, nodes.Link) and not renderer.why_no_anchors:
            return render_link(renderer, shown)
        return render_text(renderer, *shown.children or [shown])

    return {**methods, nodes.MathSpan: render}
