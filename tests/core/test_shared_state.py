"""State that threads share: what functions change at module level, and how it stays right without the GIL."""

import ast
from collections.abc import Iterator
from pathlib import Path

import mdpublish_core

SOURCES = Path(mdpublish_core.__file__).parent

CHANGING = frozenset(
    {
        *("add", "append", "clear", "discard", "extend", "insert", "move_to_end", "pop", "popitem", "popleft", "put"),
        *("remove", "reverse", "setdefault", "sort", "update"),
    }
)

SHARED = {
    "site/pool.py: _worker_task": "set once in each worker process, which has one thread",
    "cli/batch/links.py: _targets": "an `LruCache`, which has a lock",
    "cli/inputs.py: _documents": "an `LruCache`, which has a lock",
    "resources/figure_cache.py: _used": "set by the command before its work, and after it",
    "highlighting/highlighter.py: _cache": "under `_lock`",
    "nodes/tokens.py: OPEN": "set when a class of nodes is made, on import",
    "nodes/tokens.py: _OTHERS": "set when a class of nodes is made, on import",
    "plugins.py: _allowed": "set when the program starts",
    "workers/charges.py: CHARGES": "of a worker process, which has one thread",
    "workers/fork_server.py: _INNER": "set when a worker process is forked, which has one thread",
}
"""docs/explanation/architecture.md, "Threads", has the state of objects."""


def changes(tree: ast.Module) -> Iterator[str]:
    """Yield the names of a module that its functions change."""
    names = {target.id for statement in tree.body for target in _targets(statement) if isinstance(target, ast.Name)}
    for function in _functions(tree):
        nodes = list(ast.walk(function))
        local_names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        local_names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        yield from declared
        for node in nodes:
            changed = _changed(node)
            if isinstance(changed, ast.Name) and changed.id in names - local_names:
                yield changed.id
            elif isinstance(changed, ast.Call) and ast.unparse(changed) == "globals()":
                yield "globals()"


def _functions(parent: ast.AST) -> Iterator[ast.AST]:
    """Yield the outermost functions, and those of classes."""
    for child in ast.iter_child_nodes(parent):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
        else:
            yield from _functions(child)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, ast.AnnAssign) else []


def _changed(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        return node.func.value
    return None


def test_state_that_functions_change_is_listed_with_what_keeps_it_right() -> None:
    changed = {
        f"{'__init__' if file.parent == SOURCES and file.stem == '__init__' else file.relative_to(SOURCES)}: {name}"
        for file in SOURCES.rglob("*.py")
        for name in changes(ast.parse(file.read_text("utf-8")))
    }

    assert sorted(changed) == sorted(SHARED)


def test_change_of_a_module_is_found() -> None:
    module = (
        "A = {}\nB: list[int] = []\nC = 1\ndef f(): A['x'] = 1; B.append(2)\ndef g(A): A['x'] = 1\ndef h(): global C"
    )

    assert sorted(changes(ast.parse(module))) == ["A", "B", "C"]
