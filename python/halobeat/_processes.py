"""Calls that the processes of MPI make together, each with its strip of one array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Value = TypeVar("Value")


def handle_of(comm: Any) -> tuple[int, int]:
    """Where the handle of a communicator of mpi4py lies, and its bytes."""
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise TypeError(f"comm is {comm!r}, and must be a communicator of mpi4py, which cannot be imported: {error}; "
                        "install it (Debian: python3-mpi4py), or leave out comm") from error
    if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
        raise TypeError(f"comm is {comm!r}, and must be a communicator of mpi4py, such as MPI.COMM_WORLD")
    return MPI._addressof(comm), MPI._sizeof(MPI.Comm)


def together(comm: Any, prepare: Callable[[], Value]) -> Value:
    """What `prepare` returns; if it raises an exception on some rank, one on each.

    Without it, ranks whose arguments are right would wait for the others.
    """
    value, error = None, None
    try:
        value = prepare()
    except Exception as raised:
        error = raised
    texts = comm.allgather(None if error is None else str(error))
    if error is not None:
        raise error
    for rank, text in enumerate(texts):
        if text is not None:
            raise RuntimeError(f"rank {rank}: {text}")
    return value  # type: ignore[return-value]
