from mdpublish_core.figures.caches import ByteCache


def test_cache_keeps_what_was_used_last_within_its_bytes() -> None:
    cache: ByteCache[str, bytes] = ByteCache(100, len)
    cache.put("a", b"x" * 40)
    cache.put("b", b"x" * 40)
    assert cache.get("a") is not None
    cache.put("c", b"x" * 40)
    assert cache.get("b") is None
    assert cache.get("a") == b"x" * 40
    assert cache.get("c") == b"x" * 40
    assert cache.bytes == 80


def test_cache_takes_no_value_that_has_no_room() -> None:
    cache: ByteCache[str, bytes] = ByteCache(100, len)
    cache.put("a", b"x" * 40)
    cache.put("b", b"x" * 101)
    assert cache.get("b") is None
    assert cache.get("a") is not None


def test_cache_counts_a_value_that_takes_the_place_of_another_once() -> None:
    cache: ByteCache[str, bytes] = ByteCache(100, len)
    for size in (40, 60, 20):
        cache.put("a", b"x" * size)
    assert cache.bytes == 20
    assert cache.get("a") == b"x" * 20
