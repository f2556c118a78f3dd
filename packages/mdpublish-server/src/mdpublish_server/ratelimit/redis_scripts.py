"""Scripts in Redis, without waiting for a Redis that is down or slow: then callers count on their own."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.exceptions import RedisError
from redis.retry import Retry

from mdpublish_server.throttled_log import ThrottledLog

TIMEOUT_SECONDS = 0.1
"""Counting locally beats waiting longer for Redis."""

_RETRY_SECONDS = 1.0
"""After a failure; meanwhile, no request waits for Redis."""

_THREADS = 8
"""Requests that wait for Redis at once."""

_log = logging.getLogger(__name__)


class RedisScripts:
    """Runs scripts, which count. Thread-safe."""

    def __init__(
        self, url: str, *, ticks: Callable[[], float] = monotonic, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> None:
        self._client = Redis.from_url(
            url,
            # RESP2 needs no handshake.
            protocol=2,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            # A retry could count twice.
            retry=Retry(NoBackoff(), 0),
        )
        self.outage = Outage(ticks)
        # A timeout of the event loop would be taken for one of Redis whenever the loop is late.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="mdpublish-redis")

    def script(self, name: str) -> Script:
        """Return the script of a file beside this one."""
        return self._client.register_script(Path(__file__).with_name(f"{name}.lua").read_text("utf-8"))

    def run_now(self, script: Script, keys: Sequence[str], arguments: Sequence[int | str]) -> Any | None:
        """Run a script; return None if Redis does not answer."""
        if not self.outage.may_retry():
            return None
        try:
            reply = script(list(keys), list(arguments))
        except RedisError as error:
            self.outage.begin(error)
            return None
        self.outage.end()
        return reply

    async def run(self, script: Script, keys: Sequence[str], arguments: Sequence[int | str]) -> Any | None:
        """Do as `run_now`, in a thread; while Redis is down, return None and look for it in the background."""
        if not self.outage.is_down:
            work = partial(self.run_now, script, keys, arguments)
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        if self.outage.may_retry():
            self._threads.submit(self._ping)
        return None

    def _ping(self) -> None:
        try:
            self._client.ping()
        except RedisError as error:
            self.outage.begin(error)
        else:
            self.outage.end()

    def close(self) -> None:
        self._threads.shutdown()
        self._client.close()


class Outage:
    """An outage of Redis, retried every second and logged once a minute."""

    def __init__(self, ticks: Callable[[], float]) -> None:
        self._ticks = ticks
        self._lock = Lock()
        self.is_down = False
        self._retry_tick = -inf
        self._log = ThrottledLog(_log, ticks=ticks)
        self._is_logged = False

    def may_retry(self) -> bool:
        with self._lock:
            if not self.is_down:
                return True
            tick = self._ticks()
            if tick < self._retry_tick:
                return False
            self._retry_tick = tick + _RETRY_SECONDS
            return True

    def begin(self, error: RedisError) -> None:
        with self._lock:
            self.is_down = True
            self._retry_tick = self._ticks() + _RETRY_SECONDS
            message = "Redis is unavailable; each process counts requests on its own: %s: %s"
            self._is_logged |= self._log.warning(message, type(error).__name__, error)

    def end(self) -> None:
        if not self.is_down:
            return
        with self._lock:
            self.is_down = False
            was_logged, self._is_logged = self._is_logged, False
        if was_logged:
            _log.warning("Redis is available again; requests are counted across processes")
