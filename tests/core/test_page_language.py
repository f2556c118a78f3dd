"""The language and direction of pages."""

import re
from functools import partial

import pytest

from mdpublish_core import PageOptions, nodes, parse, render
from mdpublish_core.testing.steps import count_steps
from mdpublish_core.writers.words import words_of

SAMPLES = {
    "en": "The text is plain, with a word of русский and no more than that.",
    "ar": "الطباعة هي فن ترتيب الحروف",
    "fa": "گربه روی پشت بام است",
    "he": "שלום עולם, זה טקסט",
    "el": "Καλημέρα κόσμε",
    "ru": "Привет, мир, в Kubernetes",
    "uk": "Привіт, світе",
    "ko": "안녕하세요 세계, Markdown",
    "ja": "これは日本語の文章です。Kubernetes と Docker を使う",
    "zh": "这是中文文档,使用 Kubernetes 部署",
    "th": "สวัสดีชาวโลก ยินดีต้อนรับ",
    "hi": "नमस्ते दुनिया",
}


@pytest.mark.parametrize("language", SAMPLES)
def test_language_is_that_of_the_script_of_most_words(language: str) -> None:
    assert f'<html lang="{language}"' in render(parse(f"{SAMPLES[language]}\n\n```\nx = 1\n```\n"), to="page").html


def test_language_of_the_front_matter_and_of_the_options_come_first() -> None:
    document = parse("---\nlang: de\n---\n\nПривет, мир")

    assert '<html lang="de">' in render(document, to="page").html
    assert '<html lang="fr">' in render(document, to="page", options=PageOptions(lang="fr")).html


def test_default_language_is_that_of_latin_texts_that_declare_none() -> None:
    options = PageOptions(default_lang="pt-BR")

    for content, language in (
        ("Olá, mundo", "pt-BR"),
        ("Ola", "pt-BR"),
        ("Привет", "ru"),
        ("---\nlang: de\n---\nHallo", "de"),
    ):
        assert f'<html lang="{language}">' in render(parse(content), to="page", options=options).html


def test_page_whose_first_strong_character_is_right_to_left_runs_that_way() -> None:
    page = render(parse(f"# 1. {SAMPLES['ar']}\n\n{SAMPLES['ar']}\n\nLatin text\n\n- {SAMPLES['he']}"), to="page").html

    assert '<html lang="ar" dir="rtl">' in page
    assert '<main dir="rtl">' in page
    assert re.findall(r"<(p|h1|ul|li)[^>]*dir=", page) == ["p"]
    assert '<p dir="ltr">Latin text</p>' in page


def test_page_in_latin_script_names_no_direction() -> None:
    page = render(parse(f"Latin text of six words here\n\n{SAMPLES['ar']}"), to="page").html

    assert "<html>" in page
    assert "<main>" in page
    assert page.count('dir="rtl"') == 1 + page.partition("</style>")[0].count('dir="rtl"')


def test_detection_reads_the_beginning_of_a_long_text_alone() -> None:
    assert '<html lang="ko"' in render(parse("안녕하세요 " * 3_000 + "word " * 9_000), to="page").html


def test_words_of_a_text_in_ascii_are_known_without_reading_it() -> None:
    words_of(parse("Words."))  # imports what it needs
    short, long = (parse("Words.\n\n" * count) for count in (2, 200))
    for document in (short, long):
        document.cached(nodes.collect)

    steps = [count_steps(partial(words_of, document)) for document in (short, long)]

    assert steps[0] == steps[1]


def test_region_of_a_table_has_its_direction() -> None:
    page = render(
        parse("# Title\n\n| الاسم | القيمة |\n|---|---|\n| خادم | 1 |\n\n| a | b |\n|---|---|\n| c | d |"), to="page"
    ).html

    assert page.count('<div class="table" dir="rtl" role="group"') == 1
    assert page.count('<div class="table" role="group"') == 1


@pytest.mark.parametrize(
    ("lang", "is_strict"), [("ja", True), ("zh-Hant", True), ("KO", True), ("en", False), ("jam", False)]
)
def test_lines_of_chinese_japanese_and_korean_break_by_their_rules(lang: str, is_strict: bool) -> None:
    page = render(parse("# One\n\n*Two*"), to="page", options=PageOptions(lang=lang)).html

    assert ("line-break:strict" in page) == is_strict
