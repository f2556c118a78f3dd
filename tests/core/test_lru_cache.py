from mdpublish_core.lru_cache import LruCache


def test_cache_keeps_what_was_used_last_within_its_capacity() -> None:
    cache = LruCache[str, bytes](100, len)
    cache.put("a", bytes(40))
    cache.put("b", bytes(40))
    cache.get("a")
    cache.put("c", bytes(40))

    assert [key for key in "abc" if cache.get(key) == bytes(40)] == ["a", "c"]


def test_cache_takes_no_value_that_has_no_room() -> None:
    cache = LruCache[str, bytes](100, len)
    cache.put("a", bytes(100))
    cache.put("b", bytes(101))

    assert cache.get("a") == bytes(100)
    assert cache.get("b") is None


def test_cache_counts_a_replaced_value_once() -> None:
    cache = LruCache[str, bytes](100, len)
    for size in (40, 60, 20):
        cache.put("a", bytes(size))
    cache.put("b", bytes(80))

    assert cache.get("a") == bytes(20)
    assert cache.get("b") == bytes(80)
    cache.put("c", bytes(1))
    assert cache.get("a") is None


def test_value_too_large_drops_the_one_it_replaces() -> None:
    cache = LruCache[str, bytes](100, len)
    cache.put("a", bytes(40))
    cache.put("a", bytes(101))

    assert cache.get("a") is None


def test_peek_uses_nothing() -> None:
    cache = LruCache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)

    assert cache.peek("a") == 1
    cache.put("c", 3)
    assert cache.peek("a") is None


def test_cleared_cache_has_all_its_capacity() -> None:
    cache = LruCache[str, bytes](100, len)
    cache.put("a", bytes(100))
    cache.clear()
    cache.put("b", bytes(50))
    cache.put("c", bytes(50))

    assert [cache.get(key) for key in "abc"] == [None, bytes(50), bytes(50)]


def test_keys_count_if_their_size_is_given() -> None:
    cache: LruCache[str, str] = LruCache(10, len)
    for key in ("a", "b"):
        cache.put(key, "x", key_size=6)
    assert (cache.get("a"), cache.get("b")) == (None, "x")
    cache.put("b", "y")
    cache.put("c", "z" * 9)
    assert (cache.get("b"), cache.take("c")) == ("y", "z" * 9)
