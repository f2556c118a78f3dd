import logging

import pytest

from mdpublish_server.throttled_log import ThrottledLog


def test_repeated_warning_is_logged_once_a_minute_with_the_number_left_out(caplog: pytest.LogCaptureFixture) -> None:
    ticks = [1_000.0]
    log = ThrottledLog(logging.getLogger("outage"), ticks=lambda: ticks[-1])
    for _ in range(100):
        log.warning("Database not available: %s", "refused")
    ticks.append(1_059.9)
    log.warning("Database not available: %s", "refused")
    ticks.append(1_060.0)
    log.warning("Database not available: %s", "refused")
    log.warning("Database not available: %s", "refused")
    assert [record.getMessage() for record in caplog.records] == [
        "Database not available: refused",
        "Database not available: refused (and 100 times since the last message)",
    ]
