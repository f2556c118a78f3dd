import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core.testing import check_linear
from mdpublish_server.errors import ValidationError
from mdpublish_server.validation.slugs import (
    is_too_short,
    random_slug,
    random_suffix,
    slug_of_title,
    validate_slug,
    with_suffix,
)

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

SLUGS = st.from_regex(SLUG, fullmatch=True).filter(lambda slug: 3 <= len(slug) <= 60)

# Any code point, lone surrogates too, and titles of mostly usable characters.
TITLES = st.one_of(
    st.text(),
    st.text(st.characters(codec=None)),
    st.text(st.sampled_from("abz019 --_ÄöüßẞéЖ你🎉'."), max_size=200),
)


@pytest.mark.parametrize("slug", ["abc", "a-b", "123", "a" * 60, "one-two-3", "0-0"])
def test_slug_is_taken_as_it_is(slug: str) -> None:
    assert validate_slug(slug) == slug


@pytest.mark.parametrize(
    "slug", ["-ab", "ab-", "a--b", "Abc", "a_b", "a b", "a.b", "äbc", "abc\n", "a/b", "../a", "abc\0", "٣٤٥", "---"]
)
def test_slug_of_other_characters_is_refused(slug: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_slug(slug)
    assert refused.value.message == f"slug must consist of a-z, 0-9 and single hyphens between them (got {slug!r})"


@pytest.mark.parametrize("slug", ["", "ab", "a" * 61, "-" * 1_000_000])
def test_slug_of_another_length_is_refused_without_being_repeated(slug: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_slug(slug)
    assert refused.value.message == f"slug must be 3 to 60 characters (got {len(slug):,})"


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("My first page", "my-first-page"),
        ("  Über Äpfel, Öl & süße Straßen  ", "ueber-aepfel-oel-suesse-strassen"),
        ("A\u0308pfel, O\u0308l, U\u0308bung", "aepfel-oel-uebung"),
        ("GROẞ", "gross"),
        ("Café à la crème", "cafe-a-la-creme"),
        ("Привет, мир", "privet-mir"),
        ("你好，世界", "nihao-shijie"),
        ("Q & A", "q-a"),
        ("C++ 23: what's new?", "c-23-what-s-new"),
        ("../../etc/passwd", "etc-passwd"),
        ("<script>alert(1)</script>", "script-alert-1-script"),
        ("50 %", "50"),
        ("Q3", "q3"),
        ("", ""),
        ("!?…—", ""),
        ("\ud800\udfff\0", ""),
    ],
)
def test_title_makes_a_slug(title: str, slug: str) -> None:
    assert slug_of_title(title) == slug


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        # The 50th character is a hyphen, ends a word, precedes a word's last character, or is inside a word.
        ("word " * 20, "-".join(["word"] * 10)),
        (f"{'a' * 25} {'b' * 24} c", f"{'a' * 25}-{'b' * 24}"),
        (f"{'a' * 24} {'b' * 24} c", f"{'a' * 24}-{'b' * 24}"),
        (f"{'a' * 24} {'b' * 24} cd", f"{'a' * 24}-{'b' * 24}"),
        (f"{'a' * 25} {'b' * 30}", "a" * 25),
        # A long word is truncated rather than dropped.
        (f"{'a' * 24} {'b' * 30}", f"{'a' * 24}-{'b' * 25}"),
        (f"{'a' * 49} {'b' * 9}", "a" * 49),
        (f"{'a' * 50} {'b' * 9}", "a" * 50),
        ("a" * 60, "a" * 50),
    ],
)
def test_long_title_is_cut_at_the_end_of_a_word(title: str, slug: str) -> None:
    assert slug_of_title(title) == slug


@given(TITLES)
@example("\ud800")
@example("\u0130" * 60)
@example("\ufdfa" * 60)
def test_every_title_makes_a_slug_or_one_that_is_too_short(title: str) -> None:
    slug = slug_of_title(title)
    if is_too_short(slug):
        assert len(re.findall(r"[a-zA-Z0-9]", title)) < 3
    else:
        assert validate_slug(slug) == slug
        assert len(slug) <= 50
        # Idempotent.
        assert slug_of_title(slug) == slug


@pytest.mark.parametrize(
    "piece", ["a", "-", "a ", "ä", "a\u0308", "\u0308\u0323", "你", "🎉", "\ufdfa", "\u0130", "\ud800"]
)
def test_work_grows_with_the_title(piece: str) -> None:
    check_linear(lambda times: piece * times, slug_of_title, characters=2_000)


@given(SLUGS, st.from_regex(r"[a-z0-9]{1,20}", fullmatch=True))
@example("a-" * 26 + "abc", "1234567")
@example("a" * 60, "2")
def test_suffixed_slug_is_a_slug_that_ends_in_the_suffix(slug: str, suffix: str) -> None:
    longer = with_suffix(slug, suffix)
    assert validate_slug(longer) == longer
    assert longer.endswith(f"-{suffix}")
    # Truncated only if too long.
    assert longer == f"{slug}-{suffix}" or len(slug) + 1 + len(suffix) > 60


@pytest.mark.parametrize(
    ("slug", "suffix", "longer"), [("my-page", "2", "my-page-2"), ("a" * 60, "2", "a" * 58 + "-2")]
)
def test_suffix_follows_a_hyphen(slug: str, suffix: str, longer: str) -> None:
    assert with_suffix(slug, suffix) == longer


def test_suffix_of_a_slug_derived_from_a_title_never_shortens_it() -> None:
    slug = slug_of_title("a" * 200)
    assert slug
    assert with_suffix(slug, random_suffix()).startswith(slug)


def test_random_suffixes_differ() -> None:
    suffixes = {random_suffix() for _ in range(1_000)}
    # One run in four thousand has a duplicate; ten never occur.
    assert len(suffixes) > 990
    assert all(re.fullmatch(r"[a-z0-9]{6}", suffix) for suffix in suffixes)
    assert len(set("".join(suffixes))) == 36


def test_random_slugs_differ() -> None:
    slugs = {random_slug() for _ in range(1_000)}
    assert len(slugs) == 1_000
    assert all(len(slug) >= 12 and validate_slug(slug) == slug for slug in slugs)
