"""Passwords of accounts: checked, throttled, and hashed again where the parameters have changed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from unicodedata import normalize

from starlette.requests import Request

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.auth.devices import account_target
from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.passwords import needs_rehash, validate_email, validate_password
from mdpublish_server.errors import Forbidden, Unauthorized, ValidationError
from mdpublish_server.ratelimit.guesses import Guesser, GuessThrottle, email_target
from mdpublish_server.services.accounts import authenticate
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import find_account_by_email, replace_password_hash
from mdpublish_server.validation.ip_addresses import guesser_networks
from mdpublish_server.web.devices import DeviceCookies


def passwords_off(settings: Settings) -> Forbidden:
    """Return the error where people sign in with the operator's provider alone."""
    return Forbidden(f"Passwords are off here; sign in with {settings.oidc_label}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """Checks passwords, throttled."""

    database: Database
    throttle: GuessThrottle
    hashing: PasswordHashing
    devices: DeviceCookies
    settings: Settings

    async def authenticate(self, request: Request, email: str, password: str) -> Account:
        """Return the account; raise `Unauthorized` or `RateLimited`, revealing nothing else."""
        if not self.settings.local_passwords:
            raise passwords_off(self.settings)
        try:
            normalized = validate_email(email)
        except ValidationError:
            normalized = None
        async with self.guess(request, normalized or email):
            account = None
            if normalized is not None:
                account = await self.database.read(find_account_by_email, normalized)
            authenticated = await self.hashing.run(authenticate, account, password)
        return await self._with_strong_hash(authenticated, password)

    async def require(self, request: Request, account: Account, password: str, *, session: str | None) -> None:
        """Check the password of the account of a session; raise `Unauthorized` or `RateLimited`."""
        async with self.guess(request, account.email, holds=session):
            try:
                await self.hashing.run(authenticate, account, password)
            except Unauthorized:
                raise Unauthorized("The password is incorrect") from None

    @asynccontextmanager
    async def guess(self, request: Request, email: str, *, holds: str | None = None) -> AsyncIterator[None]:
        """Count a failure unless the block succeeds; who `holds` a long secret (a session) has a separate budget."""
        guesser = await self._guesser(request, email, holds)
        await self.throttle.admit(guesser, email.lower(), email_target(email))
        yield
        await self.throttle.clear(guesser, email.lower(), email_target(email))

    async def forgive(self, request: Request, email: str) -> None:
        """Forget the failures of who opens an account with what was typed to sign in."""
        await self.throttle.clear(await self._guesser(request, email, None), email.lower(), email_target(email))

    async def _guesser(self, request: Request, email: str, holds: str | None) -> Guesser:
        device = await self.devices.read(request)
        return Guesser(
            networks=guesser_networks(request),
            device=device.id_for(account_target(email)) if holds is None else secret_hash(holds),
        )

    async def hashed(self, password: str) -> str:
        """Validate and hash a new password; raise `ValidationError`, or `Forbidden` where passwords are off."""
        if not self.settings.local_passwords:
            raise passwords_off(self.settings)
        return await self.hashing.compute_hash(validate_password(password))

    async def _with_strong_hash(self, account: Account, password: str) -> Account:
        """Hash the password again if the parameters have changed since."""
        seen = account.password_hash
        assert seen is not None, "a password matched"
        if not needs_rehash(seen):
            return account
        stronger = await self.hashing.compute_hash(normalize("NFC", password))
        is_replaced = await self.database.write(replace_password_hash, account.id, stronger, seen=seen)
        return replace(account, password_hash=stronger) if is_replaced else account
