"""Passwords and email addresses. A hash takes 19 MiB and hundredths of a second, without the GIL: use threads."""

import re
from unicodedata import is_normalized, normalize

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from mdpublish_core.hosting.mail import ascii_domain
from mdpublish_server.errors import ValidationError

PASSWORD_CHARACTERS = range(8, 201)
"""Minimum: NIST SP 800-63B."""

EMAIL_CHARACTERS = 254
"""RFC 5321, section 4.5.3.1.3: 256 with brackets."""

# NFC composes at most 4 characters into one.
_RAW_CHARACTERS = 4 * PASSWORD_CHARACTERS[-1]

# OWASP's minimum (Password Storage Cheat Sheet). RFC 9106's 64 MiB and 4 threads could exhaust a small server.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16)

_DUMMY_HASH = (
    f"$argon2id$v=19$m={_HASHER.memory_cost},t={_HASHER.time_cost},p={_HASHER.parallelism}${'A' * 22}${'A' * 43}"
)
"""Costs as much as a real hash; no known password matches."""

_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")

# RFC 5321's dot-string, without encoded words, which some mail programs decode; host name labels.
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_LOCAL_PART = re.compile(rf"(?!.*=\?){_ATOM}(\.{_ATOM})*")
_DOMAIN = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_LOCAL_PART_CHARACTERS = 64


def validate_password(password: str) -> str:
    """Normalize to NFC: keyboards differ (RFC 8265, section 4.2). Raises `ValidationError`, without the password."""
    normalized = _normalized(password)
    if normalized is None or len(normalized) not in PASSWORD_CHARACTERS:
        length = len(password if normalized is None else normalized)
        bounds = f"{PASSWORD_CHARACTERS[0]} to {PASSWORD_CHARACTERS[-1]}"
        raise ValidationError(f"password must be {bounds} characters (got {length:,})")
    if _UNSTORABLE.search(normalized):
        raise ValidationError("password must not contain NUL or unpaired surrogates")
    return normalized


def hash_password(password: str) -> str:
    """Return an argon2id hash (PHC format)."""
    assert is_normalized("NFC", password)
    return _HASHER.hash(password)


def verify_password(password: str, stored: str | None) -> bool:
    """Return whether the password matches; `stored` is None for unknown accounts.

    Takes equally long then, to not reveal which addresses have one. Raises argon2's `InvalidHashError` or
    `VerificationError` for a corrupt hash.
    """
    normalized = _normalized(password)
    if stored is None or normalized is None or _UNSTORABLE.search(normalized):
        _matches(_DUMMY_HASH, "")
        return False
    return _matches(stored, normalized)


def needs_rehash(stored: str) -> bool:
    """Return whether the parameters of hashes have changed since."""
    return _HASHER.check_needs_rehash(stored)


def validate_email(email: str) -> str:
    """Return the normalized address; raises `ValidationError`.

    Lowercased, though RFC 5321 allows case-sensitive local parts. International domains become ASCII (`xn--…`).
    """
    if len(email) > EMAIL_CHARACTERS:
        raise _not_an_email(f"{len(email):,} characters")
    if email.count("@") != 1:
        raise _not_an_email(repr(email))
    local_part, domain = email.split("@")
    # Before lowercasing, which turns the Kelvin sign into ASCII.
    if local_part.isascii() and len(local_part) <= _LOCAL_PART_CHARACTERS:
        local_part, domain = local_part.lower(), ascii_domain(domain).lower()
        normalized = f"{local_part}@{domain}"
        is_well_formed = _LOCAL_PART.fullmatch(local_part) and _DOMAIN.fullmatch(domain)
        if is_well_formed and len(normalized) <= EMAIL_CHARACTERS:
            return normalized
    raise _not_an_email(repr(email))


def _normalized(password: str) -> str | None:
    """Return None if too long: normalization may take quadratic time."""
    return normalize("NFC", password) if len(password) <= _RAW_CHARACTERS else None


def _matches(stored: str, password: str) -> bool:
    try:
        return _HASHER.verify(stored, password)
    except VerifyMismatchError:
        return False


def _not_an_email(actual: str) -> ValidationError:
    return ValidationError(
        f"email must be an address such as name@example.org, ASCII before the @ and at most {EMAIL_CHARACTERS} "
        f"characters (got {actual})"
    )
