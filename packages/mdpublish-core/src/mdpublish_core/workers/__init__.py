"""Worker processes for jobs that may hang, crash or run out of memory.

    Worker.run(job, payload, seconds) ──▶ pipe ──▶ JOBS[job](payload)

    worker       the caller's end, with `exchange` and `frames`
    processes    starts `python -m mdpublish_core.workers MODULE`
    fork_server  or has it forked from a process that is warm: `forking`
    serving      the process's end

    WorkerFailure
    ├── JobFailed(error, detail, stack)
    ├── JobTooLarge
    ├── JobTimedOut
    ├── JobStalled
    └── WorkerDied

Nothing is unpickled: a compromised worker can only return wrong results. Confined, it can do nothing else: see
`confinement`.

Time limits count CPU time of the job, so that a result does not depend on the machine's load. A timer in the kernel
ends a job that exceeds it. A job that reaches the wall-clock backstop without having had its CPU time is stalled: the
machine is too busy, or the job waits for something. The caller ends it or, one second later, the kernel.
"""

from mdpublish_core.workers.charges import charge_cpu, is_worker
from mdpublish_core.workers.failures import JobFailed, JobStalled, JobTimedOut, JobTooLarge, WorkerDied, WorkerFailure
from mdpublish_core.workers.fork_server import ForkServer
from mdpublish_core.workers.limits import BACKSTOP_FACTOR, INNER_WORKERS, MEMORY_BYTES, START_SECONDS
from mdpublish_core.workers.worker import Worker
