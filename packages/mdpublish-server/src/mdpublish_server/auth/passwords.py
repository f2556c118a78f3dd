"""What proves who a user is: the password, how it is kept, and the e-mail address it goes with.

Hashing keeps a processor and 19 MiB busy for some hundredths of a second and leaves Python's lock: run it in a thread, and
bound how many run at a time. How often a password may be tried is limited elsewhere.
"""

import re
from unicodedata import is_normalized, normalize

import idna
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from mdpublish_server.errors import ValidationError

PASSWORD_CHARACTERS = range(8, 201)
"""How many characters a password may have: 8, as NIST SP 800-63B demands, to 200, more than anyone types."""

EMAIL_CHARACTERS = 254
"""The longest address that fits an SMTP command (RFC 5321, section 4.5.3.1.3: 256 with its two brackets)."""

# What is longer makes no password in NFC either: a composed character has at most 4 parts.
_RAW_CHARACTERS = 4 * PASSWORD_CHARACTERS[-1]

# The least that OWASP's Password Storage Cheat Sheet allows. RFC 9106's second choice takes 64 MiB and 4 threads for each
# sign-in, and a few sign-ins at a time would push a small server out of its memory.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16)

_DUMMY_HASH = (
    f"$argon2id$v=19$m={_HASHER.memory_cost},t={_HASHER.time_cost},p={_HASHER.parallelism}${'A' * 22}${'A' * 43}"
)
"""A hash as long and as costly as a real one: salt and hash are zeros, and no known password makes them."""

_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")

# RFC 5321's dot-string, without its quoted one; a label as host names have it.
_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_LOCAL_PART = re.compile(rf"{_ATOM}(\.{_ATOM})*")
_DOMAIN = re.compile(rf"{_LABEL}(\.{_LABEL})*")
_LOCAL_PART_CHARACTERS = 64


def validate_password(password: str) -> str:
    """Return the password in Unicode's form NFC; raises `ValidationError`, which never repeats it.

    One keyboard sends `é` as one character, another as two: without a common form (RFC 8265, section 4.2) the same
    password would not be the same on both. Nothing else is changed, spaces at its ends neither.
    """
    normalized = _normalized(password)
    if normalized is None or len(normalized) not in PASSWORD_CHARACTERS:
        length = len(password if normalized is None else normalized)
        bounds = f"{PASSWORD_CHARACTERS[0]} to {PASSWORD_CHARACTERS[-1]}"
        raise ValidationError(f"password is {length:,} characters; it takes {bounds}")
    if _UNSTORABLE.search(normalized):
        raise ValidationError("password has a NUL or half a character in it, which no keyboard types; leave it out")
    return normalized


def hash_password(password: str) -> str:
    """Return what is stored for a password that `validate_password` gave: an argon2id hash in PHC's form."""
    assert is_normalized("NFC", password)
    return _HASHER.hash(password)


def verify_password(password: str, stored: str | None) -> bool:
    """Tell whether `stored` was made of this password; any text may be tried.

    Where there is no account, `stored` is None and the answer no, after the same work: who measures the time does not
    learn which addresses have an account. Raises argon2's `InvalidHashError` or `VerificationError` where `stored` is
    broken, which is a mistake of the service.
    """
    normalized = _normalized(password)
    if stored is None or normalized is None or _UNSTORABLE.search(normalized):
        _matches(_DUMMY_HASH, "")
        return False
    return _matches(stored, normalized)


def needs_rehash(stored: str) -> bool:
    """Tell whether `stored` was made with other parameters than today's; its owner's next sign-in can renew it."""
    return _HASHER.check_needs_rehash(stored)


def validate_email(email: str) -> str:
    """Return the address in the one form in which addresses are compared and stored; raises `ValidationError`.

    It is all in lower case, as people expect, though the part before the @ might tell them apart by the standard. A
    domain of other letters becomes its ASCII form (`bücher.example` is `xn--bcher-kva.example`, as browsers send it).
    Before the @ stands ASCII, unquoted. Whether mail arrives there, only a mail can tell.
    """
    if len(email) > EMAIL_CHARACTERS:
        raise _not_an_email(f"is {len(email):,} characters")
    if email.count("@") != 1:
        raise _not_an_email(f"is {email!r}")
    local_part, domain = email.split("@")
    # Before it is lowered: the Kelvin sign and others become ASCII then.
    if local_part.isascii() and len(local_part) <= _LOCAL_PART_CHARACTERS:
        local_part, domain = local_part.lower(), _ascii_domain(domain)
        normalized = f"{local_part}@{domain}"
        is_well_formed = _LOCAL_PART.fullmatch(local_part) and _DOMAIN.fullmatch(domain)
        if is_well_formed and len(normalized) <= EMAIL_CHARACTERS:
            return normalized
    raise _not_an_email(f"is {email!r}")


def _normalized(password: str) -> str | None:
    """Return the password in NFC, or None where it is too long to be worth the time, which may grow with its square."""
    return normalize("NFC", password) if len(password) <= _RAW_CHARACTERS else None


def _matches(stored: str, password: str) -> bool:
    try:
        return _HASHER.verify(stored, password)
    except VerifyMismatchError:
        return False


def _ascii_domain(domain: str) -> str:
    if domain.isascii():
        return domain.lower()
    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return ""


def _not_an_email(what: str) -> ValidationError:
    return ValidationError(
        f"email {what}; it takes an address like name@example.org: one @, before it ASCII without quotes and spaces, "
        f"after it a domain, at most {EMAIL_CHARACTERS} characters"
    )
