"""All that is done with the repository, by name: `nox -l` lists it, `nox -s NAME` does it.

Every environment is installed from requirements.txt, which holds one version of each package; `nox -s lock` renews it.
"""

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["lint", "types", "tests"]

ROOT = Path(__file__).parent
PINS = ROOT / "requirements.txt"
CORE = "packages/mdpublish-core"
SERVER = "packages/mdpublish-server"
PYTHON_FILES = ("packages", "tests", "benchmarks", "docs", "noxfile.py")
DEPENDENCY_GROUPS = nox.project.load_toml(ROOT / "pyproject.toml")["dependency-groups"]

# Debian's packages for the programs that pip does not install.
PROGRAMS = {
    "chromium": "chromium fonts-liberation",
    "pdftoppm": "poppler-utils",
    "pdftotext": "poppler-utils",
    "soffice": "libreoffice-writer-nogui",
    "xclip": "xclip",
    "Xvfb": "xvfb",
}


def install(session: nox.Session, *groups: str) -> None:
    """Install both packages, editable, and dependency groups of pyproject.toml, all at the pinned versions."""
    session.env["UV_BUILD_CONSTRAINT"] = session.env["PIP_BUILD_CONSTRAINT"] = str(PINS)
    requirements = [requirement for group in groups for requirement in DEPENDENCY_GROUPS[group]]
    session.install("-q", "-c", str(PINS), "-e", f"{CORE}[testing]", "-e", SERVER, *requirements)


def need(session: nox.Session, program: str) -> None:
    """Stop with the command that installs a program, where it is absent."""
    if not shutil.which(program):
        session.error(f"{program} is not installed; on Debian: apt-get install {PROGRAMS[program]}")


@nox.session
def serve(session: nox.Session) -> None:
    """Run the service on SQLite, with a sample page. Options after `--` go to `mdpublish-server serve`."""
    session.env["UV_BUILD_CONSTRAINT"] = session.env["PIP_BUILD_CONSTRAINT"] = str(PINS)
    session.install("-q", "-c", str(PINS), "-e", CORE, "-e", SERVER)
    session.run("mdpublish-server", "serve", "--sample", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run every test that needs nothing but pip; say at the end which were left to other sessions."""
    install(session, "tests")
    # One process more than there are processors: tests of the service often wait. The tests of a file stay together, since many
    # share what takes long to set up. In the order of their paths: by the number of their tests, files with few that take long
    # would come last, one after the other.
    processes = f"--numprocesses={(os.cpu_count() or 1) + 1}"
    session.run("pytest", processes, "--dist=loadfile", "--no-loadscope-reorder", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Run the tests that look at pages in Chromium, the system's own, and that paste into it."""
    for program in ("chromium", "Xvfb", "xclip"):
        need(session, program)
    install(session, "tests", "browser")
    session.run("pytest", "-m", "browser", f"--numprocesses={os.cpu_count() or 1}", "--dist=loadfile", *session.posargs)


@nox.session
def lighthouse(session: nox.Session) -> None:
    """Have Lighthouse judge pages of every kind; `-- -k short` has it judge three."""
    need(session, "chromium")
    install(session, "tests")
    session.run("pytest", "-m", "lighthouse", *session.posargs)


@nox.session
def interop(session: nox.Session) -> None:
    """Run the tests that read the output back with other programs, such as LibreOffice and xclip."""
    for program in ("soffice", "pdftoppm", "Xvfb", "xclip"):
        need(session, program)
    install(session, "tests")
    session.run("pytest", "-m", "interop", *session.posargs)


@nox.session
def properties(session: nox.Session) -> None:
    """Run the laws with thousands of examples each."""
    install(session, "tests")
    session.env.setdefault("HYPOTHESIS_PROFILE", "nightly")
    session.run("pytest", "tests/properties", *session.posargs)


@nox.session
def conformance(session: nox.Session) -> None:
    """Compare with CommonMark's examples, and print how many pass, section by section."""
    install(session, "tests", "conformance")
    # -rfE: the examples known to fail are in the table already.
    session.run("pytest", "-m", "conformance", "-rfE", *session.posargs)


@nox.session
def security(session: nox.Session) -> None:
    """Measure time and memory for hostile input of 10 KB and 100 KB, in every destination."""
    install(session, "tests")
    session.run("pytest", "-m", "security", *session.posargs)


@nox.session(name="visual-figures")
def visual_figures(session: nox.Session) -> None:
    """Draw collections of diagrams, graphs and formulas, beside Mermaid and KaTeX in Chromium; print how many, and how fast."""
    need(session, "chromium")
    install(session, "tests", "browser")
    # -s: the tables are what it is for.
    session.run("pytest", "-m", "visual_figures", "-s", *session.posargs)


@nox.session(name="visual-charts")
def visual_charts(session: nox.Session) -> None:
    """Draw charts beside Chart.js in Chromium; print where they differ, how alike they look, and how fast they are."""
    need(session, "chromium")
    install(session, "tests", "browser")
    # -s: the table is what it is for.
    session.run("pytest", "-m", "visual_charts", "-s", *session.posargs)


@nox.session
def templates(session: nox.Session) -> None:
    """Measure every template in both modes in Chromium, on paper and in mails; print the table, and that no two look alike."""
    for program in ("chromium", "pdftotext"):
        need(session, program)
    install(session, "tests", "browser", "templates")
    # -s: the table is what it is for.
    session.run("pytest", "-m", "templates", "-s", *session.posargs)


@nox.session
def stress(session: nox.Session) -> None:
    """Race requests and kill the service, hundreds of times, on both databases."""
    install(session, "tests")
    session.run("pytest", "-m", "stress", *session.posargs)


@nox.session
def schemathesis(session: nox.Session) -> None:
    """Let Schemathesis try the running service by its own description."""
    install(session, "tests", "schemathesis")
    session.run("pytest", "-m", "schemathesis", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure against peers in one run, and print the ratios."""
    install(session, "tests", "conformance", "bench")
    session.run("python", "benchmarks/run.py", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, formatting and the import order."""
    install(session, "tests", "lint")
    session.run("ruff", "check", *PYTHON_FILES)
    session.run("ruff", "format", "--check", *PYTHON_FILES)
    session.run("lint-imports", "--no-cache")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, strictly, in sources and tests."""
    install(session, "tests", "browser", "bench", "conformance", "schemathesis", "templates", "types")
    session.run("mypy")
    session.run("mypy", "tests", "benchmarks")


@nox.session
def docs(session: nox.Session) -> None:
    """Check the documentation: links, examples, and that nothing public is missing from it. All of it is among `tests`."""
    install(session, "tests")
    session.run("pytest", "tests/docs", *session.posargs)


@nox.session
def site(session: nox.Session) -> None:
    """Make a site of the documentation, in site/."""
    install(session)
    session.run("mdpublish", "batch", "docs", "site", "--page-width", "wide", *session.posargs)


@nox.session
def screenshots(session: nox.Session) -> None:
    """Take the screenshots of the documentation, in Chromium."""
    need(session, "chromium")
    install(session, "browser")
    session.run("python", "docs/images/make.py")


@nox.session
def fonts(session: nox.Session) -> None:
    """Build the fonts that published pages may load, from npm packages; the build is reproducible."""
    session.install("-q", "-c", str(PINS), *DEPENDENCY_GROUPS["fonts"])
    # The way to npm is the tests'.
    session.run("python", "packages/mdpublish-server/fonts/make.py", env={"PYTHONPATH": str(ROOT)})


@nox.session
def build(session: nox.Session) -> None:
    """Build wheels and sdists into dist/, install each into an empty environment, and convert there."""
    session.install("-q", "-c", str(PINS), "build", "hatchling")
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    for package in (CORE, SERVER):
        session.run("python", "-m", "build", "--no-isolation", "--outdir", "dist", package, silent=True)
    for kind in ("*.whl", "*.tar.gz"):
        try_installed(session, sorted((ROOT / "dist").glob(kind)))


def try_installed(session: nox.Session, files: list[Path]) -> None:
    """Install built packages into an empty environment, away from the sources, and use them there."""
    folder = Path(session.create_tmp()).resolve() / "installed"
    shutil.rmtree(folder, ignore_errors=True)
    session.run("python", "-m", "venv", str(folder), silent=True)
    scripts = folder / ("Scripts" if (folder / "Scripts").is_dir() else "bin")
    python = str(scripts / "python")
    session.run(python, "-m", "pip", "install", "-q", "-c", str(PINS), *map(str, files), external=True)
    with session.chdir(folder):
        program = "import mdpublish_core as m; print(m.convert('# *Built*', destination='html').html, end='')"
        output = session.run(python, "-c", program, silent=True, external=True)
        if output != "<h1><em>Built</em></h1>\n":
            session.error(f"{[file.name for file in files]} converted to {output!r}")
        session.run(str(scripts / "mdpublish"), "templates", external=True)
        session.run(str(scripts / "mdpublish-server"), "migrate", external=True)
    session.log(f"installed and converted: {', '.join(file.name for file in files)}")


@nox.session
def lock(session: nox.Session) -> None:
    """Update requirements.txt: the newest version of each package that any session installs."""
    session.install("-q", "uv")
    projects = [nox.project.load_toml(ROOT / package / "pyproject.toml")["project"] for package in (CORE, SERVER)]
    lists = [*DEPENDENCY_GROUPS.values()]
    for project in projects:
        lists += [project["dependencies"], *project.get("optional-dependencies", {}).values()]
    ours = {project["name"] for project in projects}
    requirement_lines = {line for lines in lists for line in lines if not line.startswith(tuple(ours))}
    source = Path(session.create_tmp()) / "requirements.in"
    source.write_text("\n".join(sorted(requirement_lines)) + "\n")
    options = ("--upgrade", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-sources")
    session.run("uv", "pip", "compile", "-q", *options, str(source), "-o", str(PINS))
