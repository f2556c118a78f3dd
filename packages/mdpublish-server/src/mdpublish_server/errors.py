"""What the service raises, each with its HTTP status and the code of the error envelope.

    ServiceError(message, headers)
    ├── InvalidBody           400 invalid_body
    ├── ValidationError       400 validation_error
    ├── ContentRejected       400 content_rejected
    ├── Unauthorized          401 unauthorized
    ├── Forbidden             403 forbidden
    ├── QuotaExceeded         403 or 429 quota_exceeded
    ├── NotFound              404 not_found
    ├── MethodNotAllowed      405 method_not_allowed
    ├── Conflict              409 conflict
    ├── Expired               410 expired
    ├── RateLimited           429 rate_limited
    ├── ConversionError       500 conversion_error
    ├── RenderError           500 render_error
    ├── InternalError         500 internal_error
    └── ServiceUnavailable    503 service_unavailable

The API answers them in its envelope, `{"error": {"code", "message", "status"}}`, the public site as a page. A message is
for the client: it names what arrived and what is allowed, and never tells what went on inside.
"""

from collections.abc import Mapping
from typing import ClassVar


class ServiceError(Exception):
    """Everything that the service raises on purpose."""

    status: int = 500
    code: ClassVar[str] = "internal_error"

    def __init__(self, message: str, *, status: int | None = None, headers: Mapping[str, str] | None = None) -> None:
        """Say it in `message`; `headers` go with the answer, `status` is given where the class has two."""
        super().__init__(message)
        self.message = message
        self.status = self.status if status is None else status
        self.headers = dict(headers or {})


class InvalidBody(ServiceError):  # noqa: N818  (the codes name the fault, not the class)
    """The body is not a JSON object in UTF-8, or the Content-Type is another."""

    status = 400
    code = "invalid_body"


class ValidationError(ServiceError):
    """A field is missing, or its value is not allowed."""

    status = 400
    code = "validation_error"


class ContentRejected(ServiceError):  # noqa: N818
    """The text of a demo looks like abuse."""

    status = 400
    code = "content_rejected"


class Unauthorized(ServiceError):  # noqa: N818
    """The API key is missing or not valid, or nobody is signed in."""

    status = 401
    code = "unauthorized"


class Forbidden(ServiceError):  # noqa: N818
    """The plan does not allow it, plain HTTP is refused, or a form was sent from another site."""

    status = 403
    code = "forbidden"


class QuotaExceeded(ServiceError):  # noqa: N818
    """The month's calls are used up (429), or there are as many documents or pages as the plan allows (403)."""

    status = 403
    code = "quota_exceeded"


class NotFound(ServiceError):  # noqa: N818
    """There is nothing at this address, or it is another account's."""

    status = 404
    code = "not_found"


class MethodNotAllowed(ServiceError):  # noqa: N818
    """The path does not have this method; the header `Allow` lists those it has."""

    status = 405
    code = "method_not_allowed"


class Conflict(ServiceError):  # noqa: N818
    """The slug that was asked for is taken."""

    status = 409
    code = "conflict"


class Expired(ServiceError):  # noqa: N818
    """The demo page is past its time."""

    status = 410
    code = "expired"


class RateLimited(ServiceError):  # noqa: N818
    """More requests in one second than the plan allows."""

    status = 429
    code = "rate_limited"


class ConversionError(ServiceError):
    """A conversion broke off, which is a mistake of the service."""

    code = "conversion_error"


class RenderError(ServiceError):
    """A page could not be rendered, which is a mistake of the service."""

    code = "render_error"


class InternalError(ServiceError):
    """Anything else went wrong, which is a mistake of the service."""


class ServiceUnavailable(ServiceError):  # noqa: N818
    """The service cannot work just now."""

    status = 503
    code = "service_unavailable"


CODES = tuple(kind.code for kind in ServiceError.__subclasses__())
"""Every code of the error envelope, in the order of the tree."""
