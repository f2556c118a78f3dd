"""What the service does not load before it needs it: it makes the start longer."""

import json
import subprocess
import sys
from pathlib import Path

LATE = ("mcp", "redis", "psycopg", "pygments.lexers.python", "mdpublish_core.matcher")

PROGRAM = """
import json, sys
from mdpublish_server.app import create_app
from mdpublish_server.settings import read_settings
create_app(read_settings({"MDPUBLISH_DATABASE_URL": sys.argv[1]}))
print(json.dumps(sorted(sys.modules)))
"""


def test_service_on_sqlite_starts_without_what_it_may_never_need(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, f"sqlite:///{tmp_path}/test.db"]
    loaded = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    assert "mdpublish_server.mcp" in loaded
    assert [name for name in LATE if name in loaded] == []
