"""READMEs of npm packages: five tested closely, and lists that `pin` writes.

`readmes_of_trades.txt` has wallets, payments, accounts, email, games, work and security: legitimate prose.
"""

from collections.abc import Iterable
from pathlib import Path

from tests.corpora.npm import PackagedFile, fetch, fetch_all

LIST = Path(__file__).with_name("readmes.txt")
"""In the format of `sha256sum`: hash, `package@version`, path."""

TRADES = Path(__file__).with_name("readmes_of_trades.txt")
"""21 MB to download."""

READMES = (
    # 10 KB: nested lists, reference definitions, badges.
    PackagedFile(
        package="express",
        version="5.3.0",
        path="Readme.md",
        sha256="600f9f3a8fe35c9657e3bb61d2afbfee9bfe788a764892596bef49ede3c9ef0e",
    ),
    # 42 KB: a contents list three levels deep, much code, a table.
    PackagedFile(
        package="commander",
        version="15.1.0",
        path="Readme.md",
        sha256="b8da3574e5c21bca9cb82c616f87322c25f25b1502652dbd4f396165286b45fd",
    ),
    # 28 KB: wide tables full of emoji, reference links inside cells.
    PackagedFile(
        package="eslint-plugin-import",
        version="2.32.0",
        path="README.md",
        sha256="371357521dbb44674bb435ff9a0999a9b7298e0f3d12b1a599f9b7be6c9c9388",
    ),
    # 23 KB: ordered lists, images in raw HTML, thematic breaks, details.
    PackagedFile(
        package="inquirer",
        version="14.2.5",
        path="README.md",
        sha256="13c365916112363e573296385c5c9edc0b8b1e0028412a4b7f6e9ad6fdc30ea2",
    ),
    # 80 KB: more raw HTML than Markdown, badges in tables, 62 reference definitions.
    PackagedFile(
        package="webpack",
        version="5.112.2",
        path="README.md",
        sha256="0b959a147e8b875e42f77fa5804c8d4e70f86b3399d4baba9d90d2f756dd2e0f",
    ),
)


def readmes() -> dict[str, str]:
    return {file.package: fetch(file).decode("utf-8") for file in READMES}


def many_readmes() -> dict[str, str]:
    """Keys are packages, with the path unless it is README.md."""
    return _read_all([*READMES, *listed()])


def readmes_of_trades() -> dict[str, str]:
    return _read_all(listed(TRADES))


def _read_all(files: list[PackagedFile]) -> dict[str, str]:
    markdown = [content.decode("utf-8", "replace") for content in fetch_all(files)]
    return dict(zip(map(label, files), markdown, strict=True))


def label(file: PackagedFile) -> str:
    return file.package if file.path.lower() == "readme.md" else f"{file.package}:{file.path}"


def listed(path: Path = LIST) -> list[PackagedFile]:
    lines = path.read_text("utf-8").splitlines()
    return [_file(line) for line in lines if line and not line.startswith("#")]


def _file(line: str) -> PackagedFile:
    sha256, package, path = line.split("  ")
    name, _, version = package.rpartition("@")
    return PackagedFile(package=name, version=version, path=path, sha256=sha256)


def written(files: Iterable[PackagedFile]) -> str:
    remark = "# READMEs of npm packages; `python -m tests.corpora.pin` writes this file."
    lines = [f"{file.sha256}  {file.package}@{file.version}  {file.path}" for file in sorted(files, key=_sort_key)]
    return "\n".join([remark, *lines]) + "\n"


def _sort_key(file: PackagedFile) -> tuple[str, str]:
    return file.package, file.path
