"""Progress of calls: a function of the user, or tqdm's bar."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Union

Progress = Union[bool, Callable[[int, int], Any], None]


class _Bar:
    """A bar of tqdm that knows only sometimes how much there is to do."""

    def __init__(self, bar: Any) -> None:
        self.bar = bar

    def __call__(self, done: int, total: int) -> None:
        if total > 0:
            self.bar.total = total
            self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


class _Line:
    """The same in a line of text, where tqdm is not installed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shown = False

    def __call__(self, done: int, total: int) -> None:
        text = f"{100 * done // total:3d} %" if total > 0 else "    "
        print(f"\r{self.name}: {text}", end="", file=sys.stderr, flush=True)
        self.shown = True

    def close(self) -> None:
        if self.shown:
            print(file=sys.stderr)


class watching:
    """With ``watching(progress, "label") as function``: what a call calls, and None if nothing is to be shown."""

    def __init__(self, progress: Progress, name: str) -> None:
        self.shown: Any = None
        if progress is True:
            try:
                from tqdm.auto import tqdm
                self.shown = _Bar(tqdm(desc=name, unit="", leave=False))
            except ImportError:
                self.shown = _Line(name)
        elif progress is not None and progress is not False and not callable(progress):
            raise TypeError(f"progress is {progress!r}, and must be True or a function of what is done and of the total")
        self.function = self.shown if self.shown is not None else progress or None

    def __enter__(self) -> Any:
        return self.function

    def __exit__(self, *_: Any) -> None:
        if self.shown is not None:
            self.shown.close()


def part_of(function: Any, part: int, parts: int) -> Any:
    """What one of several calls of the library calls, which are one call to the user: `function` is told of all."""
    if function is None or parts == 1:
        return function
    return lambda done, total: function(part * total + done, parts * total)
