"""The text of a leaf as words with marks, and the edits of one version of it carried over to another.

A destination loses formulas, notes and titles of links, and shows others as letters. So words are compared, not trees:
what is the same in the text that was sent and in the edited one stays as in the source.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.merging.alignment import match, three_way
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.readers.html_elements import longest_first, nest
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.markdown.html_blocks import is_inline

_WORD = compile_lazily(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+|\s+|.", re.DOTALL)

_BAR = "\0|"
_CODE = (nodes.CodeFence, nodes.BlockCode)

Unknown = AbstractSet[type[nodes.Token]]


@dataclass(frozen=True, slots=True)
class Mark:
    """An element around words, which share it."""

    key: Hashable
    """What it is compared by; editors add a slash to addresses, and drop titles."""

    node: nodes.Token = field(compare=False)


Marks = tuple[Mark, ...]


class Atom(NamedTuple):
    """A word, a space or a sign, or an inline without text, with the elements around it, outermost first."""

    key: str
    """What it is compared by: the text, or, after a null character, what kind of node it is."""

    content: str = ""
    node: nodes.Token | None = None
    marks: Marks = ()

    @property
    def is_opaque(self) -> bool:
        """Whether a text cannot stand for it."""
        return self.key.startswith("\0") and not isinstance(self.node, nodes.TableCell | nodes.LineBreak)


def atoms_of(leaf: nodes.Token) -> list[Atom]:
    """Return the atoms of a leaf; cells of a row begin with one of their own."""
    if isinstance(leaf, nodes.TableRow):
        return [atom for cell in leaf.children for atom in (Atom(_BAR, node=cell), *_inline_atoms(cell.children, ()))]
    if isinstance(leaf, _CODE):
        return list(_words(leaf.content, (), keeps_lines=True))
    if leaf.children and is_inline(leaf.children[0]):
        return single_spaced(list(_inline_atoms(leaf.children, ())))
    return [] if isinstance(leaf, nodes.Paragraph | nodes.Heading) else [_opaque(leaf, ())]


def single_spaced(atoms: Sequence[Atom]) -> list[Atom]:
    """Return atoms without spaces behind spaces."""
    return [atom for before, atom in pairwise([Atom(""), *atoms]) if not before.key == atom.key == " "]


def _inline_atoms(tokens: Sequence[nodes.Token], marks: Marks) -> Iterator[Atom]:
    for token in tokens:
        if isinstance(token, nodes.RawText):
            yield from _words(token.content, marks)
        elif isinstance(token, nodes.InlineCode | nodes.AutoLink):
            yield from _words(token.content, (*marks, mark_of(token)))
        elif isinstance(token, nodes.LineBreak):
            yield Atom(" " if token.soft else "\0\n", node=token, marks=marks)
        elif token.children and not isinstance(token, nodes.Image):
            yield from _inline_atoms(token.children, (*marks, mark_of(token)))
        else:
            yield _opaque(token, marks)


def _words(content: str, marks: Marks, *, keeps_lines: bool = False) -> Iterator[Atom]:
    for word in _WORD.findall(content):
        yield Atom(" " if word.isspace() and not keeps_lines else word, word, marks=marks)


def _opaque(token: nodes.Token, marks: Marks) -> Atom:
    shown = type(token).__name__
    if isinstance(token, nodes.Image):
        shown += f":{nodes.text_content(token).strip() or token.src}"
    elif isinstance(token, nodes.Figure):
        shown += f":{token.content}"
    elif isinstance(token, nodes.MathSpan | nodes.MathBlock):
        shown = f"Math:{''.join(token.content.split())}"
    return Atom(f"\0{shown}", node=token, marks=marks)


def mark_of(token: nodes.Token) -> Mark:
    if isinstance(token, nodes.Link | nodes.AutoLink):
        # Interned: two versions compare it for each word, however long it is.
        return Mark(("a", sys.intern(token.target.rstrip("/"))), token)
    return Mark(token.tag if isinstance(token, nodes.HtmlElement) else type(token).__name__, token)


def keys_of(atoms: Sequence[Atom]) -> Iterator[tuple[str, frozenset[Hashable]]]:
    """Yield what atoms with their marks are compared by: words in the same marks share one set."""
    for _, group in groupby(atoms, key=lambda atom: id(atom.marks)):
        run = list(group)
        marks = frozenset(run[0].marks)
        yield from ((atom.key, marks) for atom in run)


def leaf_key(atoms: Sequence[Atom]) -> tuple[Hashable, ...]:
    """Return what all words of a leaf with their marks are compared by."""
    keys = [(key, None if key.isspace() else marks) for key, marks in keys_of(atoms)]
    keys += [(atom.node.src, None) for atom in atoms if isinstance(atom.node, nodes.Image)]
    alignments = [
        atom.node.align if atom.node.align != -1 else None for atom in atoms if isinstance(atom.node, nodes.TableCell)
    ]
    return (*keys, *alignments)


class Carried(NamedTuple):
    """A leaf with another version's edits; `lost` is what the edits replace, and the editor could not see."""

    leaf: nodes.Token
    lost: tuple[nodes.Token, ...] = ()


def carry(source: nodes.Token, sent: nodes.Token, edited: nodes.Token, unknown: Unknown) -> Carried:
    """Return the leaf of the source with the edits between what was sent of it and what came back.

    `unknown` are the classes of what the editor does not know, and left out or showed as text.
    """
    is_shown = isinstance(sent, _CODE) and isinstance(edited, _CODE)
    ours = atoms_of(nodes.CodeFence(source.content) if is_shown and isinstance(source, nodes.Figure) else source)
    base, theirs = atoms_of(sent), atoms_of(edited)
    if isinstance(edited, nodes.MathBlock | nodes.Figure) and type(source) is type(sent) is type(edited):
        return Carried(nodes.replace(source, content=edited.content))
    if (base and not theirs) or any(atom.node is source for atom in ours):
        return _whole(source, edited, base, theirs)
    known = _known_marks(ours, base)
    merged: list[Atom] = []
    lost: list[nodes.Token] = []
    for region in three_way(*([atom.key for atom in atoms] for atoms in (base, ours, theirs))):
        base_part, ours_part, theirs_part = (
            version[part.start : part.stop] for version, part in zip((base, ours, theirs), region[:3], strict=True)
        )
        if not region.theirs_changed:
            merged += _remarked(ours_part, base_part, theirs_part, known)
        elif _is_unseen(base_part, unknown):
            merged += ours_part
            if any(atom.key != " " for atom in theirs_part):
                merged += _adopted(theirs_part, known)
        elif region.ours_changed:
            if not region.base:
                merged += ours_part
            lost += (atom.node for atom in ours_part if region.base and atom.is_opaque and atom.node is not None)
            merged += _adopted(theirs_part, known)
        else:
            merged += _adopted(theirs_part, known)
    is_same_kind = _kind(sent) == _kind(edited)
    if is_same_kind and merged == ours:
        return Carried(source)
    kind = source if is_same_kind else edited
    return Carried(_leaf(kind, merged, sent, edited), tuple(lost))


def _whole(source: nodes.Token, edited: nodes.Token, base: Sequence[Atom], theirs: Sequence[Atom]) -> Carried:
    """Return a leaf that is merged as a whole: an empty one if it was emptied, else the source's, whatever was edited."""
    if base and not theirs:
        return Carried(edited)
    shown = [atom for atom in theirs if atom.node is None or not is_comment(atom.node)]
    return Carried(source, () if leaf_key(base) == leaf_key(shown) else (source,))


def is_unknown(atom: Atom, unknown: Unknown) -> bool:
    """Return whether an atom is a node of a class that the editor does not know."""
    return type(atom.node) in unknown


def _is_unseen(atoms: Sequence[Atom], unknown: Unknown) -> bool:
    """Return whether that atoms are gone is no edit: the editor never saw them, but spaces around them."""
    seen = [atom for atom in atoms if not is_unknown(atom, unknown)]
    return len(seen) < len(atoms) and all(atom.key == " " for atom in seen)


def _kind(leaf: nodes.Token) -> Hashable:
    return (type(leaf), getattr(leaf, "level", None))


def _known_marks(ours: Sequence[Atom], base: Sequence[Atom]) -> dict[Mark, Mark]:
    """Return the source's marks by those that were sent."""
    known: dict[Mark, Mark] = {}
    for index, place in match([atom.key for atom in base], [atom.key for atom in ours]):
        by_family = {_family(mark): mark for mark in ours[place].marks}
        known.update((mark, by_family[_family(mark)]) for mark in base[index].marks if _family(mark) in by_family)
    return known


def _family(mark: Mark) -> Hashable:
    return mark.key[0] if isinstance(mark.key, tuple) else mark.key


def _adopted(atoms: Sequence[Atom], known: dict[Mark, Mark]) -> Iterator[Atom]:
    """Yield atoms of the edited version, in the source's marks."""
    for atom in atoms:
        yield atom._replace(marks=tuple(known.get(mark, mark) for mark in atom.marks))


def _remarked(
    ours: Sequence[Atom], base: Sequence[Atom], theirs: Sequence[Atom], known: dict[Mark, Mark]
) -> Iterator[Atom]:
    """Yield the source's atoms with the marks that the editor added, and without those that the editor removed."""
    pairs = [*zip(base, theirs, strict=True)]
    is_exact = len(ours) == len(base)
    changes = [_mark_changes([pair]) for pair in pairs] if is_exact else [_mark_changes(pairs)] * len(ours)
    for atom, (added, removed) in zip(ours, changes, strict=True):
        gone = {known.get(mark, mark) for mark in removed}
        remaining = tuple(mark for mark in atom.marks if mark not in gone)
        yield atom._replace(marks=(*remaining, *(known.get(mark, mark) for mark in added)))


def _mark_changes(pairs: Sequence[tuple[Atom, Atom]]) -> tuple[Marks, set[Mark]]:
    """Return the marks that were added to all atoms, and those that were removed from all."""
    if not pairs:
        return (), set()
    added = set.intersection(*({*edited.marks} - {*sent.marks} for sent, edited in pairs))
    removed = set.intersection(*({*sent.marks} - {*edited.marks} for sent, edited in pairs))
    return tuple(mark for mark in pairs[0][1].marks if mark in added), removed


def _leaf(kind: nodes.Token, atoms: Sequence[Atom], sent: nodes.Token, edited: nodes.Token) -> nodes.Token:
    """Return a leaf of this kind with this text."""
    if isinstance(kind, nodes.TableRow):
        return _row(kind, atoms, sent, edited)
    if isinstance(kind, (*_CODE, nodes.Figure)):
        content = "".join(atom.content for atom in atoms)
        return nodes.replace(kind, content=content if content.endswith("\n") else f"{content}\n")
    if any(atom.node is kind for atom in atoms_of(kind)):
        return kind  # a rule in place of a text
    return nodes.replace(kind, children=_tree(atoms))


def with_atoms(leaf: nodes.Token, atoms: Sequence[Atom]) -> nodes.Token | None:
    """Return a leaf with other atoms, None if it has no inlines."""
    if isinstance(leaf, nodes.TableRow):
        return _row(leaf, atoms, leaf, leaf)
    return nodes.replace(leaf, children=_tree(atoms)) if leaf.children and is_inline(leaf.children[0]) else None


def _row(kind: nodes.TableRow, atoms: Sequence[Atom], sent: nodes.Token, edited: nodes.Token) -> nodes.TableRow:
    cells: list[nodes.TableCell] = []
    content: list[list[Atom]] = []
    for atom in atoms:
        if isinstance(atom.node, nodes.TableCell):
            cells.append(atom.node)
            content.append([])
        elif content:
            content[-1].append(atom)
    changed = {
        index: after.align
        for index, (before, after) in enumerate(zip(sent.children, edited.children, strict=False))
        if isinstance(before, nodes.TableCell) and isinstance(after, nodes.TableCell) and before.align != after.align
    }
    if not len(cells) == len(sent.children) == len(edited.children):
        changed = {}
    filled = [
        nodes.TableCell(_tree(inside), align=changed.get(index, cell.align), line=cell.line_number)
        for index, (cell, inside) in enumerate(zip(cells, content, strict=True))
    ]
    return nodes.TableRow(filled, line=kind.line_number)


def _tree(atoms: Sequence[Atom]) -> list[nodes.Token]:
    """Return inlines, the longest mark outermost; spaces at the edge of a mark are outside of it."""
    edges = [Atom("")]
    runs: list[tuple[str | nodes.Token, Marks]] = []
    for before, atom, after in zip([*edges, *atoms], atoms, [*atoms[1:], *edges], strict=False):
        is_edge = atom.key == " " and not any(map(_is_code, atom.marks))
        marks = tuple(mark for mark in atom.marks if not is_edge or (mark in before.marks and mark in after.marks))
        runs.append((atom.content if atom.node is None else atom.node, marks))
    return nest(longest_first(runs, _is_code), _wrapped, _read)


def _is_code(mark: Mark) -> bool:
    return isinstance(mark.node, nodes.InlineCode)


def _wrapped(mark: Mark, children: list[nodes.Token]) -> list[nodes.Token]:
    if isinstance(mark.node, nodes.AutoLink):
        is_same = mark.node.content == "".join(map(nodes.text_content, children))
        return [mark.node if is_same else nodes.Link(mark.node.target, children)]
    return children if _is_code(mark) else [nodes.replace(mark.node, children=children)]


def _read(string: str, marks: Sequence[Mark]) -> list[nodes.Token]:
    is_code = any(map(_is_code, marks))
    return [nodes.InlineCode(string) if is_code else nodes.RawText(string.replace("\n", " "))]
