from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Literal
from unicodedata import is_normalized

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_server.auth import passwords
from mdpublish_server.auth.passwords import (
    hash_password,
    needs_rehash,
    validate_email,
    validate_password,
    verify_password,
)
from mdpublish_server.errors import ValidationError
from tests.server.conftest import HASHERS

PASSWORD = "correct horse"


@pytest.fixture(scope="module", autouse=True)
def hashers() -> Iterator[None]:
    """Those of the service."""
    with pytest.MonkeyPatch.context() as patch:
        for name, hasher in HASHERS.items():
            patch.setattr(passwords, name, hasher)
        yield


@pytest.fixture(scope="module")
def stored(hashers: None) -> str:  # noqa: ARG001  (its parameters are the service's)
    return hash_password(PASSWORD)


def test_password_is_stored_as_an_argon2id_hash_with_a_unique_salt(stored: str) -> None:
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert PASSWORD not in stored
    assert hash_password(PASSWORD) != stored


def test_only_the_right_password_is_verified(stored: str) -> None:
    assert verify_password(PASSWORD, stored) is True
    for wrong in ("", "correct hors", "Correct horse", "correct horse ", "correct horse\0", "\ud800", "a" * 1_000_000):
        assert verify_password(wrong, stored) is False


@pytest.mark.parametrize("password", [PASSWORD, "", "\0", "\ud800", "a" * 1_000_000])
def test_nobody_has_no_password(password: str) -> None:
    assert verify_password(password, None) is False


def test_password_from_another_keyboard_is_the_same() -> None:
    composed, decomposed = "caf\u00e9 cr\u00e8me", "cafe\u0301 cre\u0300me"
    stored = hash_password(validate_password(decomposed))
    assert verify_password(composed, stored)
    assert verify_password(decomposed, stored)


@pytest.mark.parametrize("password", ["wrong horse", "", "\ud800", "a" * 1_000_000])
def test_unknown_user_takes_as_much_work_as_a_wrong_password(
    stored: str, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One comparison with a hash of the same parameters, in each case."""
    compared = []

    class CountingHasher(PasswordHasher):
        def verify(self, *arguments: str | bytes) -> Literal[True]:
            compared.append(extract_parameters(str(arguments[0])))
            return super().verify(*arguments)

    monkeypatch.setattr(passwords, "_HASHER", CountingHasher())
    for known in (stored, None):
        verify_password(password, known)

    assert compared == [extract_parameters(stored)] * 2


def test_passwords_are_hashed_in_many_threads(stored: str) -> None:
    with ThreadPoolExecutor(8) as threads:
        responses = list(threads.map(lambda number: verify_password(PASSWORD[: number % 14], stored), range(28)))
    assert responses == [number % 14 == 13 for number in range(28)]


def test_hash_of_other_parameters_is_verified_and_recreated(stored: str) -> None:
    weaker = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    assert verify_password(PASSWORD, weaker)
    assert needs_rehash(weaker)
    assert not needs_rehash(stored)


def test_broken_hash_is_no_wrong_password() -> None:
    with pytest.raises(InvalidHashError):
        verify_password(PASSWORD, "no hash")


@pytest.mark.parametrize(
    "password", ["a" * 8, "a" * 200, " " * 8, "  spaces stay  ", "密码密码密码密码", "tab\there", "🎉" * 200]
)
def test_password_is_taken_as_it_is(password: str) -> None:
    assert validate_password(password) == password


@pytest.mark.parametrize("password", ["", "secret7", "secret7" * 29, "secre\u0301t7" * 29, "secret7" * 100_000])
def test_password_of_another_length_is_refused_and_never_repeated(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert refused.value.message.startswith("password must be 8 to 200 characters (got ")
    assert "secret" not in refused.value.message


def test_password_is_counted_in_its_common_form() -> None:
    assert len(validate_password("e\u0301" * 200)) == 200
    with pytest.raises(ValidationError, match=r"\(got 7\)"):
        validate_password("e\u0301" * 7)


@pytest.mark.parametrize("password", ["secret78\0", "secret78\ud800"])
def test_password_with_what_no_keyboard_types_is_refused(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert refused.value.message.startswith("password must not contain NUL or unpaired surrogates")


@given(st.text(st.characters(codec=None), max_size=900))
def test_every_string_is_a_password_or_refused(markdown: str) -> None:
    try:
        password = validate_password(markdown)
    except ValidationError:
        return
    assert is_normalized("NFC", password)
    assert 8 <= len(password) <= 200
    assert validate_password(password) == password
    password.encode()


@pytest.mark.parametrize(
    ("email", "normalized"),
    [
        ("ada@example.org", "ada@example.org"),
        ("Ada.Lovelace@Example.ORG", "ada.lovelace@example.org"),
        ("ada+tag@sub.example.org", "ada+tag@sub.example.org"),
        ("o'hara@example.org", "o'hara@example.org"),
        ("root@localhost", "root@localhost"),
        ("ada@BÜCHER.example", "ada@xn--bcher-kva.example"),
        ("ada@bu\u0308cher.example", "ada@xn--bcher-kva.example"),
        ("ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"),
        # A different domain from strasse.example.
        ("ada@straße.example", "ada@xn--strae-oqa.example"),
        ("ada@例え。example", "ada@xn--r8jz45g.example"),
        # The zero-width space is removed.
        ("ada@例\u200bえ.example", "ada@xn--r8jz45g.example"),
        (f"{'a' * 64}@example.org", f"{'a' * 64}@example.org"),
        (f"a@{'b' * 63}.{'b' * 63}.{'b' * 63}.{'b' * 60}", f"a@{'b' * 63}.{'b' * 63}.{'b' * 63}.{'b' * 60}"),
    ],
)
def test_email_has_one_form(email: str, normalized: str) -> None:
    assert validate_email(email) == normalized
    assert validate_email(normalized) == normalized


@pytest.mark.parametrize(
    "email",
    [
        "",
        "ada",
        "@",
        "ada@",
        "@example.org",
        "a@b@example.org",
        "ada@example.org ",
        " ada@example.org",
        "a da@example.org",
        "ada@exam ple.org",
        "ada@example.org\n",
        "ada@example.org\r\nBcc: eve@example.org",
        "ada\0@example.org",
        '"ada"@example.org',
        '"a b"@example.org',
        "Ada <ada@example.org>",
        "ada@example.org,eve@example.org",
        "ada@-example.org",
        "ada@example-.org",
        "ada@example..org",
        "ada@.example.org",
        "ada@example.org.",
        "ada@[127.0.0.1]",
        "ada@exa_mple.org",
        ".ada@example.org",
        "ada.@example.org",
        "a..da@example.org",
        "ädä@example.org",
        "\u212aarl@example.org",
        "ada\uff20example.org",
        "ada@a\uff20b.example",
        "ada@☃\u3000.example",
        "ada@\ud800.example",
        f"{'a' * 65}@example.org",
        "=?utf-8?q?a=0D=0ABcc=3A_x?=@example.org",
        f"ada@{'b' * 64}.example",
        f"ada@{'ü' * 63}.example",
    ],
)
def test_string_that_is_no_email_is_refused(email: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_email(email)
    assert refused.value.message.startswith("email must be an address such as name@example.org")
    assert refused.value.message.endswith(f"(got {email!r})")


@pytest.mark.parametrize("email", [f"{'a' * 243}@example.org", "a@" * 1_000_000])
def test_long_email_is_refused_without_being_repeated(email: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_email(email)
    assert refused.value.message.endswith(f"(got {len(email):,} characters)")


def test_email_whose_ascii_form_is_too_long_is_refused() -> None:
    email = f"{'a' * 64}@{'.'.join(['üñ' * 20] * 4)}"
    assert len(email) < 254 < 65 + len(".".join(["üñ" * 20] * 4).encode("idna"))
    with pytest.raises(ValidationError, match="email must be"):
        validate_email(email)


@given(
    st.one_of(
        st.emails(),
        st.text(st.characters(codec=None), max_size=300),
        st.text(st.characters(codec=None), max_size=60).map(lambda domain: f"a@{domain}"),
        st.text("aü.-@ß例。\u0308\u200d", max_size=70).map(lambda domain: f"a@{domain}"),
    )
)
@example("a@\u0130.example")
@example("a@xn--\u00fc.example")
def test_every_string_is_an_email_or_refused(email: str) -> None:
    try:
        normalized = validate_email(email)
    except ValidationError:
        return
    assert normalized.isascii()
    assert normalized.isprintable()
    assert " " not in normalized
    assert normalized == normalized.lower()
    assert normalized.count("@") == 1
    assert len(normalized) <= 254
    assert validate_email(normalized) == normalized
