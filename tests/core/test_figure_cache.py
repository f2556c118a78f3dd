import os
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from mdpublish_core.resources import figure_cache
from mdpublish_core.resources.figure_cache import FigureCache, user_folder

PYPROJECT = Path(__file__).parents[2] / "packages/mdpublish-core/pyproject.toml"

CHART = """\
# Sales

```chart
{"type": "bar", "data": {"labels": ["Q1", "Q2"], "datasets": [{"label": "Sales", "data": [%s, 5]}]}}
```
"""

COMMAND = """\
import sys
started = []
sys.addaudithook(lambda event, _: started.append(event) if event == "subprocess.Popen" else None)
%s
print(len(started), file=sys.stderr)
"""

MAIN = "from mdpublish_core.cli import main; main(sys.argv[1:], standalone_mode=False)"

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the command with a cache of its own; return how many processes it starts."""
    (tmp_path / "sales.md").write_text(CHART % 3, "utf-8")

    def run_command(*arguments: str, program: str = MAIN, **variables: str) -> int:
        environment = os.environ | {"MDPUBLISH_CACHE": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")} | variables
        ran = subprocess.run(
            [sys.executable, "-c", COMMAND % program, *arguments],
            cwd=tmp_path,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=300,
        )
        return int(ran.stderr.split()[-1])

    return run_command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "mdpublish"


def entries(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.name != "key")


@pytest.mark.needs("resvg_py", "ziafont")
def test_a_figure_is_drawn_once_whatever_command_asks_for_it(run: Run, tmp_path: Path, folder: Path) -> None:
    convert = ("convert", "sales.md", "--to", "email", "-o")

    assert run(*convert, "drawn.html", "--no-cache") == 1
    assert not folder.exists()
    assert run(*convert, "first.html") == 1
    assert run(*convert, "second.html") == 0
    assert run("batch", ".", "out", "--to", "email", "--workers", "1") == 0
    assert {(tmp_path / f"{name}.html").read_bytes() for name in ("first", "second")} == {
        (tmp_path / "drawn.html").read_bytes()
    }
    assert b"data:image/png" in (tmp_path / "drawn.html").read_bytes()
    assert len(entries(folder)) == 1
    assert run(*convert, "off.html", MDPUBLISH_CACHE="0") == 1


@pytest.mark.needs("ziafont")
def test_processes_of_a_batch_keep_figures(run: Run, tmp_path: Path, folder: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.md").write_text(CHART % number, "utf-8")

    run("batch", ".", "out", "--to", "email", "--workers", "2")

    assert len(entries(folder)) == 4


@pytest.mark.needs("ziafont")
def test_the_library_keeps_nothing(run: Run, folder: Path) -> None:
    program = "from mdpublish_core import convert; convert(open('sales.md').read(), to='page')"

    assert run(program=program) == 1
    assert not folder.exists()


@pytest.mark.needs("ziafont")
def test_figures_that_fail_are_not_kept(run: Run, tmp_path: Path, folder: Path) -> None:
    (tmp_path / "wrong.md").write_text("```chart\n{\n```\n", "utf-8")

    assert run("convert", "wrong.md", "--to", "page", "-o", "wrong.html") == 1
    assert entries(folder) == []


@pytest.mark.needs("ziafont")
def test_an_entry_that_a_stranger_wrote_is_drawn_again(run: Run, tmp_path: Path, folder: Path) -> None:
    convert = ("convert", "sales.md", "--to", "generic", "-o")
    run(*convert, "first.html")
    [entry] = entries(folder)
    forged = entry.read_bytes().replace(b"<rect", b"<script>alert(1)</script><rect")
    assert forged != entry.read_bytes()
    entry.write_bytes(forged)

    assert run(*convert, "second.html") == 1
    assert run(*convert, "third.html") == 0
    assert {(tmp_path / f"{name}.html").read_bytes() for name in ("second", "third")} == {
        (tmp_path / "first.html").read_bytes()
    }


@pytest.mark.needs("ziafont")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither limit nor /dev")
def test_without_room_or_a_folder_figures_are_drawn(run: Run, folder: Path) -> None:
    convert = ("convert", "sales.md", "--to", "page")
    full = "import resource; from mdpublish_core.resources.figure_cache import FigureCache, user_folder; "
    full += "FigureCache(user_folder()).key; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "

    assert run(*convert, program=full + MAIN) == 1
    assert [each.name for each in folder.iterdir()] == ["key"]
    assert run(*convert, XDG_CACHE_HOME="/dev/null") == 1


@pytest.fixture
def cache(folder: Path) -> FigureCache:
    return FigureCache(folder)


def test_the_folder_is_the_user_s_alone(cache: FigureCache, folder: Path) -> None:
    cache.put(b"request", b"result")

    assert cache.get(b"request") == b"result"
    assert cache.get(b"another") is None
    if sys.platform != "win32":
        assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, *folder.iterdir())] == [0o700, 0o600, 0o600]


def test_an_entry_counts_for_its_request_alone(cache: FigureCache, folder: Path) -> None:
    cache.put(b"one", b"result of one")
    [one] = entries(folder)
    content = one.read_bytes()
    one.unlink()
    cache.put(b"two", b"result of two")
    [two] = entries(folder)
    two.write_bytes(content)

    assert cache.get(b"two") is None


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 100])
def test_a_damaged_entry_is_none(cache: FigureCache, folder: Path, damage: bytes) -> None:
    cache.put(b"request", b"result")
    [entry] = entries(folder)
    entry.write_bytes(damage)

    assert cache.get(b"request") is None
    cache.put(b"request", b"result")
    assert cache.get(b"request") == b"result"


def test_entries_under_another_key_are_none(cache: FigureCache, folder: Path) -> None:
    cache.put(b"request", b"result")
    (folder / "key").write_bytes(b"k" * 32)

    assert FigureCache(folder).get(b"request") is None


def test_a_damaged_key_is_replaced(cache: FigureCache, folder: Path) -> None:
    assert len(cache.key) == 32
    (folder / "key").write_bytes(b"short")
    FigureCache(folder).put(b"request", b"result")

    assert FigureCache(folder).get(b"request") == b"result"


def _is_open_to_others(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o750)


def _is_another_s(folder: Path) -> None:
    folder.mkdir(0o700, parents=True)
    if os.geteuid() == 0:
        os.chown(folder, 12_345, -1)
    else:
        folder.chmod(0o777)


def _is_a_link(folder: Path) -> None:
    real = folder.parent / "real"
    real.mkdir(0o700, parents=True)
    folder.symlink_to(real)


def _is_in_a_repository(folder: Path) -> None:
    folder.mkdir(0o700, parents=True)
    (folder.parent / ".git").mkdir()


def _is_a_file(folder: Path) -> None:
    folder.parent.mkdir()
    folder.touch()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes, and folders of a profile are its user's")
@pytest.mark.parametrize("hostile", [_is_open_to_others, _is_another_s, _is_a_link, _is_in_a_repository, _is_a_file])
def test_a_folder_that_others_may_fill_is_not_used(folder: Path, hostile: Callable[[Path], None]) -> None:
    hostile(folder)
    cache = FigureCache(folder)

    cache.put(b"request", b"result")

    assert cache.get(b"request") is None
    assert folder.is_file() or list(folder.iterdir()) == []
    with pytest.raises(OSError, match=str(folder)):
        assert not cache.key


def test_the_oldest_entries_leave_when_there_is_no_room(folder: Path) -> None:
    cache = FigureCache(folder, max_bytes=8_000)
    for number in range(40):
        cache.put(b"%d" % number, b"x" * 500)
        for entry in entries(folder):
            os.utime(entry, (entry.stat().st_mtime - 10, entry.stat().st_mtime - 10))
        assert sum(entry.stat().st_size for entry in entries(folder)) <= 8_000 + 1_000

    numbers = [number for number in range(40) if cache.get(b"%d" % number)]
    assert numbers == list(range(numbers[0], 40))
    assert len(numbers) >= 10


def test_an_entry_larger_than_a_share_of_the_cache_is_not_kept(folder: Path) -> None:
    cache = FigureCache(folder, max_bytes=8_000)

    cache.put(b"request", b"x" * 1_000)

    assert cache.get(b"request") is None


def _fill(folder: Path) -> int:
    """Return how many results are right; one that is another's raises."""
    cache, right = FigureCache(folder, max_bytes=40_000), 0
    for number in range(200):
        request, result = b"%d" % (number % 50), b"%d" % (number % 50) * 300
        cached = cache.get(request)
        assert cached in {None, result}
        right += cached is not None
        if cached is None:
            cache.put(request, result)
    return right


def test_several_processes_share_a_folder(folder: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as executor:
        right = list(executor.map(_fill, [folder] * 4))

    assert sum(right) > 0
    assert sum(entry.stat().st_size for entry in entries(folder)) <= 40_000 + 4 * 5_000
    assert not any(entry.name.endswith(".part") for entry in entries(folder))


@pytest.fixture
def _forgets_versions() -> Iterator[None]:
    yield
    figure_cache._versions.cache_clear()


@pytest.mark.usefixtures("_forgets_versions")
def test_another_version_of_an_engine_draws_again(
    cache: FigureCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put(b"request", b"result")
    (tmp_path / "site" / "resvg_py-99.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    figure_cache._versions.cache_clear()

    assert cache.get(b"request") is None


def test_versions_are_those_of_all_packages_that_draw() -> None:
    extras = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    named = {Requirement(each).name for extra in ("images", "graphviz", "figures", "merman") for each in extras[extra]}

    assert named | {"lxml"} == figure_cache.PACKAGES


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
def test_the_folder_is_where_the_user_s_caches_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    for value, expected in (("", "/home/ada/.cache"), ("relative", "/home/ada/.cache"), ("/var/ada", "/var/ada")):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert user_folder() == Path(expected) / "mdpublish"
