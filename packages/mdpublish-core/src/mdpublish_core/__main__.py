"""Starts the `mdpublish` command. It imports nothing itself, so that Ctrl-C always ends it in one line."""

import gc
import sys

_MAX_NEW_OBJECTS = 100_000
"""Objects between two garbage collections: a short document makes fewer, and collecting took a fifth of the time."""

_INTERRUPTED = 130
"""Exit status after Ctrl-C, as a shell reports it: 128 and the number of SIGINT."""


def main() -> None:
    gc.set_threshold(_MAX_NEW_OBJECTS)
    try:
        from mdpublish_core.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.stderr.write("\nAborted!\n")
        sys.exit(_INTERRUPTED)
    finally:
        gc.freeze()  # Python would collect all objects at its end, although the system takes the memory anyway


if __name__ == "__main__":
    main()
