#!/usr/bin/env bash
# A program that is built without MPI: ranks are threads, and several copies, which a launcher has started,
# are refused in one sentence, of one of them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
own_program=$6
picture=$data/brick.png

run_well 1 --version
holds "$(cat "$work/stdout")" grep -q -x 'ranks are connected by threads' "$work/stdout"
run_well 2 label "$picture" -q --json "$work/run.json"
holds 'other transports in JSON' grep -q '"transports": "threads"' "$work/run.json"

# copies COUNT VARIABLE=VALUE... -- PROGRAM ARGUMENT...: that many processes at the same time, and
# VARIABLE=@ is the number of each.
copies() {
    local count=$1 rank
    local -a words=("${@:2}") processes=()
    what="$*"
    for ((rank = 0; rank < count; rank++)); do
        env "${words[@]//@/$rank}" </dev/null >"$work/stdout.$rank" 2>"$work/stderr.$rank" &
        processes+=($!)
    done
    statuses=''
    for rank in "${processes[@]}"; do
        wait "$rank"
        statuses+=$?
    done
    cat "$work"/stderr.[0-9] >"$work/stderr"
    cat "$work"/stdout.[0-9] >"$work/stdout"
    rm "$work"/std*.[0-9]
}

# refused NAME COUNT LAUNCHER: by one message, with status 2, and nothing is written.
refused() {
    holds "$statuses" [ "$statuses" = 222 ]
    holds 'not one message' [ "$(grep -c . "$work/stderr")" = 1 ]
    holds 'another message' grep -q "^$1: $3 has started $2 copies, .* MPI is not found .*; .*libhalobeat-mpich[0-9.]* or libhalobeat-openmpi[0-9.]*; .*HALOBEAT_MPI=ON; HALOBEAT_SINGLE=1 " "$work/stderr"
    holds 'there is a result' [ ! -s "$work/stdout" ]
    holds "there is $(ls "$work/out")" [ -z "$(ls "$work/out")" ]
}
mpich=(PMI_SIZE=3 PMI_RANK=@) slurm=(SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=@)
label=("$program" label "$picture" -o "$work/out/@.npy")
copies 3 "${mpich[@]}" "${label[@]}"
refused 'halobeat label' 3 mpiexec
copies 3 "${mpich[@]}" "${label[@]}" --ranks 2
refused 'halobeat label' 3 mpiexec
copies 3 OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=@ "${label[@]}"
refused 'halobeat label' 3 mpiexec
copies 3 "${slurm[@]}" "${label[@]}"
refused 'halobeat label' 3 srun
copies 3 "${slurm[@]}" "$program" run heat -n 3 -o "$work/out/@.npy"
refused 'halobeat run' 3 srun
copies 3 "${slurm[@]}" "$program" tasks -o "$work/out/@" echo ::: 1 2
refused 'halobeat tasks' 3 srun
copies 3 "${mpich[@]}" "$own_program" --size 20x20 --beats 2 -o "$work/out/@.npy"
refused "${own_program##*/}" 3 mpiexec
copies 3 "${mpich[@]}" "$program" label --help
holds 'not one help' [ "$statuses,$(grep -c '^Usage: ' "$work/stdout")" = 000,1 ]

# By request, each does the whole job; and one copy is no job of several.
copies 3 HALOBEAT_SINGLE=1 "${mpich[@]}" "${label[@]}" -q
holds 'not three results' [ "$statuses,$(listing | grep -c '[012]\.npy$')" = 000,3 ]
rm -f "$work"/out/*
for one in PMI_SIZE=1 SLURM_STEP_NUM_TASKS=1; do
    copies 1 "$one" PMI_RANK=0 SLURM_PROCID=0 "$program" label "$picture" --ranks 2
    holds "$one: $statuses" [ "$statuses,$(grep -c '^regions ' "$work/stdout")" = 0,1 ]
done

# Remedies are threads, and where these are none, to get the library for MPI first.
by_mpi='install libhalobeat_mpi (Debian: libhalobeat-mpich[0-9.]* or libhalobeat-openmpi[0-9.]*; from its sources, cmake -D HALOBEAT_MPI=ON) and start processes with mpiexec -n'
unsafe=$tools/buffer_unsafe.so
fails 2 "not thread-safe.* leave it out for one rank, or $by_mpi 3\$" 1 run "$unsafe" -j 3 --size 9x9
if [ "$(nproc)" -gt 1 ]; then
    run 1 run "$unsafe" --size 9x9 -n 2 -q
    holds "$status, $(messages)" [ "$status,$(messages | grep -c "there is one rank; for one on each core, $by_mpi")" = 0,1 ]
fi
# threads_are WORDS RANKS ARGUMENT...: what is refused with these words, and none of mpiexec.
threads_are() {
    fails 2 "$@"
    holds "$(messages)" [ "$(grep -c mpiexec "$work/stderr")" = 0 ]
}
threads_are 'use 2x2, or start 6 ranks$' 4 run heat --size 9x9 -n 1 --decomposition 2x3
threads_are 'takes at least 2 ranks; ask for them (--ranks 2)$' 1 bench exchange
threads_are 'start more (--ranks 4) or name another$' 2 run heat --size 9x9 -n 1 --slow 3:2

# Measurements that need MPI are left out, and the rest is measured.
run 1 bench exchange --ranks 2 --repeat 1 --beats 20
holds 'bare MPI is here' grep -q '^halo of 2 messages *bare MPI .*not here$' "$work/stdout"
holds 'no datatype is missing' [ "$(grep -c '^pack .* datatype .*not here$' "$work/stdout")" = 2 ]
holds 'no halo is measured' grep -q '^halo of 2 rows *p2p  *2 *16384 *[0-9]' "$work/stdout"
finish
