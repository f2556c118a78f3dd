"""An option is declared by its field alone: the command, its configuration, the front matter, an assistant and the library have it.

That the service and its client have it, too, is tested in test_registries.py.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mdpublish_core import PageOptions, PdfOptions, convert
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.writers.options import declared_options
from mdpublish_core.writers.outputs import FILES

OUTPUT = '''
"""An output `shades`, whose option is declared in one place, and the command with it."""

import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from mdpublish_core.writers import RenderContext, options, outputs
from mdpublish_core.writers.document_defaults import completed, defaults_of
from mdpublish_core.writers.options.declared import OutputOptions, option

@dataclass(frozen=True, slots=True, kw_only=True)
class ShadeOptions(OutputOptions):
    shade: Literal["pale", "deep"] | None = option("Shade of the text.", otherwise="pale", is_written=True)

def write(document, request):
    chosen = completed(request.options or ShadeOptions(), defaults_of(document))
    return request.result(document, f"{chosen.shade or 'pale'}\\n", RenderContext(None))

for name in ("mdpublish_core.writers.shades", "mdpublish_core.writers.options.shades"):
    sys.modules[name] = module = ModuleType(name)
    module.write, module.ShadeOptions = write, ShadeOptions
options.OPTIONS["shades"] = "ShadeOptions"
new = outputs.WrittenOutput("shades", "a shade", is_text=True, module="shades")
outputs.FILES["shades"] = outputs.OUTPUTS["shades"] = new

import asyncio, json, os
from pathlib import Path
from click.testing import CliRunner
from mcp.client.client import Client
from mdpublish_core import convert, errors
from mdpublish_core.cli import main
from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.server import build_server

async def called(shade, to):
    async with Client(build_server(None, Folders([Path.cwd()]))) as client:
        result = await client.call_tool("convert_file", {"path": "a.md", "to": to, "options": {"shade": shade}})
        return f"{result.content[0].text} {Path('a.txt').exists() and Path('a.txt').read_text()}"

def shown(way, *arguments):
    if way == "mcp":
        return asyncio.run(called(*arguments))
    if way != "library":
        return CliRunner().invoke(main, [way, *arguments]).output
    try:
        return convert("A", to="shades", options=ShadeOptions(shade=arguments[0])).text
    except errors.InvalidArgument as error:
        return str(error)

for folder, arguments in json.loads(sys.argv[1]):
    os.chdir(folder)
    print(json.dumps(shown(*arguments)))
'''

TO_SHADES = ["convert", "a.md", "--to", "shades"]
CONFIGURED = {"mdpublish.toml": '[convert]\nshade = "deep"'}
WAYS: list[tuple[list[str], dict[str, str], str]] = [
    (TO_SHADES, {}, "pale\n"),
    ([*TO_SHADES, "--shade", "deep"], {}, "deep\n"),
    (TO_SHADES, {"a.md": "---\nshade: deep\n---\n"}, "deep\n"),
    (TO_SHADES, CONFIGURED, "deep\n"),
    (TO_SHADES, {"a.md": "---\nshade: pale\n---\n", **CONFIGURED}, "pale\n"),
    ([*TO_SHADES, "--shade", "pale"], {"a.md": "---\nshade: deep\n---\n"}, "pale\n"),
    (TO_SHADES, {"a.md": "---\nshade: x\n---\n"}, "`shade` must be one of pale, deep"),
    (TO_SHADES, {"mdpublish.toml": '[convert]\nshade = "x"'}, "must be one of pale, deep"),
    (["convert", "a.md", "--to", "page", "--shade", "deep"], {}, "--shade requires --to shades (got --to page)"),
    (["convert", "a.md", "--to", "html"], CONFIGURED, "<p>A</p>\n"),
    (["convert", "--help"], {}, "--shade [pale|deep]"),
    (["batch", ".", "out", "--to", "shades", "--shade", "deep"], {}, "1 converted"),
    (["library", "deep"], {}, "deep\n"),
    (["mcp", "deep", "shades"], {}, "deep\n"),
    (["mcp", "x", "shades"], {}, "shade of ShadeOptions must be one of pale, deep (got 'x')"),
    (["mcp", "deep", "pdf"], {}, "shade is an option of shades, not of pdf"),
    (["library", "x"], {}, "shade of ShadeOptions must be one of pale, deep (got 'x')"),
]


def test_option_of_a_new_output_is_set_in_each_way(tmp_path: Path) -> None:
    """In one process, for each is as slow to start as the command."""
    (tmp_path / "program.py").write_text(OUTPUT, "utf-8")
    for number, (_, files, _) in enumerate(WAYS):
        (tmp_path / str(number)).mkdir()
        for name, content in {"a.md": "A\n", **files}.items():
            (tmp_path / str(number) / name).write_text(content, "utf-8")
    ways = [(str(tmp_path / str(number)), arguments) for number, (arguments, _, _) in enumerate(WAYS)]
    command = [sys.executable, "program.py", json.dumps(ways)]
    result = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8", check=True)

    outputs = map(json.loads, result.stdout.splitlines())
    assert not [(way, output) for way, output in zip(WAYS, outputs, strict=True) if way[2] not in output]


def test_options_of_one_name_are_one_option() -> None:
    """The command has one flag for what several outputs have."""
    for name, declared in declared_options().items():
        assert {output.flags[name] for output in FILES.values() if name in output.flags} == {declared}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 61}, "margin of PdfOptions must be 5 to 60 millimeters (got 61)"),
        ({"footnotes": "x"}, "footnotes of PdfOptions must be one of end, page (got 'x')"),
        ({"landscape": "x"}, "landscape of PdfOptions must be one of auto, never (got 'x')"),
        (
            {"landscape": "nevr"},
            "landscape of PdfOptions must be one of auto, never (got 'nevr'); did you mean 'never'?",
        ),
        ({"lang": "x!"}, "lang of PdfOptions must be a BCP 47 language tag, such as en or de-CH (got 'x!')"),
    ],
)
def test_value_that_an_option_cannot_have_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        PdfOptions(**options)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_error_says_which_output_has_an_option() -> None:
    with pytest.raises(InvalidArgument, match=r"; copy_code is an option of page, not of google-docs$"):
        convert("A", to="google-docs", options=PageOptions(copy_code=True))
