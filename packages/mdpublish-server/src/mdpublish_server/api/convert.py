"""`POST /v1/convert`: a text in the form its destination takes. Nothing is kept."""

import asyncio

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.answers import HEADERS
from mdpublish_server.api.bodies import read_model
from mdpublish_server.api.operations import Operation, Services
from mdpublish_server.conversion import ConversionRequest
from mdpublish_server.models import ConvertAnswer, ConvertBody
from mdpublish_server.policies.admission import Call
from mdpublish_server.policies.codings import accepts_gzip
from mdpublish_server.policies.plans import require_template
from mdpublish_server.policies.texts import (
    checked_destination,
    checked_images,
    checked_markdown,
    checked_template,
    checked_theme_mode,
)


async def convert(services: Services, call: Call, request: Request) -> Response:
    """Convert the body's text. The answer is finished where the text was converted, and passes through as it is."""
    body = await read_model(request, ConvertBody)
    wanted = ConversionRequest(
        markdown=checked_markdown("markdown", body.markdown),
        destination=checked_destination(body.destination),
        template_id=checked_template(body.template_id),
        theme_mode=checked_theme_mode(body.theme_mode),
        images=None if body.images is UNSET else checked_images(body.images),
        gzipped=accepts_gzip(request.headers.get("accept-encoding", "")),
    )
    require_template(call.plan, wanted.template_id)
    # The count gets to the disk while the text is converted; without it there is no answer.
    counted = asyncio.create_task(services.admission.spend(call))
    try:
        converted = await services.converter.convert(wanted, caller=call.account.id)
    finally:
        await counted
    headers = dict(HEADERS)
    if converted.gzipped:
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(converted.body, headers=headers, media_type="application/json")


CONVERT = Operation(
    method="POST",
    path="/convert",
    name="convert",
    summary="Convert a text",
    description="Converts Markdown for a destination. Nothing is stored.",
    tag="Conversion",
    endpoint=convert,
    body=ConvertBody,
    body_example={"markdown": "# Hello\n\nA *first* text.\n", "destination": "html"},
    answer=ConvertAnswer,
    answer_example={
        "html": "<h1>Hello</h1>\n<p>A <em>first</em> text.</p>\n",
        "plain_text": "Hello\n=====\n\nA first text.\n",
        "destination": "html",
        "template_id": "swiss",
        "theme_mode": "light",
        "media": [],
        "notices": [],
    },
    codes=("invalid_body", "validation_error", "forbidden", "conversion_error"),
)
