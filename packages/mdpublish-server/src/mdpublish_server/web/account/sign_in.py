"""Passwords of accounts: checked, throttled, and hashed again where the parameters have changed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from unicodedata import normalize

from msgspec import MsgspecError, json
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.auth.devices import account_target
from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.passwords import needs_rehash, validate_email, validate_password
from mdpublish_server.auth.second_factor import SecondFactors
from mdpublish_server.errors import Expired, Forbidden, Unauthorized, ValidationError
from mdpublish_server.ratelimit.guesses import Guesser, GuessThrottle, email_target
from mdpublish_server.services.accounts import authenticate
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, Database, Transaction
from mdpublish_server.storage.accounts import find_account, find_account_by_email, replace_password_hash
from mdpublish_server.storage.audit import record
from mdpublish_server.validation.cookies import read_cookie
from mdpublish_server.validation.ip_addresses import guesser_networks
from mdpublish_server.web.cookies import EncryptedCookie
from mdpublish_server.web.devices import DeviceCookies
from mdpublish_server.web.redirects import redirect

CODE_PATH = "/signin/code"

HALF_SECONDS = 300
"""Between the password and the code."""


def passwords_off(settings: Settings) -> Forbidden:
    """Return the error where people sign in with the operator's provider alone."""
    return Forbidden(f"Passwords are off here; sign in with {settings.oidc_label}")


class SecondFactorRequired(Unauthorized):
    """The password is right, and the account asks for a code, too."""

    def __init__(self, account: Account) -> None:
        super().__init__("This account has a second factor; sign in on the page for that first")
        self.account = account


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """Checks passwords, throttled."""

    database: Database
    throttle: GuessThrottle
    hashing: PasswordHashing
    devices: DeviceCookies
    settings: Settings
    second_factors: SecondFactors
    code_throttle: GuessThrottle
    half_cookie: EncryptedCookie
    """Of who gave the right password, and not yet a code."""

    async def authenticate(self, request: Request, email: str, password: str) -> Account:
        """Return the account; raise `SecondFactorRequired`, `Unauthorized` or `RateLimited`, revealing nothing else."""
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
        account = await self._with_strong_hash(authenticated, password)
        if account.totp_secret is not None:
            raise SecondFactorRequired(account)
        return account

    async def require_code(self, request: Request, account: Account, code: str) -> None:
        """Use up a code if the account has a second factor; raise `Unauthorized` or `RateLimited`."""
        if account.totp_secret is not None:
            async with self.guess(request, account.email, throttle=self.code_throttle):
                await self.second_factors.use(account, code)

    async def ask_for_code(self, account: Account, path: str) -> Response:
        """Redirect who gave the right password to the form for a code, which goes on to `path`."""
        response = redirect(CODE_PATH)
        await self.half_cookie.set(response, json.encode((account.id, path)))
        return response

    async def half_signed_in(self, request: Request) -> tuple[Account, str]:
        """Return whose password was right here, and where to go on; raise `Expired`."""
        content = await self.half_cookie.read(request)
        with suppress(MsgspecError):
            account_id, path = json.decode(content or b"", type=tuple[str, str])
            account = await self.database.read(find_account, account_id)
            if account is not None and not account.is_barred:
                return account, path
        raise Expired("The password was typed over 5 minutes ago, or in another browser; sign in again")

    async def require(self, request: Request, account: Account, password: str) -> None:
        """Check the password of the account of a session; raise `Unauthorized` or `RateLimited`."""
        async with self.guess(request, account.email, holds=read_cookie(request, self.settings.session_cookie)):
            try:
                await self.hashing.run(authenticate, account, password)
            except Unauthorized:
                raise Unauthorized("The password is incorrect") from None

    @asynccontextmanager
    async def guess(
        self, request: Request, email: str, *, holds: str | None = None, throttle: GuessThrottle | None = None
    ) -> AsyncIterator[None]:
        """Count a failure unless the block succeeds; who `holds` a long secret (a session) has a separate budget."""
        guesser, throttle = await self._guesser(request, email, holds), throttle or self.throttle
        await throttle.admit(guesser, email.lower(), email_target(email))
        try:
            yield
        except Unauthorized:
            await self.database.write(_record_failure, email)
            raise
        await throttle.clear(guesser, email.lower(), email_target(email))

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


def _record_failure(transaction: Transaction, email: str) -> None:
    account = find_account_by_email(transaction, email.lower())
    record(transaction, "session.refused", account.id if account else None)
