"""A worker, or a fork server of workers."""

import sys
from contextlib import suppress

with suppress(BrokenPipeError, KeyboardInterrupt):  # the caller is gone
    if "fork_server" in sys.argv[3:]:
        # Not on Windows.
        from mdpublish_core.workers.forking import run_fork_server

        run_fork_server(sys.argv[1], int(sys.argv[2]))
    else:
        from mdpublish_core.workers.serving import run_worker

        run_worker(sys.argv[1], int(sys.argv[2]), is_confined="confined" in sys.argv[3:])
