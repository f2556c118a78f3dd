"""The first schema that is upgraded from: earlier revisions were never released."""

revision = "0016"
down_revision = None
