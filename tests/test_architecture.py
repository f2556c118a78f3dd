"""Repository rules: circles of imports, packaging, versions, forbidden content; `nox -s lint` checks import order."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any

import grimp
import pytest

import mdpublish_core
import mdpublish_server
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS
from mdpublish_core.writers.outputs import DESTINATIONS, FILES, OUTPUTS

ROOT = Path(__file__).parent.parent
CORE = ROOT / "packages/mdpublish-core"
SERVER = ROOT / "packages/mdpublish-server"


def tracked_files() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def project(package: Path) -> dict[str, object]:
    table: dict[str, object] = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    return table


def test_no_modules_import_each_other() -> None:
    """Imports in functions count, and those for types.

    The core's root does not: it imports for types alone, and loads its names when they are first used.
    """
    graph = grimp.build_graph("mdpublish_core", "mdpublish_server", cache_dir=None)
    modules = graph.modules - {"mdpublish_core"}

    try:
        TopologicalSorter({each: graph.find_modules_directly_imported_by(each) for each in modules}).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' -> '.join(reversed(error.args[1]))}")


def test_every_module_of_figures_is_in_the_import_order_or_an_engine() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract.get("id") == "figures")
    listed = {name for layer in layers for name in layer.split(" | ")}
    engines = {kind.engine.removeprefix("mdpublish_core.figures.").split(".")[0] for kind in FIGURE_KINDS.values()}

    paths = (CORE / "src/mdpublish_core/figures").iterdir()
    modules = {path.stem for path in paths if path.suffix == ".py" or (path / "__init__.py").is_file()} - {"__init__"}

    assert modules - listed <= engines


def test_only_mistletoe_export_names_mistletoe() -> None:
    naming = [
        path.name for path in CORE.rglob("src/**/*.py") if re.search(r"(from|import) mistletoe", path.read_text())
    ]

    assert naming == ["mistletoe_export.py"]


def test_only_the_writer_writes_tags() -> None:
    tag = re.compile(r"""["'](?:[^"'\n]*\s)?</?[a-z]+[ >/]""")
    sources = [path for path in CORE.rglob("src/mdpublish_core/**/*.py") if "testing" not in path.parts]
    writing = [
        path.relative_to(CORE / "src/mdpublish_core").as_posix() for path in sources if tag.search(path.read_text())
    ]

    # mistletoe_export.py writes Markdown's hard break.
    assert sorted(writing) == ["html.py", "writers/mistletoe_export.py"]


# Words that mean something else there: kinds of tokens and labels, elements of HTML, fields of forms, a font's readers.
NO_OUTPUTS = {
    ("mdpublish_core/figures/math/tokens.py", "word"),
    ("mdpublish_core/css/user_selectors.py", "html"),
    ("mdpublish_core/figures/mermaid/models/graphs.py", "markdown"),
    ("mdpublish_core/writers/styled/stylesheets.py", "email"),
    ("mdpublish_server/abuse/link_signals.py", "html"),
    ("mdpublish_server/services/openid.py", "email"),
    ("mdpublish_server/web/account/claims.py", "email"),
    ("mdpublish_server/web/account/document_form.py", "email"),
}


def compared_literals(source: str) -> Iterator[object]:
    """Yield literals that are compared: anywhere in a comparison by `==`, `!=`, `in` or `not in`, or in a `case`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                if any(isinstance(each, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for each in ops):
                    literals = (each for side in (left, *comparators) for each in ast.walk(side))
                    yield from (each.value for each in literals if isinstance(each, ast.Constant))
            case ast.MatchValue(value=ast.Constant(value=value)):
                yield value


def test_nothing_compares_with_the_name_of_an_output() -> None:
    """What differs between outputs is a column of their table; only the modules that write one may ask which it is.

    Looks for comparisons with a name or a suffix of `OUTPUTS` in both packages, and in the site's templates.
    """
    names = {name for each in OUTPUTS.values() for name in (each.name, each.suffix)}
    writers = {
        *(f"mdpublish_core/writers/{name.replace('-', '_')}" for name in OUTPUTS),
        *(f"mdpublish_core/writers/{each.module.split('.')[0]}" for each in FILES.values()),
    }
    offenders = set()
    for source in (CORE / "src", SERVER / "src"):
        for path in source.rglob("*.py"):
            module = path.relative_to(source).as_posix()
            if not any(module.startswith(f"{each}/") or module == f"{each}.py" for each in writers):
                offenders |= {(module, name) for name in names & set(compared_literals(path.read_text("utf-8")))}

    for path in (SERVER / "src").rglob("templates/**/*.html"):
        offenders |= {
            (path.name, name) for name in names & set(re.findall(r'[=!]= "([^"]+)"', path.read_text("utf-8")))
        }

    assert offenders == NO_OUTPUTS


def test_only_listed_modules_of_the_server_read_a_client_s_address() -> None:
    """Limits and queues count networks, which `client_network` returns; the log keeps addresses."""
    ip_address = re.compile(r"""\bclient\.host\b|["']client["']\s*[\])]""")
    source = SERVER / "src/mdpublish_server"
    reading = [
        path.relative_to(source).as_posix() for path in source.rglob("*.py") if ip_address.search(path.read_text())
    ]

    assert sorted(reading) == [
        "mcp/internal_api.py",
        "middleware/access_log.py",
        "middleware/in_flight.py",
        "middleware/trusted_proxies.py",
        "validation/ip_addresses.py",
    ]


def modules_after(program: str, **options: Any) -> set[str]:
    """Return the modules that a program has loaded at its end, in a process of its own."""
    command = [sys.executable, "-c", f"import sys\n{program}\nprint(*sys.modules)"]
    run = subprocess.run(command, capture_output=True, check=True, text=True, **options)
    return set(run.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("program", "loaded", "left"),
    [
        (
            "import mdpublish_core.cli",
            "mdpublish_core.cli.command",
            {"mistletoe", "wcwidth", "emoji", "hypothesis", "tomllib"},
        ),
        (
            (
                "from mdpublish_core import convert, list_templates; from mdpublish_core.writers.outputs import "
                "DESTINATIONS\nfor name in DESTINATIONS: convert('# a', to=name, template=list_templates()[0])"
            ),
            "mdpublish_core.writers.email",
            {"cssutils", "lxml", "mistletoe", "premailer", "tinycss2"},
        ),
        (
            "from mdpublish_core import convert; convert('# Hi\\n\\n---\\n\\n```x\\n```')",
            "mdpublish_core.writers.generic",
            {"importlib.metadata", "yaml"},
        ),
        ("import mdpublish_core.social_images", "mdpublish_core.social_images", {"resvg_py", "ziafont"}),
        (
            "import mdpublish_core.workers",
            "mdpublish_core.workers",
            {"asyncio", "concurrent.futures", "mistletoe", "multiprocessing", "pickle"},
        ),
        ("import mdpublish_server.abuse", "mdpublish_server.abuse", {"mistletoe", "mdpublish_server.abuse.passages"}),
    ],
    ids=["command", "destinations", "conversion", "social images", "workers", "abuse filter"],
)
def test_what_is_not_needed_is_not_loaded(program: str, loaded: str, left: set[str]) -> None:
    modules = modules_after(program)

    assert loaded in modules
    assert left & modules == set()


def test_import_stays_light() -> None:
    loaded = modules_after("import mdpublish_core")

    assert [name for name in loaded if name.startswith("mdpublish_")] == ["mdpublish_core"]


# What the command may load for a document without tables, figures, code, images and front matter. Each module that is
# added here is paid for by every start.
PLAIN_CONVERSION = {
    "css": {"cascade", "colors", "rules"},
    "figures": {"patterns", "results"},
    "highlighting": set(),
    "templates": {
        *("catalog", "colors", "loader", "slots", "style", "stylesheet", "table_sizes", "theme", "theme_css"),
    },
    "writers": {
        *("anchors", "attributions", "bidi", "block_runs", "heading_numbering", "list_numbering", "structure"),
        *(
            "context",
            "document_defaults",
            "generic",
            "html",
            "outputs",
            "plain_text",
            "renderer",
            "rendering",
            "results",
        ),
        *("marks", "text_width"),
        *("options", "adf", "declared", "docx", "eml", "page", "pdf"),
    },
}
SLOW_MODULES = {
    *("asyncio", "decimal", "email", "hashlib", "http", "importlib.resources", "logging", "multiprocessing", "random"),
    *("base64", "html.entities", "json", "shutil", "ssl", "statistics", "subprocess", "tempfile", "xml", "zipfile"),
    *("cssutils", "lxml", "mistletoe", "pygments", "tinycss2", "yaml"),
}


def test_plain_conversion_by_the_command_loads_only_what_it_needs() -> None:
    program = (
        "sys.argv = ['mdpublish', 'convert', '-']; from mdpublish_core.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass"
    )
    loaded = modules_after(program, input="# A\n\n*b* [c](https://example.com) `d`\n\n- e\n\n> f\n")

    names = {tuple(name.split(".")[1:]) for name in loaded if name.startswith("mdpublish_core.")}
    surplus = [name for name in names if name[0] in PLAIN_CONVERSION and {*name[1:]} - PLAIN_CONVERSION[name[0]]]

    assert "mdpublish_core.writers.generic" in loaded
    assert surplus == []
    assert loaded & SLOW_MODULES == set()


def test_plain_page_loads_neither_figures_nor_tables() -> None:
    loaded = modules_after("from mdpublish_core import convert; convert('# A', to='page')")

    assert "mdpublish_core.writers.page.renderer" in loaded
    assert not {"mdpublish_core.figures.render", "mdpublish_core.writers.table_fit"} & loaded
    assert loaded & SLOW_MODULES == set()


def test_plain_conversion_without_a_style_loads_no_template() -> None:
    program = "from mdpublish_core import convert; convert('# A\\n\\n*b*', to={!r})"
    unstyled = [name for name, destination in DESTINATIONS.items() if not destination.is_styled]
    loading = [name for name in unstyled if "mdpublish_core.templates" in modules_after(program.format(name))]

    assert {"slack", "plain-text", "html"} <= {*unstyled}
    assert loading == []


def test_packages_share_one_version() -> None:
    version = project(CORE)["version"]
    dependencies, extras = project(SERVER)["dependencies"], project(SERVER)["optional-dependencies"]

    assert isinstance(dependencies, list)
    assert project(SERVER)["version"] == mdpublish_core.__version__ == mdpublish_server.__version__ == version
    assert f"mdpublish-core[emoji,images,import,pdf,repair]=={version}" in dependencies
    assert extras == {extra: [f"mdpublish-core[{extra}]=={version}"] for extra in ("figures", "mcp", "merman")}


def test_themes_are_a_link_to_the_themes_folder() -> None:
    link = CORE / "src/mdpublish_core/themes"

    assert link.is_symlink()
    assert link.resolve() == ROOT / "themes"


def test_pins_are_plain_lines() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()

    assert [line for line in lines if not re.fullmatch(r"[a-z0-9.-]+==[0-9a-z.]+", line)] == []


def test_every_pin_has_hashes_in_a_file_of_their_own() -> None:
    lines = (ROOT / ".ci/requirements.hashes.txt").read_text().splitlines()
    heads = [line.removesuffix(" \\") for line in lines if not line.startswith(" ")]
    hashes = [line.removesuffix(" \\") for line in lines if line.startswith(" ")]

    assert heads == (ROOT / "requirements.txt").read_text().splitlines()
    assert [line for line in hashes if not re.fullmatch(" {4}--hash=sha256:[0-9a-f]{64}", line)] == []
    # A pin continues on the next line, which is a hash.
    pairs = zip(lines, [*lines[1:], ""], strict=True)
    assert [line for line, following in pairs if line.endswith("\\") != following.startswith(" ")] == []
    assert all(line.endswith("\\") for line in lines if not line.startswith(" "))


def test_no_file_names_a_registry_or_this_machine() -> None:
    hosts = re.compile(
        "|".join(("py" + r"pi\.org", "pythonhosted" + r"\.org", "npm" + r"js\.(org|com)", "/" + "work/"))
    )
    naming = [
        str(path.relative_to(ROOT))
        for path in tracked_files()
        if path.suffix not in {".avif", ".png", ".ico", ".ttf", ".webp", ".woff2"}
        and hosts.search(path.read_text("utf-8"))
    ]

    assert naming == []


PUBLIC_MODULES = {
    "mdpublish_core",
    *(
        f"mdpublish_core.{name}"
        for name in (
            "client.models",
            "errors",
            "mcp.arguments",
            "mcp.prompts",
            "mcp.schemas",
            "nodes",
            "plugins",
            "renderers",
            "repair",
            "site",
        )
    ),
    *(f"mdpublish_core.hosting.{path.stem}" for path in (CORE / "src/mdpublish_core/hosting").glob("[!_]*.py")),
}


def core_names_in(source: str) -> Iterator[tuple[str, str]]:
    """Yield the module and name of each import from the core; no name for `import module`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "mdpublish_core":
            yield from ((str(node.module), each.name) for each in node.names)
        elif isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names if each.name.partition(".")[0] == "mdpublish_core")


def is_public(module: str, name: str) -> bool:
    names = getattr(import_module(module), "__all__", None) if module in PUBLIC_MODULES else ()
    return not name or name.startswith("__") or names is None or name in names or f"{module}.{name}" in PUBLIC_MODULES


def test_service_stands_on_public_names_of_the_core() -> None:
    private = [
        f"{file.relative_to(ROOT)}: {module} {name}"
        for file in sorted(SERVER.rglob("*.py"))
        for module, name in core_names_in(file.read_text("utf-8"))
        if not is_public(module, name)
    ]

    assert private == []
