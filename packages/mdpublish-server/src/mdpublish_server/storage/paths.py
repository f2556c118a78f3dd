"""Paths of published pages (specification, "Published URL shapes")."""

SHARED = "d"
"""Pages of accounts without a username."""

DEMOS = "p"

_USERS = "u"


def path_of(username: str | None, slug: str) -> str:
    return f"/{SHARED}/{slug}" if username is None else f"/{_USERS}/{username}/{slug}"


def demo_path_of(identifier: str) -> str:
    return f"/{DEMOS}/{identifier}"


def username_of(path: str) -> str | None:
    return path.split("/")[2] if path.startswith(f"/{_USERS}/") else None


def slug_of(path: str) -> str:
    return path.rpartition("/")[2]


def space_of(path: str) -> str:
    return path.partition("/")[2].partition("/")[0]
