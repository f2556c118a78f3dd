"""Settings, read once from the environment."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import PackageNotFoundError, distribution
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from mdpublish_server.errors import OperatorFailure
from mdpublish_server.variables import refuse_slips


class InvalidSetting(OperatorFailure, ValueError):  # noqa: N818  (named after the fault)
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


_DECLARED: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("settings.toml").read_text("utf-8"))


def _variable(name: str, read: Read, *, is_secret: bool = False) -> Any:
    """Declare a setting, whose default and meaning `settings.toml` has."""
    declared = _DECLARED[name]
    setting = Setting(name, declared.get("default", ""), " ".join(declared["meaning"].split()), read)
    return field(repr=not is_secret, metadata={Setting: setting})


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


def _listed(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _networks(setting: Setting, value: str, _values: Values) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(map(ip_network, _listed(value)))
    except ValueError:
        allowed = "a comma-separated list of IP addresses or networks, such as 127.0.0.1, 10.0.0.0/8"
        raise setting.invalid(value, allowed) from None


def _packages(setting: Setting, value: str, _values: Values) -> tuple[str, ...]:
    names = _listed(value)
    for name in names:
        try:
            distribution(name)
        except (PackageNotFoundError, ValueError):
            raise setting.invalid(name, "names of installed packages, separated by commas") from None
    return names


def _origins(setting: Setting, value: str, _values: Values) -> tuple[str, ...]:
    return tuple(_site_url(setting, part) for part in _listed(value))


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


def _any(_setting: Setting, value: str, _values: Values) -> str:
    return value


def _issuer(setting: Setting, value: str, _values: Values) -> str | None:
    if value and urlsplit(_url(setting, value)).scheme == "http" and urlsplit(value).hostname not in LOOPBACK:
        raise setting.invalid(value, "an https:// URL")
    return value or None


def _client_id(setting: Setting, value: str, values: Values) -> str:
    if values["oidc_issuer"] and not value:
        raise setting.invalid(value, "set, as MDPUBLISH_OIDC_ISSUER is")
    return value


def _domains(setting: Setting, value: str, values: Values) -> tuple[str, ...]:
    domains = _listed(value.lower())
    if (values["oidc_issuer"] and not domains) or any(set(each) & set("@*/: ") for each in domains):
        raise setting.invalid(value, "domains of email addresses, such as example.org, separated by commas")
    return domains


def _claim(setting: Setting, value: str, _values: Values) -> tuple[str, str] | None:
    claim, _, member = value.rpartition("=")
    if value and not (claim and member):
        raise setting.invalid(value, "a claim and a value, such as groups=editors")
    return (claim, member) if value else None


def _local_passwords(setting: Setting, value: str, values: Values) -> bool:
    if value not in ("on", "off") or (value == "off" and not values["oidc_issuer"]):
        raise setting.invalid(value, "on, or off if MDPUBLISH_OIDC_ISSUER is set")
    return value == "on"


def _token(setting: Setting, value: str, _values: Values) -> str | None:
    if value and not re.fullmatch(r"[!-~]{32,}", value):
        raise setting.invalid("…", "at least 32 ASCII characters without spaces, such as 64 random hexadecimal digits")
    return value or None


def _service_name(setting: Setting, value: str, _values: Values) -> str:
    if len(value) > 60 or not value.isprintable() or value != value.strip():
        raise setting.invalid(value, "1 to 60 characters on one line, without surrounding spaces")
    return value


def _reachable(host: str) -> str:
    named = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (not bound)
    return f"[{named}]" if ":" in named else named


LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts that are this machine."""

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

    host: str = _variable("MDPUBLISH_HOST", _host)
    port: int = _variable("MDPUBLISH_PORT", _number(0, 65_535))
    database_url: str = _variable("MDPUBLISH_DATABASE_URL", _database_url, is_secret=True)
    public_url: str = _variable("MDPUBLISH_PUBLIC_URL", _public_url)
    dashboard_url: str = _variable("MDPUBLISH_DASHBOARD_URL", _other_site_url)
    base_url: str = _variable("MDPUBLISH_BASE_URL", _base_url)
    service_name: str = _variable("MDPUBLISH_SERVICE_NAME", _service_name)
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _variable("MDPUBLISH_TRUSTED_PROXIES", _networks)
    max_connections: int = _variable("MDPUBLISH_MAX_CONNECTIONS", _number(10, 100_000))
    network_connections: int = _variable("MDPUBLISH_NETWORK_CONNECTIONS", _number(1, 100_000))
    processes: int = _variable("MDPUBLISH_PROCESSES", _number(1, 64))
    redis_url: str | None = _variable("MDPUBLISH_REDIS_URL", _redis_url, is_secret=True)
    workers: int = _variable("MDPUBLISH_WORKERS", _number(1, 64, default=lambda: min((os.cpu_count() or 1) + 1, 64)))
    demo_workers: int = _variable(
        "MDPUBLISH_DEMO_WORKERS", _number(1, 64, default=lambda: min(max((os.cpu_count() or 1) // 2, 2), 64))
    )
    demo_rate_limit: int = _variable("MDPUBLISH_DEMO_RATE_LIMIT", _number(0, 1_000_000))
    site_cpu_seconds: int = _variable("MDPUBLISH_SITE_CPU_SECONDS", _number(0, 1_000_000))
    demo_megabytes: int | None = _variable("MDPUBLISH_DEMO_MEGABYTES", _number(0, 1_000_000, default=lambda: None))
    document_revisions: int = _variable("MDPUBLISH_DOCUMENT_REVISIONS", _number(0, 1_000))
    revision_minutes: int = _variable("MDPUBLISH_REVISION_MINUTES", _number(0, 1_440))
    # More than one content, compressed: the newest always fits.
    revision_megabytes: int = _variable("MDPUBLISH_REVISION_MEGABYTES", _number(2, 1_000))
    image_store: str = _variable("MDPUBLISH_IMAGE_STORE", _image_store, is_secret=True)
    image_url: str = _variable("MDPUBLISH_IMAGE_URL", _other_site_url)
    max_image_megabytes: int = _variable("MDPUBLISH_MAX_IMAGE_MEGABYTES", _number(1, 50))
    max_image_megapixels: int = _variable("MDPUBLISH_MAX_IMAGE_MEGAPIXELS", _number(1, 80))
    has_link_suffixes: bool = _variable("MDPUBLISH_LINK_SUFFIXES", _switch("always", "collisions"))
    has_web_fonts: bool = _variable("MDPUBLISH_WEB_FONTS", _switch("on", "off"))
    registration: str = _variable("MDPUBLISH_REGISTRATION", _choice("open", "invitation", "closed"))
    mcp_origins: tuple[str, ...] = _variable("MDPUBLISH_MCP_ORIGINS", _origins)
    smtp_url: str | None = _variable("MDPUBLISH_SMTP_URL", _smtp_url, is_secret=True)
    mail_from: str | None = _variable("MDPUBLISH_MAIL_FROM", _mail_from)
    page_code_mails: int = _variable("MDPUBLISH_PAGE_CODE_MAILS", _number(1, 100_000))
    account_code_mails: int = _variable("MDPUBLISH_ACCOUNT_CODE_MAILS", _number(1, 100_000))
    domain_code_mails: int = _variable("MDPUBLISH_DOMAIN_CODE_MAILS", _number(1, 100_000))
    oidc_issuer: str | None = _variable("MDPUBLISH_OIDC_ISSUER", _issuer)
    oidc_client_id: str = _variable("MDPUBLISH_OIDC_CLIENT_ID", _client_id)
    oidc_client_secret: str = _variable("MDPUBLISH_OIDC_CLIENT_SECRET", _any, is_secret=True)
    oidc_domains: tuple[str, ...] = _variable("MDPUBLISH_OIDC_DOMAINS", _domains)
    oidc_label: str = _variable("MDPUBLISH_OIDC_LABEL", _service_name)
    oidc_scopes: str = _variable("MDPUBLISH_OIDC_SCOPES", _any)
    oidc_pro: tuple[str, str] | None = _variable("MDPUBLISH_OIDC_PRO", _claim)
    oidc_operators: tuple[str, str] | None = _variable("MDPUBLISH_OIDC_OPERATORS", _claim)
    local_passwords: bool = _variable("MDPUBLISH_LOCAL_PASSWORDS", _local_passwords)
    scim_token: str | None = _variable("MDPUBLISH_SCIM_TOKEN", _token, is_secret=True)
    audit_days: int = _variable("MDPUBLISH_AUDIT_DAYS", _number(1, 3_653))
    plugins: tuple[str, ...] = _variable("MDPUBLISH_PLUGINS", _packages)
    stale_if_error: int = _variable("MDPUBLISH_STALE_IF_ERROR", _number(0, 86_400))
    metrics_port: int | None = _variable("MDPUBLISH_METRICS_PORT", _number(1, 65_535, default=lambda: None))

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
