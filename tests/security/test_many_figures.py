"""Many small figures take bounded CPU time: that of the process that converts, and of its workers, in a new process.

The bound is three times what the slowest takes on a quiet machine: most of it passes in native code, whose speed
depends on what else runs. CI has the same without a clock, in `core/test_figures_budget.py`.
"""

import json
import subprocess
import sys

import pytest

from mdpublish_core import Limits
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.cpu_time import slowness
from tests.remarks import remark
from tests.security.cases import counted, repeated

pytestmark = [pytest.mark.security, pytest.mark.needs("merman", "pygraphviz", "resvg_py")]

SIZE = 100_000

MAX_SECONDS = 3 * Limits().max_figure_steps / 1_000_000

FRACTIONS = "$\\frac{{{0}}}2$ "

DOCUMENTS = {
    "graphs of one node": counted("```dot\ngraph{{a{0}}}\n```\n"),
    "equal graphs": repeated("```dot\ngraph{a}\n```\n"),
    "graphs of a chain": counted("```dot\ndigraph{{a{0}->b->c->d->e->f->g->h->i}}\n```\n"),
    "graphs of a large node": counted("```dot\ngraph{{a{0}[height=9,width=9]}}\n```\n"),
    "graphs of large letters": counted("```dot\ngraph{{a{0}[fontsize=99]}}\n```\n"),
    "graphs in large images": counted('```dot\ngraph{{size="20!"a{0}}}\n```\n'),
    "graphs of invisible edges": counted(
        '```dot\ndigraph{{size="1,1";edge[style=invis];node[style=invis];x{0};'
        f"{{{{{' '.join(f'a{number}' for number in range(20))}}}}}->{{{{{' '.join(f'b{number}' for number in range(20))}}}}}}}}}\n```\n"
    ),
    "flowcharts of one node": counted("```mermaid\ngraph\na{0}\n```\n"),
    "sequences of one message": counted("```mermaid\nsequenceDiagram\nA->>B:{0}\n```\n"),
    "pies of one slice": counted('```mermaid\npie\n"a":1{0}\n```\n'),
    "radars": counted("```mermaid\nradar-beta\naxis a,b,c\ncurve d{{1,2,{0}}}\n```\n"),
    "diagrams that fail": counted("```mermaid\ngraph\na{0}[\n```\n"),
    "bar charts of one bar": counted('```chart\n{{"type":"bar","data":{{"datasets":[{{"data":[{0}]}}]}}}}\n```\n'),
    "pie charts": counted('```chart\n{{"type":"pie","data":{{"datasets":[{{"data":[{0},1]}}]}}}}\n```\n'),
    "fractions": counted(FRACTIONS),
    "displayed fractions": counted("$$\n\\frac{{{0}}}2\n$$\n\n"),
    "all kinds": counted(
        "```dot\ngraph{{a{0}}}\n```\n```mermaid\ngraph\na{0}\n```\n"
        '```chart\n{{"type":"bar","data":{{"datasets":[{{"data":[{0}]}}]}}}}\n```\n' + FRACTIONS + "\n\n"
    ),
}

PROGRAM = """
import json, resource, sys
from contextlib import suppress
from mdpublish_core import convert
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.figures.pool import _workers

job = json.load(sys.stdin)
with suppress(LimitExceeded):
    convert(job["markdown"], to=job["destination"])
_workers().close()
used = [resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(each.ru_utime + each.ru_stime for each in used))
"""


def cpu_seconds(markdown: str, destination: str) -> float:
    job = json.dumps({"markdown": markdown, "destination": destination})
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=job, text=True, check=True, capture_output=True)
    return float(done.stdout)


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_many_figures_take_bounded_time(pytestconfig: pytest.Config, name: str, destination: str) -> None:
    markdown = DOCUMENTS[name](SIZE)
    seconds = cpu_seconds(markdown, destination) / slowness()
    if seconds > MAX_SECONDS:
        seconds = cpu_seconds(markdown, destination) / slowness()

    assert seconds <= MAX_SECONDS
    remark(pytestconfig, f"{destination}: {seconds:.1f} s for 100 KB of {name}")
