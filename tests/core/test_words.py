"""The language of a document in every output, and the words that outputs add in it."""

import re
import tomllib
from email import message_from_bytes, policy
from io import BytesIO
from zipfile import ZipFile

import pytest

from mdpublish_core import DocxOptions, PageLink, PageOptions, convert, nodes, parse, render
from mdpublish_core.writers.language import detect_language, proofing_attributes
from mdpublish_core.writers.options.eml import EmlOptions
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_core.writers.words import ENGLISH, FOLDER, callout_label, words_in

LANGUAGES = [file.stem for file in sorted(FOLDER.glob("*.toml"))]

GERMAN = """\
---
lang: de
---

Text mit Fußnote[^1] und noch einer[^2].

> [!NOTE]
> a

> [!TIP]
> b

> [!IMPORTANT]
> c

> [!WARNING]
> d

> [!CAUTION]
> e

- [x] f

| g | h |
|---|---|
| 1 | 2 |

```dot
digraph { i -> j -> k -> l -> m -> n -> o -> p -> q -> r; rankdir=LR }
```

```chart
{"type": "bar", "data": {"labels": ["s", "t"], "datasets": [{"label": "u", "data": [1, 2]}]}}
```

```python
v = 1
```

$$w^2$$

[^1]: x
[^2]: y
"""

HEADINGS = "".join(f"\n## Abschnitt {number}\n\n{'Wort ' * 200}\n" for number in range(4))

PAGE_OPTIONS = PageOptions(
    reading_time=True,
    toc=True,
    copy_code=True,
    breadcrumbs=[PageLink("Oben", "/")],
    links=[PageLink("Quelle", "/a.md")],
)


def shown_text(markup: str) -> str:
    """Return text and the values of attributes, without stylesheets, scripts, comments and data URLs."""
    markup = re.sub(
        r"<style.*?</style>|(<script[^>]*>).*?</script>|<!--.*?-->|base64,[^\"]*", r"\1", markup, flags=re.DOTALL
    )
    values = re.findall(
        r'(?:alt|aria-label|content|data-(?!tag|panel|task|node)[\w-]+|placeholder|title)="([^"]*)"', markup
    )
    return "\n".join([re.sub("<[^>]*>", "\n", markup), *values])


def english_words(content: str) -> set[str]:
    """Return the words of ours that are English and not German."""
    foreign = {word for key, word in ENGLISH.items() if word.casefold() != words_in("de")[key].casefold()}
    patterns = {word: re.escape(word).replace(r"\{\}", r"\d+") for word in foreign}
    return {word for word, pattern in patterns.items() if re.search(rf"(?<!\w){pattern}(?!\w)", content, re.IGNORECASE)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_words_of_english(language: str) -> None:
    words = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))

    assert list(words) == list(ENGLISH)
    assert all(word.strip() == word != "" for word in words.values())
    assert [key for key, word in words.items() if word.count("{}") != ENGLISH[key].count("{}")] == []
    assert words_in(language) == words


@pytest.mark.parametrize(
    ("tag", "file"),
    [
        ("de-AT", "de"),
        ("no", "nb"),
        ("nn-NO", "nb"),
        ("zh", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-hant-HK", "zh-Hant"),
        ("PT-br", "pt"),
    ],
)
def test_tag_finds_the_words_of_its_language(tag: str, file: str) -> None:
    assert words_in(tag) is words_in(file)
    assert words_in(tag)["contents"] != "Contents"


@pytest.mark.parametrize("tag", [None, "en", "en-GB", "tlh", "x-words"])
def test_words_of_other_languages_are_english(tag: str | None) -> None:
    assert words_in(tag) is ENGLISH


def test_search_for_english_words_finds_them() -> None:
    """Otherwise the next test would find nothing, either."""
    english = GERMAN.replace("lang: de", "lang: en") + HEADINGS
    page = render(parse(english), to="page", options=PAGE_OPTIONS).html

    assert english_words(shown_text(page)) >= {
        *(
            "Note",
            "Tip",
            "Important",
            "Warning",
            "Caution",
            "Contents",
            "Footnotes",
            "Footnote {}",
            "Back to reference {}",
        ),
        *("Table", "Done", "Data", "Formula", "Enlarge", "Close", "{} min read", "Breadcrumb"),
    }


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_german_document_has_no_english_word_of_ours_in_a_destination(destination: str) -> None:
    converted = convert(GERMAN, to=destination)

    assert english_words(shown_text(converted.text)) == set()
    assert english_words(converted.plain_text) == set()
    assert "hinweis" in converted.text.lower()
    assert "<title>Untitled</title>" not in converted.text


def test_german_document_has_no_english_word_of_ours_on_a_page() -> None:
    page = render(parse(GERMAN + HEADINGS), to="page", options=PAGE_OPTIONS).html
    shown = shown_text(page)

    assert english_words(shown) == set()
    assert {"Inhaltsverzeichnis", "5 Min. Lesezeit", "Kopieren"} <= set(shown.split("\n"))


def test_german_document_has_no_english_word_of_ours_in_a_file() -> None:
    word = ZipFile(BytesIO(convert(GERMAN, to="docx", options=DocxOptions(toc=True)).to_bytes()))
    mail = message_from_bytes(convert(GERMAN, to="eml", options=EmlOptions()).to_bytes(), policy=policy.default)

    assert english_words(shown_text(word.read("word/document.xml").decode())) == set()
    assert english_words(shown_text(word.read("word/footnotes.xml").decode())) == set()
    assert mail["Subject"] == "Ohne Titel"
    blocks = "\n".join(re.findall(r'"text": ?"([^"]*)"', convert(GERMAN, to="blocks").text))
    assert english_words(blocks) == set()
    assert "Hinweis" in blocks


def test_own_titles_and_kinds_of_callouts_stay_as_they_are() -> None:
    titled, named = (callout_label(nodes.Callout("tip", [], name=name), words_in("de")) for name in ("TIP", "rezept"))

    assert (titled, named) == ("Tipp", "Rezept")
    assert "*Mein Titel*" in convert("---\nlang: de\n---\n> [!NOTE] Mein Titel\n> a\n", to="slack").text


def test_option_wins_over_the_front_matter_in_words_too() -> None:
    page = render(parse(GERMAN), to="page", options=PageOptions(lang="fr"))

    assert '<html lang="fr">' in page.html
    assert '<p class="title">Astuce</p>' in page.html
    assert "ASTUCE:" in page.plain_text


def test_words_follow_the_script_of_a_text_that_declares_no_language() -> None:
    assert "注記" in convert("これは日本語の文書です。\n\n> [!NOTE]\n> はい", to="plain-text").text


@pytest.mark.parametrize(
    ("markdown", "language"),
    [
        ("Plain words", None),
        ("Der Text hat das Wort *the*, und es ist nicht von hier.", None),
        ("The text is plain, and it has what you want.", "en"),
        ("The text is plain, and it has what you want. Der Text ist nicht schwer und das ist gut.", None),
        ("這是繁體中文的文件", "zh-Hant"),
        ("Привіт, світе", "uk"),
    ],
)
def test_language_that_nothing_tells_is_none(markdown: str, language: str | None) -> None:
    assert detect_language(parse(markdown)) == language


_ENGLISH_PART = "The count of the words is what it was when they have it from there, and that is not this.\n\n"
_JAPANESE_PART = "これは日本語の文書です。短い要約の後に続きます。言葉の数を数えます。\n\n"


@pytest.mark.parametrize(
    ("markdown", "language"),
    [
        (_ENGLISH_PART * 12 + _JAPANESE_PART * 60, "ja"),
        (_JAPANESE_PART * 12 + _ENGLISH_PART * 60, "en"),
        (_JAPANESE_PART * 30 + "> " + _ENGLISH_PART * 5, "ja"),
    ],
)
def test_language_is_that_of_the_greater_part(markdown: str, language: str) -> None:
    assert detect_language(parse(markdown)) == language


@pytest.mark.parametrize(("front_matter", "attribute"), [("---\nlang: de\n---\n", ' lang="de"'), ("", "")])
@pytest.mark.parametrize("destination", ["email", "onenote", "page"])
def test_document_names_its_language_or_none(destination: str, front_matter: str, attribute: str) -> None:
    html = convert(f"{front_matter}Hallo, Welt", to=destination).html

    assert re.search(r"<html( lang=\"\w+\")?", html)[0] == f"<html{attribute}"  # type: ignore[index]
    assert html.count(" lang=") == bool(attribute) * (1 + (destination == "email"))


def test_word_gets_a_language_with_its_region() -> None:
    assert '<body lang="de-DE"' in convert("---\nlang: de\n---\na", to="word").html
    assert '<body lang="de-CH"' in convert("---\nlang: de-CH\n---\na", to="word").html
    assert '<p class="MsoNormal" lang="de-DE"' in convert("---\nlang: de\n---\na", to="word").html
    assert " lang=" not in convert("a", to="word").html


@pytest.mark.parametrize(
    ("lang", "attributes"),
    [
        ("de", {"val": "de-DE"}),
        ("pt-BR", {"val": "pt-BR"}),
        ("no", {"val": "nb-NO"}),
        ("sr-Latn", {"val": "sr-RS"}),
        ("ja", {"eastAsia": "ja-JP"}),
        ("zh-Hant", {"eastAsia": "zh-TW"}),
        ("zh-Hant-HK", {"eastAsia": "zh-HK"}),
        ("he", {"bidi": "he-IL"}),
        ("th", {"bidi": "th-TH"}),
        ("tlh", {"val": "tlh"}),
    ],
)
def test_proofing_language_is_in_the_slot_of_its_script(lang: str, attributes: dict[str, str]) -> None:
    assert proofing_attributes(lang) == attributes


def test_word_file_has_the_proofing_language_of_text_and_parts() -> None:
    word = ZipFile(BytesIO(convert('---\nlang: de\n---\nEin <span lang="he">מילה</span>.', to="docx").to_bytes()))

    assert '<w:lang w:val="de-DE"/>' in word.read("word/styles.xml").decode()
    assert '<w:themeFontLang w:val="de-DE"/>' in word.read("word/settings.xml").decode()
    assert '<w:lang w:bidi="he-IL"/>' in word.read("word/document.xml").decode()
    assert "w:lang" not in ZipFile(BytesIO(convert("a", to="docx").to_bytes())).read("word/styles.xml").decode()
