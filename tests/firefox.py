"""Runs Debian's Firefox, through Marionette, its own protocol: pages of local files, scripts and screenshots."""

import shutil
import warnings
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    # The session `tests` collects these tests without the driver installed.
    from marionette_driver.marionette import Marionette


class Firefox:
    def __init__(self, driver: "Marionette") -> None:
        self._driver = driver

    def open(self, page: Path) -> None:
        self._driver.navigate(page.as_uri())

    def evaluate(self, script: str) -> Any:
        return self._driver.execute_script(script, sandbox="system")

    def screenshot(self) -> bytes:
        """Return the whole page as PNG."""
        return b64decode(self._driver.screenshot(full=True))


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    path = shutil.which("firefox-esr")
    assert path is not None, "no firefox-esr on PATH; install it (Debian: firefox-esr)"
    driver = _started(path, tmp_path_factory.mktemp("firefox") / "gecko.log")
    driver.set_window_rect(width=1280, height=900)
    yield Firefox(driver)
    driver.quit()
    driver.cleanup()
    # Else its destructor does it again, when nothing can be imported.
    driver.instance = None


def _started(path: str, log: Path) -> "Marionette":
    with warnings.catch_warnings():
        # The driver has old escape sequences, and leaves the sockets open with which it asks for Firefox.
        warnings.simplefilter("ignore")
        from marionette_driver.marionette import Marionette

        # Port 0 is a free one: other processes of tests have a Firefox, too.
        driver = Marionette(bin=path, headless=True, port=0, gecko_log=str(log))
        driver.start_session()
    return driver
