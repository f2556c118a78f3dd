"""Emphasis in texts without spaces between words. `conformance/test_cjk_emphasis.py` compares with comrak."""

import pytest

from mdpublish_core import DEFAULT_EXTENSIONS, convert
from tests.sampling import each_row


def html_of(markdown: str) -> str:
    return convert(markdown, to="html").html.removeprefix("<p>").removesuffix("</p>\n")


EMPHASIZED = {
    "marks between punctuation and a cjk letter open and close": [
        ("**重要：**这是说明", "<strong>重要：</strong>这是说明"),
        ("点击**“保存”**按钮", "点击<strong>“保存”</strong>按钮"),
        ("彼は**「行く」**と言った", "彼は<strong>「行く」</strong>と言った"),
        ("**注意！**開けるな", "<strong>注意！</strong>開けるな"),
        ("*警告（重要）*を読む", "<em>警告（重要）</em>を読む"),
        ("**서버(server)**를 켠다", "<strong>서버(server)</strong>를 켠다"),
        ("**[문서](/a)**를 본다", '<strong><a href="/a">문서</a></strong>를 본다'),
        ("価格は**¥500**です", "価格は<strong>¥500</strong>です"),
        ("**`git`**を使う", "<strong><code>git</code></strong>を使う"),
        ("~~旧称。~~新しい名", "<del>旧称。</del>新しい名"),
        ("𠮷**(よし)**と読む", "𠮷<strong>(よし)</strong>と読む"),
        ("**㊙**だ", "<strong>㊙</strong>だ"),
    ],
    "variation selector belongs to the character before it": [
        ("禰\U000e0100**(ね)**と読む", "禰\U000e0100<strong>(ね)</strong>と読む"),
        ("塚\ufe00**(つか)**と読む", "塚\ufe00<strong>(つか)</strong>と読む"),
        ("**“\ufe01a”\ufe01**b", "<strong>“\ufe01a”\ufe01</strong>b"),
        ("。\ufe01_a_", "。\ufe01<em>a</em>"),
    ],
}


@pytest.mark.parametrize(("markdown", "html"), each_row(EMPHASIZED))
def test_marks_beside_cjk_text_make_this_html(markdown: str, html: str) -> None:
    assert html_of(markdown) == html


@pytest.mark.parametrize(
    "markdown", ["a**b.**c", "a**.b**c", "**a⌚**😀b", "a**∇b**c", "snake__(a)__case", "**重要：** 这**。"]
)
def test_other_texts_are_read_as_by_commonmark(markdown: str) -> None:
    plain = convert(markdown, to="html", extensions=DEFAULT_EXTENSIONS - {"cjk-emphasis"})

    assert convert(markdown, to="html") == plain


def test_underscore_within_a_word_stays_literal() -> None:
    assert html_of("__重要：__这") == "__重要：__这"
    assert html_of("正式__（英文）__名") == "正式__（英文）__名"


def test_extension_can_be_left_out() -> None:
    without = convert("**重要：**这是", to="html", extensions=DEFAULT_EXTENSIONS - {"cjk-emphasis"})

    assert without.html == "<p>**重要：**这是</p>\n"


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("见 https://example.com/路径。然后", "见 {}。然后"),
        ("（https://example.com/路径）と", "（{}）と"),
        ("「https://example.com/路径」も", "「{}」も"),
        ("URL：https://example.com/路径，以及", "URL：{}，以及"),
        ("“https://example.com/路径” said", "“{}” said"),
    ],
)
def test_full_width_punctuation_ends_a_bare_url(markdown: str, html: str) -> None:
    link = '<a href="https://example.com/%E8%B7%AF%E5%BE%84">https://example.com/路径</a>'

    assert html_of(markdown) == html.format(link)


def test_urls_are_those_of_github_without_the_extension() -> None:
    plain = convert("https://example.com/a。b", to="html", extensions=DEFAULT_EXTENSIONS - {"cjk-emphasis"}).html

    assert ">https://example.com/a。b</a>" in plain
