"""What the service raises, each with its HTTP status and the code of the error envelope.

    ServiceError(message, headers)
    ├── InvalidBody           400 invalid_body
    ├── ValidationError       400 validation_error
    ├── Unauthorized          401 unauthorized
    ├── Forbidden             403 forbidden
    ├── NotFound              404 not_found
    ├── MethodNotAllowed      405 method_not_allowed
    ├── Expired               410 expired
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

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal_error"

    def __init__(self, message: str, *, headers: Mapping[str, str] | None = None) -> None:
        """Say it in `message`; `headers` go with the answer."""
        super().__init__(message)
        self.message = message
        self.headers = dict(headers or {})


class InvalidBody(ServiceError):  # noqa: N818  (the codes name the fault, not the class)
    """The body is not a JSON object in UTF-8, or the Content-Type is another."""

    status = 400
    code = "invalid_body"


class ValidationError(ServiceError):
    """A field is missing, or its value is not allowed."""

    status = 400
    code = "validation_error"


class Unauthorized(ServiceError):  # noqa: N818
    """The caller may not call."""

    status = 401
    code = "unauthorized"


class Forbidden(ServiceError):  # noqa: N818
    """The call is understood and refused: a form was sent from another site."""

    status = 403
    code = "forbidden"


class NotFound(ServiceError):  # noqa: N818
    """There is nothing at this address."""

    status = 404
    code = "not_found"


class MethodNotAllowed(ServiceError):  # noqa: N818
    """The path does not have this method; the header `Allow` lists those it has."""

    status = 405
    code = "method_not_allowed"


class Expired(ServiceError):  # noqa: N818
    """The demo page is past its time."""

    status = 410
    code = "expired"


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
