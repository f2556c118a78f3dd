"""Templates number headings, unless the author has."""

import re
from dataclasses import replace

import pytest

from mdpublish_core import convert
from mdpublish_core.templates import get_template, list_templates
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.sampling import sampled

STYLED = [name for name, destination in DESTINATIONS.items() if name != "html" and not destination.is_text]
NUMBERED = replace(get_template("swiss"), numbering="decimal")

NUMBERING = [template.id for template in list_templates() if template.numbering != "none"]
OTHERS = [template.id for template in list_templates() if template.numbering == "none"]


def headings_of(markdown: str) -> list[str]:
    html = convert(markdown, template=NUMBERED).html
    return [re.sub("<.*?>", "", heading) for heading in re.findall("<h[1-6].*?>(.*?)</h[1-6]>", html)]


@pytest.mark.parametrize(
    "heading",
    [
        "1. Installation",
        "1\\) Installation",
        "2.1 Installation",
        "2.1. Installation",
        "(a) Installation",
        "A. Installation",
        "IV. Installation",
        "a) Installation",
        "Step 3: Installation",
        "STEP 3",
        "Chapter 2",
        "Chapter II: Installation",
        "Appendix B",
        "Part **1** – Installation",
        "§ 12 Installation",
        "Schritt 1: Installation",
        "Étape 1 : installation",
        "第一章 绪论",
        "第3节",
        "一、绪论",
        "步骤 2：安装",
        "제1장 서론",
        "1、安装",
        "1.安装",
        "（一）概述",
        "Option 2: Redis",
        "Part Two: Setup",
        "Step 1a",
        "Tip #4: Be brief",
        "🚀 1. Getting started",
        "✅ Step 1: Start",
        "[1] Overview",
        "#1 Reason",
        "No. 5",
        "Use case 1: Sign-in",
        "User story 3 – Search",
        "Phase 2–3: Build",
        "M1 – Kickoff",
        "Q1: What is it?",
        "Q3 2025",
        "Урок 2",
        "الخطوة 1: البداية",
        "Задача 3",
        "Fig. 3 Results",
        "Fig. 3",
        "User Story 3",
        "3부",
        "2단계 설치",
        "Kapitel IV",
        "Étape 2",
        "Passo 1",
        "Шаг 2",
        "Рис. 3",
        "الخطوة 3",
        "الخطوة ٣",
        "الفصل الأول",
        "פרק ג",
        "चरण २",
        "ขั้นตอนที่ 3",
        "Βήμα 2",
        "Bước 2",
        "Langkah 4",
        "STEP1 準備",
        "課題３",
        "問1",
        "第3章",
        "第二部分",
        "Q12 Why?",
        "Days 1–30",
        "Appendix C Glossary",
        "Part I Beginnings",
        "Table 2",
        "Theorem 3.1",
    ],
)
def test_level_with_numbers_of_its_author_gets_no_others(heading: str) -> None:
    shown = re.sub(r"[\\*]", "", heading)

    assert headings_of(f"# Title\n\n## Overview\n\n## {heading}\n\n### Details\n\n## Use") == [
        "Title",
        "Overview",
        shown,
        "Details",
        "Use",
    ]


def test_words_that_are_counted_are_numbers_in_any_language() -> None:
    assert headings_of("# Title\n\n## Overview\n\n## Sprintziel 1\n\n## Sprintziel 2") == [
        "Title",
        "Overview",
        "Sprintziel 1",
        "Sprintziel 2",
    ]


@pytest.mark.parametrize("signs", [("1", "2"), ("🟢 1", "🔵 2"), ("1️⃣", "2️⃣"), ("①", "②")])
def test_bare_numbers_that_are_counted_are_the_author_s(signs: tuple[str, str]) -> None:
    one, two = signs

    assert headings_of(f"# Title\n\n## {one} Install\n\n### Config\n\n## {two} Use\n\n### Run") == [
        "Title",
        f"{one} Install",
        "Config",
        f"{two} Use",
        "Run",
    ]


@pytest.mark.parametrize(
    "heading", ["Windows 11: what is new", "Note 3: cost", "COVID 19: measures", "GPT 4 – a review"]
)
def test_name_with_a_number_leaves_the_numbers_of_its_level(heading: str) -> None:
    assert headings_of(f"# Title\n\n## Before\n\n## {heading}\n\n## After") == [
        "Title",
        "1 Before",
        f"2 {heading}",
        "3 After",
    ]


def test_levels_above_the_numbers_of_an_author_are_numbered() -> None:
    assert headings_of("# Title\n\n## Set-up\n\n### Step 1: Unpack\n\n### Step 2: Install\n\n## Use") == [
        "Title",
        "1 Set-up",
        "Step 1: Unpack",
        "Step 2: Install",
        "2 Use",
    ]


@pytest.mark.parametrize("heading", ["2026 in review", "3 ways to install", "404 errors", "½ price", "３つの方法"])
def test_heading_that_begins_with_a_digit_has_no_number_itself(heading: str) -> None:
    assert headings_of(f"# Title\n\n## Before\n\n## {heading}\n\n## After") == ["Title", "1 Before", heading, "2 After"]


@pytest.mark.parametrize(
    "heading",
    [
        "I am here",
        "A plan",
        "Steps",
        "Stepping 3 stones",
        "Mix: how to",
        "Partly 2",
        "e.g. this",
        "Chapter",
        "Step by step",
        "vi as an editor",
        "Python 3.12",
        "Top 10 tools",
        "HTTP/2 in practice",
        "V2 roadmap",
        "(optional) extras",
        "🚀 Launch",
        "Case I made",
        "Example a user may try",
        "第三方服务",
        "第一次世界大战",
        "제2차 세계대전",
        "Windows 11",
        "Formula 1 today",
        "Stepwise 3",
        "Tableau 3000x",
        "Partner 2",
        "Parts of 3",
        "Testing",
        "Art nouveau",
        "No more",
        "Exit 2",
        "表示の方法",
    ],
)
def test_words_that_resemble_numbers_are_none(heading: str) -> None:
    assert headings_of(f"# Title\n\n## {heading}") == ["Title", f"1 {heading}"]


@pytest.mark.parametrize("destination", STYLED)
@pytest.mark.parametrize("template", [*NUMBERING, *sampled(OTHERS, 10)])
def test_no_template_numbers_a_heading_twice(template: str, destination: str) -> None:
    markdown = "# Title\n\n## 1. Installation\n\ntext\n\n## Step 2: Use\n\ntext\n\n## A. Appendix\n\ntext"
    html = convert(markdown, to=destination, template=template).text

    shown = re.sub(r"\s+", " ", re.sub("<style.*?</style>|<!--.*?-->|<[^>]*>", " ", html, flags=re.DOTALL))

    for heading in ("1. Installation", "Step 2: Use", "A. Appendix"):
        before = re.findall(rf"(\S+) {re.escape(heading)}", shown)
        assert set(before) <= {"Title", "text", "##"}, (heading, before)
