"""Names of environment variables: slips of settings, variables of clients, and unknown ones."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from mdpublish_server.settings import NAMES, read_settings
from mdpublish_server.variables import OF_CLIENTS, UnknownVariable, refuse_slips, unknown_settings

ROOT = Path(__file__).parent.parent.parent


def meant_by(name: str) -> tuple[str, ...]:
    """Return the settings that a variable is taken to be a slip of."""
    try:
        refuse_slips({name: "x"}, NAMES)
    except UnknownVariable as error:
        return tuple(error.similar)
    return ()


def slips_of(name: str) -> Iterator[str]:
    """Return all names of one edit."""
    for at, character in enumerate(name):
        yield name[:at] + name[at + 1 :]
        yield name[:at] + character + name[at:]
        yield name[:at] + "X" + name[at + 1 :]
        yield name[:at] + name[at : at + 2][::-1] + name[at + 2 :]


def distance(one: str, other: str) -> int:
    """Return the distance by Damerau and Levenshtein, from its recurrence."""
    rows = [[row + column for column in range(len(other) + 1)] for row in range(len(one) + 1)]
    for row, column in product(range(1, len(one) + 1), range(1, len(other) + 1)):
        is_same = one[row - 1] == other[column - 1]
        rows[row][column] = min(
            rows[row - 1][column] + 1, rows[row][column - 1] + 1, rows[row - 1][column - 1] + (not is_same)
        )
        if row > 1 and column > 1 and one[row - 2 : row] == other[column - 2 : column][::-1]:
            rows[row][column] = min(rows[row][column], rows[row - 2][column - 2] + 1)
    return rows[-1][-1]


def test_each_slip_of_one_letter_is_refused_with_the_setting_meant() -> None:
    taken = [
        (slip, name) for name in NAMES for slip in slips_of(name) if slip not in NAMES and name not in meant_by(slip)
    ]

    assert taken == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("MDPUBLISH_PUBLC_URL", "MDPUBLISH_PUBLIC_URL"),
        ("MDPUBLISH_PBULIC_ULR", "MDPUBLISH_PUBLIC_URL"),
        ("MDPUBLISH_PUBLICURLS", "MDPUBLISH_PUBLIC_URL"),
        ("MDPUBLISH_WORKR", "MDPUBLISH_WORKERS"),
        ("MDPUBLISH_TRUSTED_PROXY_S", "MDPUBLISH_TRUSTED_PROXIES"),
        ("MDPUBLISH_FREE_DOCUMENT", "MDPUBLISH_FREE_DOCUMENTS"),
        ("MDPUBLISH__SMTP_URI", "MDPUBLISH_SMTP_URL"),
        ("MD_PUBLISH_PORT", "MDPUBLISH_PORT"),
        ("MDPUBLSIH_HOST", "MDPUBLISH_HOST"),
    ],
)
def test_slip_of_two_letters_is_refused_with_the_setting_meant(name: str, meant: str) -> None:
    with pytest.raises(UnknownVariable, match=f"^unknown setting {name}; did you mean {meant}\\?$"):
        read_settings({"MDPUBLISH_SERVICE_NAME": "Pages", name: "x"})


def test_nearest_setting_is_named_and_of_equals_all() -> None:
    assert meant_by("MDPUBLISH_HORT") == meant_by("MDPUBLISH_POST") == ("MDPUBLISH_HOST", "MDPUBLISH_PORT")
    assert meant_by("MDPUBLISH_HOSTS") == ("MDPUBLISH_HOST",)
    assert str(UnknownVariable("A", ["B", "C"])) == "unknown setting A; did you mean B or C?"


def test_name_of_a_setting_is_no_slip_of_another() -> None:
    # The nearest two.
    assert distance("MDPUBLISH_HOST", "MDPUBLISH_PORT") == 2
    assert read_settings({"MDPUBLISH_HOST": "localhost"}).host == "localhost"
    assert read_settings({"MDPUBLISH_PORT": "1"}).port == 1


@pytest.mark.parametrize("name", ["MDPUBLISH_PBLC_ULR", "MDPUBLISH_LOG_LEVEL", "MDPUBLISH_SERVICE_HOST", "MDPUBLISH_"])
def test_other_names_are_unknown_and_refused_by_none(name: str) -> None:
    environment = {name: "x", "PATH": "/bin", "_MDPUBLISH_SERVER_COMPLETE": "bash_source", "MDPUBLISH_HOST": "::1"}
    assert read_settings(environment).host == "::1"
    assert unknown_settings(environment, NAMES) == [name]


def test_empty_variable_counts_as_not_set() -> None:
    environment = {"MDPUBLISH_PUBLC_URL": "", "MDPUBLISH_COLOR": ""}
    assert read_settings(environment) == read_settings({})
    assert unknown_settings(environment, NAMES) == []


def test_documentation_and_containers_name_known_variables_alone() -> None:
    files = [
        ROOT / "Containerfile",
        ROOT / "README.md",
        *(ROOT / "docs").rglob("*"),
        *(ROOT / "packages").rglob("*.md"),
    ]
    suffixes = {"", ".md", ".env", ".service", ".yaml", ".conf"}
    contents = [file.read_text("utf-8") for file in files if file.is_file() and file.suffix in suffixes]
    named = {name for content in contents for name in re.findall(r"(?<![_A-Z])MDPUBLISH_[A-Z_]*[A-Z]", content)}

    assert named >= {*NAMES, *OF_CLIENTS}
    assert {name for name in named - {*NAMES, *OF_CLIENTS} if not meant_by(name)} == set()


def test_slip_is_what_the_distance_tells() -> None:
    words = ["".join(characters) for length in range(5) for characters in product("AB", repeat=length)]
    wrong = []
    for word, other in product(words, words):
        if word not in ("", other) and is_slip(word, other) != (distance(word, other) <= 2):
            wrong.append((word, other))

    assert wrong == []


def is_slip(name: str, known: str) -> bool:
    try:
        refuse_slips({name: "x"}, [known])
    except UnknownVariable:
        return True
    return False
