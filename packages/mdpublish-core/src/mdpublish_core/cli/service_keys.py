"""The service that commands use, and the API key for it: from options and the environment, else as `login` kept it."""

import json
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from mdpublish_core.resources.folder_files import atomic_write

_KEYRING = "mdpublish"


def service_and_key(service_url: str | None) -> tuple[str, str]:
    """Return the service's URL and the key for it, empty if there is none."""
    if not (url := (service_url or str(_read().get("last", ""))).rstrip("/").removesuffix("/v1")):
        raise click.UsageError("name a service: --service URL, the variable MDPUBLISH_URL, or mdpublish login")
    if not url.startswith(("https://", "http://")):
        raise click.UsageError(f"the URL of a service begins with https:// (got {url!r})")
    key = os.environ.get("MDPUBLISH_API_KEY") or find_secret(url)
    return url, key


def keep_key(service_url: str, api_key: str) -> str:
    """Keep the key for a service, which becomes that of the last login; return where."""
    _write(_read() | {"last": service_url})
    return keep_secret(service_url, api_key)


def keep_secret(name: str, secret: str) -> str:
    """Keep a secret in the system's keyring, else in a file that its owner alone can read; return where."""
    settings = _read()
    keys = settings.setdefault("keys", {})
    keys.pop(name, None)
    keyring = _keyring()
    place = "the system's keyring"
    if keyring is not None:
        keyring.set_password(_KEYRING, name, secret)
    else:
        keys[name] = secret
        place = str(_path())
    _write(settings)
    return place


def find_secret(name: str) -> str:
    """Return a secret that was kept, empty if there is none."""
    keyring = _keyring()
    from_keyring = keyring.get_password(_KEYRING, name) if keyring is not None else None
    return from_keyring or str(_read().get("keys", {}).get(name, ""))


def _keyring() -> Any:
    """Return the module `keyring`, or None if it is not installed or has no keyring here."""
    try:
        keyring = import_module("keyring")
        return keyring if keyring.get_keyring().priority >= 1 else None
    except (ImportError, RuntimeError):
        return None


def _path() -> Path:
    return Path(click.get_app_dir("mdpublish")) / "services.json"


def _read() -> dict[str, Any]:
    try:
        content = json.loads(_path().read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise click.ClickException(f"cannot read {_path()}: {error}") from None
    return dict(content) if isinstance(content, Mapping) else {}


def _write(content: Mapping[str, Any]) -> None:
    with atomic_write(_path(), mode=0o600) as new:
        new.write(json.dumps(content, indent=2).encode())
