"""Development tasks. `nox -l` lists the sessions, `nox -s NAME` runs one.

Packages are installed at the versions in requirements.txt, which `nox -s lock` updates.
"""

import os
import platform
import re
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from ctypes.util import find_library
from itertools import product
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["lint", "types", "tests"]

ROOT = Path(__file__).parent
PINS = ROOT / "requirements.txt"
# Of every file of each pinned version, for all platforms.
HASHES = ROOT / ".ci/requirements.hashes.txt"
CORE = "packages/mdpublish-core"
SERVER = "packages/mdpublish-server"
CPUS = os.cpu_count() or 1
# A file's tests stay together: they share expensive fixtures.
IN_PARALLEL = (f"--numprocesses={CPUS}", "--dist=loadfile")
PYTHON_FILES = ("packages", "tests", "benchmarks", "docs", "noxfile.py")
DEPENDENCY_GROUPS = nox.project.load_toml(ROOT / "pyproject.toml")["dependency-groups"]

# Platforms that `nox -s platforms` resolves for, as uv names them.
PLATFORMS = (
    *(f"{machine}-manylinux_{version}" for version in ("2_28", "2_34") for machine in ("x86_64", "aarch64")),
    *(f"{machine}-{system}" for system in ("apple-darwin", "pc-windows-msvc") for machine in ("x86_64", "aarch64")),
)
PLATFORMS_WITHOUT_FIGURES = ("x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# Those with wheels of merman.
MERMAN_PLATFORMS = ("x86_64-manylinux_2_35", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")
# Packages without wheels for these platforms, and the Pythons; their sources need no compiler.
PURE_SOURCES = {
    "pyyaml": (("aarch64-pc-windows-msvc",), ("3.11",)),
    "rjsmin": (("apple-darwin", "pc-windows-msvc"), PYTHONS),
}
ENGINES = ("merman", "mmdr", "pygraphviz", "resvg-py", "ziafont", "ziamath")

# Debian packages of external programs.
PROGRAMS = {
    "cc": "gcc libc6-dev",
    "chromium": "chromium fonts-liberation",
    "firefox-esr": "firefox-esr",
    "haproxy": "haproxy",
    "pgbouncer": "pgbouncer",
    "pdftotext": "poppler-utils",
    "soffice": "libreoffice-writer-nogui libreoffice-math-nogui",
    "xclip": "xclip",
    "WebKitWebDriver": "webkit2gtk-driver",
    "Xvfb": "xvfb",
}


def figure_extras() -> str:
    """Return the core's extras whose packages have wheels for this machine; markers in them tell machines apart, not C libraries."""
    library, version = platform.libc_ver()
    if platform.system() != "Linux":
        return "figures,merman"
    if library != "glibc":
        return "images"
    return "figures,merman" if tuple(map(int, version.split(".")[:2])) >= (2, 35) else "figures"


def install(session: nox.Session, *groups: str) -> None:
    # Tests start hundreds of processes; without bytecode files each would compile the packages.
    session.env["PYTHONDONTWRITEBYTECODE"] = None
    session.env["UV_BUILD_CONSTRAINT"] = session.env["PIP_BUILD_CONSTRAINT"] = str(PINS)
    requirements = [requirement for group in groups for requirement in DEPENDENCY_GROUPS[group]]
    core = f"{CORE}[client,emoji,{figure_extras()},import,repair,testing,themes]"
    session.install("-q", "-c", str(PINS), "-e", core, "-e", SERVER, *requirements)


def need(session: nox.Session, program: str) -> None:
    if not shutil.which(program):
        session.error(f"{program} is not installed; on Debian: apt-get install {PROGRAMS[program]}")


@nox.session
def serve(session: nox.Session) -> None:
    """Run the service on SQLite with a sample page. Arguments after `--` are passed to `mdpublish-server serve`."""
    session.env["UV_BUILD_CONSTRAINT"] = session.env["PIP_BUILD_CONSTRAINT"] = str(PINS)
    session.install("-q", "-c", str(PINS), "-e", f"{CORE}[{figure_extras()},mcp]", "-e", SERVER)
    session.run("mdpublish-server", "serve", "--sample", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests that need only pip."""
    install(session, "tests")
    # One more than CPUs: service tests often wait. In the order of their paths: sorted by count, small slow files would
    # run last.
    session.run("pytest", f"--numprocesses={CPUS + 1}", "--dist=loadfile", "--no-loadscope-reorder", *session.posargs)


@nox.session
def nightly(session: nox.Session) -> None:
    """Run the tests that take seconds a case, and the service on PostgreSQL; `-- --short` runs CI's part."""
    need(session, "cc")
    install(session, "tests")
    session.run("pytest", "-m", "nightly", *IN_PARALLEL, *session.posargs)


@nox.session
def corpora(session: nox.Session) -> None:
    """Run the tests that read READMEs and other people's documents, and laws that take seconds."""
    install(session, "tests")
    session.run("pytest", "-m", "corpora", *IN_PARALLEL, *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Run the browser tests in the system's Chromium."""
    for program in ("chromium", "Xvfb", "xclip"):
        need(session, program)
    install(session, "tests", "browser")
    # As in `tests`: they often wait for a service to start.
    session.run("pytest", "-m", "browser", f"--numprocesses={CPUS + 1}", "--dist=loadfile", *session.posargs)


@nox.session
def browsers(session: nox.Session) -> None:
    """Do the same in Chromium, Firefox and WebKit, by mouse and keys, and compare what they show."""
    for program in ("chromium", "firefox-esr", "WebKitWebDriver", "Xvfb", "xclip"):
        need(session, program)
    install(session, "tests", "browser")
    # One process: each would start all three.
    session.run("pytest", "-m", "browsers", *session.posargs)


@nox.session
def lighthouse(session: nox.Session) -> None:
    """Audit pages with Lighthouse; `-- --short` audits three."""
    need(session, "chromium")
    install(session, "tests")
    session.run("pytest", "-m", "lighthouse", *session.posargs)


@nox.session
def interop(session: nox.Session) -> None:
    """Run the tests that open output in other programs, such as LibreOffice, and those of generated clients."""
    for program in ("soffice", "pdftotext", "Xvfb", "xclip"):
        need(session, program)
    install(session, "tests", "interop")
    session.run("pytest", "-m", "interop", *session.posargs)
    session.run("python", "-m", "benchmarks.places", "--check")


@nox.session
def properties(session: nox.Session) -> None:
    """Run the property tests with a thousand random examples each; `-- --edits`: account for edits of 3,000 documents."""
    install(session, "tests")
    if "--edits" in session.posargs:
        options = (each for each in session.posargs if each != "--edits")
        session.run("python", "-m", "tests.properties.import_proof", *options)
        return
    session.env.setdefault("HYPOTHESIS_PROFILE", "random")
    session.run("pytest", "--with=corpora", "tests/properties", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def conformance(session: nox.Session) -> None:
    """Run the CommonMark examples and report the results by section."""
    install(session, "tests", "conformance")
    # -rfE: known failures are in the table.
    session.run("pytest", "-m", "conformance", "-rfE", *IN_PARALLEL, *session.posargs)


@nox.session
def security(session: nox.Session) -> None:
    """Measure CPU time and memory for hostile input in every destination; `-- --short` runs CI's part; `-- --access`: who sees pages."""
    install(session, "tests")
    if "--access" in session.posargs:
        options = (each for each in session.posargs if each != "--access")
        session.run("python", "-m", "tests.server.access_proof", *options)
        return
    session.run("pytest", "-m", "security", f"--numprocesses={CPUS}", *session.posargs)


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
    """Test races and crashes on both databases; `-- --writing`: faults while somebody writes in Chromium or Firefox."""
    is_writing = "--writing" in session.posargs
    for program in () if is_writing else ("cc", "haproxy", "pgbouncer"):
        need(session, program)
    install(session, "tests", "browser")
    if is_writing:
        options = [each for each in session.posargs if each != "--writing"]
        need(session, "firefox-esr" if "firefox" in options else "chromium")
        session.run("python", "-m", "tests.browser.writing_proof", *options)
        return
    session.run("pytest", "-m", "stress", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Change the packages in 400 places, one at a time, and print what no test finds; `-- --number=N --seed=N --area=AREA`."""
    install(session, "tests", "conformance", "mutants")
    session.run("python", "-m", "tests.mutants", *session.posargs)


@nox.session
def schemathesis(session: nox.Session) -> None:
    """Fuzz the service from its OpenAPI description."""
    install(session, "tests", "schemathesis")
    session.run("pytest", "-m", "schemathesis", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def assistants(session: nox.Session) -> None:
    """Connect programs of assistants from npm, the reference inspector and conformance suite, and the SDK's client in Chromium."""
    need(session, "chromium")
    install(session, "tests", "browser")
    session.run("pytest", "-m", "assistants", "-s", *session.posargs)


@nox.session
def contract(session: nox.Session) -> None:
    """Check each claim of the API's contract; prints the request that shows it. `-- --postgresql`: not on SQLite."""
    install(session, "tests")
    session.run("pytest", "-m", "contract", "-q", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Convert spoiled READMEs for an hour; `-- --short` for five minutes, `-- --seconds=N` or `--conversions=N` for others."""
    install(session, "tests")
    # -s: the seed is printed before the first conversion.
    session.run("pytest", "-m", "fuzz", "-s", *session.posargs)


@nox.session
def counted(session: nox.Session) -> None:
    """Count the memory of 20,000 hostile inputs of each kind; `-- STATE --kind=KIND --inputs=N`; goes on where it was interrupted."""
    install(session, "tests")
    session.run("python", "-m", "tests.fuzz.counted", *(session.posargs or [".cache/counted.json"]))


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks against other tools."""
    install(session, "tests", "conformance", "bench", "browser")
    session.run("python", "benchmarks/run.py", *session.posargs)


@nox.session
def features(session: nox.Session) -> None:
    """Run other converters, in both directions, and compare with the tables of docs/explanation/comparison.md."""
    install(session, "features")
    session.run("python", "-m", "benchmarks.features", "--check")
    session.run("python", "-m", "benchmarks.dialects", "--check")
    session.run("python", "-m", "benchmarks.imports", "--check")
    session.run("python", "-m", "benchmarks.losses", "--check")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, formatting and imports, of scripts with ESLint, and run the tests about the repository itself."""
    install(session, "tests", "lint")
    session.run("ruff", "check", *PYTHON_FILES)
    session.run("ruff", "format", "--check", *PYTHON_FILES)
    session.run("lint-imports", "--no-cache")
    session.run("python", "-m", "tests.scripts.checks", "lint")
    session.run("pytest", "-q", "-m", "lint", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def types(session: nox.Session) -> None:
    """Check types with mypy, and of scripts with TypeScript."""
    install(session, "tests", "browser", "bench", "conformance", "schemathesis", "templates", "types")
    session.run("mypy")
    session.run("mypy", "tests", "benchmarks")
    session.run("python", "-m", "tests.scripts.checks", "types")


@nox.session
def docs(session: nox.Session) -> None:
    """Run the examples of the documentation, and check its pages."""
    install(session, "tests")
    session.run("pytest", "-m", "docs", f"--numprocesses={CPUS}", *session.posargs)


@nox.session
def site(session: nox.Session) -> None:
    """Build the documentation site in site/."""
    install(session)
    session.run("mdpublish", "site", "docs", "site", "--strict", *session.posargs)


@nox.session(name="site-check")
def site_check(session: nox.Session) -> None:
    """Check the documentation site: links, search, layout, Lighthouse; then time 500 pages beside MkDocs-Material."""
    need(session, "chromium")
    install(session, "tests", "browser", "site")
    session.run("pytest", "-m", "site_check", *session.posargs)
    if "--short" not in session.posargs:
        session.run("python", "benchmarks/site.py")


@nox.session
def screenshots(session: nox.Session) -> None:
    """Make the README's pictures in Chromium and LibreOffice."""
    for program in ("chromium", "soffice", "pdftotext"):
        need(session, program)
    install(session, "tests", "browser", "thumbnails")
    session.run("python", "-m", "docs.images.make")


@nox.session
def thumbnails(session: nox.Session) -> None:
    """Make the thumbnails of all templates in Chromium."""
    need(session, "chromium")
    install(session, "browser", "thumbnails")
    session.run("python", f"{SERVER}/thumbnails/make.py")


@nox.session
def fonts(session: nox.Session) -> None:
    """Build the web fonts from npm packages, reproducibly."""
    session.install("-q", "-c", str(PINS), "-e", CORE, *DEPENDENCY_GROUPS["fonts"])
    # fonts/make.py imports tests.corpora.
    session.run("python", "packages/mdpublish-server/fonts/make.py", env={"PYTHONPATH": str(ROOT)})
    session.run("python", f"{CORE}/metrics/make.py")


@nox.session
def locales(session: nox.Session) -> None:
    """Make the locales of charts from CLDR's npm packages, reproducibly."""
    session.install("-q", "-c", str(PINS), *DEPENDENCY_GROUPS["locales"])
    # locales/make.py imports tests.corpora.
    session.run("python", f"{CORE}/locales/make.py", env={"PYTHONPATH": str(ROOT)})


@nox.session
def build(session: nox.Session) -> None:
    """Build wheels and sdists into dist/ and test each in an empty environment, with the example plug-ins, uvx and pipx."""
    session.install("-q", "-c", str(PINS), "build", "hatchling", "pipx", "uv")
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    for package in (CORE, SERVER):
        session.run("python", "-m", "build", "--no-isolation", "--outdir", "dist", package, silent=True)
    for kind in ("*.whl", "*.tar.gz"):
        folder = try_installed(session, sorted((ROOT / "dist").glob(kind)))
        if kind == "*.whl":
            try_plugins(session, folder)
    try_runners(session)
    try_action(session)
    try_readme(session)


def try_readme(session: nox.Session) -> None:
    """Follow the README in empty folders: its installation, then its first commands, with a stand-in for the clipboard."""
    if not all(map(find_library, ("pangoft2-1.0", "harfbuzz-subset"))):
        session.warn(
            "did not follow the README: PDFs need Pango; on Debian: apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"
        )
        return
    page = (ROOT / "README.md").read_text("utf-8")
    (_, installation), (_, commands), *_ = re.findall(r"(?ms)^(`{3,})sh\n(.+?)^\1$", page)
    folder = Path(session.create_tmp()).resolve() / "readme"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "empty").mkdir(parents=True)
    (folder / "packages").symlink_to(ROOT / "packages")
    path = f"{ROOT / 'tests/docs/programs'}{os.pathsep}{os.environ['PATH']}"
    variables = {"DISPLAY": ":stand-in", "PATH": path, "PIP_CONSTRAINT": str(PINS), "STAND_INS": str(folder)}
    with session.chdir(folder):
        script = f"{installation}cd empty\n{commands}"
        session.run("bash", "-euo", "pipefail", "-c", script, env=variables, silent=True, external=True)
    session.log(f"followed the README: {', '.join(sorted(file.name for file in (folder / 'empty').iterdir()))}")


def try_action(session: nox.Session) -> None:
    """Run the step of action.yml that installs, as a runner does."""
    session.install("-q", "-c", str(PINS), "pyyaml")
    program = (
        "import yaml; print(next(s['run'] for s in yaml.safe_load(open('action.yml'))['runs']['steps'] if 'run' in s))"
    )
    with session.chdir(ROOT):
        script = str(session.run("python", "-c", program, silent=True))
    folder = Path(session.create_tmp()).resolve() / "action"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    variables = {"EXTRAS": "figures", "ENVIRONMENT": str(folder / "environment"), "GITHUB_ACTION_PATH": str(ROOT)}
    shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
    session.run(*shell, env={**variables, "GITHUB_PATH": str(folder / "path")}, external=True)
    scripts = (folder / "path").read_text().strip()
    session.run(f"{scripts}/mdpublish", "doctor", silent=True, external=True)
    session.log("ran the install step of action.yml")


@nox.session
def bundle(session: nox.Session) -> None:
    """Make the bundle for Claude Desktop (.mcpb) in dist/, and try it without a network; `-- PLATFORM…`, as uv names them, for others."""
    install(session, "tests", "build")
    session.install("-q", "-c", str(PINS), "uv")
    wheels = Path(session.create_tmp()).resolve() / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    session.run("python", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), CORE, silent=True)
    [wheel] = wheels.glob("*.whl")
    scripts = new_environment(session, "empty")
    session.run("python", "-m", "tests.assistants.bundle", str(wheel), str(scripts), *session.posargs)


@nox.session
def audit(session: nox.Session) -> None:
    """Look up known vulnerabilities of the pinned versions; fails for a version that could not be looked up, too."""
    session.install("-q", "-c", str(PINS), *DEPENDENCY_GROUPS["audit"])
    options = ("--strict", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
    session.run("pip-audit", *options, "-r", str(HASHES), *session.posargs)


@nox.session
def sbom(session: nox.Session) -> None:
    """Write a bill of materials (CycloneDX) of each wheel in dist/, with the packages it is tested with."""
    session.install("-q", "-c", str(PINS), *DEPENDENCY_GROUPS["sbom"])
    for package, extras in ((CORE, f"{figure_extras()},mcp"), (SERVER, "")):
        name = Path(package).name
        (wheel,) = (ROOT / "dist").glob(f"{name.replace('-', '_')}-*-py3-none-any.whl")
        python = str(new_environment(session, name) / "python")
        requirement = f"{wheel}[{extras}]" if extras else str(wheel)
        options = ("-q", "-c", str(PINS), "--find-links", str(wheel.parent))
        session.run(python, "-m", "pip", "install", *options, requirement, external=True)
        output = ROOT / "dist" / f"{name}.cdx.json"
        project = ("--pyproject", str(ROOT / package / "pyproject.toml"), "--output-reproducible", "-o", str(output))
        session.run("cyclonedx-py", "environment", python, *project)


def try_runners(session: nox.Session) -> None:
    """Run the lines of docs/how-to/install.md that use a wheel without installing it."""
    page = (ROOT / "docs/how-to/install.md").read_text("utf-8")
    lines = re.findall(r"^(?:uvx|pipx run) .*\./dist/.+$", page, re.MULTILINE)
    if {line.split()[0] for line in lines} != {"uvx", "pipx"}:
        session.error(f"the page has no line for each of uvx and pipx: {lines}")
    # pipx keeps environments by the name of the wheel.
    environments = Path(session.create_tmp()).resolve() / "pipx"
    shutil.rmtree(environments, ignore_errors=True)
    variables = {"UV_CONSTRAINT": str(PINS), "PIP_CONSTRAINT": str(PINS), "PIPX_HOME": str(environments)}
    with session.chdir(ROOT):
        for line in lines:
            output = session.run(*shlex.split(line), silent=True, env=variables)
            if "<h1" not in str(output):
                session.error(f"{line}: {output}")
            session.log(f"ran {line}")


@nox.session
def compiled(session: nox.Session) -> None:
    """Build a wheel of the core with a compiled parser into dist/, and run the library's tests with it."""
    need(session, "cc")
    install(session, "tests", "build")
    for wheel in (ROOT / "dist").glob("mdpublish_core-*-cp*.whl"):
        wheel.unlink()
    session.env["HATCH_BUILD_HOOK_ENABLE_MYPYC"] = "1"
    # Not nox's temporary folder, which is in the environment: confined workers may read that, and tests check what they
    # cannot.
    with TemporaryDirectory() as folder:
        # A copy, since mypyc writes beside the sources, where editable installations would find it.
        source = Path(folder) / "core"
        shutil.copytree(ROOT / CORE, source, ignore=shutil.ignore_patterns("__pycache__"))
        session.run("python", "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", str(source), silent=True)
    session.install("-q", "--no-deps", "--force-reinstall", *map(str, (ROOT / "dist").glob("mdpublish_core-*-cp*.whl")))
    session.run("pytest", "--with=corpora", *IN_PARALLEL, *(session.posargs or ("tests/core", "tests/properties")))


def try_plugins(session: nox.Session, scripts: Path) -> None:
    """Install the example packages beside the wheels, and use them."""
    built = Path(session.create_tmp()).resolve() / "plugins"
    shutil.rmtree(built, ignore_errors=True)
    for project in sorted((ROOT / "docs/examples").glob("*/pyproject.toml")):
        command = ("python", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(built), str(project.parent))
        session.run(*command, silent=True)
    python, wheels = str(scripts / "python"), map(str, sorted(built.glob("*.whl")))
    session.run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", *wheels, external=True)
    session.run(python, str(ROOT / "tests/plugins/installed.py"), external=True)


def new_environment(session: nox.Session, name: str) -> Path:
    """Make an empty environment; return the folder of its programs."""
    folder = Path(session.create_tmp()).resolve() / name
    shutil.rmtree(folder, ignore_errors=True)
    session.run("python", "-m", "venv", str(folder), silent=True)
    return folder / ("Scripts" if (folder / "Scripts").is_dir() else "bin")


def try_installed(session: nox.Session, files: list[Path]) -> Path:
    """Install and try them; return the folder of their programs."""
    scripts = new_environment(session, "installed")
    python = str(scripts / "python")
    session.run(python, "-m", "pip", "install", "-q", "-c", str(PINS), *map(str, files), external=True)
    with session.chdir(scripts.parent):
        program = "import mdpublish_core as m; print(m.convert('# *Built*', to='html').html, end='')"
        output = session.run(python, "-c", program, silent=True, external=True)
        if output != "<h1><em>Built</em></h1>\n":
            session.error(f"{[file.name for file in files]} converted to {output!r}")
        session.run(str(scripts / "mdpublish"), "templates", external=True)
        session.run(str(scripts / "mdpublish-server"), "migrate", external=True)
        program = "from mdpublish_server.web import thumbnails as t; print(len(t.THUMBNAILS.names) >= 126)"
        if session.run(python, "-c", program, silent=True, external=True) != "True\n":
            session.error(f"{[file.name for file in files]} lack thumbnails")
    session.log(f"installed and converted: {', '.join(file.name for file in files)}")
    return scripts


@nox.session
def platforms(session: nox.Session) -> None:
    """Resolve both packages for each platform and Python, from wheels, but for two packages; convert with those for glibc 2.34."""
    session.install("-q", "-c", str(PINS), "build", "hatchling", "uv")
    # A new folder each time: uv keeps wheels of a folder by their version, and would install those of an earlier build.
    with TemporaryDirectory() as folder:
        resolve_and_install(session, Path(folder))


def resolve_and_install(session: nox.Session, folder: Path) -> None:
    """Build wheels into a folder, resolve them for each platform, and convert with those for glibc 2.34."""
    for package in (CORE, SERVER):
        session.run("python", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), package, silent=True)
    uv = (str(shutil.which("uv", path=session.bin)), "pip")
    options = ("-q", "--find-links", str(folder), "--only-binary", ":all:")

    def resolve(case: tuple[str, str, str]) -> str:
        """Return what fails, or nothing."""
        requirement, system, python = case
        command = (*uv, "compile", *options, "--python-platform", system, "--python-version", python, "-")
        for package, (systems, pythons) in PURE_SOURCES.items():
            if system.endswith(systems) and python in pythons:
                command = (*command, "--no-binary", package)
        # The first case fills uv's cache; the package index is asked twice, since it is out of reach now and then.
        for arguments in ((*command, "--offline"), command, command):
            result = run(arguments, input=requirement, capture_output=True, text=True, check=False)
            if not result.returncode:
                return ""
        return f"{requirement}, {system}, Python {python}:\n{result.stderr}"

    # Each includes mdpublish-core with the same extras; [figures] includes what is installed without it.
    for requirement, systems in (
        ("mdpublish-server[figures,mcp]", PLATFORMS),
        ("mdpublish-server[figures,merman]", MERMAN_PLATFORMS),
        ("mdpublish-server[mcp]", PLATFORMS_WITHOUT_FIGURES),
    ):
        first, *others = product([requirement], systems, PYTHONS)
        problems = [resolve(first)]
        # They mostly wait for the package index.
        with ThreadPoolExecutor(4 * CPUS) as threads:
            problems += threads.map(resolve, others)
        if any(problems):
            session.error("\n".join(filter(None, problems)))
        session.log(f"{requirement} resolves for Python {', '.join(PYTHONS)} on {', '.join(systems)}")

    installed = folder / "glibc-2.34"
    target = ("--target", str(installed), "--python-platform", f"{platform.machine()}-manylinux_2_34")
    session.run(*uv, "install", *options, *target, "mdpublish-server[figures]", external=True)
    session.env["PYTHONPATH"] = str(installed)
    session.run("python", "-c", "import sys; from mdpublish_core.cli import main; main(['doctor'])")
    program = (
        "from mdpublish_core import convert; c = convert('```mermaid\\npie\\n\"a\": 1\\n```', to='email');"
        "print(len(c.media), c.notices)"
    )
    output = session.run("python", "-c", program, silent=True)
    if output != "1 ()\n":
        session.error(f"a diagram with the packages for glibc 2.34: {output!r}")


@nox.session
def engines(session: nox.Session) -> None:
    """Run the tests without merman, then without any figure engine; `-- --short` runs those that know of an engine."""
    install(session, "tests")
    library = ("tests/core", "tests/properties")
    if "--short" in session.posargs:
        # Tests that know of an engine; the others are the same without it.
        programs = {path: path.read_text("utf-8") for path in (ROOT / "tests/core").glob("test_*.py")}
        whole = "\npytestmark = pytest.mark.needs("
        diagrams = [path for path, code in programs.items() if "merman" in code and f'{whole}"merman")' not in code]
        figures = [path for path, code in programs.items() if "needs(" in code and whole not in code]
        runs = {("merman",): tuple(map(str, sorted(diagrams))), ENGINES: tuple(map(str, sorted(figures)))}
    else:
        # The service requires the extra `images`.
        runs = {("merman",): (), ("mmdr", "pygraphviz"): (), ENGINES: library}
    for missing, folders in runs.items():
        session.run("uv", "pip", "uninstall", "-q", *missing, external=True)
        session.run("pytest", "--with=corpora", *IN_PARALLEL, *folders)


@nox.session
def pygments(session: nox.Session) -> None:
    """Run the tests of highlighting with the oldest and the newest Pygments that the core allows."""
    install(session, "tests")
    dependencies = nox.project.load_toml(ROOT / CORE / "pyproject.toml")["project"]["dependencies"]
    (allowed,) = (each for each in dependencies if each.startswith("pygments"))
    oldest = allowed.removeprefix("pygments>=").partition(",")[0]
    pins = PINS.read_text().splitlines()
    for version in (f"pygments=={oldest}.0", allowed):
        session.run("uv", "pip", "install", "-q", "--upgrade-package", "pygments", version, external=True)
        installed = "from importlib.metadata import version as v; print('pygments==' + v('pygments'))"
        if str(session.run("python", "-c", installed, silent=True)).strip() in pins:
            session.log("the newest is pinned: `tests` runs with it")
            continue
        session.run("pytest", *IN_PARALLEL, "tests/core/test_highlighting.py", "tests/core/test_cases.py")


@nox.session
def lock(session: nox.Session) -> None:
    """Update requirements.txt to the latest versions, and .ci/requirements.hashes.txt with it."""
    session.install("-q", "uv")
    projects = [nox.project.load_toml(ROOT / package / "pyproject.toml")["project"] for package in (CORE, SERVER)]
    lists = [*DEPENDENCY_GROUPS.values()]
    for project in projects:
        lists += [project["dependencies"], *project.get("optional-dependencies", {}).values()]
    ours = {project["name"] for project in projects}
    requirement_lines = {line for lines in lists for line in lines if not line.startswith(tuple(ours))}
    source = Path(session.create_tmp()) / "requirements.in"
    source.write_text("\n".join(sorted(requirement_lines)) + "\n")
    options = ("-q", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-sources")
    session.run("uv", "pip", "compile", "--upgrade", *options, str(source), "-o", str(PINS))
    # Without the former hashes, which uv would keep.
    HASHES.unlink(missing_ok=True)
    session.run("uv", "pip", "compile", "--generate-hashes", "--no-deps", *options, str(PINS), "-o", str(HASHES))
