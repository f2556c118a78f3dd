"""`:rocket:`, with the extension `emoji`.

`conformance/test_optional_syntax.py` compares all names with comrak.
"""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from mdpublish_core import convert, parse, select_extensions
from mdpublish_core.errors import MissingExtra, install_command
from mdpublish_core.readers.markdown import emoji
from mdpublish_core.writers.outputs import DESTINATIONS

EXTENSIONS = select_extensions(["emoji"])


def html_of(markdown: str) -> str:
    return convert(markdown, to="html", extensions=EXTENSIONS).html.removeprefix("<p>").removesuffix("</p>\n")


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        (":rocket:", "🚀"),
        (":+1::-1: :tada:", "👍👎 🎉"),
        ("Done:tada:!", "Done🎉!"),
        (":egg: :beetle: :100:", "🥚 🪲 💯"),
        ("**:tada:** [:x:](/a)", '<strong>🎉</strong> <a href="/a">❌</a>'),
        (":white_check_mark:", "✅"),
        ("a::tada:", "a:🎉"),
        ("中:100:文 5:100:", "中💯文 5💯"),
    ],
)
def test_short_names_become_emoji(markdown: str, html: str) -> None:
    assert html_of(markdown) == html


@pytest.mark.parametrize(
    "markdown",
    [
        ":octocat: :nope:",
        "10:30:45",
        "1:100:5",
        "a:b:c",
        "a: b: c",
        ":Rocket:",
        ": rocket :",
        "::",
        ":",
        ":rocket",
        r"\:rocket:",
    ],
)
def test_other_colons_stay_text(markdown: str) -> None:
    assert html_of(markdown) == markdown.replace("\\", "")


def test_code_and_addresses_stay_what_they_are() -> None:
    assert html_of("`:tada:` https://a.b/:tada:c") == (
        '<code>:tada:</code> <a href="https://a.b/:tada:c">https://a.b/:tada:c</a>'
    )


def test_addresses_are_not_linked_without_autolink() -> None:
    extensions = select_extensions(["emoji", "no-autolink"])

    assert convert("http://a.b :x:", to="html", extensions=extensions).html == "<p>http://a.b ❌</p>\n"


def test_names_stay_text_without_the_extension() -> None:
    assert convert(":rocket:", to="html").html == "<p>:rocket:</p>\n"


def test_titles_have_the_emoji() -> None:
    assert parse("# Launch :rocket:", extensions=EXTENSIONS).title == "Launch 🚀"


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_emoji_are_text_in_every_destination(destination: str) -> None:
    conversion = convert("Launch :rocket:", to=destination, extensions=EXTENSIONS)

    assert "🚀" in conversion.text
    assert conversion.plain_text == "Launch 🚀\n"


def test_names_are_loaded_only_for_the_first_colon_of_a_name() -> None:
    program = (
        "import sys; from mdpublish_core import convert, select_extensions; e = select_extensions(['emoji']);"
        "convert('a :tada:'); convert('a: b', extensions=e); print('emoji' in sys.modules);"
        "convert('a :tada:', extensions=e); print('emoji' in sys.modules)"
    )

    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert printed.split() == ["False", "True"]


@pytest.fixture
def _without_emoji(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "emoji", None)
    emoji._emoji_by_name.cache_clear()
    yield
    emoji._emoji_by_name.cache_clear()


@pytest.mark.usefixtures("_without_emoji")
def test_caller_is_told_of_the_missing_extra() -> None:
    with pytest.raises(MissingExtra, match=r"^emoji is not installed; run: pip install 'mdpublish-core\[emoji\]'$"):
        convert(":tada:", extensions=EXTENSIONS)


@pytest.mark.usefixtures("_without_emoji")
def test_author_is_told_of_the_missing_extra() -> None:
    conversion = convert("---\nextensions: emoji, breaks\n---\n:tada:\na", to="html")

    assert conversion.html == "<p>:tada:<br />\na</p>\n"
    assert [(notice.code, notice.line, notice.message) for notice in conversion.notices] == [
        (
            "front-matter-ignored",
            2,
            f"the extension 'emoji' needs a package that is not installed (run: {install_command('emoji')}); it is ignored",
        )
    ]
