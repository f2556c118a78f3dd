"""Uses the installed example packages in library, command, batch, processes and service; prints what it used.

The session `build` runs it with the Python of an environment that has only the wheels.
"""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from urllib.request import Request, urlopen

from mdpublish_core import Converter, convert
from mdpublish_core.batch import Job, convert_many
from mdpublish_core.plugins import installed_plugins

BIN = Path(sys.executable).parent

MARKDOWN = """\
# The API

The API of *Bob*.

```plantuml title="Sign in"
Ann -> Bob: hello
Bob --> Ann: welcome
```

*[API]: Application Programming Interface
"""

JIRA = """\
h1. The API (Application Programming Interface)

The API (Application Programming Interface) of {_}Bob{_}.

{*}Sign in{*}

# {*}Ann{*} → Bob: hello
# {*}Bob{*} → Ann: welcome
"""


def as_jira(markdown: str = MARKDOWN) -> str:
    return convert(markdown, to="jira-wiki", transform="abbreviations").text


def check_html(html: str) -> None:
    assert "Application Programming Interface" in html, html
    assert "<strong>Sign in</strong>" in html, html
    assert "→ Bob: hello" in html, html
    assert "plantuml" not in html, html


def use_library() -> None:
    conversion = convert(MARKDOWN, to="html", transform="abbreviations")
    check_html(conversion.html)
    assert conversion.notices == ()
    assert as_jira() == JIRA


def use_processes() -> None:
    jobs = [Job(MARKDOWN, Converter(to="jira-wiki", transform="abbreviations"))] * 20
    with ProcessPoolExecutor(2) as executor:
        results = list(convert_many(jobs, executor=executor))
    assert {result.text for result in results} == {as_jira()}, results[0]  # type: ignore[union-attr]


def run(*command: str, folder: Path) -> str:
    completed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


def use_command(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes/a.md").write_text(MARKDOWN, "utf-8")
    command = str(BIN / "mdpublish")
    check_html(run(command, "convert", "--to", "html", "--transform", "abbreviations", "notes/a.md", folder=folder))
    run(command, "batch", "notes", "out", "--to", "jira-wiki", "--transform", "abbreviations", folder=folder)
    (output,) = (path for path in (folder / "out").rglob("a.*") if path.is_file())
    assert output.read_text("utf-8") == as_jira()
    assert (
        "the transform 'abbreviations' of mdpublish-abbreviations 1.0"
        in subprocess.run([command, "doctor"], capture_output=True, text=True, check=False).stdout
    )


def use_service(folder: Path, plugins: str) -> tuple[str, str]:
    """Return the HTML of a conversion, and the status of one for Jira."""
    environment = {**os.environ, "MDPUBLISH_PLUGINS": plugins, "MDPUBLISH_WORKERS": "1", "MDPUBLISH_DEMO_WORKERS": "1"}
    server = str(BIN / "mdpublish-server")
    subprocess.run([server, "migrate"], cwd=folder, env=environment, capture_output=True, check=True)
    subprocess.run(
        [server, "account", "add", f"{len(plugins)}@example.org"],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=True,
    )
    key = run(server, "key", "add", f"{len(plugins)}@example.org", folder=folder).strip()
    service = subprocess.Popen(
        [server, "serve", "--port", "0"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert service.stdout
        url = service.stdout.readline().split()[-1].rstrip("/")

        def send(destination: str) -> str:
            body = json.dumps({"markdown": MARKDOWN, "destination": destination}).encode()
            headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
            try:
                with urlopen(Request(f"{url}/v1/convert", data=body, headers=headers)) as response:
                    return str(json.load(response)["html"])
            except OSError as error:
                return str(error)

        return send("html"), send("jira-wiki")
    finally:
        service.terminate()
        service.wait(10)


def main() -> None:
    assert {plugin.name for plugin in installed_plugins()} == {
        "plantuml",
        "jira-wiki",
        "confluence-storage",
        "telegram",
        "abbreviations",
    }
    use_library()
    sys.stdout.write("library\n")
    use_processes()
    sys.stdout.write("processes\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        use_command(folder)
        sys.stdout.write("command\n")
        html, jira = use_service(folder, "mdpublish-plantuml, mdpublish-jira, mdpublish-abbreviations")
        check_html(html)
        assert jira == as_jira(), jira
        html, jira = use_service(folder, "")
        assert 'class="language-plantuml"' in html, html
        assert "Interface</p>" in html, html
        assert "422" in jira or "400" in jira, jira
        sys.stdout.write("service\n")


if __name__ == "__main__":
    main()
