"""`POST /v1/demo/publish`: a page published without an account."""

from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.answers import answer
from mdpublish_server.api.bodies import read_model
from mdpublish_server.models import DemoPublishAnswer, DemoPublishBody
from mdpublish_server.policies.texts import checked_markdown, checked_template, checked_theme_mode, checked_title
from mdpublish_server.publishing import Draft, Publisher


async def publish(publisher: Publisher, request: Request) -> Response:
    """Publish the body's text as a page that expires in 72 hours."""
    body = await read_model(request, DemoPublishBody)
    draft = Draft(
        content=checked_markdown("content", body.content),
        title=checked_title(body.title),
        template_id=checked_template(body.template_id),
        theme_mode=checked_theme_mode(body.theme_mode),
    )
    publication = await publisher.publish_demo(draft)
    published = DemoPublishAnswer(
        url=publication.url,
        claim_token=publication.claim_token,
        expires_at=_iso(publication.expires_at),
        template_id=publication.document.template_id,
        id=publication.document.id,
    )
    return answer(published, status=201)


def _iso(time: datetime) -> str:
    """Return a time in UTC as ISO 8601, to the microsecond, since that is how exactly a page expires."""
    return time.isoformat(timespec="microseconds").replace("+00:00", "Z")
