"""Files that the program halobeat works on: volumes need not fit into memory."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from . import _halobeat
from ._failures import OF_LABEL, in_python
from ._files import axes_of_file
from ._options import check_names
from ._progress import Progress, watching
from ._ranks import get_ranks

FOLDERS_ABOVE = 5  # of PREFIX/lib/python3/dist-packages/halobeat
UNUSABLE = 2       # the status of the program for arguments that it does not take
PATIENCE = 30      # seconds until a program that has been told to stop is ended
OURS = ("help", "json", "periodic_axes", "quiet")  # options that are no keywords
SHOWN = re.compile(r"\[[#.]+\] +\d+ %")  # of progress
SHARE = re.compile(rb"\r(\S[^\[\r]*)\[[#.]+\] +(\d+) %")


def find_program() -> str:
    """The program of the installation, or of the build, that this package is of, or else on PATH."""
    for folder in Path(__file__).resolve().parents[1:FOLDERS_ABOVE + 1]:
        path = folder / "bin" / "halobeat"
        if os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("halobeat")
    if found is None:
        raise FileNotFoundError("files are labelled by the program halobeat, which is neither installed with this "
                                "package nor in a folder of PATH; install it (Debian: halobeat), or read the file by "
                                "halobeat.imread")
    return found


@functools.lru_cache
def _taking(program: str, command: str) -> dict[str, bool]:
    """Whether each option of the program takes a value, by the keyword that stands for it, as its help has them."""
    text = subprocess.run([program, command, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=True, env=os.environ | {"HALOBEAT_SINGLE": "1"}).stdout
    return {name.replace("-", "_"): bool(value)
            for name, value in re.findall(r"^ +(?:-\w, *)?--([a-z][a-z0-9-]*)(=?)", text, re.MULTILINE)}


def check_options(command: str, options: dict[str, Any]) -> None:
    """Refuse keywords that stand for no option of the program, as those of functions on arrays are refused."""
    known = [row["name"] for row in _halobeat.options[command]]
    unknown = options.keys() - set(known)
    if unknown:
        its = ["out" if name == "output" else name for name in _taking(find_program(), command) if name not in OURS]
        check_names(command, unknown, list(dict.fromkeys(its + known)), " for files")


class _Shown:
    """Calls a function of progress with what a line of the program says."""

    def __init__(self, function: Any, phases: int) -> None:
        self.function = function
        self.phases = phases
        self.seen: list[bytes] = []
        self.rest = b""

    def take(self, text: bytes) -> None:
        text = self.rest + text
        end = 0
        for found in SHARE.finditer(text):
            end = found.end()
            if found[1] not in self.seen:
                self.seen.append(found[1])
            self.phases = max(self.phases, len(self.seen))
            if self.function is not None:
                self.function(100 * (len(self.seen) - 1) + int(found[2]), 100 * self.phases)
        self.rest = text[end:]


def _sentence(text: str) -> str:
    """What went wrong, of all that the program has written to stderr."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    lines = [line for line in lines if not line.startswith("`") and "warning:" not in line and not SHOWN.search(line)]
    sentence = re.sub(r"^halobeat \w+: (rank \d+: )?", "", lines[-1]) if lines else "the program halobeat has failed"
    return in_python(sentence, OF_LABEL)


def _failure(status: int, text: str, path: str) -> Exception:
    sentence = _sentence(text)
    if status == UNUSABLE:
        return ValueError(sentence)
    if status != 1:
        return RuntimeError(f"the program halobeat has ended with the status {status}: {sentence}")
    if sentence.startswith("out of memory"):
        return MemoryError(sentence)
    try:
        axes_of_file(path)
    except ValueError as error:  # the file is damaged
        return type(error)(sentence)
    except OSError:
        pass
    return OSError(sentence)


def _stop(program: subprocess.Popen[bytes]) -> None:
    program.send_signal(signal.SIGINT)
    try:
        program.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        program.kill()


def run_program(command: str, path: str, options: list[str], phases: int, progress: Progress) -> dict[str, Any]:
    """What the program says in JSON. An exception, such as that of Ctrl-C, stops it."""
    words = [find_program(), command, "--quiet", "--json=-", "--progress=" + ("never" if progress is None else "always"),
             *([f"--ranks={get_ranks()}"] if get_ranks() else []), *options, "--", path]
    # A launcher that has started this process has not started the program. Ctrl-C is for this process.
    with watching(progress, command) as function, tempfile.TemporaryFile() as told, \
            subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=told, stderr=subprocess.PIPE, process_group=0,
                             env=os.environ | {"HALOBEAT_SINGLE": "1"}) as program:
        assert program.stderr is not None
        shown, errors = _Shown(function, phases), b""
        try:
            while text := os.read(program.stderr.fileno(), 65536):
                shown.take(text)
                errors = (errors + text)[-65536:]
            status = program.wait()
        except BaseException:
            _stop(program)
            raise
        if status != 0:
            raise _failure(status, errors.decode(errors="replace"), path)
        told.seek(0)
        try:
            result: dict[str, Any] = json.load(told)
        except ValueError:  # where SIGCHLD is ignored, nobody knows the status
            raise _failure(1, errors.decode(errors="replace"), path) from None
    for text in result.get("warnings", []):
        warnings.warn(text if isinstance(text, str) else str(text), stacklevel=4)
    return result


def words_of(command: str, options: dict[str, Any]) -> list[str]:
    """Options of the program for keywords: min_area=3 is --min-area=3, invert=True is --invert. Only options without a
    value are True or False: a word without the value that it takes would have the next word for it."""
    words = []
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        if isinstance(value, (bool, np.bool_, int)) and not _taking(find_program(), command).get(name, True):
            words.extend([word] if value else [])
        elif isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{'out' if name == 'output' else name} is {value}, and takes a value, which `halobeat "
                             f"{command} --help` describes; leave it out, or pass None, for the default")
        elif value is not None:
            words.append(f"{word}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words
