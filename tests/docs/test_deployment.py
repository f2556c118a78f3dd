"""The deployment files and the Containerfile match the service's settings and commands."""

import re
from ipaddress import ip_address
from pathlib import Path

import pytest

from mdpublish_core.figures import pool
from mdpublish_core.workers import MEMORY_BYTES
from mdpublish_server.settings import SETTINGS, read_settings
from mdpublish_server.validation.body import DOCUMENT_BODY_BYTES
from tests.docs.pages import ROOT

FOLDER = ROOT / "docs/how-to/deploy"
FILES = [ROOT / "Containerfile", *sorted(FOLDER.iterdir())]


def settings_of_the_unit() -> dict[str, str]:
    lines = (FOLDER / "mdpublish.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def value_of(name: str) -> str:
    (value,) = re.findall(rf"^{name}=(.*)$", (FOLDER / "mdpublish.service").read_text("utf-8"), re.MULTILINE)
    return str(value)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_variable_is_a_setting(file: Path) -> None:
    named = set(re.findall(r"MDPUBLISH_[A-Z_]*[A-Z]", file.read_text("utf-8")))
    assert named - {setting.name for setting in SETTINGS} == set()


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda file: file.name)
def test_every_file_is_named_by_a_page(file: Path) -> None:
    assert any(f"](deploy/{file.name})" in page.read_text("utf-8") for page in (ROOT / "docs/how-to").glob("*.md"))


def test_settings_of_the_unit_are_allowed() -> None:
    settings = read_settings(settings_of_the_unit())
    assert settings.is_encrypted
    assert settings.trusted_proxies


def test_memory_of_the_unit_is_enough_for_its_workers() -> None:
    settings = read_settings(settings_of_the_unit())
    allowed = int(value_of("MemoryMax").removesuffix("G")) << 30
    workers = settings.processes * (settings.workers + settings.demo_workers)
    assert allowed >= workers * (MEMORY_BYTES + pool.MEMORY_BYTES) + settings.processes * (1 << 30)


def test_database_of_the_unit_is_in_its_folder() -> None:
    folder = f"/var/lib/{value_of('StateDirectory')}"
    assert value_of("WorkingDirectory") == folder
    assert settings_of_the_unit()["MDPUBLISH_DATABASE_URL"].startswith(f"sqlite:///{folder}/")


@pytest.mark.parametrize(
    ("file", "bound"), [("nginx.conf", r"client_max_body_size (\d+)m;"), ("Caddyfile", r"max_size (\d+)MiB")]
)
def test_proxies_let_the_largest_document_through(file: str, bound: str) -> None:
    (megabytes,) = re.findall(bound, (FOLDER / file).read_text("utf-8"))
    assert int(megabytes) << 20 >= DOCUMENT_BODY_BYTES


@pytest.mark.parametrize(
    ("file", "bound"), [("nginx.conf", r"max_conns=(\d+);"), ("Caddyfile", r"max_conns_per_host (\d+)")]
)
def test_proxies_open_fewer_connections_than_the_service_takes(file: str, bound: str) -> None:
    (connections,) = re.findall(bound, (FOLDER / file).read_text("utf-8"))
    assert int(connections) < read_settings({}).max_connections


def test_container_names_no_registry() -> None:
    images = re.findall(r"^FROM (\S+)", (ROOT / "Containerfile").read_text("utf-8"), re.MULTILINE)
    assert images
    assert [image for image in images if "/" in image] == []


def test_nginx_counts_connections_by_network() -> None:
    config = (FOLDER / "nginx.conf").read_text("utf-8")
    (pattern,) = re.findall(r'map \$binary_remote_addr \$client_network \{\n\s+"~(.*)" \$prefix;', config)
    assert "limit_conn_zone $client_network " in config

    def key(ip: str) -> bytes:
        packed = ip_address(ip).packed
        match = re.match(pattern.encode(), packed)
        return match["prefix"] if match else packed

    assert key("2001:db8::1") == key("2001:db8::ffff:a0a:a0a") != key("2001:db8:0:1::1")
    # A newline among the bytes.
    assert key("2001:0a0a::1") == key("2001:0a0a::2") != key("2001:0a0a:1::1")
    assert key("192.0.2.1") != key("192.0.2.2")
