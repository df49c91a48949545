"""Worlds of threads in a process of Python that has MPI, too: with_mpi4py.py before|after LIBRARY MPI_LIBRARY.

mpi4py is loaded before libhalobeat, or after its first worlds. MPI and the worlds know nothing of each other.
A communicator of mpi4py is refused by a libhalobeat_mpi that was made with another MPI."""

import ctypes
import sys

ROUNDS = 50


def start_mpi():
    from mpi4py import MPI
    return MPI.COMM_WORLD


def bind(path):
    library = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
    for name in ("halo_world_rank", "halo_world_ranks"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    library.halo_allreduce_sum.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64), ctypes.c_int]
    library.halo_last_message.restype = ctypes.c_char_p
    return library


def sums_of(library, ranks):
    """What all ranks of a new world get, after some rounds."""
    sums = []

    def body(world, _):
        number = (ctypes.c_int64 * 1)()
        for _ in range(ROUNDS):
            number[0] = library.halo_world_rank(world) + 1
            status = library.halo_allreduce_sum(world, number, 1)
            if status != 0:
                return status
        sums.append((library.halo_world_ranks(world), number[0]))
        return 0

    called = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(body)
    status = library.halo_run_sized(ranks, None, called, None, ctypes.c_size_t(0))
    assert status == 0, (status, library.halo_last_message())
    return sums


def check(library):
    for ranks in (1, 2, 5):
        assert sums_of(library, ranks) == [(ranks, ranks * (ranks + 1) // 2)] * ranks, ranks


def check_refusal(library, path):
    """A handle that means nothing to the library's MPI is not looked at."""
    other = ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
    world = ctypes.c_void_p()
    assert other.halo_world_create_mpi_sized(ctypes.byref(world), ctypes.c_void_p(16), None, ctypes.c_size_t(0)) != 0
    message = library.halo_last_message().decode()
    assert world.value is None and "MPICH" in message, message
    print(message)


when, path, mpi_path = sys.argv[1:]
processes = start_mpi() if when == "before" else None
library = bind(path)
check(library)
processes = processes or start_mpi()
assert processes.allreduce(processes.rank + 1) == processes.size * (processes.size + 1) // 2
check(library)
check_refusal(library, mpi_path)
processes.Barrier()
