"""`oidc-provider` from npm, which is certified, and a service that has it as its provider."""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen

from cryptography.hazmat.primitives.asymmetric import rsa

from tests.npm_programs import Program
from tests.running import BIN, running_service
from tests.server.openid_server import encoded

_PROVIDER = Program("oidc-provider", "9.13.3", "lib/index.js", "2026-11-27")
_SCRIPT = Path(__file__).with_name("openid_provider.js")


def private_key(kid: str) -> dict[str, str]:
    """Return an RSA key as a JSON Web Key (RFC 7518, section 6.3)."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048).private_numbers()
    public = key.public_numbers
    numbers = {"n": public.n, "e": public.e, "d": key.d, "p": key.p, "q": key.q}
    numbers |= {"dp": key.dmp1, "dq": key.dmq1, "qi": key.iqmp}
    parts = {name: encoded(each.to_bytes((each.bit_length() + 7) // 8, "big")) for name, each in numbers.items()}
    return {"kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", **parts}


class RealProvider:
    """The running program."""

    def __init__(self, process: "Popen[str]") -> None:
        self._process = process
        self.url = ""
        self.key = private_key("first")
        self.go_on()

    def go_on(self, *, has_sid: bool = False, attack: str = "", deactivated: Sequence[str] = ()) -> None:
        """Take the key, and say whether logout tokens name a session, what goes wrong, and who was deactivated."""
        assert self._process.stdin
        assert self._process.stdout
        state = {"jwks": {"keys": [self.key]}, "has_sid": has_sid, "attack": attack, "deactivated": deactivated}
        print(json.dumps(state), file=self._process.stdin, flush=True)
        self.url = next(line for line in self._process.stdout if line.startswith("http://")).strip()


@dataclass(frozen=True, slots=True)
class Site:
    url: str
    provider: RealProvider
    folder: Path
    """Of the service's database."""


@contextmanager
def site_with_provider(folder: Path) -> Iterator[Site]:
    """Run both, each of which knows the other's address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    command = [str(BIN / "node"), str(_SCRIPT), str(_PROVIDER.installed()), url]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:
        try:
            provider = RealProvider(process)
            settings = {
                "MDPUBLISH_PUBLIC_URL": url,
                "MDPUBLISH_OIDC_ISSUER": provider.url,
                "MDPUBLISH_OIDC_CLIENT_ID": "mdpublish",
                "MDPUBLISH_OIDC_CLIENT_SECRET": "a secret that is long enough",
                "MDPUBLISH_OIDC_DOMAINS": "example.org",
                "MDPUBLISH_WORKERS": "1",
                "MDPUBLISH_DEMO_WORKERS": "1",
            }
            with running_service(folder, "--port", str(port), settings=settings):
                yield Site(url, provider, folder)
        finally:
            process.terminate()
