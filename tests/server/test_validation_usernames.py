import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_server.errors import ValidationError
from mdpublish_server.validation.slugs import SLUG_PATTERN
from mdpublish_server.validation.usernames import RESERVED_USERNAMES, validate_username


@pytest.mark.parametrize(
    ("name", "username"),
    [
        ("ada", "ada"),
        ("Ada-Lovelace", "ada-lovelace"),
        ("R2D2", "r2d2"),
        ("a" * 30, "a" * 30),
        ("A-B", "a-b"),
        ("007", "007"),
    ],
)
def test_username_is_stored_in_lower_case(name: str, username: str) -> None:
    assert validate_username(name) == username


@pytest.mark.parametrize(
    "name",
    [
        "-ada",
        "ada-",
        "a--da",
        "a_da",
        "a da",
        "a.da",
        "@ada",
        "ädä",
        "ada\n",
        "ad\0",
        "a/da",
        "../",
        "аdа",
        "ada\u200b",
    ],
)
def test_username_of_other_characters_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_username(name)
    message = f"username must consist of letters a-z, digits and single hyphens between them (got {name!r})"
    assert refused.value.message == message


# Lower-cased, these contain "k" and "i" with a combining dot; case-folded, the last contains "ss".
@pytest.mark.parametrize("name", ["\u212aarl", "\u0130da", "me\u1e9e"])
def test_character_that_becomes_ascii_in_lower_case_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="username must consist of"):
        validate_username(name)


@pytest.mark.parametrize("name", ["", "ab", "a" * 31, "a" * 1_000_000])
def test_username_of_another_length_is_refused_without_being_repeated(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_username(name)
    assert refused.value.message == f"username must be 3 to 30 characters (got {len(name):,})"


@pytest.mark.parametrize(
    "name", ["admin", "ADMIN", "Root", "ad-min", "sign-in", "log-out", "well-known", "w-w-w", "mdpublish"]
)
def test_reserved_username_is_refused_in_every_spelling(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_username(name)
    assert refused.value.message == f"username {name!r} is reserved; choose another"


@pytest.mark.parametrize("name", ["admina", "my-api", "rooted", "newton", "adminadmin"])
def test_username_that_only_begins_like_a_reserved_one_is_taken(name: str) -> None:
    assert validate_username(name) == name


def test_reserved_usernames_are_written_as_they_are_compared() -> None:
    assert all(re.fullmatch(r"[a-z0-9]{3,30}", name) for name in RESERVED_USERNAMES)


@given(st.one_of(st.text(), st.from_regex(r"[A-Za-z0-9-]{1,32}", fullmatch=True)))
@example("-" * 30)
def test_every_string_is_a_username_or_refused(name: str) -> None:
    try:
        username = validate_username(name)
    except ValidationError:
        return
    assert username == name.lower()
    assert 3 <= len(username) <= 30
    assert re.fullmatch(SLUG_PATTERN, username)
    assert validate_username(username) == username
