import re
from dataclasses import fields

import pytest

from mdpublish_server.settings import SETTINGS, InvalidSetting, Settings, read_settings


def test_defaults_run_on_loopback() -> None:
    assert read_settings({}) == Settings(
        host="127.0.0.1",
        port=8000,
        database_url="sqlite:///mdpublish.db",
        public_url="http://127.0.0.1:8000",
        base_url="http://127.0.0.1:8000/v1",
        service_name="mdpublish",
    )


def test_each_field_has_its_line_in_the_table() -> None:
    assert [setting.name for setting in SETTINGS[:3]] == ["MDPUBLISH_HOST", "MDPUBLISH_PORT", "MDPUBLISH_DATABASE_URL"]
    assert {setting.name for setting in SETTINGS} == {f"MDPUBLISH_{field.name.upper()}" for field in fields(Settings)}
    assert all(setting.meaning.endswith(".") for setting in SETTINGS)


def test_environment_is_read() -> None:
    settings = read_settings(
        {
            "MDPUBLISH_HOST": "0.0.0.0",
            "MDPUBLISH_PORT": "80",
            "MDPUBLISH_DATABASE_URL": "sqlite:////var/lib/mdpublish.db",
            "MDPUBLISH_PUBLIC_URL": "https://pages.example.org",
            "MDPUBLISH_BASE_URL": "https://api.example.org/mdpublish/v1",
            "MDPUBLISH_SERVICE_NAME": "Pages & more",
        }
    )
    assert settings == Settings(
        host="0.0.0.0",
        port=80,
        database_url="sqlite:////var/lib/mdpublish.db",
        public_url="https://pages.example.org",
        base_url="https://api.example.org/mdpublish/v1",
        service_name="Pages & more",
    )


@pytest.mark.parametrize(
    ("host", "public_url"),
    [
        ("localhost", "http://localhost:8001"),
        ("0.0.0.0", "http://127.0.0.1:8001"),
        ("::", "http://[::1]:8001"),
        ("::1", "http://[::1]:8001"),
    ],
)
def test_addresses_follow_from_host_and_port(host: str, public_url: str) -> None:
    settings = read_settings({"MDPUBLISH_HOST": host, "MDPUBLISH_PORT": "8001"})
    assert (settings.public_url, settings.base_url) == (public_url, f"{public_url}/v1")


def test_base_url_follows_from_public_url() -> None:
    assert read_settings({"MDPUBLISH_PUBLIC_URL": "https://example.org"}).base_url == "https://example.org/v1"


def test_empty_variable_counts_as_missing() -> None:
    assert read_settings({"MDPUBLISH_PORT": "", "MDPUBLISH_SERVICE_NAME": ""}) == read_settings({})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MDPUBLISH_HOST", "a b"),
        ("MDPUBLISH_HOST", "http://example.org"),
        ("MDPUBLISH_HOST", "[::1]"),
        ("MDPUBLISH_PORT", "http"),
        ("MDPUBLISH_PORT", "-1"),
        ("MDPUBLISH_PORT", "65536"),
        ("MDPUBLISH_PORT", "8000.0"),
        ("MDPUBLISH_PORT", " 8000"),
        ("MDPUBLISH_PORT", "٨٠٠٠"),
        ("MDPUBLISH_PORT", "9" * 5000),
        ("MDPUBLISH_DATABASE_URL", "mdpublish.db"),
        ("MDPUBLISH_DATABASE_URL", "sqlite://"),
        ("MDPUBLISH_DATABASE_URL", "sqlite:///"),
        ("MDPUBLISH_DATABASE_URL", "sqlite:///:memory:"),
        ("MDPUBLISH_DATABASE_URL", "postgresql://localhost/mdpublish"),
        ("MDPUBLISH_PUBLIC_URL", "example.org"),
        ("MDPUBLISH_PUBLIC_URL", "ftp://example.org"),
        ("MDPUBLISH_PUBLIC_URL", "https://"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org/"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org/pages"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org?a=b"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org#a"),
        ("MDPUBLISH_PUBLIC_URL", "https://user@example.org"),
        ("MDPUBLISH_PUBLIC_URL", "https://example.org:port"),
        ("MDPUBLISH_PUBLIC_URL", "https://[example.org"),
        ("MDPUBLISH_PUBLIC_URL", 'https://example.org/"'),
        ("MDPUBLISH_PUBLIC_URL", "https://exämple.org"),
        ("MDPUBLISH_BASE_URL", "https://example.org"),
        ("MDPUBLISH_BASE_URL", "https://example.org/v1/"),
        ("MDPUBLISH_BASE_URL", "/v1"),
        ("MDPUBLISH_SERVICE_NAME", "x" * 61),
        ("MDPUBLISH_SERVICE_NAME", "two\nlines"),
        ("MDPUBLISH_SERVICE_NAME", " "),
    ],
)
def test_wrong_value_is_named_with_what_is_allowed(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^{name} is {re.escape(repr(value))}; allowed is ") as caught:
        read_settings({name: value})
    assert (caught.value.name, caught.value.value) == (name, value)


def test_settings_cannot_be_changed() -> None:
    settings = read_settings({})
    with pytest.raises(AttributeError):
        settings.port = 1  # type: ignore[misc]
