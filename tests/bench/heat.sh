#!/usr/bin/env bash
# ./run bench heat: the 5-point stencil of heat, 64-bit floats, on threads, beside the same loops written by
# hand with MPI and the Parallel Research Kernels' MPI stencil, in turn.
#   --size N          N x N cells (8192)
#   --peer FILE       the peer's program, built from MPI1/Stencil of github.com/ParRes/Kernels with
#                     RADIUS=1 STAR=1 DOUBLE=1; without it there is no comparison with it
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
takes=(size peer)
begin heat "$@"
size=${size:-$(either 8192 4096)}
rounds=${rounds:-$(either 5 3)}
seconds=0.3 peer_beats=12
programs=(heat heat:8 user user:8)
if [ -n "$peer" ] && [ ! -x "$peer" ]; then
    echo "./run bench heat: $peer is no program; name one built from MPI1/Stencil" >&2
    exit 2
fi

# by_hand KEY RANKS: a row among those of the other programs.
by_hand() { measure_processes "heat-$2" "$2" stencil size="$size" seconds="$seconds" programs=hand; }

# theirs KEY RANKS: making the grid is not counted: a short run is subtracted from a long one.
theirs() {
    local short cells="$size / $size * 1e9"
    processor_seconds mpiexec.mpich -n "$2" "$peer" 1 "$size"
    short=$taken
    processor_seconds mpiexec.mpich -n "$2" "$peer" $((1 + peer_beats)) "$size"
    grep -q 'Solution validates' "$work/log" || failed "$peer"
    keep "$1" "ns=$(calculate "$(sed -n 's/.*Avg time (s): //p' "$work/log") / $cells") \
cpu_ns=$(calculate "($taken - $short) / $peer_beats / $cells")"
}

echo "Heat, 5 points, $size x $size 64-bit floats; NAME:8 does 8 beats an exchange. Medians of"
echo "$rounds rounds in turn, ns a cell and beat: as it passes, and on the processors of all ranks"
echo "together. $(nproc) cores."
for ranks in 1 2; do
    way "heat-$ranks" "$ranks" '' measure stencil size="$size" seconds="$seconds" \
        programs="$(IFS=,; echo "${programs[*]}")"
    way "hand-$ranks" "$ranks" '' by_hand
    [ -z "$peer" ] || program="Parallel Research Kernels" way "heat-$ranks-peer" "$ranks" peer theirs
done
measure_ways
table
echo
for ranks in 1 2; do
    for name in "${programs[@]}" hand; do
        compared "times the peer, $name, ranks: $ranks" "heat-$ranks-$name" "heat-$ranks-peer"
        compared "  on the processors" "heat-$ranks-$name/cpu" "heat-$ranks-peer/cpu"
    done
done
for ranks in 1 2; do
    calculate "100 * ($(median "heat-$ranks-user/cpu") / $(median "heat-$ranks-hand/cpu") - 1)" \
        "a kernel through the table against the same loops by hand, ranks: $ranks: %+.1f %%\n"
done
finish
