"""Messages between a worker and its caller: a header, and a body.

Nothing is unpickled: a compromised worker can only return wrong results.
"""

from struct import Struct

from mdpublish_core.workers.failures import WorkerDied

MAX_RESULT_BYTES = 1 << 28
"""More than any conversion within `Limits`."""

# Kind, CPU seconds of the job, body length. Body of a job: CPU and wall-clock limit, name length, name, payload.
HEADER = Struct(">cdI")
JOB_HEADER = Struct(">ddB")

READY, JOB, RESULT, FAILED, FAILED_FATALLY, TOO_LARGE, STALLED = b"R", b"J", b"A", b"F", b"S", b"M", b"B"


def checked_header(received: bytes | bytearray) -> tuple[bytes, float, int]:
    kind, cpu_seconds, length = HEADER.unpack_from(received)
    if length > MAX_RESULT_BYTES:
        raise WorkerDied(f"the response must be at most {MAX_RESULT_BYTES:,} bytes (got {length:,})")
    # A compromised worker could send NaN.
    return kind, cpu_seconds if cpu_seconds >= 0 else 0.0, length
