"""Warnings that repeat with every request, once a minute."""

import logging
from collections.abc import Callable
from math import inf
from threading import Lock
from time import monotonic

SECONDS = 60.0


class ThrottledLog:
    """Logs a warning at most once a minute, with the number of those left out since the last."""

    def __init__(self, log: logging.Logger, *, ticks: Callable[[], float] = monotonic) -> None:
        self._log = log
        self._ticks = ticks
        self._lock = Lock()
        self._next_tick = -inf
        self._left_out = 0

    def warning(self, message: str, *values: object) -> bool:
        """Return whether it was logged."""
        with self._lock:
            tick = self._ticks()
            if tick < self._next_tick:
                self._left_out += 1
                return False
            self._next_tick = tick + SECONDS
            left_out, self._left_out = self._left_out, 0
        if left_out:
            self._log.warning(f"{message} (and %d times since the last message)", *values, left_out)
        else:
            self._log.warning(message, *values)
        return True
