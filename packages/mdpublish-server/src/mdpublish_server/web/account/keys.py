"""`/account/keys`: list, create and revoke API keys."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest, secret_hash
from mdpublish_server.auth.plans import ACTIVE_KEYS
from mdpublish_server.errors import NotFound, ServiceError
from mdpublish_server.services.accounts import add_key, revoke_key
from mdpublish_server.services.security_mails import KEY_CREATED
from mdpublish_server.storage import Account, Key
from mdpublish_server.storage.keys import list_keys
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.nonces import new_nonce, usable_nonce
from mdpublish_server.web.page_context import Pages

PATH = "/account/keys"


class KeyPages(Pages):
    """The list and its forms."""

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        raw = await self._one_time_secrets.read(request)
        return await self._page(auth.account, notice=notice_of(request), raw=raw)

    async def create(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Create a key, and redirect to the list, which shows it until the browser leaves it.

        The same form sent twice creates one key, which is derived from the form's nonce.
        """
        form: dict[str, str] = {}
        try:
            form = await read_form(request, ("name", "nonce"), max_bytes=FORM_BYTES)
            await self._state.authenticator.require_rate(auth)
            name, nonce, now = form.get("name", ""), usable_nonce(form.get("nonce")), self._state.clock()
            secret = await self._state.server_key.derive("key", auth.account.id.encode(), nonce.encode(), name.encode())
            new = await self._state.database.write(add_key, auth.account, name=name, now=now, secret=secret)
        except ServiceError as error:
            return await self._page(auth.account, name=form.get("name", ""), error=error)
        if new.is_new:
            await self._tell(KEY_CREATED, auth.account, request)
        return await self._one_time_secrets.redirect(PATH, new.raw)

    async def confirm_revocation(self, request: Request, auth: AuthenticatedRequest) -> Response:
        key = await self._active_key(request, auth.account)
        return self._site.page("account/key_revocation.html", account=auth.account, key=key)

    async def revoke(self, request: Request, auth: AuthenticatedRequest) -> Response:
        key = await self._active_key(request, auth.account)
        await self._state.database.write_reserved(revoke_key, auth.account, key.id, now=self._state.clock())
        return redirect_with_notice(PATH, "revoked")

    async def _active_key(self, request: Request, account: Account) -> Key:
        for key in await self._keys(account):
            if key.id == request.path_params["id"] and key.revoked_at is None:
                return key
        raise NotFound("No active key has this id")

    async def _keys(self, account: Account) -> list[Key]:
        """Return the keys, newest first."""
        keys = await self._state.database.read(list_keys, account.id)
        return list(reversed(keys))

    async def _page(self, account: Account, *, raw: str | None = None, **values: Any) -> Response:
        keys = await self._keys(account)
        active = [key for key in keys if key.revoked_at is None]
        return self._site.page(
            "account/keys.html",
            account=account,
            active=active,
            revoked=[key for key in keys if key.revoked_at is not None],
            limit=ACTIVE_KEYS,
            nonce=new_nonce(),
            # Another account may have signed in meanwhile.
            raw=raw if raw and any(key.key_hash == secret_hash(raw) for key in active) else None,
            **{"name": "", **values},
        )
