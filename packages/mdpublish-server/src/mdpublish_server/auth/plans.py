"""Plans: what an account may do, and how much of it (specification, "Limits").

A plan is a value that `plans_of` makes of the settings; whoever asks whether something is allowed asks its plan.
"""

from dataclasses import dataclass
from datetime import datetime

from mdpublish_core import get_template
from mdpublish_server.errors import Forbidden, ValidationError
from mdpublish_server.settings import PlanLimits, Settings
from mdpublish_server.storage import Account
from mdpublish_server.storage.accounts import UNLIMITED

FREE = "free"
PRO = "pro"

EDITABLE_DOCUMENTS = 5
"""Documents that stay editable after a downgrade: those edited last."""

ACTIVE_KEYS = 2
"""API keys that an account may have at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What accounts of one plan may do."""

    name: str
    rate_limit: int
    monthly_quota: int
    documents: int
    pages: int
    has_pro_options: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The two plans, with the operator's numbers."""

    free: Plan
    pro: Plan

    def of(self, account: Account, *, now: datetime) -> Plan:
        """Return an account's plan at a time: the end of a plan is not within it any more."""
        return self.pro if is_pro(account.plan, account.plan_until, now=now) else self.free


def plans_of(settings: Settings) -> Plans:
    """Return the plans with the operator's numbers."""
    return Plans(
        free=_plan(FREE, settings.free, has_pro_options=False), pro=_plan(PRO, settings.pro, has_pro_options=True)
    )


def is_pro(plan: str | None, until: datetime | None, *, now: datetime) -> bool:
    """Tell whether a plan that was set is Pro at a time."""
    return plan == PRO and (until is None or now < until)


def require_template(plan: Plan, template_id: str) -> None:
    """Refuse a Pro template on Free; raises `Forbidden`."""
    if not plan.has_pro_options and not is_free_template(template_id):
        raise Forbidden(
            f"template_id {template_id!r} is a template of the Pro plan; this account is on Free, whose templates "
            "are those of the category free"
        )


def require_free_template(template_id: str) -> None:
    """Refuse a Pro template in a demo; raises `ValidationError`."""
    if not is_free_template(template_id):
        raise ValidationError(
            f"template_id {template_id!r} is a template of the Pro plan; a page without an account takes those of the "
            "category free"
        )


def require_pro(plan: Plan, option: str) -> None:
    """Refuse an option that only Pro has; raises `Forbidden`."""
    if not plan.has_pro_options:
        raise Forbidden(f"{option} takes the Pro plan; this account is on Free")


def is_free_template(template_id: str) -> bool:
    """Tell whether everybody may use a template, which must be known."""
    return get_template(template_id).category == "free"


def _plan(name: str, limits: PlanLimits, *, has_pro_options: bool) -> Plan:
    return Plan(
        name=name,
        rate_limit=limits.rate_limit,
        monthly_quota=limits.monthly_quota,
        documents=UNLIMITED if limits.documents is None else limits.documents,
        pages=UNLIMITED if limits.pages is None else limits.pages,
        has_pro_options=has_pro_options,
    )
