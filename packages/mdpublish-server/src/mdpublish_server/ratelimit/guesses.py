"""Budgets for guesses at secrets below 64 bits: passwords, and the codes of mails.

Browsers that nobody knows share a budget by network, and one by target: an email address, a page, its account. Once
that is spent, each network still has one try an hour, so that nobody can lock a target. A browser that succeeded once
has a budget of its own before those (OWASP's device cookies). Results don't reveal whether a target exists.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple
from zlib import crc32

from mdpublish_server.ratelimit.hourly_limit import too_many
from mdpublish_server.ratelimit.throttles import Bucket, Hits

MAX_FAILURES = 5
"""Sign-ins per email address and network, within `FAILURE_SPAN`."""

MAX_NETWORK_FAILURES = 50
"""Enough for an office behind one IP address; of a wider network, four times as many."""

FAILURE_SPAN = timedelta(minutes=15)

MAX_TARGET_FAILURES = 50
"""Sign-ins with an email address, and codes of a page or an address, from unknown browsers within `TARGET_SPAN`."""

TARGET_SPAN = timedelta(days=1)

_LAST_SPAN = timedelta(hours=1)

_DEVICES = 10

# Strangers choose the addresses that are counted for a day, so these share rows: megabytes in Redis.
_EMAIL_SLOTS = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesser:
    """A browser that tries a secret: its networks, narrowest first, and its device's id if it succeeded once."""

    networks: tuple[str, ...]
    device: str | None = None


class Target(NamedTuple):
    """What is guessed at, and how many failures of unknown browsers it bears within `TARGET_SPAN`."""

    kind: str
    limit: int
    key: str

    def bucket(self, secret: str) -> Bucket:
        return Bucket(f"{secret}-of-{self.kind}", self.limit, TARGET_SPAN, (self.key,))


class GuessThrottle:
    """Limits guesses: `tries` by network and target, `network_tries` by network, within `FAILURE_SPAN`.

    Requests run concurrently, so a guess counts as a failure before the secret is verified:

        await throttle.admit(guesser, name, *targets)
        … verify the password …
        await throttle.clear(guesser, name, *targets)
    """

    def __init__(
        self,
        hits: Hits,
        secret: str,
        what: str,
        *,
        of: str,
        tries: int = MAX_FAILURES,
        network_tries: int = MAX_NETWORK_FAILURES,
    ) -> None:
        self._hits = hits
        self._secret = secret
        self._what = what
        self._of = of
        self._tries = tries
        self._network_tries = network_tries

    async def admit(self, guesser: Guesser, name: str, *targets: Target) -> None:
        """Count a failure with what `name` names; raise `RateLimited` after too many, even for the right secret."""
        of_device = self._of_device(guesser, name)
        if of_device and not await self._hits.take(*of_device):
            return
        if wait := await self._hits.take(*self._of_networks(guesser, name)):
            raise too_many(f"{self._what} from your network", wait)
        if not await self._hits.take(*(target.bucket(self._secret) for target in targets)):
            return
        last = Bucket(f"last-{self._secret}", 1, _LAST_SPAN, (guesser.networks[-1], name))
        if wait := await self._hits.take(last):
            raise too_many(f"{self._what} {self._of}, so a network has one try an hour", wait)

    async def clear(self, guesser: Guesser, name: str, *targets: Target) -> None:
        """Forget the failures of this network, and this device, with what `name` names."""
        mine, *others = self._of_networks(guesser, name)
        await self._hits.forget(mine, also_of=[*others, *(target.bucket(self._secret) for target in targets)])
        if of_device := self._of_device(guesser, name):
            await self._hits.forget(of_device[0], also_of=of_device[1:])

    def _of_device(self, guesser: Guesser, name: str) -> Sequence[Bucket]:
        if guesser.device is None:
            return ()
        # Who knew a former password may have collected cookies, so all devices together have a budget too.
        return (
            Bucket(f"{self._secret}-of-device", self._tries, FAILURE_SPAN, (guesser.device, name)),
            Bucket(f"{self._secret}-of-devices", _DEVICES * self._tries, TARGET_SPAN, (name,)),
        )

    def _of_networks(self, guesser: Guesser, name: str) -> Sequence[Bucket]:
        return (
            Bucket(self._secret, self._tries, FAILURE_SPAN, (guesser.networks[0], name)),
            *network_buckets(self._secret, self._network_tries, FAILURE_SPAN, guesser.networks),
        )


def network_buckets(kind: str, limit: int, span: timedelta, networks: Sequence[str]) -> Sequence[Bucket]:
    """Return the buckets of networks, narrowest first; each wider one has four times the limit."""
    return [
        Bucket(f"{kind}-of-network-{number}", limit * 4**number, span, (network,))
        for number, network in enumerate(networks)
    ]


def sign_in_throttle(hits: Hits) -> GuessThrottle:
    return GuessThrottle(hits, "sign-ins", "failed sign-ins", of="with this email address")


def second_factor_throttle(hits: Hits) -> GuessThrottle:
    """Budgets that a right password does not clear."""
    return GuessThrottle(hits, "second-factors", "wrong codes", of="of this account")


def email_target(email: str) -> Target:
    # Forms may contain lone surrogates.
    slot = crc32(email.lower().encode("utf-8", "surrogatepass")) % _EMAIL_SLOTS
    return Target("email", MAX_TARGET_FAILURES, str(slot))
