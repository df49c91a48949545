"""How many threads calls use."""

from __future__ import annotations

import contextlib
import contextvars
import operator
from collections.abc import Iterator

_everywhere = 0
_here: contextvars.ContextVar[int | None] = contextvars.ContextVar("halobeat_ranks", default=None)


def _checked(count: int) -> int:
    count = operator.index(count)
    if not 0 <= count <= 4096:
        raise ValueError(f"{count} ranks: there must be 1 to 4096, or 0 for as many as there are cores")
    return count


def set_ranks(count: int) -> None:
    """Set the number of ranks of all later calls, each of which is a thread.

    Parameters
    ----------
    count : int
        0, the default, stands for as many ranks as there are cores that this process may use, but fewer for arrays so
        small that a thread takes longer to start than it saves. Results are the same for any number.
    """
    global _everywhere
    _everywhere = _checked(count)


def get_ranks() -> int:
    """Return the number of ranks of calls made here, as `set_ranks` or `ranks` has set it; 0: as many as cores."""
    count = _here.get()
    return _everywhere if count is None else count


@contextlib.contextmanager
def ranks(count: int) -> Iterator[None]:
    """Set the number of ranks of the calls in a ``with`` block.

    It is that of the thread, or task of asyncio, that the block runs in.

    Parameters
    ----------
    count : int
        As of `set_ranks`.

    Examples
    --------
    >>> import halobeat as hb
    >>> with hb.ranks(2):
    ...     labels, n = hb.label([[1, 0, 1]])
    """
    token = _here.set(_checked(count))
    try:
        yield
    finally:
        _here.reset(token)
