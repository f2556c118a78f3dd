"""Keeping demos: a demo moves to the account that is signed in, signed in to, or opened on the way.

Where an account needs a confirmed email address, its link carries the claim token encrypted: the database does not
have it, and the mail's reader gets the page only with the password chosen at sign-up.
"""

from dataclasses import dataclass

from mdpublish_server.auth.authentication import Authenticator
from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.clock import Clock
from mdpublish_server.errors import Conflict
from mdpublish_server.services.accounts import sign_in
from mdpublish_server.services.demos import Demos
from mdpublish_server.services.email_tokens import LIFETIMES, SIGN_UP
from mdpublish_server.services.publishing import Publication
from mdpublish_server.services.registration import OPEN, Applicant, register
from mdpublish_server.storage import Account, Database, Transaction
from mdpublish_server.validation.browsers import Place

# Tells these tokens from others encrypted with the same key.
_PREFIX = b"claim:"

_LINK_SECONDS = int(LIFETIMES[SIGN_UP].total_seconds())


@dataclass(frozen=True, slots=True)
class PageKeeper:
    """Claims demos for accounts."""

    database: Database
    authenticator: Authenticator
    demos: Demos
    server_key: ServerKey
    clock: Clock

    async def keep(self, account: Account, claim_token: str) -> Publication:
        """Claim the demo, within the account's rate limit; not counted against its monthly quota.

        Raises `NotFound`, `Expired`, `QuotaExceeded` or `RateLimited`.
        """
        auth = self.authenticator.session_request(account)
        await self.authenticator.require_rate(auth)
        return await self.demos.claim(auth, claim_token)

    async def open_account(self, applicant: Applicant, *, place: Place, replaces: str | None) -> tuple[Account, str]:
        """Open an account whose email address needs no confirmation; return it with a session's token.

        Ends the session `replaces`. Raises `Conflict` if the address has an account.
        """
        now = self.clock()

        def work(transaction: Transaction) -> tuple[Account, str] | None:
            account = register(transaction, applicant, registration=OPEN, now=now)
            if account is None:
                return None
            return account, sign_in(transaction, account, now=now, place=place, replaces=replaces)

        if (opened := await self.database.write(work)) is None:
            raise Conflict("This email address has an account with another password; enter its password to sign in")
        return opened

    async def seal(self, claim_token: str) -> str:
        """Return the token encrypted, for as long as a confirmation link is valid."""
        return await self.server_key.encrypt(_PREFIX + claim_token.encode())

    async def unseal(self, sealed: str) -> str | None:
        """Return the claim token; None if the text is not ours, or too old."""
        content = await self.server_key.decrypt(sealed, max_age=_LINK_SECONDS)
        if content is None or not content.startswith(_PREFIX):
            return None
        return content.removeprefix(_PREFIX).decode()
