"""Limits of a confined worker. Where the kernel lacks a mechanism, a test is skipped with `doctor`'s reason."""

import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from struct import Struct

import pytest
from lxml import etree

from mdpublish_core.confinement import landlock, process, seccomp
from mdpublish_core.confinement.protections import PROTECTIONS, Protection, decode, encode
from mdpublish_core.workers import ForkServer, Worker
from mdpublish_core.workers.fork_server import CAN_FORK
from tests.running import importing

MODULE = "tests.core.theft_jobs"
LONG = 30.0
REFUSED = b"PermissionError"

FILE_THEFTS = ("read", "list", "write", "truncate", "delete", "run program")
PARENT_THEFTS = ("parent environment", "parent memory", "parent descriptors", "trace")
SOCKET_THEFTS = ("connect", "connect by path", "send datagram")

# Functions of system calls that the C library has; the kernel refuses nobody these arguments for a lack of permission.
FILE_FUNCTIONS = ("truncate", "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utimensat")
ATTRIBUTE_FUNCTIONS = ("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr")
OTHER_FUNCTIONS = (
    "socketpair",
    "process_vm_readv",
    "process_vm_writev",
    "open_by_handle_at",
    "unshare",
    "setns",
    "mount",
)


needs_forks = pytest.mark.skipif(not CAN_FORK, reason="workers are forked on Linux alone")


def worker_of(*, is_confined: bool, fork_server: ForkServer | None = None) -> Iterator[Worker]:
    worker = Worker(MODULE, is_confined=is_confined, fork_server=fork_server)
    worker.start()
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    fork_server = ForkServer(MODULE, warm_up=("warm_up", b""))
    yield fork_server
    fork_server.close()


@pytest.fixture(scope="module")
def started() -> Iterator[Worker]:
    yield from worker_of(is_confined=True)


@pytest.fixture(scope="module")
def forked(fork_server: ForkServer) -> Iterator[Worker]:
    yield from worker_of(is_confined=True, fork_server=fork_server)


@pytest.fixture(scope="module", params=["started", pytest.param("forked", marks=needs_forks)])
def confined(request: pytest.FixtureRequest) -> Worker:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def unconfined() -> Iterator[Worker]:
    yield from worker_of(is_confined=False)


@pytest.fixture
def targets(tmp_path: Path) -> Iterator[dict[str, str]]:
    """What each theft is aimed at."""
    file, folder, service = tmp_path / "secret.db", tmp_path, str(os.getpid())
    file.write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(tmp_path / "socket"))
        unix.listen()
        port = str(tcp.getsockname()[1])
        yield {
            **dict.fromkeys(("read", "truncate", "delete", "run program", "change mode"), str(file)),
            "list": str(folder),
            "write": str(tmp_path / "new"),
            **dict.fromkeys(("connect", "send datagram"), port),
            "connect by path": str(tmp_path / "socket"),
            **dict.fromkeys((*PARENT_THEFTS, "signal"), service),
        }


def attempt(worker: Worker, theft: str, targets: dict[str, str]) -> bytes:
    return worker.run(theft, targets[theft].encode(), seconds=LONG)


def require(worker: Worker, name: str) -> None:
    (protection,) = (each for each in worker.protections if each.name == name)
    if protection.mechanism is None:
        pytest.skip(f"workers are not confined here ({name}): {protection.problem}")


@pytest.mark.parametrize("theft", [*FILE_THEFTS, *SOCKET_THEFTS, "change mode", "signal"])
def test_theft_succeeds_without_confinement(unconfined: Worker, targets: dict[str, str], theft: str) -> None:
    """The attempts below are real."""
    assert attempt(unconfined, theft, targets).startswith(b"got ")
    assert unconfined.protections == ()


@pytest.mark.parametrize("theft", FILE_THEFTS)
def test_confined_worker_and_its_programs_open_no_file(confined: Worker, targets: dict[str, str], theft: str) -> None:
    require(confined, "files")
    before = sorted(path.name for path in Path(targets["list"]).iterdir())
    assert attempt(confined, theft, targets) == REFUSED
    assert Path(targets["read"]).read_text() == "secret"
    assert sorted(path.name for path in Path(targets["list"]).iterdir()) == before


def test_confined_worker_changes_no_mode_of_a_file(confined: Worker, targets: dict[str, str]) -> None:
    require(confined, "sockets")
    assert attempt(confined, "change mode", targets) == REFUSED


@pytest.mark.parametrize("theft", SOCKET_THEFTS)
def test_confined_worker_opens_no_socket(confined: Worker, targets: dict[str, str], theft: str) -> None:
    require(confined, "sockets")
    assert attempt(confined, theft, targets) == REFUSED


@pytest.mark.parametrize("name", [*FILE_FUNCTIONS, *ATTRIBUTE_FUNCTIONS, *OTHER_FUNCTIONS])
def test_confined_worker_has_no_such_function(confined: Worker, name: str) -> None:
    require(confined, "sockets")
    assert confined.run("run function", name.encode(), seconds=LONG) == REFUSED


@pytest.mark.parametrize("theft", PARENT_THEFTS)
def test_confined_worker_reads_nothing_of_its_parent(confined: Worker, targets: dict[str, str], theft: str) -> None:
    require(confined, "other processes")
    assert attempt(confined, theft, targets) == REFUSED


def test_confined_worker_signals_nobody_outside(confined: Worker, targets: dict[str, str]) -> None:
    require(confined, "signals")
    assert attempt(confined, "signal", targets) == REFUSED


def test_worker_of_a_confined_worker_is_confined(started: Worker, targets: dict[str, str]) -> None:
    require(started, "files")
    assert started.run("nested read", targets["read"].encode(), seconds=LONG) == REFUSED


@needs_forks
@pytest.mark.parametrize("name", ["fork", "vfork", "clone", "clone3", "execve", "execveat", "posix_spawn"])
def test_forked_worker_starts_no_process(forked: Worker, name: str) -> None:
    require(forked, "new processes")
    refused = b"OSError" if name == "clone3" else REFUSED
    assert forked.run("start process", name.encode(), seconds=LONG) == refused


@needs_forks
def test_forked_worker_starts_threads(forked: Worker) -> None:
    assert forked.run("start thread", b"", seconds=LONG) == b"a thread's"


@needs_forks
@pytest.mark.parametrize("theft", ["other environment", "other memory", "other signal"])
def test_forked_worker_reaches_no_other(forked: Worker, fork_server: ForkServer, theft: str) -> None:
    """Nor does it reach what forked both, whose layout of addresses they share."""
    require(forked, "signals")
    other = Worker(MODULE, is_confined=True, fork_server=fork_server)
    pids = other.run("pids", b"", seconds=LONG).split()
    results = [forked.run(theft, pid, seconds=LONG) for pid in pids]
    other.close()
    assert results == [REFUSED, REFUSED]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux tells which libraries are loaded")
def test_libraries_are_readable_wherever_they_are_installed() -> None:
    assert str(Path(etree.__file__).parent) in set(process._library_folders())


def test_confined_worker_still_imports_and_runs_python(confined: Worker) -> None:
    require(confined, "files")
    assert confined.run("import", b"html5lib", seconds=LONG) == b"html5lib"


@pytest.mark.parametrize("is_confined", [True, False])
def test_worker_inherits_no_descriptor(tmp_path: Path, is_confined: bool) -> None:
    with (tmp_path / "secret.db").open("w") as file:
        os.set_inheritable(file.fileno(), True)  # noqa: FBT003  (takes no keyword)
        worker = Worker(MODULE, is_confined=is_confined)
        descriptors = worker.run("descriptors", b"", seconds=LONG).decode().split("\n")
        worker.close()
        secret = os.fstat(file.fileno())
    # Nothing to read from, the error log as both outputs, and the pipes to and from its parent.
    assert [line.split()[0] for line in descriptors] == ["0", "1", "2", "3", "4"]
    assert f"{secret.st_dev}:{secret.st_ino}" not in "\n".join(descriptors)
    assert [line.split()[2] for line in descriptors[3:]] == ["pipe", "pipe"]


@needs_forks
def test_forked_worker_has_a_socket_to_what_forked_it_and_nothing_of_others(fork_server: ForkServer) -> None:
    workers = [Worker(MODULE, is_confined=True, fork_server=fork_server) for _ in range(3)]
    for worker in workers:
        worker.start()
    lines = workers[-1].run("descriptors", b"", seconds=LONG).decode().split("\n")
    for worker in workers:
        worker.close()
    assert [(line.split()[0], line.split()[2]) for line in lines[3:]] == [("3", "socket"), ("4", "pipe"), ("5", "pipe")]


def test_initial_environment_holds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays readable in /proc, whatever a process does to its variables."""
    monkeypatch.setenv("MDPUBLISH_SMTP_URL", "smtp://user:secret@host")
    monkeypatch.setenv("REDIS_PASSWORD", "secret")
    worker = Worker(MODULE)
    names = {
        line.partition("=")[0] for line in worker.run("initial environment", b"", seconds=LONG).decode().split("\0")
    }
    worker.close()
    assert "PYTHONPATH" in names
    assert not {name for name in names if name.startswith("MDPUBLISH_") or "PASSWORD" in name}


def test_every_protection_is_reported(confined: Worker) -> None:
    assert tuple(each.name for each in confined.protections) == tuple(PROTECTIONS)
    assert all(bool(each.mechanism) != bool(each.problem) for each in confined.protections)


def test_landlock_is_used_where_the_kernel_has_it(confined: Worker) -> None:
    # landlock_create_ruleset with LANDLOCK_CREATE_RULESET_VERSION, so that a broken call of ours skips no test unseen.
    version = ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1)
    mechanisms = {each.name: each.mechanism for each in confined.protections}

    assert mechanisms["files"] == (f"Landlock {version}" if version > 0 else None)


def verdict(program: bytes, *, architecture: int, number: int, argument: int = 0) -> int:
    """Return what a filter of the kernel's virtual machine decides of a call."""
    instructions: list[tuple[int, int, int, int]] = list(Struct("=HBBI").iter_unpack(program))
    position = loaded = 0
    while True:
        code, if_true, if_false, operand = instructions[position]
        position += 1
        match code:
            case 0x20:
                loaded = {0: number, 4: architecture, 16: argument}[operand]
            case 0x15:
                position += if_true if loaded == operand else if_false
            case 0x35:
                position += if_true if loaded >= operand else if_false
            case 0x45:
                position += if_true if loaded & operand else if_false
            case _:
                return operand


X86_64, ALLOWED, DENIED, KILLED = 0xC000003E, 0x7FFF0000, 0x00050001, 0x80000000


@pytest.mark.parametrize(
    ("architecture", "number", "expected"),
    [
        (X86_64, 41, DENIED),
        (X86_64, 59, DENIED),
        (X86_64, 40, ALLOWED),
        (X86_64, 60, ALLOWED),
        # The x32 ABI.
        (X86_64, 0x40000000, DENIED),
        (X86_64, 0x40000000 + 60, DENIED),
        # A program of 32 bits.
        (0x40000003, 60, KILLED),
    ],
)
def test_filter_decides_by_the_number_of_a_call(architecture: int, number: int, expected: int) -> None:
    program = b"".join(seccomp._instructions(X86_64, [41, 59], has_x32=True))

    assert verdict(program, architecture=architecture, number=number) == expected


# A thread's flags, as the C library has them; those of a `fork` of it; "not permitted" and "no such call".
@pytest.mark.parametrize(
    ("number", "argument", "expected"),
    [(56, 0x3D0F00, ALLOWED), (56, 0x1200011, DENIED), (435, 0, 0x00050026), (41, 0, DENIED), (40, 0, ALLOWED)],
)
def test_filter_tells_threads_from_processes(number: int, argument: int, expected: int) -> None:
    threads = tuple(seccomp._threads_only(56, 435))
    program = b"".join(seccomp._instructions(X86_64, [41, 59], threads, has_x32=True))

    assert verdict(program, architecture=X86_64, number=number, argument=argument) == expected


def test_report_survives_the_pipe() -> None:
    report = (Protection("files", "Landlock 7"), Protection("sockets", None, "there is no filter for riscv64"))
    assert decode(encode(report)) == report
    assert decode(encode(())) == ()


WITHOUT_LANDLOCK = """\
import ctypes
from mdpublish_core.confinement import hide_memory, seccomp
from mdpublish_core.workers import Worker

library = ctypes.CDLL(None, use_errno=True)
library.prctl(38, *map(ctypes.c_ulong, (1, 0, 0, 0)))
refused, seccomp._NUMBERS = seccomp._NUMBERS, {"landlock_create_ruleset": (444, 444)}
seccomp.install(library, may_start_processes=True)
"""
"""A filter that refuses Landlock stands for a kernel without it; workers inherit the filter."""


def output_without_landlock(program: str) -> list[str]:
    environment = importing(Path(__file__).parents[2])
    command = [sys.executable, "-c", WITHOUT_LANDLOCK + program]
    return subprocess.run(command, capture_output=True, check=True, text=True, env=environment).stdout.splitlines()


def test_kernel_without_landlock_is_reported_and_jobs_run(confined: Worker) -> None:
    require(confined, "sockets")
    program = (
        f"worker = Worker({MODULE!r}, is_confined=True)\n"
        "print(worker.run('import', b'html', seconds=30).decode())\n"
        "print(*(f'{each.name}: {each.mechanism or each.problem}' for each in worker.protections), sep='\\n')\n"
        "worker.close()\n"
    )
    assert output_without_landlock(program) == [
        "html",
        "files: this kernel has no Landlock (Operation not permitted)",
        "sockets: seccomp",
        "other processes: this kernel has no Landlock (Operation not permitted)",
        "signals: this kernel has no Landlock (Operation not permitted)",
        "new processes: it was not forked, and starts workers of its own",
    ]


def test_service_without_landlock_hides_its_memory(confined: Worker) -> None:
    """A process that cannot be dumped belongs to root in /proc."""
    require(confined, "sockets")
    program = "print(library.prctl(3, 0, 0, 0, 0))\nhide_memory()\nprint(library.prctl(3, 0, 0, 0, 0))"
    assert output_without_landlock(program) == ["1", "0"]


@pytest.mark.parametrize(("version", "size"), [(1, 8), (3, 8), (4, 16), (5, 16), (6, 24), (9, 24)])
def test_kernel_gets_the_attributes_that_its_landlock_knows(version: int, size: int) -> None:
    sizes = []

    class Kernel:
        @staticmethod
        def syscall(number: ctypes.c_long, *arguments: ctypes.c_long) -> int:
            if number.value != 444:
                return 0
            _, length, flags = arguments
            if flags.value:
                return version
            sizes.append(length.value)
            return os.open(os.devnull, os.O_RDONLY)

    assert landlock.restrict(Kernel(), ()) == version  # type: ignore[arg-type]
    assert sizes == [size]
