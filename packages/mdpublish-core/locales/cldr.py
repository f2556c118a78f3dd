"""CLDR's npm packages: downloaded once, verified, and read in memory."""

import gzip
import io
import json
import tarfile
from functools import cache
from typing import Any

from tests.corpora import npm

VERSION = "48.2.0"

_SHA256 = {
    "cldr-core": "5310e0c7a06c1feb83dc8e54c8584bbe0b9c2ea8320172a18d541986b124585d",
    "cldr-numbers-full": "2d17a1453c559a62112caeed52e0bcfe3cb8539c99d239ae7b7ed4d0827679d9",
    "cldr-units-full": "754d55f183570c53029a77493302f432fb3e905df35a715f9cb022e2ebcb093c",
}


@cache
def read(package: str, path: str) -> Any:
    """Read a JSON file. Raises `FetchFailure`."""
    return json.loads(read_bytes(package, path))


def read_locale(package: str, name: str, file: str) -> Any:
    return json.loads(read_bytes(package, f"main/{name}/{file}.json"))["main"][name]


def read_bytes(package: str, path: str) -> bytes:
    reader = _archive(package).extractfile(f"package/{path}")
    assert reader is not None, "a regular file can be read"
    return reader.read()


@cache
def _archive(package: str) -> tarfile.TarFile:
    packed = npm.fetch_archive(package, VERSION, _SHA256[package])
    # A compressed archive would be unpacked again for every file.
    return tarfile.open(fileobj=io.BytesIO(gzip.decompress(packed)))
