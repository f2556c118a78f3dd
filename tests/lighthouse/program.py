"""Runs Lighthouse with the system's Chromium."""

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.npm_programs import Program

LIGHTHOUSE = Program("lighthouse", "13.5.0", "cli/index.js", "2026-09-19")

_LOAD_SECONDS = 120

_TRIES = 3
_LOST = ("(NO_NAVSTART)", "(NO_FCP)")
"""Lighthouse lost its trace, or waited in vain for a busy browser's first paint, and asks for another run."""

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")

TIMELESS = (
    *("cumulative-layout-shift", "cls-culprits-insight", "unsized-images", "viewport-insight", "dom-size-insight"),
    *("total-byte-weight", "image-delivery-insight", "unused-css-rules", "unused-javascript", "unminified-css"),
    *("unminified-javascript", "duplicated-javascript-insight", "legacy-javascript-insight", "third-parties-insight"),
    *("cache-insight", "font-display-insight", "redirects", "bf-cache"),
)
"""Audits of performance that are the same however busy the machine is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    url: str
    scores: dict[str, int]
    faults: dict[str, list[str]]
    timeless_faults: list[str]
    """Those of `TIMELESS`."""
    bytes: int
    """Of all responses, as sent."""
    requests: int


def audit(url: str, *, cookie: str | None = None, on_desktop: bool = False) -> Report:
    """Audit a page, by default as a phone with a slow connection."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        arguments = [
            url,
            "--quiet",
            "--output=json",
            f"--output-path={path}",
            f"--max-wait-for-load={1_000 * _LOAD_SECONDS}",
            f"--only-categories={','.join(CATEGORIES)}",
            "--chrome-flags=--headless --no-sandbox --disable-gpu",
            *(["--preset=desktop"] if on_desktop else []),
            *(["--extra-headers", json.dumps({"Cookie": cookie})] if cookie else []),
        ]
        for _ in range(_TRIES):
            run = LIGHTHOUSE.run(*arguments, CHROME_PATH=_chromium())
            if run.returncode == 0:
                return _read(json.loads(path.read_text("utf-8")))
            if not any(code in run.stderr for code in _LOST):
                break
        raise AssertionError(f"{url}: {run.stdout}{run.stderr}")


def _read(output: dict[str, Any]) -> Report:
    assert "runtimeError" not in output, output["runtimeError"]
    scores, faults = {}, {}
    for name, category in output["categories"].items():
        scores[name] = round(category["score"] * 100)
        audits = [output["audits"][reference["id"]] for reference in category["auditRefs"] if reference["weight"]]
        faults[name] = _faults(audits)
    audits = output["audits"]
    return Report(
        url=output["finalDisplayedUrl"],
        scores=scores,
        faults=faults,
        timeless_faults=_faults([audits[name] for name in TIMELESS]),
        bytes=audits["total-byte-weight"]["numericValue"],
        requests=len(audits["network-requests"]["details"]["items"]),
    )


def _faults(audits: list[dict[str, Any]]) -> list[str]:
    return [
        f"{audit['id']}: {audit.get('displayValue') or audit.get('explanation') or audit['title']}"
        for audit in audits
        if audit["score"] is not None and audit["score"] < 1
    ]


def _chromium() -> str:
    path = shutil.which("chromium")
    assert path is not None, "no chromium on PATH; install it (Debian: chromium)"
    return path
