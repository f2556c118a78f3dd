"""Law: conversions do not affect one another, in other threads or after an exception."""

import os
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType, TracebackType

import mdpublish_core
from mdpublish_core import Conversion, convert
from mdpublish_core.writers.outputs import DESTINATIONS

SOURCES = str(Path(mdpublish_core.__file__).parent)

THREADS = 8

NAMES = tuple(DESTINATIONS)

# Odd: each of them in each destination.
VARIANTS = 25

DIFFERENT = VARIANTS * len(NAMES)

ROUNDS = {"random": 1_000, "nightly": 10_000}.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 100)

MARKDOWN = """\
# Heading [a][r] {n}

> [!NOTE]
> *e{n}* `c{n}` ~~s~~ $m$ [^f]

- [ ] task <b>b</b> https://example.org/{n}
  1. deep

| a | b |
|--:|---|
| {n} | <kbd>k</kbd> |

```mermaid title="x"
graph TD
```

<details><summary>s{n}</summary>

text

</details>

[r]: /target{n} "title"
[^f]: note {n}
"""


def converted(number: int) -> Conversion:
    return convert(MARKDOWN.replace("{n}", str(number % VARIANTS)), to=NAMES[number % len(NAMES)])


class Broken(Exception):  # noqa: N818
    pass


def breaking_at(line: int) -> Callable[[FrameType, str, object], object]:
    """Raise at the nth executed line of our code."""
    passed = 0

    def trace(frame: FrameType, event: str, _argument: object) -> object:
        nonlocal passed
        if not frame.f_code.co_filename.startswith(SOURCES):
            return None
        if event == "line":
            passed += 1
            if passed == line:
                raise Broken
        return trace

    return trace


def test_threads_give_what_one_alone_gives() -> None:
    alone = [converted(number) for number in range(DIFFERENT)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            together = pool.map(converted, range(THREADS * ROUNDS))
            differing = [
                number for number, conversion in enumerate(together) if conversion != alone[number % DIFFERENT]
            ]
    finally:
        sys.setswitchinterval(interval)

    assert differing == []


def test_nothing_is_left_by_a_conversion_that_broke_off() -> None:
    whole = [converted(number) for number in range(len(NAMES))]
    chance = random.Random(1)
    broken = 0
    for number in range(60):
        traced = sys.gettrace()
        sys.settrace(breaking_at(chance.randrange(1, 4_000)))  # type: ignore[arg-type]
        try:
            converted(number % len(NAMES))
        except Broken:
            broken += 1
        finally:
            sys.settrace(traced)
        assert converted(number % len(NAMES)) == whole[number % len(NAMES)]

    assert broken > 30


def test_the_trace_breaks_where_it_should() -> None:
    traced = sys.gettrace()
    sys.settrace(breaking_at(5))  # type: ignore[arg-type]
    try:
        converted(0)
    except Broken as error:
        position: TracebackType | None = error.__traceback__
        while position and position.tb_next:
            position = position.tb_next
        assert position
        assert position.tb_frame.f_code.co_name == "trace"
    else:
        raise AssertionError("nothing broke")
    finally:
        sys.settrace(traced)
