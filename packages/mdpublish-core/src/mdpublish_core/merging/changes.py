"""The edits between what was sent of a document and what came back, made in the tree of its source.

source ≈ sent: which leaf of the source is which of those that were sent; those without one were lost on the way, and
stay sent → edited: which leaf is as it was, changed, new, moved or gone both: the leaves of the source, edited, each
still in the containers that the source has
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from itertools import chain, count, takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from mdpublish_core import nodes
from mdpublish_core.data_files import read_names
from mdpublish_core.importing import with_image_urls
from mdpublish_core.merging.alignment import MAX_PAIRS, Leaf, leaves_of, match_similar
from mdpublish_core.merging.inlines import Unknown, atoms_of, carry, is_unknown, leaf_key, single_spaced
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.urls import github_anchor

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

_NAMES = read_names(__file__, "names.tsv")["name"]

_MIN_SIMILARITY = 0.4
"""Part of the words that two leaves have in common, from which on one is the other, edited."""

_MIN_MOVED_SIMILARITY = 0.6
"""The same for a leaf that is elsewhere."""

_IN_PLACE = 0.05
"""Similarity of leaves that have only their kind and place in common."""


class Entry(NamedTuple):
    """A leaf after the edits, and the index of the leaf of the source that it is or was."""

    leaf: Leaf
    origin: int | None
    is_moved: bool = False


class _Key(NamedTuple):
    """What a leaf is compared by."""

    shape: tuple[Hashable, ...]
    """The kinds of what is around it, whether it begins an item, and its own kind."""

    states: tuple[bool, ...]
    """States of the checkboxes around the leaf."""

    words: Hashable


class Version:
    """The leaves of one version, and what they are compared by."""

    def __init__(self, document: nodes.Document, unknown: Unknown = frozenset()) -> None:
        self.leaves = leaves_of(document)
        self.atoms = [atoms_of(leaf.node) for leaf in self.leaves]
        words = [
            [
                atom.key.lower()
                for atom in atoms
                if (isinstance(atom.node, nodes.Image) and nodes.text_content(atom.node).strip())
                or (atom.key[-1].isalnum() and not atom.key.startswith("\0"))
            ]
            for atoms in self.atoms
        ]
        self.words = [Counter(each) for each in words]
        self.plain_texts: list[Hashable] = [
            " ".join(each) or leaf_key([atom for atom in atoms if atom.is_opaque]) or object()
            for each, atoms in zip(words, self.atoms, strict=True)
        ]
        before = [(), *(leaf.path for leaf in self.leaves)]
        self.shapes = [_shape(leaf, path) for leaf, path in zip(self.leaves, before, strict=False)]
        self.keys = [
            _Key(
                shape,
                tuple(item.checked for item in leaf.path if isinstance(item, nodes.TaskItem)),
                leaf_key(single_spaced([atom for atom in atoms if not is_unknown(atom, unknown)])),
            )
            for leaf, shape, atoms in zip(self.leaves, self.shapes, self.atoms, strict=True)
        ]

    def similarity(self, index: int, other: Version, place: int) -> float:
        left, right = self.words[index], other.words[place]
        if not left and not right:
            return 0.1 + (self.shapes[index] == other.shapes[place]) / 2
        similarity = 2 * (left & right).total() / (left.total() + right.total())
        return similarity if similarity >= _MIN_SIMILARITY else 0.0


def _shape(leaf: Leaf, before: Sequence[nodes.Token]) -> tuple[Hashable, ...]:
    known = set(map(id, before))
    items = [container for container in leaf.path if isinstance(container, nodes.ListItem)]
    begins = bool(items) and id(items[-1]) not in known
    return (*map(_kind, leaf.path), begins, leaf.is_title, _kind(leaf.node))


def _kind(token: nodes.Token) -> Hashable:
    if isinstance(token, nodes.List):
        return token.start is None
    if isinstance(token, nodes.SetextHeading):
        return ("Heading", token.level)
    return (type(token).__name__, getattr(token, "tag", getattr(token, "level", getattr(token, "kind", None))))


def edit(
    source: nodes.Document,
    sent: nodes.Document,
    edited: nodes.Document,
    unknown: Unknown,
    descriptions: Mapping[str, str],
) -> tuple[list[Entry], list[Notice]]:
    """Return the leaves of the source with the edits, in order, and what could not be done.

    `unknown` are the classes of what the program does not know in which the document was edited, `descriptions` the
    alternative texts that were edited, by the URLs of images that were sent.
    """
    editing = _Editing(Version(source), Version(sent, unknown), Version(edited), unknown)
    entries = editing.with_states(list(editing.entries()))
    return editing.with_descriptions(entries, descriptions), editing.notices


class _Editing:
    def __init__(self, source: Version, sent: Version, edited: Version, unknown: Unknown) -> None:
        self._unknown = unknown
        self.notices: list[Notice] = []
        self._source, self._sent, self._edited = source, sent, edited
        origins = match_similar(
            source.plain_texts, sent.plain_texts, lambda i, j: _likeness(source, i, sent, j, unknown)
        )
        self._origins = {place: index for index, place in origins.items()}
        self._lost = set(range(len(source.leaves))) - set(origins)
        similar = match_similar(
            sent.keys,
            edited.keys,
            lambda i, j: sent.similarity(i, edited, j) or _IN_PLACE * _are_in_place(sent, i, edited, j),
        )
        self._mates = {place: index for index, place in similar.items()}
        self._moved = self._find_moved()
        self._counterparts = self._find_counterparts()
        self._urls, self._figures = self._find_sources()
        self._items: dict[int, nodes.Token] = {}
        self._keep_anchors()
        self._number_notes()

    def _find_moved(self) -> set[int]:
        """Return leaves that are elsewhere now, and note where they were."""
        mated = set(self._mates.values())
        free: dict[Hashable, deque[int]] = defaultdict(deque)
        for index, plain_text in enumerate(self._sent.plain_texts):
            if index not in mated:
                free[plain_text].append(index)
        unmated = [place for place in range(len(self._edited.leaves)) if place not in self._mates]
        moved = {
            place: free[self._edited.plain_texts[place]].popleft()
            for place in unmated
            if free.get(self._edited.plain_texts[place])
        }
        rest = [place for place in unmated if place not in moved]
        moved.update(self._find_edited(rest, [index for indexes in free.values() for index in indexes]))
        self._mates.update(moved)
        return set(moved)

    def _find_edited(self, places: Sequence[int], indexes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield leaves that are elsewhere now and have other words, each with what it was: the most similar ones first."""
        if len(places) * len(indexes) > MAX_PAIRS:
            return
        similar = sorted(
            (-self._sent.similarity(index, self._edited, place), place, index)
            for place in places
            for index in indexes
            if self._edited.words[place] and self._sent.words[index]
        )
        free, unmated = set(indexes), set(places)
        for similarity, place, index in similar:
            if -similarity >= _MIN_MOVED_SIMILARITY and place in unmated and index in free:
                unmated.remove(place)
                free.remove(index)
                yield place, index

    def _find_counterparts(self) -> dict[int, tuple[nodes.Token, ...]]:
        """Return by containers of the edited version the source's, with those around these."""
        counterparts: dict[int, tuple[nodes.Token, ...]] = {}
        for place, index in self._mates.items():
            origin = self._origins.get(index)
            if origin is None or place in self._moved or self._edited.shapes[place] != self._sent.shapes[index]:
                continue
            path, depth = self._source.leaves[origin].path, 0
            for container in self._edited.leaves[place].path:
                while depth < len(path) and type(path[depth]) is not type(container):
                    depth += 1
                if depth < len(path):
                    depth += 1
                    counterparts.setdefault(id(container), path[:depth])
        return counterparts

    def _find_sources(self) -> tuple[Mapping[str, str], Mapping[Hashable, nodes.Token]]:
        """Return the source's URLs of images by those that were sent, and its figures by what was sent of them."""
        urls: dict[str, str] = {}
        figures: dict[Hashable, nodes.Token] = {}
        for index, origin in self._origins.items():
            if _is_opaque(self._source, origin):
                figures[self._sent.plain_texts[index]] = self._source.leaves[origin].node
            images, others = (
                [atom.node.src for atom in atoms if isinstance(atom.node, nodes.Image)]
                for atoms in (self._sent.atoms[index], self._source.atoms[origin])
            )
            urls.update(zip(images, others, strict=True) if len(images) == len(others) else ())
        return urls, figures

    def _keep_anchors(self) -> None:
        """Give links to edited headings the targets that were sent, if the source has anchors of its own for them."""
        links = {id(mark.node): mark.node for atoms in self._edited.atoms for atom in atoms for mark in atom.marks}
        targets = {
            mark.node.target
            for atoms in self._source.atoms
            for atom in atoms
            for mark in atom.marks
            if _is_link(mark.node)
        }
        sent = {_anchor(self._edited.leaves[i]): _anchor(self._sent.leaves[j]) for i, j in self._mates.items()}
        for link in filter(_is_link, links.values()):
            anchor = sent.get(link.target)
            if anchor and anchor not in targets:
                amend(link, target=anchor)

    def _number_notes(self) -> None:
        """Give the footnotes of the edited version the labels of the source, or labels of their own."""
        notes = (leaf.path[0] for leaf in self._source.leaves if leaf.path)
        taken = {note.label for note in notes if isinstance(note, nodes.FootnoteDefinition)}
        labels: dict[str, str] = {}
        new: list[nodes.FootnoteDefinition] = []
        for leaf in self._edited.leaves:
            note = leaf.path[0] if leaf.path else None
            if isinstance(note, nodes.FootnoteDefinition) and note.label not in labels:
                image = self._counterparts.get(id(note), (note,))[0]
                is_new = image is note
                labels[note.label] = _free_label(note.label, taken) if is_new else getattr(image, "label", "")
                taken.add(labels[note.label])
                new += [note] * is_new
        for note in new:
            amend(note, label=labels[note.label])
        for version in self._edited.atoms:
            for atom in version:
                if isinstance(atom.node, nodes.FootnoteReference):
                    amend(atom.node, label=labels.get(atom.node.label, atom.node.label))

    def entries(self) -> Iterator[Entry]:
        """Yield the edited leaves, and after each those that were lost on the way."""
        reached = 0
        path: Sequence[nodes.Token] = ()
        following = self._following_paths()
        for place in range(len(self._edited.leaves)):
            index = self._mates.get(place)
            origin = None if index is None else self._origins.get(index)
            if index is not None and origin is None:
                continue  # the source has no such leaf
            is_moved = place in self._moved
            if origin is not None and not is_moved:
                yield from self._lost_from(reached, origin)
                reached = origin + 1
            edited = self._edited_leaf(place, index, origin, path, following[place])
            path = edited.path
            yield Entry(edited, origin, is_moved)
            if origin is not None and not is_moved:
                while reached in self._lost:
                    yield Entry(self._source.leaves[reached], reached)
                    reached += 1
        yield from self._lost_from(reached, len(self._source.leaves))

    def with_states(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return entries with the boxes of the source's items as they are now."""
        return [
            entry._replace(
                leaf=entry.leaf._replace(path=tuple(self._items.get(id(item), item) for item in entry.leaf.path))
            )
            for entry in entries
        ]

    def with_descriptions(self, entries: Sequence[Entry], described: Mapping[str, str]) -> list[Entry]:
        """Return entries with the alternative texts that images have now, by the URLs that were sent."""
        by_url = {self._urls[src]: alt for src, alt in described.items() if src in self._urls}
        for alt in (alt for src, alt in described.items() if src not in self._urls):
            message = f"a figure stays as the source has it: its alternative text is made of that, not {shorten(alt)!r}"
            self.notices.append(Notice("merge-kept", message))

        def describe(token: nodes.Token) -> nodes.Token:
            alt = by_url.get(token.src) if isinstance(token, nodes.Image) else None
            return token if alt is None else nodes.replace(token, children=[nodes.RawText(alt)])

        return [
            entry._replace(leaf=entry.leaf._replace(node=nodes.transform(entry.leaf.node, describe)))
            if by_url and any(isinstance(each, nodes.Image) for each in nodes.walk(entry.leaf.node))
            else entry
            for entry in entries
        ]

    def _lost_from(self, start: int, stop: int) -> Iterator[Entry]:
        for index in range(start, stop):
            if index in self._lost:
                yield Entry(self._source.leaves[index], index)

    def _following_paths(self) -> Sequence[Sequence[nodes.Token]]:
        """Return for each leaf the containers around the next one that the source has."""
        paths: list[Sequence[nodes.Token]] = []
        path: Sequence[nodes.Token] = ()
        for place in reversed(range(len(self._edited.leaves))):
            paths.append(path)
            origin = self._origins.get(self._mates.get(place, -1))
            if origin is not None and place not in self._moved:
                path = self._source.leaves[origin].path
        return paths[::-1]

    def _edited_leaf(
        self,
        place: int,
        index: int | None,
        origin: int | None,
        before: Sequence[nodes.Token],
        after: Sequence[nodes.Token],
    ) -> Leaf:
        edited = self._edited.leaves[place]
        if index is None or origin is None:
            copied = self._figures.get(self._edited.plain_texts[place]) or with_image_urls(edited.node, self._urls)
            return Leaf(copied, self._path(edited, before, after), is_title=edited.is_title)
        source = self._source.leaves[origin]
        old, new = self._sent.keys[index], self._edited.keys[place]
        node, path = source.node, source.path
        if (old.shape[-1], old.words) != (new.shape[-1], new.words):
            carried = carry(node, self._sent.leaves[index].node, edited.node, self._unknown)
            self._add_losses(source, carried.lost)
            node = with_image_urls(carried.leaf, self._urls)
        if place in self._moved or old.shape[:-1] != new.shape[:-1]:
            path = self._path(edited, before, after)
        elif old.states != new.states:
            tasks = [item for item in path if isinstance(item, nodes.TaskItem)]
            for item, is_checked in zip(tasks, new.states, strict=False):
                if item.checked != is_checked and id(item) not in self._items:
                    self._items[id(item)] = nodes.replace(item, checked=is_checked)
        return source._replace(node=node, path=path)

    def _add_losses(self, source: Leaf, lost: Sequence[nodes.Token]) -> None:
        for token in lost:
            what = _NAMES.get(type(token).__name__, "a part of the source")
            if token is source.node:
                message = f"{what} stays as the source has it: its text in the edited document is no source"
                self.notices.append(Notice("merge-kept", message, nodes.line_of(token)))
            else:
                message = f"{what} is replaced by the text that the edited document has there"
                self.notices.append(Notice("merge-replaced", message, nodes.line_of(source.node)))

    def _path(self, leaf: Leaf, before: Sequence[nodes.Token], after: Sequence[nodes.Token]) -> tuple[nodes.Token, ...]:
        """Return the containers of a leaf that is new where it is: the source's as far as it has them."""
        known: tuple[nodes.Token, ...] = ()
        depth = len(leaf.path)
        while depth and not known:
            known = self._counterparts.get(id(leaf.path[depth - 1]), ())
            depth -= not known
        rest = leaf.path[depth:]
        common = shared(before, after)
        while shared(known, common) == known and len(common) > len(known) and not self._is_seen(common[len(known)]):
            known = common[: len(known) + 1]
        if known and rest and isinstance(known[-1], nodes.List):
            rest = (self._item(known[-1], rest[0]), *rest[1:])
        return (*known, *rest)

    def _is_seen(self, container: nodes.Token) -> bool:
        """Whether the edited document has a container, or shows what is in it by itself."""
        return isinstance(container, nodes.List | nodes.ListItem | nodes.Table | nodes.FootnoteDefinition) or any(
            path[-1] is container for path in self._counterparts.values()
        )

    def _item(self, of: nodes.List, item: nodes.Token) -> nodes.Token:
        """Return a new item with the marker that the source's list has."""
        if id(item) not in self._items:
            assert isinstance(item, nodes.ListItem)
            first, *others = of.children
            leader = first.leader
            if of.start is not None and not (others and others[0].leader == leader):
                leader = f"{item.leader.rstrip('.)')}{leader[-1:]}"
            self._items[id(item)] = nodes.replace(item, leader=leader)
        return self._items[id(item)]


def _are_in_place(sent: Version, index: int, edited: Version, place: int) -> bool:
    """Return whether leaves without common words may be the same one; a text is no picture, edited."""
    has_text = [any(not key.startswith("\0") for key in words) for words in (sent.words[index], edited.words[place])]
    return sent.shapes[index] == edited.shapes[place] and has_text[0] == has_text[1]


def _likeness(source: Version, index: int, sent: Version, place: int, unknown: Unknown) -> float:
    """Return how like what was sent is to a leaf of the source; what has no text may be sent as any text."""
    if isinstance(source.leaves[index].node, nodes.MathBlock) and nodes.MathBlock in unknown:
        return 0.0
    is_figure = isinstance(source.leaves[index].node, nodes.Figure | nodes.MathBlock)
    # Programs show figures and formulas as an image alone.
    if is_figure and [atom.key[:7] for atom in sent.atoms[place]] == ["\0Image:"]:
        return 0.2
    return max(source.similarity(index, sent, place), _IN_PLACE * _is_opaque(source, index))


def _is_opaque(version: Version, index: int) -> bool:
    """Return whether a leaf has no text."""
    return any(atom.node is version.leaves[index].node for atom in version.atoms[index])


def _is_link(mark: nodes.Token) -> TypeGuard[nodes.Link]:
    return isinstance(mark, nodes.Link)


def _anchor(leaf: Leaf) -> str | None:
    """Return the target of links to a heading."""
    is_heading = isinstance(leaf.node, nodes.Heading | nodes.SetextHeading)
    return f"#{github_anchor(nodes.text_content(leaf.node))}" if is_heading else None


def shared(left: Sequence[nodes.Token], right: Sequence[nodes.Token]) -> tuple[nodes.Token, ...]:
    return tuple(one for one, _ in takewhile(lambda pair: pair[0] is pair[1], zip(left, right, strict=False)))


def _free_label(label: str, taken: set[str]) -> str:
    numbers = (str(number) for number in count(1))
    return next(each for each in chain([label], numbers) if each not in taken)
