"""A calculation of machines from measured figures: 10 million pages, 1,000 views and 50 conversions a second, on PostgreSQL."""

from math import ceil

from benchmarks.capacity import KILOBYTES, VIEW, Capacity, converting

PAGES = 10_000_000
VIEWS = 1_000
CONVERSIONS = 50

CPUS = 4
"""Of a machine; the default numbers of workers follow from them."""

BUSY = 0.5
"""Of a CPU, on average: the rest is for peaks."""

CONNECTIONS = 19
"""Of a serving process to PostgreSQL."""


def print_plan(capacity: Capacity) -> None:
    """Print what texts of each size need, if no page is in memory."""
    plans = [_plan(capacity, kilobytes) for kilobytes in KILOBYTES]
    sizes = " | ".join(f"texts of {kilobytes} KB" for kilobytes in KILOBYTES)
    print(f"\n| {PAGES:,} pages, {VIEWS:,} views and {CONVERSIONS} conversions a second | {sizes} |")
    print("|---|" + "--:|" * len(plans))
    for what in plans[0]:
        print(f"| {what} | {' | '.join(_cell(plan[what]) for plan in plans)} |")


def _cell(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:,.1f}"


def _plan(capacity: Capacity, kilobytes: int) -> dict[str, float]:
    views, conversions = (capacity.times[what] for what in (VIEW, converting(kilobytes)))
    busy = {part: (VIEWS * views[part] + CONVERSIONS * conversions[part]) / 1_000 for part in views}
    # One more, so that one may fail.
    machines = ceil((busy["service"] + busy["workers"]) / BUSY / CPUS) + 1
    each = ceil(busy["service"] / BUSY / (machines - 1))
    workers = CPUS + 1 + max(CPUS // 2, 2)
    memory = each * (capacity.memory["serving process"] + workers * capacity.memory["worker"])
    return {
        "database, GB": PAGES * capacity.document_bytes[kilobytes] / 1e9,
        "busy CPUs: serving processes": busy["service"],
        "busy CPUs: workers": busy["workers"],
        "busy CPUs: PostgreSQL": busy["PostgreSQL"],
        f"machines of {CPUS} CPUs, half busy, and one to spare": machines,
        "serving processes on each": each,
        "connections to PostgreSQL": machines * each * CONNECTIONS,
        "memory of the service on each, GB": memory / 1_000,
    }
