"""Exceptions for files, as Python's own functions raise them, and with Python's names of options."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from . import _halobeat

Name = str | os.PathLike[str]
PATTERN = "%*?["  # in names that stand for several files

# What the program's options in sentences of the library are in Python, in this order.
KEYWORDS = (
    (r"say --volume", "leave out colours"),
    (r"leave out --colour\b", "leave out colours=True"),
    (r"(?<![\w-])--compress (none|deflate|lz4)\b", r"compression='\1'"),
    (r"(?<![\w-])--as-stored\b", "as_stored=True"),
    (r"(?<![\w-])--(channel|page|plane|series|time) N\b", r"\1=N"),
    (r"(?<![\w-])--(channel|page|plane|series|time)\b", r"\1="),
)


def _in_python(sentence: str) -> str:
    for words, keyword in KEYWORDS:
        sentence = re.sub(words, keyword, sentence)
    return sentence


@contextmanager
def named_options() -> Iterator[None]:
    """Give a ValueError of the library, also a FormatError, the names of keywords for those of options."""
    try:
        yield
    except ValueError as error:
        sentence = _in_python(str(error))
        if type(error) not in (ValueError, _halobeat.FormatError) or sentence == str(error):
            raise
        raise type(error)(sentence) from None


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
