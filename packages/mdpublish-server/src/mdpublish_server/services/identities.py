"""Accounts of people whom the OpenID Connect provider knows: found by subject, the first time by verified email."""

from datetime import datetime

from mdpublish_server.auth.passwords import validate_email
from mdpublish_server.auth.plans import FREE, PRO
from mdpublish_server.errors import Forbidden
from mdpublish_server.services.accounts import create_account, end_access, require_active
from mdpublish_server.services.openid import Identity
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Account, Transaction
from mdpublish_server.storage import accounts as accounts_table


def enter(transaction: Transaction, identity: Identity, settings: Settings, *, now: datetime) -> Account:
    """Return the account, with the plan and role that claims give; raise `Forbidden`, or `Unauthorized` if suspended."""
    account = accounts_table.find_account_by_subject(transaction, identity.issuer, identity.subject)
    account = account or _linked(transaction, identity, settings, now=now)
    require_active(account)
    if settings.oidc_pro:
        plan = PRO if identity.has(*settings.oidc_pro) else FREE
        accounts_table.set_plan(transaction, account.id, plan, until=None)
    if settings.oidc_operators:
        is_operator = identity.has(*settings.oidc_operators)
        accounts_table.set_operator(transaction, account.id, operator=is_operator)
    return account


def _linked(transaction: Transaction, identity: Identity, settings: Settings, *, now: datetime) -> Account:
    if identity.verified_email is None:
        raise Forbidden(
            f"{settings.oidc_label} does not say that your email address is verified; ask its administrator"
        )
    email = validate_email(identity.verified_email)
    if email.partition("@")[2] not in settings.oidc_domains:
        raise Forbidden(f"Email addresses such as {email} have no accounts here; ask the operator of this service")
    account = accounts_table.find_account_by_email(transaction, email)
    if account is None:
        account = create_account(transaction, email=email, password_hash=None, now=now)
    elif account.subject is not None:
        # An address may have passed on to another person.
        raise Forbidden(f"The account of {email} belongs to another sign-in; ask the operator of this service")
    elif settings.smtp_url is None:
        # Nobody has proved to have the address: a stranger may have chosen this password.
        accounts_table.set_password_hash(transaction, account.id, None)
        end_access(transaction, account, ends_programs_at=now)
    accounts_table.set_subject(transaction, account.id, identity.issuer, identity.subject)
    return account
