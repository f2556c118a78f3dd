"""Where engines have wheels. No marker of a requirement tells musl from glibc, nor the version of glibc."""

import platform

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures.errors import EngineNotLoaded

_MERMAN_PLATFORMS = {("Linux", "x86_64"), ("Darwin", "arm64"), ("Windows", "AMD64")}
_MERMAN_GLIBC = (2, 35)

# Engines of native code with wheels for musl and Windows on ARM have no entry.
_NEED_GLIBC = {"merman", "mmdr", "pygraphviz"}


def explain_missing(error: MissingExtra | EngineNotLoaded) -> str:
    """Return why a package cannot be used: no wheel for this platform, not installed, or not loadable."""
    if isinstance(error, EngineNotLoaded):
        return str(error)
    return missing_wheel(error.package) or str(error)


def missing_wheel(package: str) -> str:
    """Return why a package has no wheel for this platform, empty if it has one."""
    if package not in _NEED_GLIBC:
        return ""
    system, machine = platform.system(), platform.machine()
    is_windows_on_arm = (system, machine) == ("Windows", "ARM64")
    if is_windows_on_arm or (package == "merman" and (system, machine) not in _MERMAN_PLATFORMS):
        return f"{package} has no wheel for {system} on {machine}"
    if system != "Linux":
        return ""
    library, version = platform.libc_ver()
    if library != "glibc":
        return f"{package} has no wheel for Linux without glibc"
    if package == "merman" and tuple(map(int, version.split(".")[:2])) < _MERMAN_GLIBC:
        return f"merman needs glibc {'.'.join(map(str, _MERMAN_GLIBC))} (this system has {version})"
    return ""
