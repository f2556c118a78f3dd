"""Passwords of accounts: checked, throttled, and hashed again where the parameters have changed."""

from dataclasses import dataclass, replace
from unicodedata import normalize

from starlette.requests import Request

from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.passwords import needs_rehash, validate_email, validate_password
from mdpublish_server.errors import Unauthorized, ValidationError
from mdpublish_server.ratelimit.throttles import SignInThrottle
from mdpublish_server.services.accounts import authenticate
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import find_account_by_email, replace_password_hash
from mdpublish_server.validation.ip_addresses import client_network


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """Checks passwords, throttled."""

    database: Database
    throttle: SignInThrottle
    hashing: PasswordHashing

    async def authenticate(self, request: Request, email: str, password: str) -> Account:
        """Return the account; raise `Unauthorized` or `RateLimited`, revealing nothing else."""
        network = client_network(request)
        try:
            normalized = validate_email(email)
        except ValidationError:
            normalized = None
        throttle_key = normalized or email
        await self.throttle.admit(network, throttle_key)
        account = None
        if normalized is not None:
            account = await self.database.read(lambda transaction: find_account_by_email(transaction, normalized))
        authenticated = await self.hashing.run(authenticate, account, password)
        await self.throttle.clear(network, throttle_key)
        return await self._with_strong_hash(authenticated, password)

    async def require(self, request: Request, account: Account, password: str) -> None:
        """Check the account's password; raise `Unauthorized` or `RateLimited`."""
        network = client_network(request)
        await self.throttle.admit(network, account.email)
        try:
            await self.hashing.run(authenticate, account, password)
        except Unauthorized:
            raise Unauthorized("The password is incorrect") from None
        await self.throttle.clear(network, account.email)

    async def hashed(self, password: str) -> str:
        """Validate and hash a new password; raise `ValidationError`."""
        return await self.hashing.compute_hash(validate_password(password))

    async def _with_strong_hash(self, account: Account, password: str) -> Account:
        """Hash the password again if the parameters have changed since."""
        seen = account.password_hash
        assert seen is not None, "a password matched"
        if not needs_rehash(seen):
            return account
        stronger = await self.hashing.compute_hash(normalize("NFC", password))
        is_replaced = await self.database.write(
            lambda transaction: replace_password_hash(transaction, account.id, stronger, seen=seen)
        )
        return replace(account, password_hash=stronger) if is_replaced else account
