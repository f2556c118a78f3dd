"""Requests that are sent again with the same `Idempotency-Key`: the first response is replayed for 24 hours.

Of the key only a hash is stored; the response is encrypted with a key derived from it. A request whose process ended
before it was stored may be sent again after five minutes.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from hashlib import sha256

from msgspec import Struct, msgpack

from mdpublish_server.auth.server_key import ServerKey, cipher_of
from mdpublish_server.clock import Clock
from mdpublish_server.errors import Conflict, IdempotencyMismatch
from mdpublish_server.ratelimit.throttles import REQUEST_SPAN, Bucket, Hits
from mdpublish_server.storage import Database
from mdpublish_server.storage.replays import Replay, finish_request, release_request, start_request

LIFETIME = timedelta(hours=24)

ANONYMOUS_REFUSALS = 1_000
"""Stored replays per hour for all without an account, otherwise unbounded. Past them, a request runs again."""

# More than a request can take.
_ABANDONED = timedelta(minutes=5)


class StoredResponse(Struct, frozen=True, array_like=True):
    """A response, as bytes."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    @property
    def is_final(self) -> bool:
        """Whether the same request would get the same response again."""
        return self.status < 500 and self.status != 429


_read = msgpack.Decoder(StoredResponse).decode


class IdempotentRequests:
    """Runs requests once."""

    def __init__(self, database: Database, server_key: ServerKey, hits: Hits, clock: Clock) -> None:
        self._database = database
        self._server_key = server_key
        self._hits = hits
        self._clock = clock

    async def run(
        self, key: str, scope: tuple[str, ...], body: bytes, work: Callable[[], Awaitable[StoredResponse]]
    ) -> tuple[StoredResponse, bool]:
        """Return the response, and whether it is a replay. `scope` begins with the account, empty for who has none.

        Raises `IdempotencyMismatch` if the first request had another body, `Conflict` while it runs.
        """
        secret = key.encode()
        replay_id = (await self._server_key.derive("replay", *(part.encode() for part in scope), secret)).hex()
        now, body_hash = self._clock(), sha256(body).hexdigest()
        earlier = await self._database.write(
            start_request, replay_id, body_hash=body_hash, now=now, expired=now - LIFETIME, abandoned=now - _ABANDONED
        )
        cipher = cipher_of(secret)
        if earlier is not None:
            return _read(cipher.decrypt(_response_of(earlier, body_hash))), True
        response, is_stored = None, False
        try:
            response = await work()
            is_stored = response.is_final and (bool(scope[0]) or await self._keeps_anonymous(response))
        finally:
            if not is_stored:
                await self._database.write(release_request, replay_id, started_at=now)
        if is_stored:
            stored = cipher.encrypt(msgpack.encode(response))
            await self._database.write(finish_request, replay_id, started_at=now, response=stored)
        return response, False

    async def _keeps_anonymous(self, response: StoredResponse) -> bool:
        refusals = Bucket("anonymous-refusals", ANONYMOUS_REFUSALS, REQUEST_SPAN, ())
        return response.status < 400 or not await self._hits.take(refusals)


def _response_of(replay: Replay, body_hash: str) -> bytes:
    if replay.body_hash != body_hash:
        raise IdempotencyMismatch(
            "This Idempotency-Key was used with another body; use another key for another request"
        )
    if replay.response is None:
        raise Conflict("A request with this Idempotency-Key still runs; retry when it has ended")
    return replay.response
