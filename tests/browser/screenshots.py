"""A published page with many uploaded screenshots."""

from typing import Any

from PIL import Image, ImageDraw

from tests.browser.served import Member, Served
from tests.image_files import saved


def screenshot(number: int) -> bytes:
    """A window with lines of text, 1,600 px wide."""
    image = Image.new("RGB", (1600, 700 + 40 * number), "white")
    draw = ImageDraw.Draw(image)
    for line in range(20, image.height - 40, 30):
        draw.text(
            (40, line), f"{number}: line {line} of a long report, about {line * number}", fill="black", font_size=22
        )
    image.paste(Image.effect_noise((200, 150), 40 + number), (1200, 100))
    return saved(image, "PNG")


def publish_screenshots(service: Served, member: Member, count: int = 10) -> dict[str, Any]:
    paragraph = "A paragraph between the images, of some lines of text on most screens. " * 4
    headers = {"Authorization": f"Bearer {member.key}"}
    texts = ["# Ten screenshots"]
    for number in range(count):
        response = service.client.post("/v1/images", content=screenshot(number), headers=headers)
        assert response.is_success, response.text
        texts += [paragraph, f'![The report, page {number + 1}]({response.json()["url"]} "Page {number + 1}")']
    content = "\n\n".join(texts)
    return service.publish(member, content, title="Ten screenshots", visibility="public", description="Screenshots.")
