"""`/account`: the plan, and how much of it is taken."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.clock import Clock
from mdpublish_server.policies.admission import calls_used, next_month
from mdpublish_server.policies.plans import Plans
from mdpublish_server.storage import Account
from mdpublish_server.web.site import Site


class Overview:
    """Shows the account."""

    def __init__(self, plans: Plans, site: Site, clock: Clock) -> None:
        self._plans = plans
        self._site = site
        self._clock = clock

    async def show(self, _request: Request, account: Account) -> Response:
        """Show who is signed in, the plan, and the calls of this month."""
        now = self._clock()
        return self._site.page(
            "account/overview.html",
            account=account,
            plan=self._plans.of(account, now=now),
            used=calls_used(account, now=now),
            reset=next_month(now),
        )
