"""Lints the packages' scripts with ESLint, or checks their types with TypeScript: `python -m tests.scripts.checks lint|types`."""

import subprocess
import sys
from pathlib import Path

from tests.npm_programs import Program, environment

ROOT = Path(__file__).parents[2]
_FOLDER = "tests/scripts"
_BEFORE = "2026-11-01"
ESLINT = Program("eslint", "10.14.0", "bin/eslint.js", _BEFORE, beside=("@eslint/js@10.0.1",))
TYPESCRIPT = Program("typescript", "7.0.2", "bin/tsc", _BEFORE)
_CHECKS = {
    "lint": (ESLINT, ("--config", f"{_FOLDER}/eslint.config.cjs", "packages/*/src/**/*.js", f"{_FOLDER}/*.js")),
    "types": (TYPESCRIPT, ("--project", f"{_FOLDER}/tsconfig.json")),
}


def main(name: str) -> int:
    """Return the status of the program, whose output is shown."""
    program, arguments = _CHECKS[name]
    # The configuration imports packages that are installed beside the program.
    variables = environment({"NODE_PATH": str(program.installed())})
    return subprocess.run(program.command(*arguments), cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
