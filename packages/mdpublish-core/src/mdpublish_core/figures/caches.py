"""A cache that is bounded by the bytes of what it holds."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class ByteCache(Generic[Key, Value]):
    """Keeps what was used last, of at most `most_bytes` in all, as `size_of` counts them. Threads may share it."""

    def __init__(self, most_bytes: int, size_of: Callable[[Value], int]) -> None:
        self._most_bytes = most_bytes
        self._size_of = size_of
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """The bytes of all that it holds."""
        return self._bytes

    def get(self, key: Key) -> Value | None:
        """Return what is kept under a key, if it still is."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value, and let go of those that were not used for the longest time; one that has no room is not kept."""
        size = self._size_of(value)
        if size > self._most_bytes:
            return
        with self._lock:
            old = self._values.pop(key, None)
            if old is not None:
                self._bytes -= self._size_of(old)
            self._values[key] = value
            self._bytes += size
            while self._bytes > self._most_bytes:
                _, oldest = self._values.popitem(last=False)
                self._bytes -= self._size_of(oldest)
