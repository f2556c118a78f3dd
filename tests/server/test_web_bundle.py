"""Modules that are served as one."""

import re

import pytest

from mdpublish_server.web.bundle import bundle, gather, share

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
        "const write = () => { const line = 1; };\n"
        "const find = make(write);\n"
        "const keys = write(line);\n"
        'import("./late.js");\n'
        "find(keys);\n"
    )
    assert {name: served[name] for name in served.keys() - {"editing/editor.js"}}.items() <= MODULES.items()


def test_modules_that_import_each_other_are_written_once() -> None:
    circle = {
        "a.js": 'import { b } from "./b.js";\nexport const a = () => b();\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = () => a();\n',
    }
    assert bundle("a.js", circle) == {"a.js": "const b = () => a();\nexport const a = () => b();\n"}


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


def test_what_several_import_is_one_module() -> None:
    served = share(
        "shared.js",
        MODULES | {"site.js": "export const site = 1;\n", "c.js": 'import { site } from "./site.js";\n'},
        apart=["site.js"],
    )
    assert served["page.js"] == 'import { make } from "./shared.js";\nimport("./editing/editor.js");\nmake();\n'
    assert served["editing/editor.js"].startswith('import { find, keys } from "../shared.js";\n')
    assert served["editing/late.js"] == 'import { line } from "../shared.js";\nline();\n'
    assert served["c.js"] == 'import { site } from "./site.js";\n'
    assert served.keys() == {"page.js", "site.js", "c.js", "shared.js", "editing/editor.js", "editing/late.js"}
    names = ("make", "line", "write", "find", "keys")
    assert sorted(names) == sorted(re.findall(r"export const (\w+)", served["shared.js"]))
    assert "import" not in served["shared.js"]


def test_modules_of_first_use_are_one() -> None:
    sources = MODULES | {
        "other.js": 'import { make } from "./elements.js";\nimport("./page.js");\nexport const other = 1;\n'
    }
    served = gather("late.js", ["editing/late.js", "other.js"], sources)
    assert served.keys() == sources.keys() - {"editing/late.js", "other.js"} | {"late.js"}
    assert 'import("../late.js");' in served["editing/editor.js"]
    assert served["late.js"] == (
        'import { line } from "./editing/lines.js";\n'
        'import { make } from "./elements.js";\n'
        "line();\n"
        'import("./page.js");\n'
        "export const other = 1;\n"
    )
