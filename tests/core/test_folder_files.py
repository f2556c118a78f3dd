"""Files of folders that may be a stranger's: nothing outside the repository is opened, whatever is swapped."""

import os
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from mdpublish_core.resources import folder_files
from mdpublish_core.resources.folder_files import atomic_write, open_within, read_within, repository_root

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")

_swaps: list[Callable[[], None]] = []
_hooks: list[Callable[[str, object], None]] = []


def _swap_before_opening(event: str, _arguments: object) -> None:
    if event == "open" and _swaps:
        _swaps.pop()()


@pytest.fixture
def swap_at() -> Iterator[Callable[[int, Callable[[], None]], None]]:
    """Run a function when Python is about to open the nth file or folder from now on."""
    if not _hooks:
        sys.addaudithook(_swap_before_opening)  # Python cannot remove it again
        _hooks.append(_swap_before_opening)

    def swap_at(number: int, swap: Callable[[], None]) -> None:
        _swaps[:] = [swap, *[lambda: None] * (number - 1)]

    yield swap_at
    _swaps.clear()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with `docs/deep/a.md`, beside `outside/a.md`."""
    for folder, content in {"repository/docs/deep": b"inside", "outside": b"secret"}.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.md").write_bytes(content)
    (tmp_path / "repository/.git").mkdir()
    return tmp_path / "repository"


def content_of(root: Path, file: Path) -> bytes | None:
    try:
        return read_within(root, file)
    except OSError:
        return None


def test_link_within_the_repository_is_followed(repository: Path) -> None:
    (repository / "docs/link.md").symlink_to("../docs/deep/a.md")
    (repository / "folder").symlink_to("docs/deep")

    assert read_within(repository, repository / "docs/link.md") == b"inside"
    assert read_within(repository, repository / "folder/a.md") == b"inside"


@pytest.mark.parametrize("has_descriptors", [True, False])
@pytest.mark.parametrize(
    ("name", "target", "problem"),
    [
        ("a.md", "../outside/a.md", "it leads to '{tmp}/outside/a.md', outside '{tmp}/repository'"),
        ("a.md", "{tmp}/outside/a.md", "it leads to '{tmp}/outside/a.md', outside '{tmp}/repository'"),
        ("a.md", "docs/deep/../../../outside/a.md", "it leads to '{tmp}/outside/a.md', outside"),
        ("folder", "../outside", "it leads to '{tmp}/outside/a.md', outside"),
        ("a.md", "hop.md", "it leads to '{tmp}/outside/a.md', outside"),
        ("a.md", ".git/config", "which is hidden"),
        ("a.md", "docs/.env", "which is hidden"),
        ("a.md", "none.md", "No such file"),
        ("a.md", "a.md", "symbolic links"),
        ("a.md", "docs", "not a regular file"),
        ("a.md", "/dev/zero", "outside"),
    ],
)
def test_link_that_leads_elsewhere_is_not_opened(
    repository: Path, name: str, target: str, problem: str, monkeypatch: pytest.MonkeyPatch, *, has_descriptors: bool
) -> None:
    """By descriptors of folders, and by paths as on Windows."""
    monkeypatch.setattr(folder_files, "_HAS_FOLDER_DESCRIPTORS", has_descriptors)
    (repository / "hop.md").symlink_to("../outside/a.md")
    (repository / ".git/config").write_text("secret")
    (repository / "docs/.env").write_text("secret")
    (repository / name).symlink_to(target.format(tmp=repository.parent))
    file = repository / name / "a.md" if name == "folder" else repository / name

    problem = problem.format(tmp=repository.parent)
    with pytest.raises(OSError, match=re.escape(problem)):
        read_within(repository, file)
    with pytest.raises(OSError, match=re.escape(problem) if target != "docs" else "directory"):
        open_within(repository, file, "wb")

    assert (repository.parent / "outside/a.md").read_bytes() == b"secret"


def test_what_is_no_regular_file_is_not_waited_for(repository: Path) -> None:
    os.mkfifo(repository / "pipe.md")
    with chdir(repository), socket.socket(socket.AF_UNIX) as server:  # the path of a socket is short
        server.bind("socket.md")

    for name in ("pipe.md", "socket.md"):
        assert content_of(repository, repository / name) is None
        with pytest.raises(OSError, match="No such device"):
            open_within(repository, repository / name, "wb")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["docs", "docs/deep", "docs/deep/a.md"])
def test_link_that_is_swapped_in_after_the_check_is_not_followed(
    repository: Path, swap_at: Callable[[int, Callable[[], None]], None], name: str, number: int
) -> None:
    outside = repository.parent / "outside"
    (outside / "deep").mkdir()
    (outside / "deep/a.md").write_bytes(b"secret")
    target = {"docs": outside, "docs/deep": outside, "docs/deep/a.md": outside / "a.md"}[name]

    def swap() -> None:
        (repository / name).rename(repository / "kept")
        (repository / name).symlink_to(target)

    swap_at(number, swap)

    assert content_of(repository, repository / "docs/deep/a.md") in (b"inside", None)
    assert (repository / name).is_symlink()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_file_is_written_in_no_folder_that_is_swapped_in(
    repository: Path, swap_at: Callable[[int, Callable[[], None]], None], number: int
) -> None:
    def swap() -> None:
        (repository / "docs").rename(repository / "kept")
        (repository / "docs").symlink_to(repository.parent / "outside")

    swap_at(number, swap)
    try:
        with atomic_write(repository / "docs/a.md", root=repository) as new:
            new.write(b"new")
    except OSError:
        pass

    assert [each.name for each in (repository.parent / "outside").iterdir()] == ["a.md"]
    assert (repository.parent / "outside/a.md").read_bytes() == b"secret"


def test_folder_that_is_made_is_within_the_repository(repository: Path) -> None:
    (repository / "out").symlink_to("../outside")

    with pytest.raises(OSError, match="outside"), atomic_write(repository / "out/new/a.md", root=repository):
        pass
    with atomic_write(repository / "docs/new/folder/a.md", root=repository) as new:
        new.write(b"new")

    assert not (repository.parent / "outside/new").exists()
    assert [each.name for each in (repository / "docs/new/folder").iterdir()] == ["a.md"]


def test_repository_is_the_nearest_folder_with_git_below_the_home(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repository_root(repository / "docs/deep") == repository
    assert repository_root(repository.parent / "outside") == repository.parent / "outside"
    (repository / "docs/.git").write_text("gitdir: elsewhere")  # as that of a submodule or work tree
    assert repository_root(repository / "docs/deep") == repository / "docs"

    monkeypatch.setenv("HOME", str(repository / "docs"))
    assert repository_root(repository / "docs/deep") == repository / "docs/deep"
