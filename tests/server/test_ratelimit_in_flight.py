"""Memory of bodies that clients have not taken."""

from contextlib import ExitStack
from dataclasses import dataclass

from mdpublish_server.ratelimit.in_flight import BytesInFlight


@dataclass(eq=False)
class Connection:
    stalled_since: float | None = None
    is_closed: bool = False

    def abort(self) -> None:
        self.is_closed = True


def body(size: int) -> bytes:
    return b"x" * size


def test_body_counts_until_it_is_sent() -> None:
    held = BytesInFlight(100)
    with held.hold(body(60), "a", Connection()):
        assert held.total == 60
    assert held.total == 0


def test_body_that_responses_share_counts_once() -> None:
    held, shared = BytesInFlight(100), body(60)
    connections = [Connection() for _ in range(5)]
    with ExitStack() as stack:
        for connection in connections:
            stack.enter_context(held.hold(shared, "a", connection))
        assert held.total == 60
    assert held.total == 0
    assert not any(connection.is_closed for connection in connections)


def test_connection_that_stalls_longest_is_closed_for_room() -> None:
    held = BytesInFlight(100)
    slow, stalled, fast, newest = Connection(20.0), Connection(10.0), Connection(None), Connection()
    with ExitStack() as stack:
        for connection in (slow, stalled, fast, newest):
            stack.enter_context(held.hold(body(30), "a", connection))
        assert held.total == 90
        assert [each.is_closed for each in (slow, stalled, fast, newest)] == [False, True, False, False]
    assert held.total == 0


def test_network_with_most_bytes_makes_room() -> None:
    held = BytesInFlight(100)
    patient, *greedy = Connection(1.0), Connection(50.0), Connection(40.0)
    newest = Connection()
    with ExitStack() as stack:
        for network, connection in (("a", patient), ("b", greedy[0]), ("b", greedy[1]), ("c", newest)):
            stack.enter_context(held.hold(body(30), network, connection))
        assert [each.is_closed for each in (patient, *greedy, newest)] == [False, False, True, False]


def test_body_above_the_limit_is_sent_alone() -> None:
    held = BytesInFlight(100)
    other, large = Connection(), Connection()
    with held.hold(body(50), "a", other), held.hold(body(200), "b", large):
        assert (other.is_closed, large.is_closed) == (True, False)
        assert held.total == 200
    assert held.total == 0
