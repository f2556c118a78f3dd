"""Plans and their limits (specification, "Limits")."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from mdpublish_core import get_template
from mdpublish_server.errors import Forbidden, ValidationError
from mdpublish_server.settings import PlanLimits, Settings
from mdpublish_server.storage import Account, DocumentRecord
from mdpublish_server.storage.accounts import UNLIMITED
from mdpublish_server.validation.validators import requires_pro

FREE = "free"
PRO = "pro"

EDITABLE_DOCUMENTS = 5
"""Most recently edited documents that stay editable after a downgrade."""

ACTIVE_KEYS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Limits of one plan."""

    name: str
    rate_limit: int
    monthly_quota: int
    documents: int
    pages: int
    image_megabytes: int
    has_pro_options: bool

    @property
    def max_image_bytes(self) -> int | None:
        return None if self.image_megabytes >= UNLIMITED else self.image_megabytes * 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The plans with the operator's limits."""

    free: Plan
    pro: Plan

    def of(self, account: Account, *, now: datetime) -> Plan:
        return self.pro if is_pro(account.plan, account.plan_until, now=now) else self.free


def plans_of(settings: Settings) -> Plans:
    return Plans(
        free=_plan(FREE, settings.free, has_pro_options=False), pro=_plan(PRO, settings.pro, has_pro_options=True)
    )


def is_pro(plan: str | None, until: datetime | None, *, now: datetime) -> bool:
    """Return whether an account is on Pro; `until` is exclusive."""
    return plan == PRO and (until is None or now < until)


def require_template(plan: Plan, template_id: str) -> None:
    if not plan.has_pro_options and not is_free_template(template_id):
        raise Forbidden(f"template_id {requires_pro(template_id)}")


def require_free_template(template_id: str) -> None:
    if not is_free_template(template_id):
        raise ValidationError(
            f"template_id {template_id!r} requires the Pro plan; demo pages use templates of the category free"
        )


def require_options(plan: Plan, fields: Mapping[str, Any], stored: DocumentRecord | None = None) -> None:
    """Raise `Forbidden` if fields have Pro values that are not stored already: they survive a downgrade."""
    if plan.has_pro_options:
        return
    changes = {name: value for name, value in fields.items() if stored is None or getattr(stored, name) != value}
    if "template_id" in changes:
        require_template(plan, changes["template_id"])
    if "slug" in changes:
        raise _requires_pro("slug")
    if changes.get("hide_badge"):
        raise _requires_pro("hide_badge")
    if (visibility := changes.get("visibility")) in ("public", "specific"):
        raise _requires_pro(f"visibility: {visibility}")
    if changes.get("readers"):
        raise _requires_pro("readers")


def _requires_pro(option: str) -> Forbidden:
    return Forbidden(f"`{option}` requires the Pro plan")


def is_free_template(template_id: str) -> bool:
    """Raise `UnknownTemplate`."""
    return get_template(template_id).category == "free"


def _plan(name: str, limits: PlanLimits, *, has_pro_options: bool) -> Plan:
    bounds = {bound: UNLIMITED if value is None else value for bound, value in asdict(limits).items()}
    return Plan(name=name, has_pro_options=has_pro_options, **bounds)
