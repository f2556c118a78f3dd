r"""Who got a mailing: one JSON object a line, on the disk before the program goes on.

A recipient is `sending` from before the line that ends a message is sent until the server's reply is noted, as `sent`
or `refused`. SMTP servers drop a message without that line (RFC 5321, section 4.1.1.4), so a recipient without a state
got nothing. One who is `sending` when a run begins may or may not have got it: no client of SMTP can know. Only if the
user says so are they sent to again, with the same Message-ID, which shows a second copy.
"""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

from mdpublish_core.errors import InvalidFile

VERSION = 1

State = Literal["sending", "sent", "refused"]


class Ledger:
    """The states of recipients by address. Locked against other runs until it is closed or the process ends.

    Raises `InvalidFile` for a file that another run uses, or that is no ledger.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            _lock(self._file, path)
            self.details: dict[str, dict[str, str]] = {}
            self._mailing, self.states = self._read(path)
        except BaseException:
            self.close()
            raise

    def _read(self, path: Path) -> tuple[str, dict[str, State]]:
        content = path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:  # a line that the last run did not finish, and so did not act on
            os.truncate(path, len(whole))
        if not whole:
            mailing = token_hex(16)
            self._append({"version": VERSION, "mailing": mailing})
            _sync_folder(path.resolve().parent)
            return mailing, {}
        try:
            head, *lines = map(json.loads, whole.splitlines())
            version, mailing = head["version"], str(head["mailing"])
            states: dict[str, State] = {each["address"]: each["state"] for each in lines}
            self.details = {each.pop("address"): each for each in lines if each.pop("state")}
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidFile(f"{path} cannot be read: {error}; restore it, or name another ledger") from None
        if version != VERSION:
            raise InvalidFile(f"{path} has version {version}; this program reads {VERSION}")
        return mailing, states

    def note(self, email_address: str, state: State, **details: str) -> None:
        """Set a recipient's state; when this returns, it survives a crash."""
        self._append({"address": email_address, "state": state, **details})
        self.states[email_address] = state

    def message_id(self, email_address: str, domain: str) -> str:
        """Return the Message-ID of a recipient, the same in each run."""
        digest = sha256(f"{self._mailing}\0{email_address}".encode()).hexdigest()
        return f"<{digest[:32]}@{domain}>"

    def close(self) -> None:
        os.close(self._file)

    def _append(self, line: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")
        os.fsync(self._file)


def _lock(file: int, path: Path) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InvalidFile(f"{path} is in use by another program that sends; wait until it ends") from None


def _sync_folder(folder: Path) -> None:
    """Write the name of a new file to the disk, as fsync of the file alone does not promise."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
