"""`POST /v1/convert`: a text in the form its destination takes. Nothing is kept."""

from base64 import b64encode

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.answers import answer
from mdpublish_server.api.bodies import read_model
from mdpublish_server.conversion import ConversionRequest, Converter
from mdpublish_server.models import ConvertAnswer, ConvertBody, MediaAnswer, NoticeAnswer
from mdpublish_server.policies.callers import require_loopback
from mdpublish_server.policies.texts import (
    checked_destination,
    checked_markdown,
    checked_template,
    checked_theme_mode,
)


async def convert(converter: Converter, request: Request) -> Response:
    """Convert the body's text. Until there are API keys, only clients on loopback may call this."""
    require_loopback(request)
    body = await read_model(request, ConvertBody)
    conversion = await converter.convert(
        ConversionRequest(
            markdown=checked_markdown("markdown", body.markdown),
            destination=checked_destination(body.destination),
            template_id=checked_template(body.template_id),
            theme_mode=checked_theme_mode(body.theme_mode),
        )
    )
    notices = (
        NoticeAnswer(code=notice.code, message=notice.message, line=notice.line) for notice in conversion.notices
    )
    # Elsewhere the pictures stand in the HTML itself.
    attached = conversion.media if conversion.destination == "email" else ()
    media = (
        MediaAnswer(content_id=each.content_id, media_type=each.media_type, data=b64encode(each.data).decode())
        for each in attached
    )
    return answer(
        ConvertAnswer(
            html=conversion.html,
            plain_text=conversion.plain_text,
            destination=conversion.destination,
            template_id=conversion.template_id,
            theme_mode=conversion.theme_mode,
            media=tuple(media),
            notices=tuple(notices),
        )
    )
