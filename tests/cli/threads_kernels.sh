#!/usr/bin/env bash
# Kernels of users on ranks that are threads: each rank has its own static variables, and what cannot be so is
# refused in one sentence.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
buffer=$tools/buffer.so

# threads N ARGUMENT...: `halobeat run` on N threads, without a launcher.
threads() { run 1 run "${@:2}" --ranks "$1"; }

# ---- static variables -----------------------------------------------------------------------------

# Stripped of names, nothing says whether there are static variables.
cp "$buffer" "$work/stripped.so"
strip "$work/stripped.so"
run_well 3 run "$buffer" --size 300x200 -n 200 -q -o "$work/mpi.npy"
for kernel in "$buffer" "$work/stripped.so"; do
    for count in 1 2 3 5 8 64; do
        threads "$count" "$kernel" --size 300x200 -n 200 -q -o "$work/threads.npy"
        holds "exit status $status: $(messages)" [ "$status,$(messages)" = 0, ]
        holds "another result of $count threads" cmp -s "$work/mpi.npy" "$work/threads.npy"
    done
done
# A name without a folder, given behind other options.
what='a kernel in this folder' status=0
(cd "$work" && "$program" run -j 3 --size 300x200 -n 200 -q -o here.npy stripped.so) || status=$?
holds "exit status $status" [ "$status" = 0 ]
holds 'another result' cmp -s "$work/mpi.npy" "$work/here.npy"

# Copies are loaded only where there are such variables, and no file stays open.
# objects KERNEL: how many files the loader has, and how many descriptors are open, in the middle of a run on 4 threads.
objects() {
    "$program" run "$1" --size 64x64 -n 1000000000 -q -j 4 --log "$work/log.csv" --every 1 \
        --checkpoint "$work/state" 2>"$work/stderr" &
    job=$!
    holds 'it did not begin' wait_until "$limit" test -s "$work/log.csv"
    mapped=$(grep -c -e "r-xp .*$(basename "$1")" -e 'r-xp .*memfd:kernel' "/proc/$job/maps")
    open=$(find "/proc/$job/fd" -lname '*memfd:kernel*' | wc -l)
    kill -TERM "$job"
    wait "$job"
    rm -f "$work/log.csv" "$work/state"
}
what='copies of a kernel'
objects "$buffer"
holds "$mapped copies, $open open" [ "$mapped,$open" = 4,0 ]
objects "$tools/steer.so"
wanted=1
if grep -q __asan_init "$tools/steer.so"; then wanted=4; fi # which puts variables of its own into objects
holds "$mapped copies, $open open, of a kernel without static variables" [ "$mapped,$open" = "$wanted,0" ]

# A kernel's constructors run once when it is loaded.
begun=$(LD_DEBUG=files "$program" run "$buffer" --size 9x9 -n 1 -q -j 1 2>&1 | grep -c 'calling init: .*buffer\.so')
what='a kernel is loaded'
holds "$begun times" [ "$begun" = 1 ]

# ---- kernels that are not safe --------------------------------------------------------------------

# one_rank KERNEL WHY: no threads, and a warning that says why.
one_rank() {
    fails 2 "$2.*leave it out for one rank, or start processes with mpiexec -n 3" 1 run "$1" -j 3 --size 9x9
    what="one rank of $1"
    status=0
    "$program" run "$1" --size 300x200 -n 200 -v -o "$work/one.npy" --json "$work/run.json" \
        >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 0 ]
    holds 'another result' cmp -s "$work/mpi.npy" "$work/one.npy"
    holds 'not one rank' grep -q '"ranks": 1,' "$work/run.json"
    if [ "$(nproc)" -gt 1 ]; then
        holds "$(cat "$work/stderr")" [ "$(grep -c "$2.*: there is one rank; for one on each core, start processes with mpiexec -n" "$work/stderr")" = 1 ]
        holds 'no warning in JSON' grep -q "$2.*: there is one rank" "$work/run.json"
    fi
    run_well 1 run "$1" --size 9x9 -n 2 -q -j 1
    run_well 3 run "$1" --size 300x200 -n 200 -q -o "$work/one.npy"
    holds 'another result of processes' cmp -s "$work/mpi.npy" "$work/one.npy"
}
one_rank "$tools/buffer_unsafe.so" 'is not thread-safe, as its table says'
one_rank "$tools/buffer_unique.so" 'variables of C++ that all its copies share'

# ---- failures -------------------------------------------------------------------------------------

fails 1 'No such file' 1 run ./no/such.so -j 3
fails 1 'cannot be loaded.*cc -shared -fPIC' 1 run "$0" -j 3
fails 1 'kernels of version .*build it again' 1 run "$tools/older.so" -j 3
fails 2 'no 13 rows' 1 run "$tools/steer.so" --size 13x13 -j 3
fails 2 'from 1 to 4096, not "0"' 1 run heat -j 0
fails 2 'unrecognized.*--sed' 1 run "$tools/steer.so" -j 2 --sed 3

# Copies take turns with file descriptors; where there are too few for one, that is said, and nothing of MPI.
# shellcheck disable=SC2016 # for the shell there
printf '#!/bin/sh\nulimit -n "$FILES"\nexec "%s" "$@"\n' "$program" >"$work/few"
chmod +x "$work/few"
program=$work/few FILES=5 fails 1 'a copy of it, which cannot be loaded: Too many open files; raise the limit on open files (ulimit -n)$' \
    1 run "$buffer" -j 3 --size 9x9
program=$work/few FILES=16 run 1 run "$buffer" --size 300x200 -n 200 -q -j 64
holds "exit status $status: $(messages)" [ "$status,$(messages)" = 0, ]
finish
