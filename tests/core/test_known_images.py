"""Images that a document names by URL, of which the caller knows the size, smaller variants, or the file."""

import re
import zipfile
from email import message_from_bytes
from email.policy import SMTP
from io import BytesIO

import pytest
from PIL import Image

from mdpublish_core import Converter, KnownImage, PageOptions, convert
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.images import convert_image, rewrite_image
from tests.image_files import PNG, SVG, animated, opened, quartered_image, saved

URL = "https://example.org/i/a.png"
SMALL = "https://example.org/i/a-640.webp 640w"
KNOWN = KnownImage(width=1600, height=1000, srcset=SMALL)
WEBP, AVIF = (saved(quartered_image(), kind) for kind in ("WEBP", "AVIF"))


def images_of(html: str) -> list[str]:
    return re.findall(r"<img [^>]*>", html)


def page(markdown: str, known: KnownImage = KNOWN, **options: str) -> str:
    return convert(markdown, to="page", images={URL: known}, options=PageOptions(title="A", **options)).html  # type: ignore[arg-type]


def test_page_says_size_and_variants_and_loads_later_images_late() -> None:
    first, second = images_of(page(f"![a]({URL})\n\n![b]({URL})"))
    assert f'src="{URL}"' in first
    assert 'width="1600" height="1000"' in first
    assert f'srcset="{SMALL}, {URL} 1600w"' in first
    assert re.search(r'sizes="\(max-width: (\d+)px\) 100vw, \1px"', first)
    assert 'decoding="async"' in first
    assert "loading" not in first
    assert 'loading="lazy"' in second


def test_page_as_wide_as_the_window_takes_the_image_for_it() -> None:
    assert 'sizes="100vw"' in page(f"![a]({URL})", page_width="full")


def test_caption_stays_beneath_the_image() -> None:
    html = page(f'![a]({URL} "What it shows")')
    assert "<figcaption>What it shows</figcaption>" in html
    assert "srcset=" in html


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('width="320"', 'width="320" height="200"'),
        ('height="100"', 'width="160" height="100"'),
        ('width="50%"', 'width="50%"'),
        ('width="9" height="9"', 'width="9" height="9"'),
    ],
)
def test_size_of_the_author_is_completed_in_proportion(written: str, shown: str) -> None:
    assert shown in page(f'<img src="{URL}" {written}>')


def test_image_that_is_shown_small_asks_for_the_small_variant() -> None:
    assert 'sizes="(max-width: 320px) 100vw, 320px"' in page(f'<img src="{URL}" width="320">')


def test_image_without_variants_has_no_srcset() -> None:
    assert "srcset" not in page(f"![a]({URL})", KnownImage(width=9, height=9))


@pytest.mark.parametrize("to", ["google-docs", "word"])
def test_pasted_image_keeps_its_url_at_a_size_that_fits(to: str) -> None:
    (image,) = images_of(convert(f"![a]({URL})", to=to, images={URL: KNOWN}).html)
    width, height = (int(re.search(rf' {name}="(\d+)"', image)[1]) for name in ("width", "height"))  # type: ignore[index]
    assert f'src="{URL}"' in image
    assert "srcset" not in image
    assert 300 < width < 1000
    assert height == pytest.approx(width * 1000 / 1600, abs=1)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, "PNG"),
        (WEBP, "JPEG"),
        (AVIF, "JPEG"),
        (SVG, "PNG"),
        (saved(quartered_image(), "WEBP", lossless=True), "PNG"),
    ],
    ids=["png", "webp", "avif", "svg", "webp-lossless"],
)
def test_files_have_the_image_in_them_in_a_format_that_all_programs_show(content: bytes, kind: str) -> None:
    known = {URL: KnownImage(width=60, height=40, content=content)}
    mail = message_from_bytes(convert(f"![a]({URL})", to="eml", images=known).to_bytes(), policy=SMTP)
    (part,) = (part for part in mail.walk() if part.get_content_maintype() == "image")
    html = mail.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert f'src="cid:{part["Content-ID"][1:-1]}"' in html
    assert URL not in html
    document = convert(f"![a]({URL})", to="docx", images=known)
    with zipfile.ZipFile(BytesIO(document.to_bytes())) as parts:
        (name,) = (name for name in parts.namelist() if "media/" in name)
        stored = parts.read(name)
        assert 'cx="571500" cy="381000"' in parts.read("word/document.xml").decode()
    assert (opened(part.get_content()).format, opened(stored).format) == (kind, kind)
    assert not document.notices


def test_page_with_the_file_has_it_in_its_own_format() -> None:
    html = page(f"![a]({URL})", KnownImage(width=30, height=20, content=SVG, srcset=SMALL))
    assert 'src="data:image/svg+xml;base64,' in html
    assert "srcset" not in html


def test_image_of_the_text_itself_is_converted_too() -> None:
    from base64 import b64encode

    markdown = f"![a](data:image/webp;base64,{b64encode(WEBP).decode()})"
    assert convert(markdown, to="email").media[0].media_type == "image/jpeg"
    assert convert(markdown, to="generic").media[0].media_type == "image/webp"


def test_what_cannot_be_converted_is_said_in_one_line() -> None:
    known = {URL: KnownImage(width=60, height=40, content=b"RIFF0000WEBPVP8 broken")}
    (notice,) = convert(f"![a]({URL})", to="docx", images=known).notices
    assert notice.code == "image-not-embedded"
    assert notice.message.startswith("the image 'a' was not embedded: image/webp is not shown by every Word, and it is")


def test_conversions_of_a_document_have_as_many_pixels_as_one_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdpublish_core.images.MAX_PIXELS", 3 * 60 * 40)
    urls = [f"https://example.org/{number}.webp" for number in range(4)]
    known = {url: KnownImage(width=60, height=40, content=WEBP) for url in urls}
    markdown = "\n".join(f"![{number % 4}]({url})" for number, url in enumerate([*urls, *urls]))
    conversion = convert(markdown, to="docx", images=known)
    assert [notice.message[:13] for notice in conversion.notices] == ["the image '3'"] * 2
    assert "megapixels" in conversion.notices[0].message


def test_images_of_a_converter_survive_pickling() -> None:
    from pickle import dumps, loads

    converter = Converter(to="page", images={URL: KNOWN})
    assert loads(dumps(converter)).convert(f"![a]({URL})").html == converter.convert(f"![a]({URL})").html


@pytest.mark.parametrize(
    ("images", "message"),
    [
        ([URL], "images must be a mapping of URLs to KnownImage, or None (got list)"),
        ({URL: PNG}, f"images['{URL}'] must be a KnownImage (got bytes)"),
        ({URL: KnownImage(width=0, height=1)}, f"images['{URL}'] must be at least 1 px wide and high (got 0 by 1)"),
        ({URL: KnownImage(width="9", height=1)}, "width of KnownImage must be an int (got str)"),  # type: ignore[arg-type]
    ],
)
def test_wrong_images_are_refused(images: object, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        convert("", images=images)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_variants_are_smaller_and_of_the_widths_that_are_asked_for() -> None:
    written = rewrite_image(saved(Image.effect_noise((900, 600), 80), "PNG"), widths=(640, 320, 900, 1280))
    assert {width: opened(content).size for width, content in written.smaller.items()} == {
        640: (640, 427),
        320: (320, 213),
    }
    assert all(opened(content).format == "WEBP" for content in written.smaller.values())


@pytest.mark.parametrize(
    "content",
    [saved(quartered_image(800, 30), "PNG"), SVG, animated("GIF", duration=100)],
    ids=["few-bytes", "svg", "gif"],
)
def test_images_that_gain_nothing_have_no_variants(content: bytes) -> None:
    assert not rewrite_image(content, widths=(799,)).smaller


def test_transparent_variant_stays_transparent() -> None:
    image = Image.merge(
        "RGBA",
        [*Image.effect_noise((900, 600), 80).convert("RGB").split(), Image.linear_gradient("L").resize((900, 600))],
    )
    (small,) = rewrite_image(saved(image, "PNG"), widths=(640,)).smaller.values()
    assert opened(small).getchannel("A").getextrema() != (255, 255)
    assert opened(convert_image(saved(image, "WEBP"))).format == "PNG"
