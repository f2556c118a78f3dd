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
        self._values: OrderedDict[_Key, _Value] = OrderedDict()
        self._lock = Lock()

    def peek(self, key: _Key) -> _Value | None:
        """Return a value, which is not used by that."""
        return self._values.get(key)

    def get(self, key: _Key) -> _Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def take(self, key: _Key) -> _Value | None:
        """Return a value, which is no longer kept."""
        with self._lock:
            if (value := self._values.pop(key, None)) is not None:
                self._size -= self._size_of(value)
            return value

    def put(self, key: _Key, value: _Value) -> None:
        """Keep a value, unless it alone is larger than the cache."""
        size = self._size_of(value)
        with self._lock:
            if key in self._values:
                self._size -= self._size_of(self._values.pop(key))
            if size > self._capacity:
                return
            self._values[key] = value
            self._size += size
            while self._size > self._capacity:
                self._size -= self._size_of(self._values.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._size = 0
