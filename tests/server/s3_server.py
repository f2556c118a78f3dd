"""An S3 for tests: moto's server, in a thread."""

from collections.abc import Iterator
from itertools import count

import httpx
import pytest

_numbers = count()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The server's URL."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket_url(s3_server: str) -> str:
    """An image store in an empty bucket."""
    name = f"images-{next(_numbers)}"
    httpx.put(f"{s3_server}/{name}").raise_for_status()
    query = f"endpoint={s3_server}&region=us-east-1&access_key_id=key&secret_access_key=secret"
    return f"s3://{name}/uploads?{query}"
