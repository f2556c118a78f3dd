"""`flows.md` names tests of this folder that run in Chromium."""

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).parent


def test_every_flow_names_another_test_in_chromium() -> None:
    table = (FOLDER / "flows.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+) \| `(test_\w+)\.(test_\w+)` \|$", table, re.MULTILINE)
    missing = []
    for _, module, name in rows:
        source = (FOLDER / f"{module}.py").read_text("utf-8")
        functions = {each.name for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)}
        if name not in functions or "pytest.mark.browser" not in source:
            missing.append(f"{module}.{name}")

    assert missing == []
    assert len(rows) >= 40
    assert len({name for *_, name in rows}) == len({flow for flow, *_ in rows}) == len(rows)
