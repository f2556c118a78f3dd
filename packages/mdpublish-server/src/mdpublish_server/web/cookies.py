"""Cookies of the site: out of scripts' reach, and sent with what other sites request only where they lead here."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.settings import Settings
from mdpublish_server.validation.cookies import read_cookie


def set_cookie(response: Response, settings: Settings, name: str, content: str, *, seconds: int) -> None:
    response.set_cookie(name, content, max_age=seconds, secure=settings.is_encrypted, httponly=True, samesite="lax")


def delete_cookie(response: Response, settings: Settings, name: str) -> None:
    response.delete_cookie(name, secure=settings.is_encrypted, httponly=True, samesite="lax")


class EncryptedCookie:
    """A cookie that this service alone reads, for some seconds."""

    def __init__(self, name: str, settings: Settings, key: ServerKey, *, seconds: int) -> None:
        self.name = f"{settings.cookie_prefix}{name}"
        # The key has other uses, whose content a browser could send as this cookie.
        self._mark = f"{name} ".encode()
        self._settings = settings
        self._key = key
        self._seconds = seconds

    async def read(self, request: Request) -> bytes | None:
        """Return the content; None if the browser has none, or one that is too old or not ours."""
        token = read_cookie(request, self.name)
        content = token and await self._key.decrypt(token, max_age=self._seconds)
        return content.removeprefix(self._mark) if content and content.startswith(self._mark) else None

    async def set(self, response: Response, content: bytes) -> int:
        """Set it, and return its length in characters."""
        token = await self._key.encrypt(self._mark + content)
        set_cookie(response, self._settings, self.name, token, seconds=self._seconds)
        return len(token)

    def delete(self, response: Response) -> None:
        delete_cookie(response, self._settings, self.name)
