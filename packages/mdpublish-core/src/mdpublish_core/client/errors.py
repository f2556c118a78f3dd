"""Errors of requests.

ServiceError, an MdpublishError
├── NoResponse(problem)                       connection failed or timed out
└── RequestRefused(status, code, message)
    ├── BadRequest                            400, 411, 413, 415
    ├── Unauthorized                          401
    ├── Forbidden                             403
    ├── NotFound                              404
    ├── Conflict                              409, 412, 428
    ├── TooManyRequests                       429
    └── ServiceFailed                         500 and above
"""

from collections.abc import Mapping

from mdpublish_core.errors import MdpublishError


class ServiceError(MdpublishError):
    """Base class of what a client raises."""


class NoResponse(ServiceError):  # noqa: N818  (the field's words name the fault, not the class)
    """The service did not respond."""


class RequestRefused(ServiceError):  # noqa: N818
    """The service responded with an error: its status, its stable code and its message."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(status, code, message)
        self.status = status
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} ({self.status} {self.code})"


class BadRequest(RequestRefused):
    """The request is invalid."""


class Unauthorized(RequestRefused):
    """The API key is missing, wrong or revoked."""


class Forbidden(RequestRefused):
    """The plan or its quota does not allow this."""


class NotFound(RequestRefused):
    """The account has no such document."""


class Conflict(RequestRefused):
    """The document changed, or the slug is taken."""


class TooManyRequests(RequestRefused):
    """Over a rate limit, after the retries."""


class ServiceFailed(RequestRefused):
    """The service is busy or failed, after the retries."""


_BY_STATUS: Mapping[int, type[RequestRefused]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Conflict,
    428: Conflict,
    429: TooManyRequests,
}


def error_of(status: int, code: str, message: str) -> RequestRefused:
    """Return the error for a status."""
    kind = _BY_STATUS.get(status, ServiceFailed if status >= 500 else BadRequest)
    return kind(status, code, message)
