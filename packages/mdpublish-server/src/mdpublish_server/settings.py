"""What an operator may set: one frozen object, read once from the environment.

A setting is a field of `Settings`, with a default that runs on the operator's own computer, and a line of `SETTINGS`,
which is what the documentation prints. Nothing else reads the environment.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from urllib.parse import urlsplit

# What stands in a header as it is, without marks that a header gives a meaning.
_MAIL_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+")


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


PLAN_LIMITS = {
    "CALLS_PER_SECOND": "Requests in one second",
    "CALLS_PER_MONTH": "Counted calls in a month",
    "DOCUMENTS": "Documents",
    "PAGES": "Published pages at once",
}
"""The numbers of a plan, and what they bound."""

PLAN_DEFAULTS = {"free": ("10", "1000", "3", "3"), "pro": ("30", "10000", "", "")}

PLAN_WORDS = {"free": "of an account on Free.", "pro": "of an account on Pro."}

SETTINGS = (
    Setting("MDPUBLISH_HOST", "127.0.0.1", "Name or IP address to listen on; `0.0.0.0` is every IPv4 interface."),
    Setting("MDPUBLISH_PORT", "8000", "TCP port to listen on, 0 to 65535; 0 takes any free one."),
    Setting(
        "MDPUBLISH_DATABASE_URL",
        "sqlite:///mdpublish.db",
        "Where everything is kept: `sqlite:///` and the path of a file, which is made if it is missing, or "
        "`postgresql://user:password@host/name`. A path that begins with a further `/` is absolute, another is relative to "
        "the folder the service starts in.",
    ),
    Setting(
        "MDPUBLISH_PUBLIC_URL",
        "",
        "Address of the public site: scheme, host and port, no path; published pages lie under it. By default it "
        "follows from host and port: `http://127.0.0.1:8000`.",
    ),
    Setting(
        "MDPUBLISH_ACCOUNT_URL",
        "",
        "Address at which people sign in and care for their accounts: scheme, host and port, no path; of the same scheme as "
        "the public site's. By default that site's own. On a host of its own, it shares nothing with the pages that strangers "
        "publish, not even by a mistake of a browser's.",
    ),
    Setting(
        "MDPUBLISH_BASE_URL",
        "",
        "Address of the API as its clients see it, which ends in `/v1`. By default the public site's address and `/v1`.",
    ),
    Setting("MDPUBLISH_SERVICE_NAME", "mdpublish", "Name of the service, 1 to 60 characters, as its pages show it."),
    Setting(
        "MDPUBLISH_TRUSTED_PROXIES",
        "",
        "Addresses or networks of proxies in front of the service, with commas between them, such as `127.0.0.1` or "
        "`10.0.0.0/8`. Their `X-Forwarded-Proto` and `X-Forwarded-For` are believed, nobody else's. By default none.",
    ),
    Setting(
        "MDPUBLISH_PROCESSES",
        "1",
        "Processes that serve, 1 to 64. More than one takes Redis, since they share the limit of requests a second.",
    ),
    Setting(
        "MDPUBLISH_REDIS_URL",
        "",
        "Redis that several processes count requests in: `redis://host:6379/0`, `rediss://…` or `unix://…`. By default none: "
        "one process counts in memory.",
    ),
    Setting(
        "MDPUBLISH_WORKERS",
        "",
        "Processes that convert texts of accounts, 1 to 64, of each serving process. By default as many as there are "
        "processors.",
    ),
    Setting(
        "MDPUBLISH_DEMO_WORKERS",
        "",
        "Processes that render demo pages, 1 to 64, beside the others. By default half as many as there are processors, at "
        "least one.",
    ),
    Setting(
        "MDPUBLISH_DEMOS_PER_HOUR",
        "0",
        "Demo pages that one client address may publish in an hour, counted by each serving process; 0 is any number.",
    ),
    Setting(
        "MDPUBLISH_LINK_SUFFIXES",
        "always",
        "Whether a slug made of a title gets six random characters, so that nobody guesses the address of a page that only "
        "a link leads to: `always`, or only on `collisions`.",
    ),
    Setting(
        "MDPUBLISH_WEB_FONTS",
        "off",
        "Whether published pages load the fonts that their templates name, from this service alone: `on`, or `off`. Without "
        "them, a page is one request.",
    ),
    Setting(
        "MDPUBLISH_REGISTRATION",
        "open",
        "Who may sign up: everybody (`open`), whoever has a link that an operator made (`invitation`), or nobody (`closed`).",
    ),
    Setting(
        "MDPUBLISH_SMTP_URL",
        "",
        "Mail server that sends what the service mails: `smtp://user:password@host:587`, which turns to TLS where the server "
        "offers it and must do so to sign in, or `smtps://user:password@host:465`. By default none: then nobody is asked to "
        "confirm an e-mail address, and forgotten passwords are the operator's to set.",
    ),
    Setting(
        "MDPUBLISH_MAIL_FROM",
        "",
        "E-mail address that the service's mails come from. It takes one where there is a mail server.",
    ),
    Setting(
        "MDPUBLISH_METRICS_PORT",
        "",
        "TCP port on 127.0.0.1 at which Prometheus finds metrics, of one serving process. By default none are served.",
    ),
    *(
        Setting(f"MDPUBLISH_{plan.upper()}_{name}", default, f"{meaning} {PLAN_WORDS[plan]}")
        for plan, defaults in PLAN_DEFAULTS.items()
        for (name, meaning), default in zip(PLAN_LIMITS.items(), defaults, strict=True)
    ),
)
"""Every setting in the order of its field in `Settings`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLimits:
    """The numbers of one plan; None is any number."""

    calls_per_second: int
    calls_per_month: int
    documents: int | None
    pages: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the service was told; made by `read_settings`, and never changed."""

    host: str
    """Name or address to listen on."""

    port: int
    """TCP port to listen on."""

    database_url: str = field(repr=False)
    """SQLAlchemy URL of the database, which may hold a password."""

    public_url: str
    """Address of the public site, without path and without a slash at its end."""

    account_url: str
    """Address of accounts' pages, without path and without a slash at its end; often the public site's."""

    base_url: str
    """Address of the API, which ends in `/v1`."""

    service_name: str
    """What the service calls itself on its pages."""

    trusted_proxies: tuple[IPv4Network | IPv6Network, ...]
    """Networks whose forwarding headers are believed."""

    processes: int
    """Processes that serve."""

    redis_url: str | None = field(repr=False)
    """Where several processes count requests; the address may hold a password."""

    workers: int
    """Processes that convert texts of accounts."""

    demo_workers: int
    """Processes that render demo pages."""

    demos_per_hour: int
    """Demo pages that one client address may publish in an hour; 0 is any number."""

    has_link_suffixes: bool
    """Whether a slug made of a title always gets random characters."""

    has_web_fonts: bool
    """Whether published pages load fonts, from the service itself."""

    registration: str
    """`open`, `invitation` or `closed`."""

    smtp_url: str | None = field(repr=False)
    """Mail server; the address may hold a password."""

    mail_from: str | None
    """E-mail address of the service's own; there is one where there is a mail server."""

    metrics_port: int | None
    """TCP port on loopback for Prometheus."""

    free: PlanLimits
    """The numbers of the Free plan."""

    pro: PlanLimits
    """The numbers of the Pro plan."""

    @property
    def font_url(self) -> str | None:
        """Where pages load fonts from; None where they load none."""
        return f"{self.public_url}/fonts/" if self.has_web_fonts else None

    @property
    def is_encrypted(self) -> bool:
        """Whether browsers reach the site over HTTPS."""
        return self.public_url.startswith("https:")

    @property
    def session_cookie(self) -> str:
        """The name of the cookie that signs in; browsers take the prefix for a promise that it is this host's own."""
        return "__Host-session" if self.is_encrypted else "session"


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that `environment` makes; an empty variable counts as one that is not there.

    Raises `InvalidSetting`.
    """
    values = {setting.name: environment.get(setting.name) or setting.default for setting in SETTINGS}
    host = _host(values["MDPUBLISH_HOST"])
    port = _number("MDPUBLISH_PORT", values, 0, 65_535)
    public_url = _site_url(
        "MDPUBLISH_PUBLIC_URL", values["MDPUBLISH_PUBLIC_URL"] or f"http://{_reachable(host)}:{port}"
    )
    processes = _number("MDPUBLISH_PROCESSES", values, 1, 64)
    processors = os.cpu_count() or 1
    values["MDPUBLISH_WORKERS"] = values["MDPUBLISH_WORKERS"] or str(min(processors, 64))
    values["MDPUBLISH_DEMO_WORKERS"] = values["MDPUBLISH_DEMO_WORKERS"] or str(min(max(processors // 2, 1), 64))
    return Settings(
        host=host,
        port=port,
        database_url=_database_url(values["MDPUBLISH_DATABASE_URL"]),
        public_url=public_url,
        account_url=_account_url(values["MDPUBLISH_ACCOUNT_URL"] or public_url, public_url),
        base_url=_base_url(values["MDPUBLISH_BASE_URL"] or f"{public_url}/v1"),
        service_name=_service_name(values["MDPUBLISH_SERVICE_NAME"]),
        trusted_proxies=_networks(values["MDPUBLISH_TRUSTED_PROXIES"]),
        processes=processes,
        redis_url=_redis_url(values["MDPUBLISH_REDIS_URL"], processes),
        workers=_number("MDPUBLISH_WORKERS", values, 1, 64),
        demo_workers=_number("MDPUBLISH_DEMO_WORKERS", values, 1, 64),
        demos_per_hour=_number("MDPUBLISH_DEMOS_PER_HOUR", values, 0, 1_000_000),
        has_link_suffixes=_choice("MDPUBLISH_LINK_SUFFIXES", values, ("always", "collisions")) == "always",
        has_web_fonts=_choice("MDPUBLISH_WEB_FONTS", values, ("off", "on")) == "on",
        registration=_choice("MDPUBLISH_REGISTRATION", values, ("open", "invitation", "closed")),
        smtp_url=_smtp_url(values["MDPUBLISH_SMTP_URL"]),
        mail_from=_mail_from(values["MDPUBLISH_MAIL_FROM"], has_server=bool(values["MDPUBLISH_SMTP_URL"])),
        metrics_port=_number("MDPUBLISH_METRICS_PORT", values, 1, 65_535) if values["MDPUBLISH_METRICS_PORT"] else None,
        free=_plan_limits("FREE", values),
        pro=_plan_limits("PRO", values),
    )


def _plan_limits(plan: str, values: dict[str, str]) -> PlanLimits:
    def bound(name: str) -> int | None:
        variable = f"MDPUBLISH_{plan}_{name}"
        return _number(variable, values, 0, 1_000_000_000) if values[variable] else None

    def rate(name: str) -> int:
        return _number(f"MDPUBLISH_{plan}_{name}", values, 1, 1_000_000_000)

    return PlanLimits(
        calls_per_second=rate("CALLS_PER_SECOND"),
        calls_per_month=rate("CALLS_PER_MONTH"),
        documents=bound("DOCUMENTS"),
        pages=bound("PAGES"),
    )


def _number(name: str, values: Mapping[str, str], least: int, most: int) -> int:
    value = values[name]
    # int() would take longer texts, signs, spaces and other scripts' digits too.
    if not value.isascii() or not value.isdigit() or len(value) > 10 or not least <= int(value) <= most:
        raise InvalidSetting(name, value, f"a whole number from {least} to {most}")
    return int(value)


def _choice(name: str, values: Mapping[str, str], choices: tuple[str, ...]) -> str:
    if values[name] not in choices:
        raise InvalidSetting(name, values[name], " or ".join(choices))
    return values[name]


def _networks(value: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())
    except ValueError:
        allowed = "IP addresses or networks with commas between them, such as 127.0.0.1, 10.0.0.0/8"
        raise InvalidSetting("MDPUBLISH_TRUSTED_PROXIES", value, allowed) from None


def _redis_url(value: str, processes: int) -> str | None:
    if not value:
        if processes > 1:
            raise InvalidSetting(
                "MDPUBLISH_PROCESSES", str(processes), "1, or more with MDPUBLISH_REDIS_URL, where they count requests"
            )
        return None
    if not value.startswith(("redis://", "rediss://", "unix://")):
        raise InvalidSetting(
            "MDPUBLISH_REDIS_URL", _without_secrets(value), "an address that begins with redis://, rediss:// or unix://"
        )
    return value


def _smtp_url(value: str) -> str | None:
    if not value:
        return None
    try:
        parts = urlsplit(value)
        well_formed = parts.scheme in ("smtp", "smtps") and parts.hostname and (parts.port is None or parts.port >= 0)
    except ValueError:
        well_formed = False
    if not well_formed or not value.isascii() or not value.isprintable() or parts.path.strip("/") or parts.query:
        allowed = "smtp://host:587 or smtps://host:465, with user:password@ before the host where it takes them"
        raise InvalidSetting("MDPUBLISH_SMTP_URL", _without_secrets(value), allowed)
    return value


def _mail_from(value: str, *, has_server: bool) -> str | None:
    if value and not _MAIL_ADDRESS.fullmatch(value):
        raise InvalidSetting("MDPUBLISH_MAIL_FROM", value, "an e-mail address such as service@example.org")
    if has_server and not value:
        raise InvalidSetting("MDPUBLISH_MAIL_FROM", value, "an e-mail address, since there is a mail server")
    return value or None


def _host(value: str) -> str:
    if not value.isascii() or not value.isprintable() or any(mark in value for mark in " /[]@?#"):
        raise InvalidSetting("MDPUBLISH_HOST", value, "a host name or an IP address, an IPv6 one without brackets")
    return value


def _database_url(value: str) -> str:
    if value.startswith(("postgresql://", "postgres://")) and len(value) > len("postgresql://"):
        return value.replace("postgres://", "postgresql://", 1)
    path = value.removeprefix("sqlite:///")
    if path == value or not path or path.startswith((":memory:", "file:", "?")):
        allowed = "sqlite:/// and the path of a file, such as sqlite:///mdpublish.db, or postgresql://…"
        raise InvalidSetting("MDPUBLISH_DATABASE_URL", _without_secrets(value), allowed)
    return value


def _site_url(name: str, value: str) -> str:
    if urlsplit(_url(name, value)).path:
        raise InvalidSetting(name, value, "an address without path and without a slash at its end")
    return value


def _account_url(value: str, public_url: str) -> str:
    scheme = urlsplit(public_url).scheme
    if urlsplit(_site_url("MDPUBLISH_ACCOUNT_URL", value)).scheme != scheme:
        raise InvalidSetting(
            "MDPUBLISH_ACCOUNT_URL", value, f"an address that begins with {scheme}://, as the public one"
        )
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
        shown = _without_secrets(value) if "@" in value else value
        raise InvalidSetting(name, shown, "an http:// or https:// address without query, fragment and user")
    return value


def _without_secrets(value: str) -> str:
    """Return as much of a wrong address as cannot hold a password: its scheme, or all of what is no address at all."""
    scheme, mark, _ = value.partition("://")
    if mark and scheme.replace("+", "").isalnum():
        return f"{scheme}://…"
    return "…" if any(mark in value for mark in ":@?") else value


def _service_name(value: str) -> str:
    if len(value) > 60 or not value.isprintable() or value != value.strip():
        raise InvalidSetting("MDPUBLISH_SERVICE_NAME", value, "a line of 1 to 60 characters")
    return value


def _reachable(host: str) -> str:
    """Return how a browser on this computer names `host`; every interface is reached by the loopback one."""
    named = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (told apart, not listened on)
    return f"[{named}]" if ":" in named else named
