from base64 import b64encode
from struct import pack

import pytest

from mdpublish_core import Media, convert
from mdpublish_core.resources.media import image_from_data_url

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + pack(">II", 640, 480) + b"\x08\x06\0\0\0"
GIF = b"GIF89a" + pack("<HH", 20, 10)
JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08" + pack(">HH", 30, 40) + b"\x03"
WEBP_LOSSY = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + pack("<HH", 300, 200)
WEBP_LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + pack("<I", (299) | (199 << 14))
WEBP_EXTENDED = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (299).to_bytes(3, "little") + (199).to_bytes(3, "little")


def data_url(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{b64encode(data).decode()}"


def figure_image(data: bytes, **options: object) -> tuple[str, tuple[Media, ...]]:
    conversion = convert(f"![a]({data_url(data)})", **options)  # type: ignore[arg-type]
    return conversion.text, conversion.media


@pytest.mark.parametrize(
    ("data", "kind", "size"),
    [
        (PNG, "png", (640, 480)),
        (GIF, "gif", (20, 10)),
        (JPEG, "jpeg", (40, 30)),
        (WEBP_LOSSY, "webp", (300, 200)),
        (WEBP_LOSSLESS, "webp", (300, 200)),
        (WEBP_EXTENDED, "webp", (300, 200)),
        (b"", "png", (None, None)),
        (PNG[:20], "png", (None, None)),
        (b"\xff\xd8\xff\xe0\xff\xff", "jpeg", (None, None)),
        (b"RIFF", "webp", (None, None)),
        (PNG, "gif", (None, None)),
    ],
)
def test_image_has_the_size_that_its_bytes_tell(data: bytes, kind: str, size: tuple[int | None, int | None]) -> None:
    media = image_from_data_url(data_url(data, kind) if data else f"data:image/{kind};base64,=", "a")

    assert media
    assert (media.width, media.height) == size


def test_image_is_named_by_its_bytes() -> None:
    first, repeated, other = (image_from_data_url(data_url(data), "a") for data in (PNG, PNG, PNG + b"x"))

    assert first
    assert repeated
    assert other
    assert first.content_id == repeated.content_id != other.content_id
    assert first.content_id.endswith(".png")


@pytest.mark.parametrize("url", ["https://example.org/a.png", "data:image/svg+xml;base64,AAAA", "data:text/html,a", ""])
def test_other_urls_hold_no_image(url: str) -> None:
    assert image_from_data_url(url, "a") is None


def test_fragment_holds_the_image_itself() -> None:
    html, media = figure_image(PNG)

    assert f'<img src="{data_url(PNG)}" alt="a" width="640" height="480" />' in html
    assert [each.data for each in media] == [PNG]


def test_image_may_be_named_by_its_content_id() -> None:
    html, (media,) = figure_image(PNG, media_url="cid:")

    assert f'src="cid:{media.content_id}"' in html


def test_image_url_may_be_a_function() -> None:
    html, _ = figure_image(PNG, media_url=lambda media: f"attachment:{media.width}?a&b")

    assert 'src="attachment:640?a&amp;b"' in html


def test_image_shown_twice_is_one_medium() -> None:
    image = f"![a]({data_url(PNG)})"

    assert len(convert(f"{image} {image}").media) == 1


def test_size_of_the_author_holds() -> None:
    html = convert(f'<img src="{data_url(PNG)}" width="50%" alt="b">').html

    assert 'alt="b" width="50%" />' in html
    assert "height=" not in html.rpartition("<img")[2]


def test_image_that_can_run_something_is_not_shown() -> None:
    conversion = convert("![a](data:image/svg+xml;base64,AAAA)")

    assert "AAAA" not in conversion.html
    assert [notice.code for notice in conversion.notices] == ["unsafe-link"]
    assert conversion.media == ()


def test_image_is_no_target_of_a_link() -> None:
    url = data_url(PNG)
    html = (conversion := convert(f"[a]({url})")).html.rpartition("</style>")[2]

    assert f"<p>a ({url[:40]}…)</p>" in html
    assert "<a" not in html
    assert [notice.code for notice in conversion.notices] == ["unsafe-link"]


def test_remote_image_stays_a_link_to_its_source() -> None:
    conversion = convert('<img src="https://example.org/a.png" width="30" height="20" alt="b">')

    assert '<img src="https://example.org/a.png" alt="b" width="30" height="20" />' in conversion.html
    assert conversion.media == ()
