#!/usr/bin/env bash
# The launcher of another MPI starts ranks that do not find each other: they are refused, and do not
# do the same job several times over.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
other=mpiexec.openmpi package=openmpi-bin more=(--oversubscribe --allow-run-as-root)
[ "$launcher" = mpich ] || { other=mpiexec.mpich package=mpich more=(); }
words=(label "$data/brick.png" -o "$work/out/labels.npy")

# refused: by one message of one rank, which says how many there are; nothing is written.
refused() {
    [ "$status" = 1 ] || wrong "exit status $status, not 1"
    lines=$(grep -c '^halobeat label: ' "$work/stderr")
    [ "$lines" = 1 ] || wrong "$lines messages, not one"
    grep -q "^halobeat label: mpiexec has started $1 copies, .* another MPI" "$work/stderr" ||
        wrong 'no message about the launcher'
    [ ! -s "$work/stdout" ] || wrong 'there is a summary'
    [ -z "$(ls "$work/out")" ] || wrong "there is $(ls "$work/out")"
    good
}
if has $other $package 'starting ranks by the mpiexec of another MPI'; then
    for ranks in 2 3; do
        what="$other -n $ranks"
        status=0
        timeout -k 5 "$limit" $other "${more[@]}" -n $ranks "$program" "${words[@]}" \
            </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
        refused $ranks
    done
    what="$other -n 1"
    holds 'one rank alone is refused' \
        timeout -k 5 "$limit" $other "${more[@]}" -n 1 "$program" "${words[@]}" -q </dev/null
    holds 'help is refused' \
        timeout -k 5 "$limit" $other "${more[@]}" -n 2 "$program" label --help </dev/null >"$work/help"
    holds 'not one help' [ "$(grep -c '^Usage: ' "$work/help")" = 1 ]
    rm -f "$work"/out/*
fi
# As that launcher says it, of a rank by itself.
if [ "$launcher" = mpich ]; then
    OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 run 1 "${words[@]}"
else
    PMI_SIZE=4 PMI_RANK=0 run 1 "${words[@]}"
fi
refused 4
run_well 2 "${words[@]}" -q
finish
