"""The data of a long chart, which a link of its page has as a file."""

import json

import httpx
import pytest

from tests.server.api_requests import publish_new

pytestmark = [pytest.mark.anyio, pytest.mark.needs("ziafont")]


@pytest.mark.parametrize(("rows", "is_long"), [(3, False), (300, True)])
async def test_page_may_save_its_file(
    pro: httpx.AsyncClient, client: httpx.AsyncClient, rows: int, is_long: bool
) -> None:
    chart = {"type": "bar", "data": {"labels": list(range(rows)), "datasets": [{"data": list(range(rows))}]}}

    published = await publish_new(pro, f"# Data\n\n```chart\n{json.dumps(chart)}\n```\n")

    page = await client.get(published["published_url"])
    assert ('href="data:text/csv;' in page.text) is is_long
    assert ("allow-downloads" in page.headers["content-security-policy"]) is is_long
