"""The deployment files and the Containerfile match the service's settings and commands."""

import re
import subprocess
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from mdpublish_core.figures import pool
from mdpublish_core.workers import MEMORY_BYTES
from mdpublish_server.settings import SETTINGS, Settings, read_settings
from mdpublish_server.validation.body import IMPORT_BODY_BYTES
from tests.docs.pages import PAGES, ROOT

FOLDER = ROOT / "docs/how-to/deploy"
FILES = [ROOT / "Containerfile", *sorted(FOLDER.iterdir())]


def settings_of_the_unit() -> dict[str, str]:
    lines = (FOLDER / "mdpublish.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
    return read


def composed_settings() -> Settings:
    variables = compose()["services"]["mdpublish"]["environment"]
    filled = {name: re.sub(r"\$\{\w+:\?\}", "example", value) for name, value in variables.items()}
    return read_settings({**filled, "MDPUBLISH_HOST": "0.0.0.0"})


def upstream() -> str:
    return str(compose()["services"]["caddy"]["environment"]["UPSTREAM"])


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


def test_memory_of_the_composed_service_is_enough_for_its_workers() -> None:
    service = compose()["services"]["mdpublish"]
    settings = composed_settings()
    workers = settings.processes * (settings.workers + settings.demo_workers)
    allowed = int(service["mem_limit"].removesuffix("g")) << 30
    assert allowed >= workers * (MEMORY_BYTES + pool.MEMORY_BYTES) + settings.processes * (1 << 30)


def test_composed_service_trusts_the_network_that_it_shares_with_caddy_alone() -> None:
    services, networks = compose()["services"], compose()["networks"]
    assert [name for name, service in services.items() if "front" in service["networks"]] == ["mdpublish", "caddy"]
    assert [each["subnet"] for each in networks["front"]["ipam"]["config"]] == [
        compose()["services"]["mdpublish"]["environment"]["MDPUBLISH_TRUSTED_PROXIES"]
    ]
    assert composed_settings().is_encrypted


def test_composed_services_are_those_that_the_settings_name() -> None:
    services = compose()["services"]
    settings = composed_settings()
    for url, port in ((settings.database_url, None), (settings.redis_url, 6379), (f"//{upstream()}", 8000)):
        parts = urlsplit(str(url))
        assert parts.hostname in services
        assert parts.port == port
    assert f"MDPUBLISH_PORT={urlsplit(f'//{upstream()}').port}" in (ROOT / "Containerfile").read_text("utf-8")
    for service in services.values():
        assert set(service.get("depends_on", {})) <= services.keys()
        assert set(service["networks"]) <= compose()["networks"].keys()
        assert all("/" not in service["image"] for service in services.values()), "names a registry"


def test_proxy_of_the_composed_service_reads_its_variables() -> None:
    caddyfile = (FOLDER / "Caddyfile").read_text("utf-8")
    assert set(re.findall(r"\{\$([A-Z]+):", caddyfile)) == compose()["services"]["caddy"]["environment"].keys()


def test_composed_service_is_built_of_this_repository() -> None:
    build = compose()["services"]["mdpublish"]["build"]
    assert (FOLDER / build["context"] / build["dockerfile"]).resolve() == ROOT / "Containerfile"


def test_database_of_the_unit_is_in_its_folder() -> None:
    folder = f"/var/lib/{value_of('StateDirectory')}"
    assert value_of("WorkingDirectory") == folder
    assert settings_of_the_unit()["MDPUBLISH_DATABASE_URL"].startswith(f"sqlite:///{folder}/")


@pytest.mark.parametrize(
    ("file", "bound"), [("nginx.conf", r"client_max_body_size (\d+)m;"), ("Caddyfile", r"max_size (\d+)MiB")]
)
def test_proxies_let_the_largest_file_through(file: str, bound: str) -> None:
    (megabytes,) = re.findall(bound, (FOLDER / file).read_text("utf-8"))
    assert int(megabytes) << 20 >= IMPORT_BODY_BYTES


@pytest.mark.parametrize(
    ("file", "bound"), [("nginx.conf", r"max_conns=(\d+);"), ("Caddyfile", r"max_conns_per_host (\d+)")]
)
def test_proxies_open_fewer_connections_than_the_service_takes(file: str, bound: str) -> None:
    (connections,) = re.findall(bound, (FOLDER / file).read_text("utf-8"))
    assert int(connections) < read_settings({}).max_connections


def test_container_names_no_registry() -> None:
    images = re.findall(r"^(?:FROM |ARG BASE=)(\S+)", (ROOT / "Containerfile").read_text("utf-8"), re.MULTILINE)
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


def test_builder_gets_all_that_the_container_copies() -> None:
    allowed = {line[1:] for line in (ROOT / ".containerignore").read_text().splitlines() if line.startswith("!")}
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Containerfile").read_text("utf-8"), re.MULTILINE)
    assert {path for line in lines for path in line.split()} == allowed


def test_pins_and_hashes_are_where_the_commands_read_them() -> None:
    files = [*PAGES, FOLDER / "check-hashes", FOLDER / "install-checked"]
    named = {name for file in files for name in re.findall(r"[\w./-]*requirements[\w.]*\.txt", file.read_text("utf-8"))}
    assert {name for name in named if not (ROOT / name).is_file()} == set()


def checked(folder: Path, hashes: Path) -> "subprocess.CompletedProcess[str]":
    command = ["sh", str(FOLDER / "check-hashes"), str(folder), str(hashes)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_package_that_is_not_the_tested_one_is_refused(tmp_path: Path) -> None:
    wheels, hashes = tmp_path / "wheels", tmp_path / "requirements.hashes.txt"
    wheels.mkdir()
    (wheels / "click.whl").write_bytes(b"tested")
    hashes.write_text(f"click==1 \\\n    --hash=sha256:{sha256(b'tested').hexdigest()}\n")
    assert checked(wheels, hashes).returncode == 0
    (wheels / "other.whl").write_bytes(b"replaced")
    refused = checked(wheels, hashes)
    assert (refused.returncode, refused.stderr) == (1, f"{wheels}/other.whl: its hash is not in {hashes}\n")


def test_unit_lets_workers_confine_themselves() -> None:
    """systemd 252 does not count these among the system calls of services."""
    allowed = (FOLDER / "mdpublish.service").read_text("utf-8")
    for name in ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp"):
        assert re.search(rf"^SystemCallFilter=(?!~).*\b{name}\b", allowed, re.MULTILINE)
