"""What an operator may set: one frozen object, read once from the environment.

A setting is a field of `Settings`, with a default that runs on the operator's own computer, and a line of `SETTINGS`,
which is what the documentation prints. Nothing else reads the environment.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit


class InvalidSetting(ValueError):  # noqa: N818  (the words name the fault, not the class)
    """A variable of the environment whose value is not allowed."""

    def __init__(self, name: str, value: str, allowed: str) -> None:
        """Name the variable, its value, and what is allowed there."""
        super().__init__(name, value, allowed)
        self.name = name
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.name} is {self.value!r}; allowed is {self.allowed}"


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of `SETTINGS`; an empty `default` is derived, as `meaning` tells."""

    name: str
    default: str
    meaning: str


SETTINGS = (
    Setting("MDPUBLISH_HOST", "127.0.0.1", "Name or IP address to listen on; `0.0.0.0` is every IPv4 interface."),
    Setting("MDPUBLISH_PORT", "8000", "TCP port to listen on, 0 to 65535; 0 takes any free one."),
    Setting(
        "MDPUBLISH_DATABASE_URL",
        "sqlite:///mdpublish.db",
        "Where everything is kept: `sqlite:///` and the path of a file, which is made if it is missing. A path that "
        "begins with a further `/` is absolute, another is relative to the folder the service starts in.",
    ),
    Setting(
        "MDPUBLISH_PUBLIC_URL",
        "",
        "Address of the public site: scheme, host and port, no path; published pages lie under it. By default it "
        "follows from host and port: `http://127.0.0.1:8000`.",
    ),
    Setting(
        "MDPUBLISH_BASE_URL",
        "",
        "Address of the API as its clients see it, which ends in `/v1`. By default the public site's address and `/v1`.",
    ),
    Setting("MDPUBLISH_SERVICE_NAME", "mdpublish", "Name of the service, 1 to 60 characters, as its pages show it."),
)
"""Every setting in the order of its field in `Settings`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the service was told; made by `read_settings`, and never changed."""

    host: str
    """Name or address to listen on."""

    port: int
    """TCP port to listen on."""

    database_url: str
    """SQLAlchemy URL of the database."""

    public_url: str
    """Address of the public site, without path and without a slash at its end."""

    base_url: str
    """Address of the API, which ends in `/v1`."""

    service_name: str
    """What the service calls itself on its pages."""


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that `environment` makes; an empty variable counts as one that is not there.

    Raises `InvalidSetting`.
    """
    values = {setting.name: environment.get(setting.name) or setting.default for setting in SETTINGS}
    host = _host(values["MDPUBLISH_HOST"])
    port = _port(values["MDPUBLISH_PORT"])
    public_url = _public_url(values["MDPUBLISH_PUBLIC_URL"] or f"http://{_reachable(host)}:{port}")
    return Settings(
        host=host,
        port=port,
        database_url=_database_url(values["MDPUBLISH_DATABASE_URL"]),
        public_url=public_url,
        base_url=_base_url(values["MDPUBLISH_BASE_URL"] or f"{public_url}/v1"),
        service_name=_service_name(values["MDPUBLISH_SERVICE_NAME"]),
    )


def _host(value: str) -> str:
    if not value.isascii() or not value.isprintable() or any(mark in value for mark in " /[]@?#"):
        raise InvalidSetting("MDPUBLISH_HOST", value, "a host name or an IP address, an IPv6 one without brackets")
    return value


def _port(value: str) -> int:
    # A port has at most five digits; int() would take longer texts, signs, spaces and other scripts' digits too.
    if not value.isascii() or not value.isdigit() or len(value) > 5 or int(value) > 65535:
        raise InvalidSetting("MDPUBLISH_PORT", value, "a whole number from 0 to 65535")
    return int(value)


def _database_url(value: str) -> str:
    path = value.removeprefix("sqlite:///")
    if path == value or not path or path.startswith((":memory:", "file:", "?")):
        allowed = "sqlite:/// and the path of a file, such as sqlite:///mdpublish.db"
        raise InvalidSetting("MDPUBLISH_DATABASE_URL", value, allowed)
    return value


def _public_url(value: str) -> str:
    if urlsplit(_url("MDPUBLISH_PUBLIC_URL", value)).path:
        raise InvalidSetting("MDPUBLISH_PUBLIC_URL", value, "an address without path and without a slash at its end")
    return value


def _base_url(value: str) -> str:
    if not _url("MDPUBLISH_BASE_URL", value).endswith("/v1"):
        raise InvalidSetting("MDPUBLISH_BASE_URL", value, "an address that ends in /v1")
    return value


def _url(name: str, value: str) -> str:
    """Check an address that others are appended to: no query, no fragment, no user."""
    try:
        parts = urlsplit(value)
        well_formed = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port >= 0)
    except ValueError:
        well_formed = False
    if not well_formed or not value.isascii() or not value.isprintable() or any(mark in value for mark in ' "<>@?#\\'):
        raise InvalidSetting(name, value, "an http:// or https:// address without query, fragment and user")
    return value


def _service_name(value: str) -> str:
    if len(value) > 60 or not value.isprintable() or value != value.strip():
        raise InvalidSetting("MDPUBLISH_SERVICE_NAME", value, "a line of 1 to 60 characters")
    return value


def _reachable(host: str) -> str:
    """Return how a browser on this computer names `host`; every interface is reached by the loopback one."""
    named = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (told apart, not listened on)
    return f"[{named}]" if ":" in named else named
