"""Settings, read once from the environment."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import PackageNotFoundError, distribution
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any
from urllib.parse import SplitResult, urlsplit

from mdpublish_server.variables import refuse_slips


class InvalidSetting(ValueError):  # noqa: N818  (named after the fault)
    """An environment variable with an invalid value."""

    def __init__(self, name: str, value: str, allowed: str) -> None:
        super().__init__(name, value, allowed)
        self.name = name
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.name} must be {self.allowed} (got {self.value!r})"


Values = Mapping[str, Any]

Read = Callable[["Setting", str, Values], Any]
"""Parses a setting; raises `InvalidSetting`."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting; an empty `default` is computed, as `meaning` says."""

    name: str
    default: str
    meaning: str
    read: Read

    def invalid(self, value: str, allowed: str) -> InvalidSetting:
        return InvalidSetting(self.name, value, allowed)


def _variable(name: str, default: str, meaning: str, read: Read, *, is_secret: bool = False) -> Any:
    return field(repr=not is_secret, metadata={Setting: Setting(name, default, meaning, read)})


def _number(minimum: int, maximum: int, *, default: Callable[[], int | None] | None = None) -> Read:
    def read(setting: Setting, value: str, _values: Values) -> int | None:
        if not value and default:
            return default()
        # int() also accepts signs, spaces and non-ASCII digits.
        if not value.isascii() or not value.isdigit() or len(value) > 10 or not minimum <= int(value) <= maximum:
            raise setting.invalid(value, f"a whole number from {minimum} to {maximum}")
        return int(value)

    return read


def _choice(*choices: str) -> Read:
    def read(setting: Setting, value: str, _values: Values) -> str:
        if value not in choices:
            raise setting.invalid(value, " or ".join(choices))
        return value

    return read


def _switch(on: str, off: str) -> Read:
    read = _choice(*sorted((on, off)))
    return lambda setting, value, values: read(setting, value, values) == on


def _networks(setting: Setting, value: str, _values: Values) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())
    except ValueError:
        allowed = "a comma-separated list of IP addresses or networks, such as 127.0.0.1, 10.0.0.0/8"
        raise setting.invalid(value, allowed) from None


def _packages(setting: Setting, value: str, _values: Values) -> tuple[str, ...]:
    names = tuple(part.strip() for part in value.split(",") if part.strip())
    for name in names:
        try:
            distribution(name)
        except (PackageNotFoundError, ValueError):
            raise setting.invalid(name, "names of installed packages, separated by commas") from None
    return names


def _origins(setting: Setting, value: str, _values: Values) -> tuple[str, ...]:
    return tuple(_site_url(setting, part.strip()) for part in value.split(",") if part.strip())


def _redis_url(setting: Setting, value: str, values: Values) -> str | None:
    if not value:
        if values["processes"] > 1:
            allowed = "1 unless MDPUBLISH_REDIS_URL is set"
            raise InvalidSetting("MDPUBLISH_PROCESSES", str(values["processes"]), allowed)
        return None
    if not value.startswith(("redis://", "rediss://", "unix://")):
        raise setting.invalid(_without_secrets(value), "a URL that begins with redis://, rediss:// or unix://")
    return value


def _smtp_url(setting: Setting, value: str, _values: Values) -> str | None:
    if not value:
        return None
    parts = _parts(value, "smtp", "smtps")
    if parts is None or parts.path.strip("/") or parts.query:
        allowed = "smtp://host:587 or smtps://host:465, with user:password@ before the host if required"
        raise setting.invalid(_without_secrets(value), allowed)
    return value


def _mail_from(setting: Setting, value: str, values: Values) -> str | None:
    # Imported here: `mdpublish-server --version` does without the library.
    from mdpublish_core.hosting.mail import is_email_address

    if value and not is_email_address(value):
        raise setting.invalid(value, "an email address such as service@example.org")
    if values["smtp_url"] and not value:
        raise setting.invalid(value, "an email address, as MDPUBLISH_SMTP_URL is set")
    return value or None


def _host(setting: Setting, value: str, _values: Values) -> str:
    if not value.isascii() or not value.isprintable() or any(mark in value for mark in " /[]@?#"):
        raise setting.invalid(value, "a host name or an IP address, IPv6 without brackets")
    return value


def _database_url(setting: Setting, value: str, _values: Values) -> str:
    if value.startswith(("postgresql://", "postgres://")) and len(value) > len("postgresql://"):
        return value.replace("postgres://", "postgresql://", 1)
    path = value.removeprefix("sqlite:///")
    if path == value or not path or path.startswith((":memory:", "file:", "?")):
        allowed = "sqlite:/// and a file path, such as sqlite:///mdpublish.db, or a postgresql:// URL"
        raise setting.invalid(_without_secrets(value), allowed)
    return value


def _public_url(setting: Setting, value: str, values: Values) -> str:
    return _site_url(setting, value or f"http://{_reachable(values['host'])}:{values['port']}")


def _other_site_url(setting: Setting, value: str, values: Values) -> str:
    value = value or values["public_url"]
    scheme = urlsplit(values["public_url"]).scheme
    if urlsplit(_site_url(setting, value)).scheme != scheme:
        raise setting.invalid(value, f"a URL that begins with {scheme}://, like MDPUBLISH_PUBLIC_URL")
    return value


def _base_url(setting: Setting, value: str, values: Values) -> str:
    value = value or f"{values['public_url']}/v1"
    if not _url(setting, value).endswith("/v1"):
        raise setting.invalid(value, "a URL that ends in /v1")
    return value


def _site_url(setting: Setting, value: str) -> str:
    if urlsplit(_url(setting, value)).path:
        raise setting.invalid(value, "a URL without path or trailing slash")
    return value


def _url(setting: Setting, value: str) -> str:
    if _parts(value, "http", "https") is None or any(mark in value for mark in ' "<>@?#\\'):
        shown = _without_secrets(value) if "@" in value else value
        raise setting.invalid(shown, "an http:// or https:// URL without query, fragment or user")
    return value


def _parts(value: str, *schemes: str) -> SplitResult | None:
    """Return the parts of a URL of one of the schemes, None if it is not well-formed."""
    try:
        parts = urlsplit(value)
        has_host = parts.hostname and (parts.port is None or parts.port >= 0)
    except ValueError:
        return None
    is_url = parts.scheme in schemes and has_host and value.isascii() and value.isprintable()
    return parts if is_url else None


def _without_secrets(value: str) -> str:
    """Omit what may contain a password."""
    scheme, mark, _ = value.partition("://")
    if mark and scheme.replace("+", "").isalnum():
        return f"{scheme}://…"
    return "…" if any(mark in value for mark in ":@?") else value


def _image_store(setting: Setting, value: str, values: Values) -> str:
    if "://" in value:
        if _parts(value, *BUCKETS) is None:
            raise setting.invalid(
                _without_secrets(value), f"a folder, or a URL that begins with {'://, '.join(BUCKETS)}://"
            )
        return value
    database: str = values["database_url"]
    path = database.removeprefix("sqlite:///")
    return value or (f"{path}.images" if path != database else "mdpublish.images")


def _service_name(setting: Setting, value: str, _values: Values) -> str:
    if len(value) > 60 or not value.isprintable() or value != value.strip():
        raise setting.invalid(value, "1 to 60 characters on one line, without surrounding spaces")
    return value


def _reachable(host: str) -> str:
    named = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (not bound)
    return f"[{named}]" if ":" in named else named


BUCKETS = ("s3", "gs", "az")
"""Schemes of URLs of image stores."""

_OPTIONAL = _number(0, 1_000_000_000, default=lambda: None)
_REQUIRED = _number(1, 1_000_000_000)

PLAN_LIMITS: Mapping[str, tuple[str, Read, Mapping[str, str]]] = {
    "RATE_LIMIT": ("Requests per second", _REQUIRED, {"free": "10", "pro": "30"}),
    "MONTHLY_QUOTA": ("Counted requests per month", _REQUIRED, {"free": "1000", "pro": "10000"}),
    "DOCUMENTS": ("Documents", _OPTIONAL, {"free": "3", "pro": ""}),
    "PAGES": ("Published pages", _OPTIONAL, {"free": "3", "pro": ""}),
    "IMAGE_MEGABYTES": ("Megabytes of images", _OPTIONAL, {"free": "50", "pro": "5000"}),
}
"""The limits of a plan: what each bounds, how it is read, and its default by plan; an empty one is unlimited."""


def _plan_settings(plan: str) -> dict[str, Setting]:
    return {
        name.lower(): Setting(
            f"MDPUBLISH_{plan.upper()}_{name}",
            defaults[plan],
            f"{meaning} per account on the {plan.capitalize()} plan.",
            read,
        )
        for name, (meaning, read, defaults) in PLAN_LIMITS.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLimits:
    """Limits of a plan; None is unlimited."""

    rate_limit: int
    monthly_quota: int
    documents: int | None
    pages: int | None
    image_megabytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings, in the order of the reference; parsers see the values above theirs."""

    host: str = _variable(
        "MDPUBLISH_HOST",
        "127.0.0.1",
        "Host name or IP address to listen on; `0.0.0.0` listens on every IPv4 interface.",
        _host,
    )

    port: int = _variable(
        "MDPUBLISH_PORT", "8000", "TCP port to listen on, 0 to 65535; 0 picks any free port.", _number(0, 65_535)
    )

    database_url: str = _variable(
        "MDPUBLISH_DATABASE_URL",
        "sqlite:///mdpublish.db",
        "Database URL: `sqlite:///` and a file path (the file is created if missing), or "
        "`postgresql://user:password@host/name`. A path with a fourth `/` is absolute; otherwise it is relative to the "
        "working directory.",
        _database_url,
        is_secret=True,
    )

    public_url: str = _variable(
        "MDPUBLISH_PUBLIC_URL",
        "",
        "URL of the public site, under which pages are published: scheme, host and port, no path. By default derived "
        "from host and port: `http://127.0.0.1:8000`.",
        _public_url,
    )

    dashboard_url: str = _variable(
        "MDPUBLISH_DASHBOARD_URL",
        "",
        "URL of the dashboard, where users sign in and manage their accounts: scheme, host and port, no path, with the "
        "scheme of the public URL. By default the public URL. A separate host isolates the dashboard from published "
        "pages in the browser (same-origin policy).",
        _other_site_url,
    )

    base_url: str = _variable(
        "MDPUBLISH_BASE_URL",
        "",
        "URL of the API for clients, ending in `/v1`. By default the public URL followed by `/v1`.",
        _base_url,
    )

    service_name: str = _variable(
        "MDPUBLISH_SERVICE_NAME",
        "mdpublish",
        "Name of the service shown on its pages, 1 to 60 characters.",
        _service_name,
    )

    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _variable(
        "MDPUBLISH_TRUSTED_PROXIES",
        "",
        "Comma-separated IP addresses or networks of reverse proxies, such as `127.0.0.1` or `10.0.0.0/8`. The headers "
        "`X-Forwarded-Proto` and `X-Forwarded-For` are trusted only from these. By default none.",
        _networks,
    )

    max_connections: int = _variable(
        "MDPUBLISH_MAX_CONNECTIONS",
        "1000",
        "Open connections per server process, 10 to 100000; further ones get status 503.",
        _number(10, 100_000),
    )

    network_connections: int = _variable(
        "MDPUBLISH_NETWORK_CONNECTIONS",
        "100",
        "Open connections, and behind a trusted proxy requests at a time, per network (an IPv4 address or a /64 of IPv6) and "
        "server process, 1 to 100000; further ones get status 503. Does not apply to clients on the same computer.",
        _number(1, 100_000),
    )

    processes: int = _variable(
        "MDPUBLISH_PROCESSES",
        "1",
        "Server processes, 1 to 64. More than one requires Redis, in which they share rate limits.",
        _number(1, 64),
    )

    redis_url: str | None = _variable(
        "MDPUBLISH_REDIS_URL",
        "",
        "URL of the Redis in which server processes share rate limits: `redis://host:6379/0`, `rediss://…` or "
        "`unix://…`. By default none; a single process keeps them in memory.",
        _redis_url,
        is_secret=True,
    )

    workers: int = _variable(
        "MDPUBLISH_WORKERS",
        "",
        "Worker processes for accounts, 1 to 64, per server process. By default one more than CPUs, since one account "
        "never has all of them.",
        _number(1, 64, default=lambda: min((os.cpu_count() or 1) + 1, 64)),
    )

    demo_workers: int = _variable(
        "MDPUBLISH_DEMO_WORKERS",
        "",
        "Additional worker processes for demo pages, 1 to 64, per server process. By default half the number of CPUs, "
        "at least two.",
        _number(1, 64, default=lambda: min(max((os.cpu_count() or 1) // 2, 2), 64)),
    )

    demo_rate_limit: int = _variable(
        "MDPUBLISH_DEMO_RATE_LIMIT",
        "0",
        "Demo pages per hour and network (an IPv4 address, or a /64 of IPv6), counted by each server process; 0 is unlimited.",
        _number(0, 1_000_000),
    )

    site_cpu_seconds: int = _variable(
        "MDPUBLISH_SITE_CPU_SECONDS",
        "30",
        "CPU seconds per minute for the previews, copies and downloads of a network (on documents: of an account), "
        "counted by each server process; 0 is unlimited.",
        _number(0, 1_000_000),
    )

    demo_megabytes: int | None = _variable(
        "MDPUBLISH_DEMO_MEGABYTES",
        "",
        "Megabytes that all demo pages together may hold, 0 to 1000000: their Markdown and their compressed pages. "
        "When they are used up, new demo pages are refused with 503, and existing ones stay; 0 refuses every new one. "
        "By default a tenth of what is free on the disk of the SQLite database when the service starts, at least 1; "
        "with PostgreSQL, whose disk the service does not see, 1000.",
        _number(0, 1_000_000, default=lambda: None),
    )

    document_revisions: int = _variable(
        "MDPUBLISH_DOCUMENT_REVISIONS",
        "20",
        "Former contents of a document that are stored, 0 to 1000; the oldest are dropped first. 0 stores none. A "
        "lower number applies to a document when its content next changes.",
        _number(0, 1_000),
    )

    revision_minutes: int = _variable(
        "MDPUBLISH_REVISION_MINUTES",
        "10",
        "Minutes, 0 to 1440, within which the contents that autosave replaces count as one: only the first is stored, "
        "unless a passage is lost. 0 stores each.",
        _number(0, 1_440),
    )

    revision_megabytes: int = _variable(
        "MDPUBLISH_REVISION_MEGABYTES",
        "5",
        "Megabytes that the stored former contents of a document may take, compressed, 2 to 1000; the oldest are dropped first.",
        # More than one content, compressed: the newest always fits.
        _number(2, 1_000),
    )

    image_store: str = _variable(
        "MDPUBLISH_IMAGE_STORE",
        "",
        "Where uploaded images are stored: a folder, or a bucket's URL such as `s3://bucket/prefix`, `gs://bucket` or "
        "`az://container`. What its provider needs is in the provider's own variables, such as `AWS_ACCESS_KEY_ID`, or in the "
        "query: `s3://bucket?endpoint=https://s3.example.org`. By default a folder beside the SQLite database, named like it "
        "with `.images` behind, or `mdpublish.images` in the working directory. All server processes must share it.",
        _image_store,
        is_secret=True,
    )

    image_url: str = _variable(
        "MDPUBLISH_IMAGE_URL",
        "",
        "URL under which uploaded images are served: scheme, host and port, no path, with the scheme of the public "
        "URL. By default the public URL. A separate host serves nothing else, and never gets a cookie.",
        _other_site_url,
    )

    max_image_megabytes: int = _variable(
        "MDPUBLISH_MAX_IMAGE_MEGABYTES",
        "10",
        "Megabytes that an uploaded image file may have, 1 to 50.",
        _number(1, 50),
    )

    max_image_megapixels: int = _variable(
        "MDPUBLISH_MAX_IMAGE_MEGAPIXELS",
        "40",
        "Megapixels that an uploaded image may have, 1 to 80, counting all frames of an animation. Workers have 1 GiB of memory.",
        _number(1, 80),
    )

    has_link_suffixes: bool = _variable(
        "MDPUBLISH_LINK_SUFFIXES",
        "collisions",
        "Whether slugs generated from titles of unlisted pages get six random characters, which makes their URLs hard "
        "to guess: `always`, or only on `collisions` below `/d/` and where a title is too short.",
        _switch("always", "collisions"),
    )

    has_web_fonts: bool = _variable(
        "MDPUBLISH_WEB_FONTS",
        "on",
        "Whether published pages load the fonts of their templates, and the site's own that of the interface, from "
        "this service only: `on` or `off`. Without web fonts, a published page is a single request.",
        _switch("on", "off"),
    )

    registration: str = _variable(
        "MDPUBLISH_REGISTRATION",
        "open",
        "Who can sign up: everyone (`open`), people with an invitation link (`invitation`), or no one (`closed`).",
        _choice("open", "invitation", "closed"),
    )

    mcp_origins: tuple[str, ...] = _variable(
        "MDPUBLISH_MCP_ORIGINS",
        "https://claude.ai, https://claude.com, https://chatgpt.com, https://chat.openai.com, https://vscode.dev",
        "Sites whose pages may read responses of `/mcp` (CORS), separated by commas; the service's own may always. "
        "Programs are not concerned, whichever `Origin` they send.",
        _origins,
    )

    smtp_url: str | None = _variable(
        "MDPUBLISH_SMTP_URL",
        "",
        "SMTP server for outgoing email: `smtp://user:password@host:587` (STARTTLS if offered, required with a "
        "password) or `smtps://user:password@host:465`. By default none: email addresses are then not confirmed, and "
        "operators reset forgotten passwords.",
        _smtp_url,
        is_secret=True,
    )

    mail_from: str | None = _variable(
        "MDPUBLISH_MAIL_FROM", "", "Sender address of emails. Required with an SMTP server.", _mail_from
    )

    page_code_mails: int = _variable(
        "MDPUBLISH_PAGE_CODE_MAILS",
        "30",
        "Emails with a link and a code per hour for the readers of one page, in browsers that have read none of the account's; 1 to "
        "100,000. Requests for addresses that are not listed count too, so that nobody learns which are.",
        _number(1, 100_000),
    )

    account_code_mails: int = _variable(
        "MDPUBLISH_ACCOUNT_CODE_MAILS", "100", "The same for all pages of an account.", _number(1, 100_000)
    )

    domain_code_mails: int = _variable(
        "MDPUBLISH_DOMAIN_CODE_MAILS",
        "20",
        "The same for the addresses of a domain that an account lists as `@domain`; further ones are not sent.",
        _number(1, 100_000),
    )

    plugins: tuple[str, ...] = _variable(
        "MDPUBLISH_PLUGINS",
        "",
        "Installed packages whose plug-ins are used, separated by commas, such as `mdpublish-plantuml`. Their fences, "
        "destinations and templates become available, and their transforms apply to every document, in this order. By "
        "default none: a package that is installed but not listed here is never imported.",
        _packages,
    )

    stale_if_error: int = _variable(
        "MDPUBLISH_STALE_IF_ERROR",
        "60",
        "Seconds for which published pages in memory are served while the database is away; never after this process "
        "has unpublished or deleted something meanwhile. 0 turns it off.",
        _number(0, 86_400),
    )

    metrics_port: int | None = _variable(
        "MDPUBLISH_METRICS_PORT",
        "",
        "TCP port on 127.0.0.1 for Prometheus metrics of all processes on this machine. By default, metrics are off.",
        _number(1, 65_535, default=lambda: None),
    )

    free: PlanLimits
    pro: PlanLimits

    @property
    def font_url(self) -> str | None:
        return f"{self.public_url}/fonts/" if self.has_web_fonts else None

    @property
    def max_image_bytes(self) -> int:
        return self.max_image_megabytes * 1_000_000

    @property
    def is_encrypted(self) -> bool:
        return self.public_url.startswith("https:")

    @property
    def image_sources(self) -> str:
        """Sources of images for a Content-Security-Policy; without HTTPS, `https:` does not include the store."""
        return "https: data:" if self.is_encrypted else f"https: data: {self.image_url}"

    @property
    def session_cookie(self) -> str:
        return f"{self.cookie_prefix}session"

    @property
    def cookie_prefix(self) -> str:
        """Browsers restrict `__Host-` cookies to the host."""
        return "__Host-" if self.is_encrypted else ""


_FIELDS = {each.name: each.metadata[Setting] for each in fields(Settings) if Setting in each.metadata}

_PLANS = {plan: _plan_settings(plan) for plan in ("free", "pro")}

SETTINGS: tuple[Setting, ...] = (*_FIELDS.values(), *(each for plan in _PLANS.values() for each in plan.values()))

NAMES = tuple(setting.name for setting in SETTINGS)


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Parse the environment, where empty means unset; raises `InvalidSetting`, or `UnknownVariable` for a slip."""
    refuse_slips(environment, NAMES)
    plans: dict[str, Any] = {plan: PlanLimits(**_read(settings, environment)) for plan, settings in _PLANS.items()}
    return Settings(**_read(_FIELDS, environment), **plans)


def _read(settings: Mapping[str, Setting], environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, setting in settings.items():
        values[name] = setting.read(setting, environment.get(setting.name) or setting.default, values)
    return values
