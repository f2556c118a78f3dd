import os
import re
from dataclasses import fields
from ipaddress import ip_network

import pytest

from mdpublish_server.settings import _DECLARED, SETTINGS, InvalidSetting, PlanLimits, Settings, read_settings
from mdpublish_server.storage import redacted_url

SECRET = "hunter2"

# Without any variables; numbers of workers depend on the machine.
DEFAULTS = {
    "host": "127.0.0.1",
    "port": 8000,
    "database_url": "sqlite:///mdpublish.db",
    "public_url": "http://127.0.0.1:8000",
    "dashboard_url": "http://127.0.0.1:8000",
    "base_url": "http://127.0.0.1:8000/v1",
    "service_name": "mdpublish",
    "trusted_proxies": (),
    "max_connections": 1_000,
    "network_connections": 100,
    "processes": 1,
    "redis_url": None,
    "demo_rate_limit": 0,
    "site_cpu_seconds": 30,
    "demo_megabytes": None,
    "document_revisions": 20,
    "revision_minutes": 10,
    "revision_megabytes": 5,
    "image_store": "mdpublish.db.images",
    "image_url": "http://127.0.0.1:8000",
    "max_image_megabytes": 10,
    "max_image_megapixels": 40,
    "has_link_suffixes": False,
    "has_web_fonts": True,
    "registration": "open",
    "mcp_origins": (
        "https://claude.ai",
        "https://claude.com",
        "https://chatgpt.com",
        "https://chat.openai.com",
        "https://vscode.dev",
    ),
    "smtp_url": None,
    "mail_from": None,
    "page_code_mails": 30,
    "account_code_mails": 100,
    "domain_code_mails": 20,
    "oidc_issuer": None,
    "oidc_client_id": "",
    "oidc_client_secret": "",
    "oidc_domains": (),
    "oidc_label": "your company account",
    "oidc_scopes": "openid email",
    "oidc_pro": None,
    "oidc_operators": None,
    "local_passwords": True,
    "scim_token": None,
    "audit_days": 365,
    "plugins": (),
    "stale_if_error": 60,
    "metrics_port": None,
    "free": PlanLimits(rate_limit=10, monthly_quota=1_000, documents=3, pages=3, image_megabytes=50),
    "pro": PlanLimits(rate_limit=30, monthly_quota=10_000, documents=None, pages=None, image_megabytes=5_000),
}

# Variables combined into one field.
PLAN_VARIABLES = tuple(
    f"MDPUBLISH_{plan}_{name}"
    for plan in ("FREE", "PRO")
    for name in ("RATE_LIMIT", "MONTHLY_QUOTA", "DOCUMENTS", "PAGES", "IMAGE_MEGABYTES")
)


def values_of(settings: Settings) -> dict[str, object]:
    return {field.name: getattr(settings, field.name) for field in fields(settings)}


def test_defaults_run_on_loopback() -> None:
    values = values_of(read_settings({}))
    processors = os.cpu_count() or 1
    assert values.pop("workers") == min(processors + 1, 64)
    assert values.pop("demo_workers") == min(max(processors // 2, 2), 64)
    assert values == DEFAULTS
    assert not read_settings({}).is_encrypted


def test_each_field_has_its_line_in_the_table() -> None:
    names = [setting.name for setting in SETTINGS]
    assert names[:3] == ["MDPUBLISH_HOST", "MDPUBLISH_PORT", "MDPUBLISH_DATABASE_URL"]
    assert len(set(names)) == len(names)
    of_fields = {f"MDPUBLISH_{field.name.upper()}" for field in fields(Settings)}
    of_fields -= {"MDPUBLISH_FREE", "MDPUBLISH_PRO", "MDPUBLISH_HAS_LINK_SUFFIXES", "MDPUBLISH_HAS_WEB_FONTS"}
    assert set(names) == of_fields | {"MDPUBLISH_LINK_SUFFIXES", "MDPUBLISH_WEB_FONTS", *PLAN_VARIABLES}
    assert all(setting.meaning.endswith(".") for setting in SETTINGS)
    assert [each for each in names if each not in PLAN_VARIABLES] == list(_DECLARED)


def test_default_in_the_table_is_the_one_that_is_read() -> None:
    table = {setting.name: setting.default for setting in SETTINGS}
    assert read_settings(table) == read_settings({})


def test_environment_is_read() -> None:
    settings = read_settings(
        {
            "MDPUBLISH_HOST": "0.0.0.0",
            "MDPUBLISH_PORT": "80",
            "MDPUBLISH_DATABASE_URL": "sqlite:////var/lib/mdpublish.db",
            "MDPUBLISH_PUBLIC_URL": "https://pages.example.org",
            "MDPUBLISH_DASHBOARD_URL": "https://accounts.example.org",
            "MDPUBLISH_BASE_URL": "https://api.example.org/mdpublish/v1",
            "MDPUBLISH_SERVICE_NAME": "Pages & more",
            "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8,2001:db8::/32",
            "MDPUBLISH_MAX_CONNECTIONS": "200",
            "MDPUBLISH_NETWORK_CONNECTIONS": "20",
            "MDPUBLISH_PROCESSES": "4",
            "MDPUBLISH_REDIS_URL": "redis://:password@host:6379/0",
            "MDPUBLISH_WORKERS": "3",
            "MDPUBLISH_DEMO_WORKERS": "2",
            "MDPUBLISH_DEMO_RATE_LIMIT": "5",
            "MDPUBLISH_SITE_CPU_SECONDS": "7",
            "MDPUBLISH_DEMO_MEGABYTES": "6",
            "MDPUBLISH_DOCUMENT_REVISIONS": "7",
            "MDPUBLISH_REVISION_MINUTES": "3",
            "MDPUBLISH_REVISION_MEGABYTES": "9",
            "MDPUBLISH_IMAGE_STORE": "s3://bucket/prefix?region=eu-west-1",
            "MDPUBLISH_IMAGE_URL": "https://images.example.org",
            "MDPUBLISH_MAX_IMAGE_MEGABYTES": "20",
            "MDPUBLISH_MAX_IMAGE_MEGAPIXELS": "80",
            "MDPUBLISH_LINK_SUFFIXES": "always",
            "MDPUBLISH_WEB_FONTS": "off",
            "MDPUBLISH_REGISTRATION": "closed",
            "MDPUBLISH_SMTP_URL": "smtps://service:secret@mail.example.org",
            "MDPUBLISH_MCP_ORIGINS": "https://assistant.example.org",
            "MDPUBLISH_MAIL_FROM": "service@example.org",
            "MDPUBLISH_PAGE_CODE_MAILS": "3",
            "MDPUBLISH_ACCOUNT_CODE_MAILS": "4",
            "MDPUBLISH_DOMAIN_CODE_MAILS": "5",
            "MDPUBLISH_OIDC_ISSUER": "https://login.example.org/realms/acme",
            "MDPUBLISH_OIDC_CLIENT_ID": "pages",
            "MDPUBLISH_OIDC_CLIENT_SECRET": "secret",
            "MDPUBLISH_OIDC_DOMAINS": "Example.org, example.com",
            "MDPUBLISH_OIDC_LABEL": "Acme",
            "MDPUBLISH_SCIM_TOKEN": "0123456789abcdef" * 2,
            "MDPUBLISH_AUDIT_DAYS": "30",
            "MDPUBLISH_OIDC_SCOPES": "openid email groups",
            "MDPUBLISH_OIDC_PRO": "groups=editors",
            "MDPUBLISH_OIDC_OPERATORS": "https://acme.example/roles=admin",
            "MDPUBLISH_LOCAL_PASSWORDS": "off",
            "MDPUBLISH_PLUGINS": "mdpublish-core, pytest",
            "MDPUBLISH_STALE_IF_ERROR": "30",
            "MDPUBLISH_METRICS_PORT": "9100",
            "MDPUBLISH_FREE_RATE_LIMIT": "1",
            "MDPUBLISH_FREE_MONTHLY_QUOTA": "2",
            "MDPUBLISH_FREE_DOCUMENTS": "0",
            "MDPUBLISH_FREE_PAGES": "4",
            "MDPUBLISH_FREE_IMAGE_MEGABYTES": "9",
            "MDPUBLISH_PRO_RATE_LIMIT": "5",
            "MDPUBLISH_PRO_MONTHLY_QUOTA": "6",
            "MDPUBLISH_PRO_DOCUMENTS": "7",
            "MDPUBLISH_PRO_PAGES": "8",
            "MDPUBLISH_PRO_IMAGE_MEGABYTES": "10",
        }
    )
    assert settings == Settings(
        host="0.0.0.0",
        port=80,
        database_url="sqlite:////var/lib/mdpublish.db",
        public_url="https://pages.example.org",
        dashboard_url="https://accounts.example.org",
        base_url="https://api.example.org/mdpublish/v1",
        service_name="Pages & more",
        trusted_proxies=(ip_network("127.0.0.1"), ip_network("10.0.0.0/8"), ip_network("2001:db8::/32")),
        max_connections=200,
        network_connections=20,
        processes=4,
        redis_url="redis://:password@host:6379/0",
        workers=3,
        demo_workers=2,
        demo_rate_limit=5,
        site_cpu_seconds=7,
        demo_megabytes=6,
        document_revisions=7,
        revision_minutes=3,
        revision_megabytes=9,
        image_store="s3://bucket/prefix?region=eu-west-1",
        image_url="https://images.example.org",
        max_image_megabytes=20,
        max_image_megapixels=80,
        has_link_suffixes=True,
        has_web_fonts=False,
        registration="closed",
        mcp_origins=("https://assistant.example.org",),
        smtp_url="smtps://service:secret@mail.example.org",
        mail_from="service@example.org",
        page_code_mails=3,
        account_code_mails=4,
        domain_code_mails=5,
        oidc_issuer="https://login.example.org/realms/acme",
        oidc_client_id="pages",
        oidc_client_secret="secret",
        oidc_domains=("example.org", "example.com"),
        oidc_label="Acme",
        oidc_scopes="openid email groups",
        oidc_pro=("groups", "editors"),
        oidc_operators=("https://acme.example/roles", "admin"),
        local_passwords=False,
        scim_token="0123456789abcdef" * 2,
        audit_days=30,
        plugins=("mdpublish-core", "pytest"),
        stale_if_error=30,
        metrics_port=9100,
        free=PlanLimits(rate_limit=1, monthly_quota=2, documents=0, pages=4, image_megabytes=9),
        pro=PlanLimits(rate_limit=5, monthly_quota=6, documents=7, pages=8, image_megabytes=10),
    )
    assert settings.is_encrypted


@pytest.mark.parametrize(("web_fonts", "font_url"), [("off", None), ("on", "http://127.0.0.1:8000/fonts/")])
def test_fonts_lie_below_the_public_url(web_fonts: str, font_url: str | None) -> None:
    assert read_settings({"MDPUBLISH_WEB_FONTS": web_fonts}).font_url == font_url


@pytest.mark.parametrize(
    ("host", "public_url"),
    [
        ("localhost", "http://localhost:8001"),
        ("0.0.0.0", "http://127.0.0.1:8001"),
        ("::", "http://[::1]:8001"),
        ("::1", "http://[::1]:8001"),
    ],
)
def test_urls_follow_from_host_and_port(host: str, public_url: str) -> None:
    settings = read_settings({"MDPUBLISH_HOST": host, "MDPUBLISH_PORT": "8001"})
    assert (settings.public_url, settings.base_url) == (public_url, f"{public_url}/v1")


def test_base_url_follows_from_public_url() -> None:
    assert read_settings({"MDPUBLISH_PUBLIC_URL": "https://example.org"}).base_url == "https://example.org/v1"


def test_empty_variable_counts_as_missing() -> None:
    assert read_settings({setting.name: "" for setting in SETTINGS}) == read_settings({})


@pytest.mark.parametrize(
    ("name", "field", "value", "read"),
    [
        ("MDPUBLISH_PORT", "port", "0", 0),
        ("MDPUBLISH_PORT", "port", "65535", 65_535),
        ("MDPUBLISH_HOST", "host", "::1", "::1"),
        ("MDPUBLISH_DATABASE_URL", "database_url", "sqlite:///a b.db", "sqlite:///a b.db"),
        ("MDPUBLISH_DATABASE_URL", "database_url", "postgresql://a:b@c/d", "postgresql://a:b@c/d"),
        ("MDPUBLISH_DATABASE_URL", "database_url", "postgresql:///d?host=/run", "postgresql:///d?host=/run"),
        # As written by Heroku and others.
        ("MDPUBLISH_DATABASE_URL", "database_url", "postgres://a:b@c/d", "postgresql://a:b@c/d"),
        ("MDPUBLISH_SERVICE_NAME", "service_name", "é" * 60, "é" * 60),
        ("MDPUBLISH_TRUSTED_PROXIES", "trusted_proxies", "::1", (ip_network("::1"),)),
        ("MDPUBLISH_TRUSTED_PROXIES", "trusted_proxies", " 10.0.0.1 ,, ", (ip_network("10.0.0.1"),)),
        ("MDPUBLISH_PROCESSES", "processes", "1", 1),
        ("MDPUBLISH_REDIS_URL", "redis_url", "redis://localhost", "redis://localhost"),
        ("MDPUBLISH_REDIS_URL", "redis_url", "rediss://:p@host:6379/0", "rediss://:p@host:6379/0"),
        ("MDPUBLISH_REDIS_URL", "redis_url", "unix:///run/redis.sock", "unix:///run/redis.sock"),
        ("MDPUBLISH_WORKERS", "workers", "1", 1),
        ("MDPUBLISH_WORKERS", "workers", "64", 64),
        ("MDPUBLISH_DEMO_WORKERS", "demo_workers", "64", 64),
        ("MDPUBLISH_DEMO_RATE_LIMIT", "demo_rate_limit", "1000000", 1_000_000),
        ("MDPUBLISH_SITE_CPU_SECONDS", "site_cpu_seconds", "1000000", 1_000_000),
        ("MDPUBLISH_DEMO_MEGABYTES", "demo_megabytes", "1000000", 1_000_000),
        ("MDPUBLISH_DEMO_MEGABYTES", "demo_megabytes", "0", 0),
        ("MDPUBLISH_DOCUMENT_REVISIONS", "document_revisions", "0", 0),
        ("MDPUBLISH_REVISION_MINUTES", "revision_minutes", "0", 0),
        ("MDPUBLISH_IMAGE_STORE", "image_store", "/srv/a b", "/srv/a b"),
        ("MDPUBLISH_IMAGE_STORE", "image_store", "gs://bucket", "gs://bucket"),
        ("MDPUBLISH_DATABASE_URL", "image_store", "sqlite:////var/lib/m.db", "/var/lib/m.db.images"),
        ("MDPUBLISH_DATABASE_URL", "image_store", "postgresql://a:b@c/d", "mdpublish.images"),
        ("MDPUBLISH_WEB_FONTS", "has_web_fonts", "off", False),
        ("MDPUBLISH_WEB_FONTS", "has_web_fonts", "on", True),
        ("MDPUBLISH_LINK_SUFFIXES", "has_link_suffixes", "always", True),
        ("MDPUBLISH_LINK_SUFFIXES", "has_link_suffixes", "collisions", False),
        ("MDPUBLISH_REGISTRATION", "registration", "open", "open"),
        ("MDPUBLISH_REGISTRATION", "registration", "invitation", "invitation"),
        ("MDPUBLISH_MAIL_FROM", "mail_from", "a@b.c", "a@b.c"),
        ("MDPUBLISH_STALE_IF_ERROR", "stale_if_error", "0", 0),
        ("MDPUBLISH_METRICS_PORT", "metrics_port", "1", 1),
    ],
)
def test_value_is_read(name: str, field: str, value: str, read: object) -> None:
    assert getattr(read_settings({name: value}), field) == read


@pytest.mark.parametrize("plan", ["free", "pro"])
def test_limit_left_empty_is_the_default_and_zero_is_none_at_all(plan: str) -> None:
    limits = getattr(read_settings({f"MDPUBLISH_{plan.upper()}_DOCUMENTS": "0"}), plan)
    assert limits.documents == 0
    limits = getattr(read_settings({f"MDPUBLISH_{plan.upper()}_DOCUMENTS": ""}), plan)
    assert limits.documents == DEFAULTS[plan].documents  # type: ignore[attr-defined]


@pytest.mark.parametrize("url", ["redis://host", "rediss://host", "unix:///run/redis.sock"])
def test_several_processes_count_in_redis(url: str) -> None:
    settings = read_settings({"MDPUBLISH_PROCESSES": "64", "MDPUBLISH_REDIS_URL": url})
    assert (settings.processes, settings.redis_url) == (64, url)


NO_NUMBERS = ("-1", "+1", "1.0", " 1", "1 ", "1_0", "0x1", "1e3", "x", "٨", "²", "9" * 5_000)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("MDPUBLISH_HOST", "a b", "a host name or an IP address, IPv6 without brackets"),
        ("MDPUBLISH_HOST", "http://example.org", "a host name or an IP address, IPv6 without brackets"),
        ("MDPUBLISH_HOST", "[::1]", "a host name or an IP address, IPv6 without brackets"),
        ("MDPUBLISH_HOST", "a\nb", "a host name or an IP address, IPv6 without brackets"),
        ("MDPUBLISH_PORT", "65536", "a whole number from 0 to 65535"),
        ("MDPUBLISH_PROCESSES", "0", "a whole number from 1 to 64"),
        ("MDPUBLISH_PROCESSES", "65", "a whole number from 1 to 64"),
        ("MDPUBLISH_PROCESSES", "2", "1 unless MDPUBLISH_REDIS_URL is set"),
        ("MDPUBLISH_WORKERS", "0", "a whole number from 1 to 64"),
        ("MDPUBLISH_WORKERS", "65", "a whole number from 1 to 64"),
        ("MDPUBLISH_DEMO_WORKERS", "0", "a whole number from 1 to 64"),
        ("MDPUBLISH_DEMO_WORKERS", "65", "a whole number from 1 to 64"),
        ("MDPUBLISH_DEMO_RATE_LIMIT", "1000001", "a whole number from 0 to 1000000"),
        ("MDPUBLISH_METRICS_PORT", "0", "a whole number from 1 to 65535"),
        ("MDPUBLISH_METRICS_PORT", "65536", "a whole number from 1 to 65535"),
        ("MDPUBLISH_FREE_RATE_LIMIT", "0", "a whole number from 1 to 1000000000"),
        ("MDPUBLISH_PRO_MONTHLY_QUOTA", "0", "a whole number from 1 to 1000000000"),
        ("MDPUBLISH_FREE_DOCUMENTS", "1000000001", "a whole number from 0 to 1000000000"),
        ("MDPUBLISH_PRO_PAGES", "1000000001", "a whole number from 0 to 1000000000"),
        # The newest content must fit.
        ("MDPUBLISH_REVISION_MEGABYTES", "1", "a whole number from 2 to 1000"),
        *(
            (name, value, "a whole number from ")
            for name in (
                "MDPUBLISH_PORT",
                "MDPUBLISH_PROCESSES",
                "MDPUBLISH_WORKERS",
                "MDPUBLISH_DEMO_WORKERS",
                "MDPUBLISH_DEMO_RATE_LIMIT",
                "MDPUBLISH_DEMO_MEGABYTES",
                "MDPUBLISH_DOCUMENT_REVISIONS",
                "MDPUBLISH_REVISION_MINUTES",
                "MDPUBLISH_REVISION_MEGABYTES",
                "MDPUBLISH_METRICS_PORT",
                *PLAN_VARIABLES,
            )
            for value in NO_NUMBERS
        ),
        ("MDPUBLISH_TRUSTED_PROXIES", "localhost", "a comma-separated list of IP addresses or networks"),
        ("MDPUBLISH_TRUSTED_PROXIES", "*", "a comma-separated list of IP addresses or networks"),
        ("MDPUBLISH_TRUSTED_PROXIES", "10.0.0.0/33", "a comma-separated list of IP addresses or networks"),
        ("MDPUBLISH_TRUSTED_PROXIES", "10.0.0.1/8", "a comma-separated list of IP addresses or networks"),
        ("MDPUBLISH_TRUSTED_PROXIES", "10.0.0.1 10.0.0.2", "a comma-separated list of IP addresses or networks"),
        ("MDPUBLISH_WEB_FONTS", "true", "off or on"),
        ("MDPUBLISH_LINK_SUFFIXES", "never", "always or collisions"),
        ("MDPUBLISH_LINK_SUFFIXES", "Always", "always or collisions"),
        ("MDPUBLISH_LINK_SUFFIXES", "0", "always or collisions"),
        ("MDPUBLISH_DASHBOARD_URL", "https://accounts.example.org", "a URL that begins with http://"),
        ("MDPUBLISH_DASHBOARD_URL", "http://accounts.example.org/", "a URL without path"),
        ("MDPUBLISH_DASHBOARD_URL", "accounts.example.org", "an http:// or https:// URL"),
        ("MDPUBLISH_IMAGE_URL", "https://images.example.org", "a URL that begins with http://"),
        ("MDPUBLISH_IMAGE_URL", "http://images.example.org/i", "a URL without path"),
        ("MDPUBLISH_MAX_IMAGE_MEGAPIXELS", "81", "a whole number from 1 to 80"),
        ("MDPUBLISH_SMTP_URL", "mail.example.org", "smtp://host:587"),
        ("MDPUBLISH_MAIL_FROM", "service", "an email address"),
        ("MDPUBLISH_MAIL_FROM", "a b@example.org", "an email address"),
        ("MDPUBLISH_REGISTRATION", "off", "open or invitation or closed"),
        ("MDPUBLISH_REGISTRATION", "open ", "open or invitation or closed"),
        ("MDPUBLISH_PUBLIC_URL", "example.org", "an http:// or https:// URL without query, fragment or user"),
        ("MDPUBLISH_PUBLIC_URL", "ftp://example.org", "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", "https://", "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org/", "a URL without path or trailing slash"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org/pages", "a URL without path"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org?a=b", "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org#a", "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org:port", "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", "https://[example.org", "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", 'https://example.org/"', "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", "https://exämple.org", "an http:// or https:// URL"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org\r\nX: y", "an http:// or https:// URL"),
        ("MDPUBLISH_BASE_URL", "https://example.org", "a URL that ends in /v1"),
        ("MDPUBLISH_BASE_URL", "https://example.org/v1/", "a URL that ends in /v1"),
        ("MDPUBLISH_BASE_URL", "/v1", "an http:// or https:// URL"),
        ("MDPUBLISH_SERVICE_NAME", "x" * 61, "1 to 60 characters on one line"),
        ("MDPUBLISH_SERVICE_NAME", "two\nlines", "1 to 60 characters on one line"),
        ("MDPUBLISH_SERVICE_NAME", " ", "1 to 60 characters on one line"),
    ],
)
def test_wrong_value_is_named_with_what_is_allowed(name: str, value: str, allowed: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^{name} must be .+{re.escape(f'(got {value!r})')}$") as caught:
        read_settings({name: value})
    assert (caught.value.name, caught.value.value) == (name, value)
    assert caught.value.allowed.startswith(allowed)


@pytest.mark.parametrize(
    "value",
    [
        "mdpublish.db",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///file:x?mode=memory",
        "mysql://localhost/mdpublish",
        "postgresql+psycopg2://localhost/mdpublish",
        "postgresql://",
        "POSTGRESQL://localhost/mdpublish",
        f"mysql://anna:{SECRET}@localhost/mdpublish",
        f"anna:{SECRET}@localhost",
        f"{SECRET}@localhost",
        f"anna:{SECRET}@mysql://localhost",
    ],
)
def test_wrong_database_is_reported_without_its_password(value: str) -> None:
    with pytest.raises(InvalidSetting, match=r"^MDPUBLISH_DATABASE_URL must be sqlite:///") as caught:
        read_settings({"MDPUBLISH_DATABASE_URL": value})
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        f"http://:{SECRET}@host",
        f"REDIS://:{SECRET}@host",
        f"redis:{SECRET}",
        f":{SECRET}@host",
        f"{SECRET}@host",
        "localhost",
    ],
)
def test_wrong_redis_is_reported_without_its_password(value: str) -> None:
    with pytest.raises(InvalidSetting, match=r"^MDPUBLISH_REDIS_URL must be ") as caught:
        read_settings({"MDPUBLISH_REDIS_URL": value})
    assert caught.value.allowed == "a URL that begins with redis://, rediss:// or unix://"
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("mdpublish.db", "mdpublish.db"),
        ("mysql://localhost/mdpublish", "mysql://…"),
        ("sqlite://", "sqlite://…"),
        ("postgresql+psycopg2://a", "postgresql+psycopg2://…"),
    ],
)
def test_as_much_of_a_wrong_database_is_reported_as_is_no_secret(value: str, shown: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        read_settings({"MDPUBLISH_DATABASE_URL": value})
    assert caught.value.value == shown


@pytest.mark.parametrize("name", ["MDPUBLISH_PUBLIC_URL", "MDPUBLISH_BASE_URL"])
def test_url_with_a_user_is_reported_without_the_password(name: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^{name} must be ") as caught:
        read_settings({name: f"https://anna:{SECRET}@example.org/v1"})
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        f"postgresql://anna:{SECRET}@localhost/mdpublish",
        f"postgresql://localhost/mdpublish?user=anna&password={SECRET}",
        f"postgresql:///mdpublish?host=/run&password={SECRET}",
    ],
)
def test_passwords_are_not_in_what_settings_show(value: str) -> None:
    settings = read_settings({"MDPUBLISH_DATABASE_URL": value, "MDPUBLISH_REDIS_URL": f"redis://:{SECRET}@host/0"})
    assert SECRET in settings.database_url
    assert SECRET not in repr(settings)
    assert SECRET not in str(settings)
    assert SECRET not in redacted_url(settings.database_url)


def test_settings_cannot_be_changed() -> None:
    settings = read_settings({})
    with pytest.raises(AttributeError):
        settings.port = 1  # type: ignore[misc]
