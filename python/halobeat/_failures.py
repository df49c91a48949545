"""Exceptions for files, as Python's own functions raise them, and with Python's names of options."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import _halobeat

Name = str | os.PathLike[str]
PATTERN = "%*?["  # in names that stand for several files

# These sentences of the library name options of the program. In Python they are keywords, here in this order.
Words = tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]
KEYWORDS: Words = (
    (r"(?<![\w-])--(channel|page|plane|series|time) N\b", r"\1=N"),
    (r"(?<![\w-])--(channel|page|plane|series|time)\b", r"\1="),
    (r"(?<![\w-])--shape \[DEPTHx\]HEIGHTxWIDTH", "shape=(HEIGHT, WIDTH)"),
    (r"(?<![\w-])--dtype TYPE", "dtype=TYPE"),
    (r"(?<![\w-])--(as-stored|follow-links)\b", r"--\1=True"),
)
OF_IMAGES: Words = (
    (r"say --volume", "leave out colours"),
    (r"names no format of arrays; use a name ending in ", "names no format that is written; use a name ending in .png, "),
    (r"leave out --colour\b", "leave out colours=True"),
    (r"(?<![\w-])--compress (none|deflate|lz4)\b", r"compression='\1'"),
)
OF_LABEL: Words = (
    (r"(?<![\w-])-o (?=\S)", "out="),
    (r"(?<![\w-])-[tc] ([^\s;,)]+)", lambda one: {"t": "threshold", "c": "connectivity"}[one[0][1]] + f"='{one[1]}'"),
    (r"(?<![\w-])--numbering (seed|scan)\b", r"numbering='\1'"),
    (r"(?<![\w-])--(stack|volume)\b", r"\1=True"),
)


def in_python(sentence: str, words: Words) -> str:
    """The sentence with keywords for options: those of these words, and min_area for any other --min-area."""
    for option, keyword in words + KEYWORDS:
        sentence = re.sub(option, keyword, sentence)
    return re.sub(r"(?<![\w-])--([a-z][a-z-]*[a-z])", lambda name: name[1].replace("-", "_"), sentence)


@contextmanager
def named_options(words: Words = OF_IMAGES) -> Iterator[None]:
    """Give a ValueError of the library, also a FormatError, the names of keywords for those of options."""
    try:
        yield
    except ValueError as error:
        sentence = in_python(str(error), words)
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


def _without_part(path: str) -> str:
    """The part of a file to be read may stand behind its name."""
    return path if os.path.lexists(path) else path.rpartition(":")[0] or path


def _read_refusal(path: str) -> int | None:
    name = _without_part(path)
    several = any(mark in name for mark in PATTERN)
    return None if several else _refusal(name, os.R_OK)


def _write_refusal(path: str) -> int | None:
    folder = os.path.dirname(path) or os.curdir
    return errno.ENOTDIR if os.path.isfile(folder) else _refusal(folder, os.W_OK | os.X_OK)


def _named_once(sentence: str, name: str | bytes) -> str:
    """The sentence without the name of the file, which Python puts behind it."""
    for one in (name, _without_part(name)) if isinstance(name, str) else ():
        sentence = sentence.removeprefix(one + ": ").replace(f"cannot write {one}: ", "cannot be written: ", 1)
    return sentence


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
                raise OSError(number, _named_once(str(error), os.fspath(name)), os.fspath(name)) from None
        raise
