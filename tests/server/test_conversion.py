import subprocess
import sys

import pytest

from mdpublish_core import Badge
from mdpublish_server.conversion import ConversionRequest, Converter, PageRequest
from mdpublish_server.errors import ConversionError, RenderError

pytestmark = pytest.mark.anyio

BADGE = Badge("Published with mdpublish", "https://example.org")


async def test_crash_of_the_core_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    request = ConversionRequest(markdown="x", destination="generic", template_id="gone", theme_mode="light")
    with pytest.raises(ConversionError) as caught:
        await Converter(BADGE).convert(request)
    assert (caught.value.status, caught.value.code) == (500, "conversion_error")
    assert "gone" not in caught.value.message
    assert "UnknownTemplate" in caplog.text


async def test_crash_while_rendering_a_page_has_its_own_code() -> None:
    request = PageRequest(markdown="x", title="T", template_id="gone", theme_mode="light")
    with pytest.raises(RenderError) as caught:
        await Converter(BADGE).render(request)
    assert (caught.value.status, caught.value.code) == (500, "render_error")


async def test_same_page_is_kept_as_the_same_bytes() -> None:
    converter = Converter(BADGE)
    request = PageRequest(markdown="# x", title=None, template_id="swiss", theme_mode="light")
    pages = [await converter.finish(await converter.render(request)) for _ in range(2)]
    assert pages[0] == pages[1]


def test_warm_up_loads_all_that_a_conversion_needs() -> None:
    code = """
import sys, anyio
from mdpublish_core import Badge
from mdpublish_server.conversion import ConversionRequest, Converter, PageRequest

async def main():
    converter = Converter(Badge("x", "https://example.org"))
    await converter.warm_up()
    before = set(sys.modules)
    text = "# Grüezi\\n\\n- a\\n\\n> b\\n\\n| c |\\n|---|\\n| *d* |\\n"
    for destination in ("generic", "plain-text", "html"):
        await converter.convert(
            ConversionRequest(markdown=text, destination=destination, template_id="swiss", theme_mode="dark")
        )
    await converter.finish(
        await converter.render(PageRequest(markdown=text, title=None, template_id="swiss", theme_mode="dark"))
    )
    print(sorted(set(sys.modules) - before))

anyio.run(main)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
