#!/usr/bin/env bash
# The shared library in a process of Python, on threads, beside an MPI that the process has for itself: Debian's
# mpi4py is made with Open MPI, whatever Halobeat is made with.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
needs_python mpi4py
library=$(find "$tools/moved" -name libhalobeat-core.so)
of_mpi=$(find "$tools/moved" -name libhalobeat_mpi.so)
script=$(dirname "$0")/with_mpi4py.py
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for when in before after; do
    what="worlds of threads, mpi4py loaded $when"
    holds 'another sum, or none' timeout -k 5 "$limit" "$python" "$script" "$when" "$library" "$of_mpi" >"$work/stdout" 2>"$work/stderr"
    holds "another MPI is refused without its name: $(cat "$work/stdout")" grep -q -E 'Open MPI v.*MPICH [0-9]|MPICH [0-9.]* is not started' "$work/stdout"
    what+=', under mpiexec'
    if has mpiexec.openmpi openmpi-bin "$what"; then
        holds 'another sum, or none' timeout -k 5 "$limit" mpiexec.openmpi --oversubscribe -n 2 \
            "$python" "$script" "$when" "$library" "$of_mpi" >"$work/stdout" 2>"$work/stderr"
    fi
done
finish
