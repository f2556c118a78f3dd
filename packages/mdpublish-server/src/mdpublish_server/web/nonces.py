"""Nonces of forms: the same form sent twice has its effect once.

What a form makes is derived from its nonce, so a nonce must not be guessable.
"""

import re
from secrets import token_urlsafe

_BYTES = 16

_NONCE = re.compile("[A-Za-z0-9_-]{22}")


def new_nonce() -> str:
    return token_urlsafe(_BYTES)


def usable_nonce(sent: str | None) -> str:
    """Return a form's nonce; a new one in place of a missing or malformed one."""
    return sent if sent and _NONCE.fullmatch(sent) else new_nonce()
