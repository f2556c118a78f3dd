"""Why a job failed."""


class WorkerFailure(Exception):  # noqa: N818  (the leaves name the fault)
    """A job failed. The worker remains usable."""


class JobFailed(WorkerFailure):
    """A job raised an exception: its type, message and traceback. Only `detail` may quote the job's input."""

    def __init__(self, error: str, detail: str, stack: str) -> None:
        super().__init__(error, detail, stack)
        self.error = error
        self.detail = detail
        self.stack = stack

    def __str__(self) -> str:
        return f"the job raised {self.error}: {self.detail}"


class JobTooLarge(WorkerFailure):
    """A job exceeded the worker's memory limit."""


class JobTimedOut(WorkerFailure):
    """A job exceeded its CPU time."""


class JobStalled(WorkerFailure):
    """A job reached the wall-clock backstop without having had its CPU time."""


class WorkerDied(WorkerFailure):
    """The worker crashed, sent an invalid frame, could not be started, or is closed."""
