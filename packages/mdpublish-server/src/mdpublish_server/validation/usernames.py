"""Username validation."""

import re

from mdpublish_server.errors import ValidationError

USERNAME_CHARACTERS = range(3, 31)

USERNAME_PATTERN = r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*"

_USERNAME = re.compile(USERNAME_PATTERN)

# Seem to speak for the service.
_ROLES = """
abuse admin administration administrator administrators admins billing bot contact customerservice help helpdesk
hostmaster info legal mailerdaemon marketing mdpublish moderator moderators news noreply official operator owner payment
payments postmaster press privacy root sales security service staff status support sysadmin system team trust verified
webmaster
"""

# Present and future paths.
_PATHS = """
about account accounts api apis app apps archive assets auth blog callback categories category cdn changelog claim claims
config convert dashboard demo demos developer developers docs document documentation documents download downloads edit
embed error errors explore export faq favicon feed feeds figures files fonts health healthz home image images img imprint
index invite join key keys landing library licence license login logout manifest media metrics new notifications oauth
oauth2 openapi page pages password plan plans policy preview pricing profile public publish rate readyz register reset
robots rss search session sessions settings signin signout signup sitemap sitemaps src sso static store subscribe tag tags
template templates terms test tos trending unsubscribe upgrade upload uploads usage user username usernames users verify
version webhook webhooks wellknown wiki
"""

# Special host names.
_HOSTS = """
autoconfig autodiscover broadcasthost ftp imap isatap localdomain localhost mail mx1 mx2 ns1 ns2 pop pop3 smtp ssl web
wpad www www1 www2
"""

# Placeholders and pronouns.
_PLACEHOLDERS = """
all anonymous any anyone default deleted everybody everyone false guest nan nil nobody none null self true undefined
unknown you yourself
"""

RESERVED_USERNAMES = frozenset(f"{_ROLES}{_PATHS}{_HOSTS}{_PLACEHOLDERS}".split())
"""Compared without hyphens."""


def validate_username(name: str) -> str:
    """Return the name in lower case."""
    if len(name) not in USERNAME_CHARACTERS:
        raise ValidationError(
            f"username must be {USERNAME_CHARACTERS[0]} to {USERNAME_CHARACTERS[-1]} characters (got {len(name):,})"
        )
    # Before lowercasing, which turns the Kelvin sign into ASCII.
    if not _USERNAME.fullmatch(name):
        raise ValidationError(
            f"username must consist of letters a-z, digits and single hyphens between them (got {name!r})"
        )
    username = name.lower()
    if username.replace("-", "") in RESERVED_USERNAMES:
        raise ValidationError(f"username {name!r} is reserved; choose another")
    return username
