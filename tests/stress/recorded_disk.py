"""Records the file operations of programs, and writes what a disk may hold after a power cut.

A disk keeps what was synced. Of later writes to a file, each is kept, lost or torn between two sectors; of later
changes to a folder, the first are kept, as journals of file systems do. That a file is synced does not keep its name.
"""

import os
import subprocess
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from pathlib import Path
from random import Random
from struct import Struct
from typing import NamedTuple

_HEAD = Struct("=QQQQ")  # `struct note` of file_recorder.c

# Weights of kept, lost and torn writes; one is drawn for each cut. The first keeps all.
_FATES = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (8, 1, 1))

_SECTORS = (512, 4096)


class Kind(IntEnum):
    OPEN = 1
    OPEN_FOLDER = 2
    WRITE = 3
    RESIZE = 4
    EXTEND = 5
    RENAME = 6
    UNLINK = 7
    SYNC = 8
    SYNCED = 9
    ACKNOWLEDGED = 10


class Note(NamedTuple):
    kind: Kind
    file: int
    """Its inode; the client, if acknowledged."""
    argument: int
    """A write's offset, a file's size, the flags of `open`, a sync's thread, or the number of an acknowledgement."""
    data: bytes


class Recorder:
    """Notes what programs started with `environment` do below `recorded`; `folder` holds the notes."""

    def __init__(self, folder: Path, recorded: Path) -> None:
        library = folder / "file_recorder.so"
        source = Path(__file__).with_name("file_recorder.c")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        self._path = folder / "record"
        # PostgreSQL is another user.
        self._path.touch()
        self._path.chmod(0o666)
        self._notes = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        self.environment = {
            "LD_PRELOAD": str(library),
            "RECORDED_FOLDER": str(recorded),
            "RECORD": str(self._path),
        }

    def acknowledge(self, client: int, number: int) -> None:
        os.write(self._notes, _HEAD.pack(Kind.ACKNOWLEDGED, client, number, 0))

    def notes(self) -> Iterator[Note]:
        with self._path.open("rb") as file:
            while head := file.read(_HEAD.size):
                kind, inode, argument, size = _HEAD.unpack(head)
                yield Note(Kind(kind), inode, argument, file.read(size))


@dataclass(slots=True)
class _File:
    """A change is an offset and data, or a size and None."""

    content: bytearray = field(default_factory=bytearray)
    """What was synced."""
    changes: deque[tuple[int, bytes | None]] = field(default_factory=deque)
    """Since then."""
    synced: int = 0
    """Number of synced changes."""

    def sync(self, end: int) -> None:
        for _ in range(end - self.synced):
            _change(self.content, *self.changes.popleft())
            self.synced += 1

    def after_power_cut(self, random: Random, weights: tuple[int, ...]) -> bytearray:
        content = bytearray(self.content)
        for offset, data in self.changes:
            fate = random.choices(("kept", "lost", "torn"), weights)[0]
            if fate == "kept":
                _change(content, offset, data)
            elif fate == "torn" and data:
                _change(content, *_torn(offset, data, random))
        return content


@dataclass(slots=True)
class _Folder:
    """A change is names and their files, or None instead of a file."""

    live: dict[str, _File | None] = field(default_factory=dict)
    names: dict[str, _File | None] = field(default_factory=dict)
    changes: deque[dict[str, _File | None]] = field(default_factory=deque)
    synced: int = 0

    def change(self, names: dict[str, _File | None]) -> None:
        self.live.update(names)
        self.changes.append(names)

    def sync(self, end: int) -> None:
        for _ in range(end - self.synced):
            self.names.update(self.changes.popleft())
            self.synced += 1

    def after_power_cut(self, random: Random) -> dict[str, _File]:
        names = dict(self.names)
        for change in islice(self.changes, random.randint(0, len(self.changes))):
            names.update(change)
        return {name: file for name, file in names.items() if file is not None}


class RecordedDisk:
    """Begins with the files of `root`, whose inodes the notes will name."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, _Folder] = {}
        self._inodes: dict[int, _File | _Folder] = {}
        self._syncs: dict[int, int] = {}
        for path, _, names in os.walk(root):
            files: dict[str, _File | None] = {}
            for name in names:
                file = Path(path, name)
                if file.is_file():
                    files[name] = self._inodes[file.stat().st_ino] = _File(bytearray(file.read_bytes()))
            folder = _Folder(live=dict(files), names=files)
            self._folders[os.path.relpath(path, root)] = self._inodes[Path(path).stat().st_ino] = folder

    def apply(self, note: Note) -> None:
        if note.kind is Kind.OPEN:
            self._open(note)
        elif note.kind is Kind.RENAME:
            source, target = (self._place(path) for path in note.data.split(b"\0"))
            assert source[0] is target[0], f"a file is moved to another folder: {note.data!r}"
            source[0].change({target[1]: source[0].live.get(source[1]), source[1]: None})
        elif note.kind is Kind.UNLINK:
            folder, name = self._place(note.data)
            folder.change({name: None})
        elif note.kind is Kind.SYNC:
            synced = self._inodes[note.file]
            self._syncs[note.argument] = synced.synced + len(synced.changes)
        elif note.kind is Kind.SYNCED:
            self._inodes[note.file].sync(self._syncs.pop(note.argument))
        elif note.kind is not Kind.OPEN_FOLDER:
            file = self._inodes[note.file]
            assert isinstance(file, _File)
            # A write of nothing extends a file, here.
            file.changes.append((note.argument, None if note.kind is Kind.RESIZE else note.data))

    def write(self, target: Path, random: Random) -> None:
        """Write what the disk may hold if the power is cut now."""
        weights = random.choice(_FATES)
        for path, folder in self._folders.items():
            (target / path).mkdir(parents=True, exist_ok=True)
            for name, file in folder.after_power_cut(random).items():
                written = target / path / name
                written.write_bytes(file.after_power_cut(random, weights))
                written.chmod(0o600)

    def unrecorded(self) -> set[str]:
        """Return the names of files that differ from those of `root`, after all notes of programs that have ended."""
        names = set()
        for path, folder in self._folders.items():
            for name, file in folder.live.items():
                real = self._root / path / name
                content = None if file is None else file.after_power_cut(Random(0), _FATES[0])
                if content != (real.read_bytes() if real.is_file() else None):
                    names.add(name)
        return names

    def _open(self, note: Note) -> None:
        assert not note.argument & os.O_DSYNC, f"writes sync, too, which is not recorded: {note.data!r}"
        folder, name = self._place(note.data)
        file = self._inodes.get(note.file)
        if file is None or folder.live.get(name) is not file:
            # An inode is used again.
            file = self._inodes[note.file] = _File()
            folder.change({name: file})
        if note.argument & os.O_TRUNC:
            assert isinstance(file, _File)
            file.changes.append((0, None))

    def _place(self, path: bytes) -> tuple[_Folder, str]:
        folder, name = os.path.split(os.path.relpath(os.fsdecode(path), self._root))
        return self._folders[folder or "."], name


def _change(content: bytearray, offset: int, data: bytes | None) -> None:
    content.extend(bytes(max(0, offset - len(content))))
    if data is None:
        del content[offset:]
    else:
        content[offset : offset + len(data)] = data


def _torn(offset: int, data: bytes, random: Random) -> tuple[int, bytes]:
    """Return the part of a write on one side of a sector's border: nothing, if it is within one sector."""
    sector = random.choice(_SECTORS)
    end = offset + len(data)
    borders = range(offset // sector * sector + sector, end, sector)
    if not borders:
        return (offset, b"")
    border = random.choice(borders)
    return random.choice([(offset, data[: border - offset]), (border, data[border - offset :])])
