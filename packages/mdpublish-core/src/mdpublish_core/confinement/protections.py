"""The protections of confinement, and how a worker tells which of them this machine has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

PROTECTIONS: Mapping[str, str] = {
    "files": "reads only the files of Python, its packages and the system's libraries, and writes none",
    "sockets": "opens none",
    "other processes": "reads neither their memory nor their environment",
    "signals": "sends none to the process that started it, nor to other workers",
    "new processes": "starts none",
}
"""What each protection means for a worker."""


@dataclass(frozen=True, slots=True)
class Protection:
    """One of `PROTECTIONS`: the mechanism that provides it, or why none does."""

    name: str
    mechanism: str | None
    problem: str = ""


def encode(protections: Iterable[Protection]) -> bytes:
    return "\n".join("\t".join((each.name, each.mechanism or "", each.problem)) for each in protections).encode()


def decode(content: bytes) -> tuple[Protection, ...]:
    rows = (line.split("\t") for line in content.decode().splitlines())
    return tuple(Protection(name, mechanism or None, problem) for name, mechanism, problem in rows)
