#!/usr/bin/env bash
# A build without MPI needs nothing of MPI: neither its commands, nor the files they read, nor what was made
# and installed name it.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
has readelf binutils 'which libraries are needed' || exit 77

prefix=$tools/moved
name='(mpi|mpich|openmpi|mpicc|libmpi[a-z_]*|mpi\.h)'

# names_mpi FILE: as a word of its own, in a path or among flags. The source tree may have any name.
names_mpi() { sed "s|$SOURCE||g; s|core/transport/mpi||g" "$1" | grep -i -w -E -e "$name"; }

what='the build'
holds 'a command names MPI' eval "! names_mpi '$BUILD/compile_commands.json' >'$work/stderr'"
holds 'nothing was compiled' grep -q 'core/world/job\.c' "$BUILD/compile_commands.json"
holds 'its transport was compiled' eval "! grep -q 'core/transport/mpi/' '$BUILD/compile_commands.json'"
ninja -C "$BUILD" -t deps >"$work/read" 2>"$work/stderr"
holds 'no file was read' grep -q -w 'halobeat\.h\|world\.h' "$work/read"
holds 'a file of MPI was read' eval "! grep -w 'mpi\\.h' '$work/read' | grep -v world_mpi >'$work/stderr'"
holds 'CMake has looked for MPI' eval "! grep -E '^MPI(EXEC)?_' '$BUILD/CMakeCache.txt' >'$work/stderr'"

what='what is installed'
for file in "$prefix/bin/halobeat" "$prefix"/lib*/libhalobeat-*.so "$prefix"/lib*/*/libhalobeat-*.so \
    "$tools/examples/bin/heat"; do
    [ -e "$file" ] || continue # one of the two patterns has no files
    readelf -W -d "$file" >"$work/needed"
    holds "$file needs nothing" grep -q NEEDED "$work/needed"
    holds "$file needs MPI" eval "! grep NEEDED '$work/needed' | grep -i -E 'mpi|ucx|ucp|hwloc|fabric' >'$work/stderr'"
    holds "$file has calls of MPI" eval "! nm -D '$file' | grep -w -E 'U P?MPI_.*' >'$work/stderr'"
done
mapfile -t pcs < <(find "$prefix" -name 'halobeat*.pc')
holds 'files for pkg-config are missing' [ ${#pcs[@]} = 8 ]
for file in "${pcs[@]}" "$prefix"/lib*/cmake/Halobeat/Halobeat_*.cmake \
    "$prefix"/lib*/*/cmake/Halobeat/Halobeat_*.cmake; do
    if [ -e "$file" ]; then
        holds "$file names MPI" eval "! names_mpi '$file' >'$work/stderr'"
    fi
done
mapfile -t archives < <(find "$prefix" -name 'libhalobeat-*.a')
holds 'archives are missing' [ ${#archives[@]} = 7 ]
holds 'an archive calls MPI' eval "! nm ${archives[*]@Q} | grep -w -E 'U P?MPI_.*' >'$work/stderr'"
finish
