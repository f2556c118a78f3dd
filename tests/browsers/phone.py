"""A phone with an app for one-time passwords: `jsqr` reads its camera's picture, `otpauth` computes its codes."""

import subprocess
from io import BytesIO
from pathlib import Path
from time import time

from PIL import Image

from tests.npm_programs import Program
from tests.running import BIN

_LIBRARIES = Program("otpauth", "9.5.2", "dist/otpauth.node.cjs", "2026-11-27", beside=("jsqr@1.4.0",))
_SCRIPT = Path(__file__).with_suffix(".js")
_STEP_SECONDS = 30


class Phone:
    """An app that has scanned the QR code of a screenshot."""

    def __init__(self, screenshot: bytes) -> None:
        image = Image.open(BytesIO(screenshot)).convert("RGBA")
        width, height = map(str, image.size)
        self.uri = _run("read", width, height, pixels=image.tobytes())
        assert self.uri, "no QR code was found"

    def code(self, *, steps: int = 0) -> str:
        """Return the code that is shown now, or some steps later."""
        return _run("code", self.uri, str(int((time() + steps * _STEP_SECONDS) * 1_000)))


def _run(*arguments: str, pixels: bytes = b"") -> str:
    command = [str(BIN / "node"), str(_SCRIPT), str(_LIBRARIES.installed()), *arguments]
    return subprocess.run(command, input=pixels, capture_output=True, check=True).stdout.decode()
