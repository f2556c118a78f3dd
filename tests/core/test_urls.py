import pytest

from mdpublish_core.resources.urls import encode_url, is_safe_url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "#a",
        "/a",
        "a/b",
        "../a",
        "?q=a:b",
        "//host/a",
        "http://a",
        "HTTPS://a",
        "mailto:a@b",
        "tel:+1",
        "./a:b",
        "1:2",
    ],
)
def test_relative_urls_and_known_schemes_are_safe(url: str) -> None:
    assert is_safe_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "\x01javascript:alert(1)",
        "java\tscript:alert(1)",
        "java\nscript:alert(1)",
        "java\u200bscript:alert(1)",
        "vbscript:x",
        "data:text/html,x",
        "file:///etc/passwd",
        "blob:x",
        "view-source:x",
        "x-unknown:y",
    ],
)
def test_other_schemes_are_not_safe(url: str) -> None:
    assert not is_safe_url(url)


@pytest.mark.parametrize(
    ("url", "encoded"),
    [
        ("https://a.b/c?d=e&f#g", "https://a.b/c?d=e&f#g"),
        ("a b", "a%20b"),
        ("a%20b", "a%20b"),
        ("ä", "%C3%A4"),
        ("[a]", "%5Ba%5D"),
        ('"<>\\`^{|}', "%22%3C%3E%5C%60%5E%7B%7C%7D"),
        ("(a)*'!", "(a)*'!"),
    ],
)
def test_url_is_encoded_once(url: str, encoded: str) -> None:
    assert encode_url(url) == encoded
