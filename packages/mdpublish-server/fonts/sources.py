"""Fonts of npm packages: downloaded, verified, with a license that allows a subset under their name."""

import io
import re
import tarfile
from collections.abc import Iterable

from families import Family, Package, Style
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from tests.corpora import npm
from tests.corpora.cache import digest

# Copyright, names, license and its URL, as the OFL requires.
_NAMES = [0, 1, 2, 4, 6, 13, 14]

_RESERVED = re.compile(r"reserved\s+font\s+(?:family\s+)?names?", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”']([^\"“”']+)[\"“”']")


class Refused(Exception):  # noqa: N818  (the word names the fault)
    """A package that must not be redistributed, or differs from the pinned one."""


class Archives:
    """Packages in a folder."""

    def __init__(self, packages: Iterable[Package], folder: str) -> None:
        pinned = {(each.package, each.version): each for each in packages}
        npm.pack([f"{package}@{version}" for package, version in pinned], folder, "fonts")
        self._opened = {each.package: _opened(each, folder) for each in pinned.values()}

    def read(self, package: Package, path: str) -> bytes:
        reader = self._opened[package.package].extractfile(f"package/{path}")
        assert reader is not None, "a regular file can be read"
        return reader.read()

    def font(self, package: Package, path: str) -> TTFont:
        # A current timestamp would make the output differ.
        return TTFont(io.BytesIO(self.read(package, path)), recalcTimestamp=False)

    def scripts(self, family: Family, style: Style) -> list[TTFont]:
        """Return the fonts of a style: one, or Fontsource's for Western and for Central European letters."""
        if family.paths:
            return [self.font(family, family.paths[family.styles.index(style)])]
        ending = f"{style.weight}-{'italic' if style.is_italic else 'normal'}.woff2"
        return [self.font(family, f"files/{family.slug}-{script}-{ending}") for script in ("latin", "latin-ext")]

    def licence(self, package: Package) -> str:
        """Return the license of a family; raises `Refused`."""
        licence = self.read(package, package.licence).decode()
        require_free(package.name, licence)
        return licence


def subset(font: TTFont, characters: Iterable[int], features: list[str]) -> TTFont:
    options = Options()
    # A third of some files, and hardly used by modern screens.
    options.hinting = False
    options.layout_features = features
    options.name_IDs = _NAMES
    # Of FontForge and TeX.
    options.drop_tables += ["FFTM", "TeX "]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    return font


def saved(font: TTFont, flavor: str | None) -> bytes:
    font.flavor = flavor
    buffer = io.BytesIO()
    font.save(buffer)
    return buffer.getvalue()


def require_free(name: str, licence: str) -> None:
    """Reject a license other than the OFL, or one that reserves the family's name."""
    if "SIL OPEN FONT LICENSE VERSION 1.1" not in licence.upper():
        raise Refused(f"{name} is not under the OFL")
    # The copyright statement precedes the license text.
    statement = licence.partition("This Font Software is licensed")[0]
    if "copyright" not in statement.lower():
        raise Refused(f"{name} has no copyright statement: {statement}")
    _require_unreserved(name, statement)


def require_unreserved(name: str, font: TTFont) -> None:
    """Reject a name that is reserved in the font's name table, which some license files omit."""
    _require_unreserved(name, " ".join(record.toUnicode() for record in font["name"].names))


def _require_unreserved(name: str, statement: str) -> None:
    for match in _RESERVED.finditer(statement):
        names = _QUOTED.findall(statement[match.end() :])
        if not names or any(name.lower() in each.lower() or each.lower() in name.lower() for each in names):
            raise Refused(f"{name} may be a reserved name: {statement[match.start() :][:300]}")


def _opened(package: Package, folder: str) -> tarfile.TarFile:
    path = npm.archive_of(package.package, package.version, folder)
    if digest(path.read_bytes()) != package.sha256:
        raise Refused(f"{package.package} has SHA-256 {digest(path.read_bytes())}, not the pinned {package.sha256}")
    return tarfile.open(path, "r:gz")
