"""The cookie of browsers that succeeded once with a password or a code."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.devices import DEVICE_SECONDS, Device
from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.settings import Settings
from mdpublish_server.validation.cookies import read_cookie
from mdpublish_server.web.cookies import set_cookie


class DeviceCookies:
    """Reads and sets it."""

    def __init__(self, settings: Settings, key: ServerKey) -> None:
        self._settings = settings
        self._key = key
        self._name = f"{settings.cookie_prefix}device"

    async def read(self, request: Request) -> Device:
        return await Device.of(read_cookie(request, self._name), self._key)

    async def remember(self, request: Request, response: Response, target: str) -> None:
        """Remember that the browser succeeded with a target."""
        device = await self.read(request)
        content = await device.cookie_with(target, self._key)
        set_cookie(response, self._settings, self._name, content, seconds=DEVICE_SECONDS)
