"""Sites of other programs: a module reads each, and its marks are a line of `programs.tsv`."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from mdpublish_core.data_files import read_names
from mdpublish_core.errors import InvalidSite, MdpublishError

if TYPE_CHECKING:
    from mdpublish_core.site.projects.project import Project

PROGRAMS: Mapping[str, Sequence[str]] = {
    name: marks.split() for name, marks in read_names(__file__, "programs.tsv")["marks"].items()
}
"""The module of each program, and the files that mark its sites."""

FOLDERS = "folders"  # the name of no program


def find_project(folder: Path, above: Iterable[Path], program: str | None = None) -> "Project | None":
    """Return the site of a program that has its configuration in a folder, or its documents, and the former `above`.

    Raises `InvalidSite` for a configuration that cannot be read, and if there is none of a program that is named.
    """
    programs = [] if program == FOLDERS else [program] if program else list(PROGRAMS)
    for place in (folder, *above):
        for name in programs:
            if (mark := next((mark for mark in PROGRAMS[name] if (place / mark).is_file()), None)) is None:
                continue
            try:
                project: Project = import_module(f"{__name__}.{name}").read(place / mark)
                project.require_confined()
            except (OSError, ValueError, RecursionError, MdpublishError) as error:
                problem = error.strerror if isinstance(error, OSError) else error
                if place == folder:
                    raise InvalidSite(f"{place / mark}: {problem}; build without it by --from {FOLDERS}") from None
            else:
                if place == folder or project.folder.resolve() == folder.resolve():
                    return project
    if program and programs:
        raise InvalidSite(f"there is no {' or '.join(PROGRAMS[program][:2])} in {folder}")
    return None
