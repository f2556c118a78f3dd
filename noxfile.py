"""Development tasks. `nox -l` lists the sessions, `nox -s NAME` runs one.

Packages are installed at the versions in requirements.txt, which `nox -s lock` updates.
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
CPUS = os.cpu_count() or 1
# A file's tests stay together: they share expensive fixtures.
IN_PARALLEL = (f"--numprocesses={CPUS}", "--dist=loadfile")
PYTHON_FILES = ("packages", "tests", "benchmarks", "docs", "noxfile.py")
DEPENDENCY_GROUPS = nox.project.load_toml(ROOT / "pyproject.toml")["dependency-groups"]

# Debian packages of external programs.
PROGRAMS = {
    "chromium": "chromium fonts-liberation",
    "pdftoppm": "poppler-utils",
    "pdftotext": "poppler-utils",
    "soffice": "libreoffice-writer-nogui",
    "xclip": "xclip",
    "Xvfb": "xvfb",
}


def install(session: nox.Session, *groups: str) -> None:
    session.env["UV_BUILD_CONSTRAINT"] = session.env["PIP_BUILD_CONSTRAINT"] = str(PINS)
    requirements = [requirement for group in groups for requirement in DEPENDENCY_GROUPS[group]]
    session.install("-q", "-c", str(PINS), "-e", f"{CORE}[testing]", "-e", SERVER, *requirements)


def need(session: nox.Session, program: str) -> None:
    if not shutil.which(program):
        session.error(f"{program} is not installed; on Debian: apt-get install {PROGRAMS[program]}")


@nox.session
def serve(session: nox.Session) -> None:
    """Run the service on SQLite with a sample page. Arguments after `--` are passed to `mdpublish-server serve`."""
    session.env["UV_BUILD_CONSTRAINT"] = session.env["PIP_BUILD_CONSTRAINT"] = str(PINS)
    session.install("-q", "-c", str(PINS), "-e", CORE, "-e", SERVER)
    session.run("mdpublish-server", "serve", "--sample", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests that need only pip."""
    install(session, "tests")
    # One more than CPUs: service tests often wait. In the order of their paths: sorted by count, small slow files would run last.
    session.run("pytest", f"--numprocesses={CPUS + 1}", "--dist=loadfile", "--no-loadscope-reorder", *session.posargs)


@nox.session
def nightly(session: nox.Session) -> None:
    """Run the tests that take seconds a case, and the service on PostgreSQL; `-- --short` runs CI's part."""
    install(session, "tests")
    session.run("pytest", "-m", "nightly", *IN_PARALLEL, *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Run the browser tests in the system's Chromium."""
    for program in ("chromium", "Xvfb", "xclip"):
        need(session, program)
    install(session, "tests", "browser")
    session.run("pytest", "-m", "browser", *IN_PARALLEL, *session.posargs)


@nox.session
def lighthouse(session: nox.Session) -> None:
    """Audit pages with Lighthouse; `-- --short` audits three."""
    need(session, "chromium")
    install(session, "tests")
    session.run("pytest", "-m", "lighthouse", *session.posargs)


@nox.session
def interop(session: nox.Session) -> None:
    """Run the tests that open output in other programs, such as LibreOffice."""
    for program in ("soffice", "pdftoppm", "Xvfb", "xclip"):
        need(session, program)
    install(session, "tests")
    session.run("pytest", "-m", "interop", *session.posargs)


@nox.session
def properties(session: nox.Session) -> None:
    """Run the property tests with a thousand random examples each."""
    install(session, "tests")
    session.env.setdefault("HYPOTHESIS_PROFILE", "random")
    session.run("pytest", "tests/properties", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def conformance(session: nox.Session) -> None:
    """Run the CommonMark examples and report the results by section."""
    install(session, "tests", "conformance")
    # -rfE: known failures are in the table.
    session.run("pytest", "-m", "conformance", "-rfE", *IN_PARALLEL, *session.posargs)


@nox.session
def security(session: nox.Session) -> None:
    """Measure time and memory for hostile input in every destination."""
    install(session, "tests")
    session.run("pytest", "-m", "security", *session.posargs)


@nox.session(name="visual-figures")
def visual_figures(session: nox.Session) -> None:
    """Compare rendered figures with Mermaid and KaTeX in Chromium."""
    need(session, "chromium")
    install(session, "tests", "browser")
    session.run("pytest", "-m", "visual_figures", "-s", *session.posargs)


@nox.session(name="visual-charts")
def visual_charts(session: nox.Session) -> None:
    """Compare rendered charts with Chart.js in Chromium."""
    need(session, "chromium")
    install(session, "tests", "browser")
    session.run("pytest", "-m", "visual_charts", "-s", *session.posargs)


@nox.session
def templates(session: nox.Session) -> None:
    """Measure every template in Chromium, on paper and in email."""
    for program in ("chromium", "pdftotext"):
        need(session, program)
    install(session, "tests", "browser", "templates")
    # The long form prints a table of all templates, from one process.
    output = [f"--numprocesses={CPUS}"] if "--short" in session.posargs else ["-s"]
    session.run("pytest", "-m", "templates", *output, *session.posargs)


@nox.session
def stress(session: nox.Session) -> None:
    """Test races and crashes on both databases."""
    install(session, "tests")
    session.run("pytest", "-m", "stress", *session.posargs)


@nox.session
def schemathesis(session: nox.Session) -> None:
    """Fuzz the service from its OpenAPI description."""
    install(session, "tests", "schemathesis")
    session.run("pytest", "-m", "schemathesis", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks against other tools."""
    install(session, "tests", "conformance", "bench")
    session.run("python", "benchmarks/run.py", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, formatting and imports."""
    install(session, "tests", "lint")
    session.run("ruff", "check", *PYTHON_FILES)
    session.run("ruff", "format", "--check", *PYTHON_FILES)
    session.run("lint-imports", "--no-cache")


@nox.session
def types(session: nox.Session) -> None:
    """Check types with mypy."""
    install(session, "tests", "browser", "bench", "conformance", "schemathesis", "templates", "types")
    session.run("mypy")
    session.run("mypy", "tests", "benchmarks")


@nox.session
def docs(session: nox.Session) -> None:
    """Run the examples of the documentation."""
    install(session, "tests")
    session.run("pytest", "-m", "docs", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def site(session: nox.Session) -> None:
    """Build the documentation site in site/."""
    install(session)
    session.run("mdpublish", "batch", "docs", "site", "--page-width", "wide", *session.posargs)


@nox.session
def screenshots(session: nox.Session) -> None:
    """Take the documentation's screenshots in Chromium."""
    need(session, "chromium")
    install(session, "browser")
    session.run("python", "docs/images/make.py")


@nox.session
def fonts(session: nox.Session) -> None:
    """Build the web fonts from npm packages, reproducibly."""
    session.install("-q", "-c", str(PINS), *DEPENDENCY_GROUPS["fonts"])
    # fonts/make.py imports tests.corpora.
    session.run("python", "packages/mdpublish-server/fonts/make.py", env={"PYTHONPATH": str(ROOT)})


@nox.session
def build(session: nox.Session) -> None:
    """Build wheels and sdists into dist/ and test each in an empty environment."""
    session.install("-q", "-c", str(PINS), "build", "hatchling")
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    for package in (CORE, SERVER):
        session.run("python", "-m", "build", "--no-isolation", "--outdir", "dist", package, silent=True)
    for kind in ("*.whl", "*.tar.gz"):
        try_installed(session, sorted((ROOT / "dist").glob(kind)))


def try_installed(session: nox.Session, files: list[Path]) -> None:
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
    """Update requirements.txt to the latest versions."""
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
