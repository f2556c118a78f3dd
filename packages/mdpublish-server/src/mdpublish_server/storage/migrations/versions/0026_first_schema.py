"""The first schema that is upgraded from: earlier revisions were never released."""

revision = "0026"
down_revision = None
