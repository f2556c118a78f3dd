"""Run by cibuildwheel in an environment with a wheel: is the parser compiled, and does it parse?"""

import json
import subprocess
import sys

from mdpublish_core import convert

doctor = subprocess.run(
    [sys.executable, "-m", "mdpublish_core", "doctor", "--output-format", "json"],
    check=False,  # no engine of figures is installed
    capture_output=True,
    text=True,
)
(parser,) = (each for each in json.loads(doctor.stdout)["found"] if each["kind"] == "parser")
assert parser["engine"].startswith("compiled"), parser
html = convert("# A *b*\n\n| c |\n|---|\n| d |\n", to="html").html
assert "<em>b</em>" in html, html
assert "<td>d</td>" in html, html
