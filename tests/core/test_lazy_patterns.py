import re

import pytest

from mdpublish_core.strings.lazy_patterns import compile_lazily


def test_pattern_has_the_methods_and_attributes_of_a_compiled_one() -> None:
    pattern, compiled = compile_lazily("(?P<first>A)b", re.IGNORECASE), re.compile("(?P<first>A)b", re.IGNORECASE)
    content = "xab"

    assert pattern.pattern == compiled.pattern
    assert pattern.flags == compiled.flags
    assert pattern.groups == compiled.groups
    assert pattern.groupindex == compiled.groupindex
    assert pattern.sub("-", content) == compiled.sub("-", content) == "x-"
    assert pattern.split(content) == compiled.split(content)
    assert pattern.findall(content) == compiled.findall(content)
    assert [match["first"] for match in pattern.finditer(content)] == ["a"]
    assert pattern.search(content) is not None
    assert pattern.match(content) is None
    assert pattern.fullmatch(content, 1) is not None


def test_pattern_is_compiled_when_first_used() -> None:
    pattern = compile_lazily("(")

    with pytest.raises(re.error):
        pattern.search("")


def test_unknown_attribute_is_an_error() -> None:
    with pytest.raises(AttributeError):
        _ = compile_lazily("a").unknown  # type: ignore[attr-defined]
