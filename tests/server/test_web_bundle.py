"""Modules that are served as one."""

import pytest

from mdpublish_server.web.bundle import bundle

MODULES = {
    "page.js": 'import { make } from "./elements.js";\nimport("./editing/editor.js");\nmake();\n',
    "elements.js": "export const make = () => 1;\n",
    "editing/editor.js": 'import { find } from "./find.js";\nimport { keys } from "./keys.js";\nimport("./late.js");\nfind(keys);\n',
    "editing/find.js": 'import { make } from "../elements.js";\nimport { write } from "./write.js";\nexport const find = make(write);\n',
    "editing/keys.js": 'import { write } from "./write.js";\nimport { line } from "./lines.js";\nexport const keys = write(line);\n',
    "editing/write.js": "export const write = () => { const line = 1; };\n",
    "editing/lines.js": "export const line = 1;\n",
    "editing/late.js": 'import { line } from "./lines.js";\nline();\n',
}


def test_a_bundle_has_what_it_alone_imports_each_after_its_own_imports() -> None:
    served = bundle("editing/editor.js", MODULES)
    assert served.keys() == MODULES.keys() - {f"editing/{name}.js" for name in ("find", "keys", "write")}
    assert served["editing/editor.js"] == (
        'import { make } from "../elements.js";\n'
        'import { line } from "./lines.js";\n'
        "export const write = () => { const line = 1; };\n"
        "export const find = make(write);\n"
        "export const keys = write(line);\n"
        'import("./late.js");\n'
        "find(keys);\n"
    )
    assert {name: served[name] for name in served.keys() - {"editing/editor.js"}}.items() <= MODULES.items()


def test_modules_that_import_each_other_are_written_once() -> None:
    circle = {
        "a.js": 'import { b } from "./b.js";\nexport const a = () => b();\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = () => a();\n',
    }
    assert bundle("a.js", circle) == {"a.js": "export const b = () => a();\nexport const a = () => b();\n"}


@pytest.mark.parametrize(
    ("name", "source", "twice"),
    [
        ("editing/keys.js", "export const keys = 1;\nconst find = 2;\n", "find"),
        ("editing/keys.js", "export const keys = 1;\nasync function write() {}\n", "write"),
        ("editing/keys.js", "export const keys = 1;\nclass make {}\n", "make"),
    ],
)
def test_a_name_that_two_modules_declare_is_an_error(name: str, source: str, twice: str) -> None:
    with pytest.raises(ValueError, match=rf"modules of editing/editor.js declare a name twice \({twice}\); rename one"):
        bundle("editing/editor.js", {**MODULES, name: source})
