"""Exceptions for files that are not there, as Python's own functions raise them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

Name = str | os.PathLike[str]
PATTERN = "%*?["  # in names that stand for several files


def _refusal(path: str, wanted: int) -> int | None:
    """The error number of what keeps this process from a file or a folder, if anything does."""
    try:
        os.stat(path)
    except OSError as error:
        return error.errno
    return None if os.access(path, wanted, effective_ids=True) else errno.EACCES


def _read_refusal(path: str) -> int | None:
    """The part of a file to be read may stand behind its name."""
    name = path if os.path.lexists(path) else path.rpartition(":")[0] or path
    several = any(mark in name for mark in PATTERN)
    return None if several else _refusal(name, os.R_OK)


def _write_refusal(path: str) -> int | None:
    return _refusal(os.path.dirname(path) or os.curdir, os.W_OK | os.X_OK)


@contextmanager
def named_files(read: Name | None = None, written: Name | None = None) -> Iterator[None]:
    """Give an OSError of the library the number and the name of the file that it is about: FileNotFoundError,
    PermissionError and the like."""
    try:
        yield
    except OSError as error:
        if type(error) is not OSError or error.errno is not None:
            raise
        for name, refusal in ((read, _read_refusal), (written, _write_refusal)):
            number = refusal(os.fsdecode(name)) if name is not None else None
            if number is not None:
                raise OSError(number, str(error), os.fspath(name)) from None
        raise
