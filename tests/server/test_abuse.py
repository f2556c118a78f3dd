"""The abuse filter on sample documents.

Its weights are trained on all of them (`abuse_training`), so that the figures here guard against regressions and are no
estimate for other texts; `docs/explanation/abuse-filter.md` has figures of cross-validation.
"""

import gc
import re
from collections.abc import Callable
from functools import cache, partial
from itertools import accumulate, pairwise
from time import thread_time

import pytest

from mdpublish_core.testing import check_linear
from mdpublish_core.testing.steps import count_steps
from mdpublish_server.abuse import scan
from mdpublish_server.abuse.extraction import Link, PageContent, extract_page
from mdpublish_server.abuse.intents import KINDS
from mdpublish_server.abuse.model import WORDS_FILE
from mdpublish_server.abuse.normalize import normalize
from mdpublish_server.abuse.passages import Passage, link_masks, passages_of, tables
from mdpublish_server.abuse.quoting import QUOTE_CHARACTERS, quote
from mdpublish_server.validation.validators import MARKDOWN_BYTES
from tests.cpu_time import slowness
from tests.server.abuse_texts import Sample, all_samples

CAUGHT = 0.95
"""Minimum catch rate of lures that can be replied to."""

REFUSED = 0.02
"""Maximum share of ordinary texts that are refused."""

REFUSED_READMES = 0.01

WORDS_BYTES = 300_000

LANGUAGES = ("de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "tr")

SECONDS = 0.3
"""CPU time for 100 KB on the reference machine (`tests.cpu_time`)."""

GROWTH = 3.0
"""Maximum growth when the input doubles; quadratic time would grow by 4."""

NOISE_SECONDS = 0.02

SMALL = 2_000
"""Characters, of which ten times as many take steps in proportion."""

STEPS_PER_CHARACTER = 150
""""bullets" take 107."""

SAMPLES = tuple(all_samples())
LURES = tuple(sample for sample in SAMPLES if sample.is_lure)
ORDINARY = tuple(sample for sample in SAMPLES if not sample.is_lure)

BRAND_LURE = "Your PayPal account has been suspended. [Verify your password](https://paypa1-login.example/login) within 24 hours."


@cache
def response_to(sample: Sample) -> str | None:
    return scan("Page", sample.markdown)


def _name(sample: Sample) -> str:
    return f"{sample.language} {sample.kind}: {sample.name}"


def test_each_language_has_lures_and_ordinary_texts() -> None:
    for language in LANGUAGES:
        assert sum(sample.language == language for sample in LURES) >= 40
        assert sum(sample.language == language for sample in ORDINARY) >= 50


@pytest.mark.corpora
def test_nearly_all_lures_are_caught() -> None:
    reachable = [sample for sample in LURES if response_to(sample) or passages_of("Page", sample.markdown)[1]]

    missed = [_name(sample) for sample in reachable if response_to(sample) is None]

    assert len(reachable) >= 650
    assert len(missed) <= (1 - CAUGHT) * len(reachable), f"missed {len(missed)} of {len(reachable)}: {missed}"


@pytest.mark.corpora
def test_hardly_an_ordinary_text_is_refused() -> None:
    refused = [_name(sample) for sample in ORDINARY if response_to(sample)]

    assert len(refused) <= REFUSED * len(ORDINARY), f"refused {len(refused)} of {len(ORDINARY)}: {refused}"


@pytest.mark.nightly
@pytest.mark.short
def test_hardly_a_readme_is_refused(many_readmes: dict[str, str], readmes_of_trades: dict[str, str]) -> None:
    documents = {**many_readmes, **readmes_of_trades}

    refused = {name: reason for name, markdown in documents.items() if (reason := scan(name, markdown))}

    assert len(documents) >= 500
    assert len(refused) < REFUSED_READMES * len(documents), f"refused {len(refused)} of {len(documents)}: {refused}"


@pytest.mark.parametrize(
    "markdown",
    [
        "Your account has been suspended! Verify your password, card number and PIN within 24 hours or lose it.",
        "Buy 5 Apple gift cards today, send me photos of the codes, and keep it secret. I'll pay you back tonight.",
        "Congratulations, you won 1,000,000 dollars on 2026-11-22! Pay the fee of 250.000,00 EUR now.",
    ],
)
def test_text_without_a_way_to_reply_or_pay_is_never_refused(markdown: str) -> None:
    assert scan("Urgent security alert", markdown) is None


@pytest.mark.parametrize(
    "way",
    [
        "https://a-b.example",
        "help@a-b.example",
        "+1 (888) 555-0133",
        "DE89 3704 0044 0532 0130 00",
        "a-b [dot] com",
        "at a-b.example.",
        "**a-b.test/c**",
        "`a-b.example`",
        "wa.me/15555550133",
        "は a-b.test から",
        "番号070-0000-4418に",
        "電話：050-0000-3381（無料）",
        "LINE ID：a_b_example",
        "![A photo](a.png)",
        "answer this by e-mail",
        "bitte antworte mir hier mit dem Code",
        "a courier will pick up the money",
    ],
)
def test_way_to_reply_or_pay_is_recognized(way: str) -> None:
    assert passages_of("", f"Hello {way}")[1]


@pytest.mark.parametrize(
    "markdown",
    ["See setup.py, readme.md and node.js, i.e. a.b.c, version 1.2.3.", "It is done.It is late. Call me.at 5"],
)
def test_names_of_files_and_ends_of_sentences_are_no_hosts(markdown: str) -> None:
    assert not passages_of("", markdown)[1]


def _signals(markdown: str) -> set[str]:
    bits = tables().bits
    return {name for passage in passages_of("", markdown)[1] for name, bit in bits.items() if passage.signals & bit}


@pytest.mark.parametrize(
    "markdown",
    [
        "Pay for the parking space: ![Scan me](a.png)",
        "Pay for the parking space.\n\n![](https://a.example/qr.png)",
        'Scan to pay for the parking space: <img src="a.png">',
    ],
)
def test_image_to_be_scanned_for_payment_leads_somewhere(markdown: str) -> None:
    assert {"picture-asks", "picture-money"} <= _signals(markdown)


def test_image_near_a_payment_that_is_not_to_be_scanned_leads_nowhere() -> None:
    assert "picture-asks" not in _signals("Pay the fee of the club. ![The club in June](club.png)")


CHANGED_ACCOUNT = (
    "Our bank account has changed. Pay the overdue invoice today to the new account DE00 1234 0000 5678 0000 12 only. "
    "Do not call, the office is moving; confirm to accounts@supplier.example."
)


@pytest.mark.parametrize(
    ("kind", "markdown"),
    [
        (
            "a promise of guaranteed profit",
            "Send 0.1 to 5 BTC to bc1qexample0000xy and receive double the amount back in minutes. Only 20 % are left.",
        ),
        (
            "a request to pay into a changed account",
            CHANGED_ACCOUNT,
        ),
        (
            "a request to sign in or pay on an unrelated site",
            "Der Parkautomat ist defekt. Scannen Sie den Code und zahlen Sie mit Karte, sonst wird abgeschleppt: ![QR](qr.png)",
        ),
    ],
)
def test_doubled_coins_changed_accounts_and_parking_codes_are_refused(kind: str, markdown: str) -> None:
    assert str(scan("", markdown)).partition(":")[0] == kind


QUIZ = (
    "Can you spot the phishing mail? In our training this week we read it aloud and look for what is wrong with it:"
    "\n\n{}\n\nNever follow such a link. Forward the mail to the service desk, and ask your neighbor if you are in doubt."
)


@pytest.mark.parametrize("form", ["> {}", "```\n{}\n```", "\u201c{}\u201d"])
def test_lure_that_a_lesson_quotes_is_not_its_voice(form: str) -> None:
    quoted = "Your mailbox is full. Confirm your password at example.test/login within 24 hours."

    assert scan("", QUIZ.format(form.format(quoted))) is None
    assert "password" not in _signals(QUIZ.format(form.format(quoted)))


def test_lure_in_a_quotation_without_a_lesson_is_refused() -> None:
    assert scan("", f"> {LURE}") is not None
    assert scan("", f"Phishing!\n\n> {LURE}") is not None


def test_links_past_the_bound_are_not_read() -> None:
    hosts = " ".join(f"[a](https://paypal{number}-login.example/)" for number in range(1000))

    page, _ = passages_of("", hosts)

    assert len(page.links) == 1000
    assert len(set(link_masks(page.links)[301:])) == 1


def test_weights_are_small() -> None:
    assert WORDS_FILE.stat().st_size < WORDS_BYTES


def test_title_is_scanned() -> None:
    markdown = "[Open the page](https://pp.example/start)"

    assert scan("Page", markdown) is None
    assert scan("Your PayPal account is suspended, verify your password within 24 hours", markdown) is not None


@pytest.mark.corpora
def test_abuse_between_ordinary_samples_is_caught(readmes: dict[str, str]) -> None:
    lure = f"{readmes['express']}\n\n{BRAND_LURE}\n\n{readmes['express']}"

    assert scan("express", lure) is not None


LURE = "Your account has been suspended. Verify your password at https://pp-login.example/login within 24 hours."

LINKED_LURE = (
    "**Your account has been *suspended*.** [Verify your password](https://pp-login.example/login) within 24 hours."
)


@pytest.mark.parametrize(
    "markdown",
    [
        f"<x-alert>\n{LINKED_LURE}\n</x-alert>",
        f"<x-alert>{LINKED_LURE}</x-alert>",
        f'<x-alert note="{LURE}">',
        f"<div><x-alert note='{LURE}'/></div>",
        f"<!alert {LURE}>",
        f"<?alert {LURE} ?>",
        f"<!--\n\n{LINKED_LURE}",
        f"> <script>\n> {LINKED_LURE}\n\n</script>",
        f'<title note="{LURE}">',
        f'<iframe src="x" title="{LURE}">\n\nText',
        f"<div>\n<style>\n{LURE}\n</div>",
        "Your<b-c>account<b-c>has been suspended.\n\n<d-e>\n[Verify your password](https://pp-login.example/login) within 24 hours.",
    ],
)
def test_what_the_sanitizer_shows_as_text_is_scanned(markdown: str) -> None:
    reason, expected = scan("", markdown), scan("", LURE)

    assert reason is not None
    assert expected is not None
    assert reason.partition(":")[0] == expected.partition(":")[0]


def test_link_in_an_unknown_element_has_the_text_that_is_shown() -> None:
    page = extract_page("", "<x-y>\n[Pay](https://a.example/) <z>here</z>\n</x-y>\n\n<!--\n\nhttps://b.example/")

    assert page.links == [Link("https://a.example/", "Pay"), Link("https://b.example/", "https://b.example/")]
    assert "".join(page.pieces).count("<x-y>") == 1


def test_response_is_for_people_and_names_no_rule() -> None:
    for kind, _ in KINDS:
        assert re.fullmatch(r"[a-z][a-zA-Z' \-]{10,70}", kind)
    assert scan("", "[Log in to PayPal](https://paypal.com@evil.example/)") == (
        "a link that hides its destination: “Log in to PayPal”"
    )


def test_response_quotes_the_most_suspicious_sentence() -> None:
    reason = scan("", f"Good morning. The garden is open on Sunday.\n\n{BRAND_LURE}\n\nWe thank you.")

    assert reason is not None
    assert reason.endswith((": “Your PayPal account has been suspended.”", ": “Verify your password within 24 hours.”"))


@pytest.mark.parametrize("number", [0, 2])
def test_only_sentences_of_the_passage_are_quoted(number: int) -> None:
    sentences = ["The weather is nice.", "Confirm your password within 24 hours.", "We thank you."]
    lengths = (len(tables().phrases.tokenizer.tokenize(normalize(each))) for each in sentences)
    ends = list(accumulate(lengths, initial=0))
    passage = Passage(0, ends[number], ends[number + 1], words=(), urls=frozenset())

    assert quote(PageContent([" ".join(sentences)]), passage) == sentences[number]


def test_quotation_is_short_and_has_no_invisible_characters() -> None:
    reason = scan(
        "",
        f"Your account is suspended, veri\u200bfy your pass\u202cword at https://paypal-login.example/ now {'and now ' * 99}",
    )

    assert reason is not None
    assert "\u200b" not in reason
    assert "\u202c" not in reason
    assert len(reason) <= QUOTE_CHARACTERS + 80


def test_response_is_the_same_each_time() -> None:
    few = SAMPLES[::5]

    assert [scan("Page", sample.markdown) for sample in few] == [response_to(sample) for sample in few]


@pytest.mark.parametrize(
    "markdown", ["", " ", "\0", "\ud800", "\ue000", "\ue0001 \ue000x", "&#xe000;7", "[", "</a>", "[a](//["]
)
def test_any_sample_can_be_scanned(markdown: str) -> None:
    assert scan(markdown, markdown) is None


def _filled(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit.encode()))


def _numbered(form: str) -> Callable[[int], str]:
    """Return a generator of `form` with consecutive numbers."""
    return lambda size: "".join(form.format(number) for number in range(size // (len(form) + 3)))[:size]


FLOODS: dict[str, Callable[[int], str]] = {
    **{
        name: _filled(unit)
        for name, unit in {
            "zero-width characters": "\u200b",
            "letters with zero-width characters": "a\u200b",
            "combining marks of two classes": "\u0301\u0323",
            "right-to-left overrides": "\u202ea",
            "spaced letters": "a ",
            "spaced words of the phrases": "s e e d ",
            "brackets": "[",
            "beginnings of entities": "&#x",
            "entities": "&#x200b;",
            "beginnings of tags": "<a ",
            "open links in HTML": "<a href=x>",
            "fields": "<input name=a>",
            "links": "[a](http://a.b) ",
            "links that show hosts": "[www.a.b.c.d](//g.h)",
            "bare addresses": "http://a.b ",
            "bare hosts": "www.a ",
            "dots in a host": "a.",
            "beginnings of telephone numbers": "(1 8",
            "figures": "1",
            "spaced figures": "+1 ",
            "one word of the phrases": "send ",
            "beginnings of phrases": "send your verify your enter the ",
            "phrases": "enter your seed phrase ",
            "requests that are forbidden": "never ask you to send us ",
            "requests under a condition": "if you do not pay ",
            "words of many concepts": "verify your account password card urgent ",
            "stems": "verifizieren bestatigen gesperrt ",
            "halves of mail addresses": "a@ ",
            "beginnings of broken hosts": "a-b .",
            "sums": "1 $ ",
            "loud words": "ABC ",
            "blocks of code": "```\na\n```\n",
            "ideographs": "点击您的",
            "words in one piece": "verifyyouraccount",
            "bullets": "- a\n* b\n",
            "pictures to be scanned": "![scan](qr) ",
            "beginnings of quotations": "\u201ca ",
            "quotations": '"a" ',
            "block quotations": "> a\n\n",
        }.items()
    },
    "many numbers as hosts": _numbered("http://{}.1/ "),
    "many hosts": _numbered("http://paypal{}-login.c/ "),
    "many look-alikes": _numbered("[a](//rnvvcl{}.b)"),
    "many words with figures": _numbered("p4s{} "),
    "many labels": _numbered("[a{}]"),
}


def _seconds(markdown: str, runs: int) -> float:
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(runs):
            start = thread_time()
            scan("Page", markdown)
            times.append(thread_time() - start)
    finally:
        gc.enable()
    return min(times)


@pytest.mark.security
@pytest.mark.short
@pytest.mark.parametrize("name", FLOODS)
def test_flood_takes_steps_in_proportion(name: str) -> None:
    check_linear(FLOODS[name], partial(scan, "Page"), characters=SMALL)

    large = FLOODS[name](10 * SMALL)
    assert count_steps(partial(scan, "Page", large)) <= STEPS_PER_CHARACTER * len(large)


@pytest.mark.security
@pytest.mark.parametrize("name", FLOODS)
def test_flood_takes_time_in_proportion(name: str) -> None:
    documents = [FLOODS[name](MARKDOWN_BYTES // part) for part in (4, 2, 1)]
    scan("", "")

    times = [_seconds(markdown, 1) for markdown in documents]
    for _ in range(4):
        if times[2] <= SECONDS and all(_is_linear(*pair) for pair in pairwise(times)):
            break
        # Measure again: the machine may be busy.
        times = [_seconds(markdown, 2) for markdown in documents]

    assert times[2] <= SECONDS or times[2] <= SECONDS * slowness()
    assert all(_is_linear(*pair) for pair in pairwise(times))


def _is_linear(half: float, whole: float) -> bool:
    return whole <= GROWTH * half + NOISE_SECONDS
