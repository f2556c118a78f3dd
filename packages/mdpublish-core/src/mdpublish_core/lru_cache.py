"""Caches that forget what was used least recently."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class LruCache(Generic[_Key, _Value]):
    """Values whose sizes, one each by default, add up to at most `capacity`. Thread-safe."""

    def __init__(self, capacity: int, size_of: Callable[[_Value], int] = lambda _value: 1) -> None:
        self._capacity = capacity
        self._size_of = size_of
        self._size = 0
        self._values: OrderedDict[_Key, tuple[_Value, int]] = OrderedDict()
        self._lock = Lock()

    def peek(self, key: _Key) -> _Value | None:
        """Return a value, which is not used by that."""
        stored = self._values.get(key)
        return stored and stored[0]

    def get(self, key: _Key) -> _Value | None:
        with self._lock:
            if (stored := self._values.get(key)) is None:
                return None
            self._values.move_to_end(key)
            return stored[0]

    def take(self, key: _Key) -> _Value | None:
        """Return a value, which is no longer kept."""
        with self._lock:
            value, size = self._values.pop(key, (None, 0))
            self._size -= size
            return value

    def put(self, key: _Key, value: _Value, *, key_size: int = 0) -> None:
        """Keep a value, unless it and its key alone are larger than the cache."""
        size = self._size_of(value) + key_size
        with self._lock:
            self._size -= self._values.pop(key, (None, 0))[1]
            if size > self._capacity:
                return
            self._values[key] = value, size
            self._size += size
            while self._size > self._capacity:
                self._size -= self._values.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._size = 0
