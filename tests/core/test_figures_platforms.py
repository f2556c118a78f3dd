import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures import mermaid
from mdpublish_core.figures.engines import find_engines
from mdpublish_core.figures.platforms import explain_missing, missing_wheel
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS
from tests.running import importing


@pytest.fixture
def on_platform(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    system, machine, library, version = request.param
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(platform, "libc_ver", lambda: (library, version))


@pytest.fixture
def no_cached_engine() -> Iterator[None]:
    mermaid._engine.cache_clear()
    yield
    mermaid._engine.cache_clear()


@pytest.mark.parametrize(
    ("on_platform", "problems"),
    [
        (("Linux", "x86_64", "glibc", "2.35"), {}),
        (("Linux", "x86_64", "glibc", "2.41.2"), {}),
        (("Darwin", "arm64", "", ""), {}),
        (("Windows", "AMD64", "", ""), {}),
        (("Linux", "x86_64", "glibc", "2.34"), {"merman": "merman needs glibc 2.35 (this system has 2.34)"}),
        (("Linux", "aarch64", "glibc", "2.41"), {"merman": "merman has no wheel for Linux on aarch64"}),
        (("Darwin", "x86_64", "", ""), {"merman": "merman has no wheel for Darwin on x86_64"}),
        (
            ("Linux", "x86_64", "", ""),
            {each: f"{each} has no wheel for Linux without glibc" for each in ("merman", "mmdr", "pygraphviz")},
        ),
        (
            ("Windows", "ARM64", "", ""),
            {each: f"{each} has no wheel for Windows on ARM64" for each in ("merman", "mmdr", "pygraphviz")},
        ),
    ],
    indirect=["on_platform"],
)
@pytest.mark.usefixtures("on_platform")
def test_missing_wheel_is_explained(problems: dict[str, str]) -> None:
    packages = ("merman", "mmdr", "pygraphviz", "resvg-py", "ziamath")

    assert {each: problem for each in packages if (problem := missing_wheel(each))} == problems
    for package in packages:
        installing = f"{package} is not installed; run: pip install 'mdpublish-core[figures]'"
        assert explain_missing(MissingExtra("figures", package)) == problems.get(package, installing)


@pytest.mark.needs("mmdr", "pygraphviz", "resvg_py")
@pytest.mark.parametrize("kind", FIGURE_KINDS)
def test_every_engine_describes_itself(kind: str) -> None:
    assert import_module(FIGURE_KINDS[kind].engine).describe()


@pytest.mark.needs("resvg_py")
def test_engines_are_found_in_a_worker() -> None:
    engines = {status.kind: status for status in find_engines()}

    assert list(engines) == list(FIGURE_KINDS)
    assert engines["chart"].engine
    assert engines["chart"].engine.startswith("built in; images by resvg-py ")


@pytest.mark.needs("mmdr")
@pytest.mark.usefixtures("no_cached_engine")
def test_library_that_cannot_be_loaded_gives_way_to_the_other_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = "/lib/libc.so.6: version `GLIBC_2.35' not found"
    (tmp_path / "merman.py").write_text(f"raise OSError({problem!r})\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("merman", "mdpublish_core.figures.mermaid.merman_engine"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    assert mermaid.describe() == f"mmdr 0.4.0 (merman cannot be loaded: {problem})"
    assert mermaid._engine().__name__.endswith("mmdr_engine")


@pytest.mark.needs("mmdr")
@pytest.mark.usefixtures("no_cached_engine")
def test_engine_in_use_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "merman", None)
    monkeypatch.delitem(sys.modules, "mdpublish_core.figures.mermaid.merman_engine", raising=False)
    monkeypatch.setattr("mdpublish_core.figures.platforms.missing_wheel", lambda _package: "")

    assert mermaid.describe() == "mmdr 0.4.0 (merman is not installed; run: pip install 'mdpublish-core[merman]')"


def test_library_that_graphviz_lacks_is_named(tmp_path: Path) -> None:
    problem = "libXrender.so.1: cannot open shared object file: No such file or directory"
    (tmp_path / "pygraphviz.py").write_text(f"raise ImportError({problem!r})\n")
    program = "from mdpublish_core import convert; print(*convert('```dot\\ndigraph {}\\n```').notices, sep='\\n')"
    environment = importing(tmp_path)
    command = (sys.executable, "-c", program)
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert f"pygraphviz cannot be loaded: {problem}" in output
    assert "figure-failed" in output
