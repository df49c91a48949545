#!/usr/bin/env bash
# ./run bench heat: the 5-point stencil of heat, 64-bit floats, beside the same loops written by hand
# and the Parallel Research Kernels' MPI stencil, in turn.
#   --quick           a smaller grid, fewer rounds
#   --size N          N x N cells (8192)
#   --rounds N        of all programs (5)
#   --peer FILE       the peer's program, built from MPI1/Stencil of github.com/ParRes/Kernels with
#                     RADIUS=1 STAR=1 DOUBLE=1; without it there is no comparison with it
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/heat.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
size='' rounds='' peer=''
more_options=([--size]=size [--rounds]=rounds [--peer]=peer)
begin heat "$@"

size=${size:-${quick:+4096}} rounds=${rounds:-${quick:+3}}
size=${size:-8192} rounds=${rounds:-5} seconds=0.3 peer_beats=12
programs=(heat heat:8 user user:8 hand)
if [ -n "$peer" ] && [ ! -x "$peer" ]; then
    echo "./run bench heat: $peer is no program; name one built from MPI1/Stencil" >&2
    exit 2
fi

# ours RANKS: every program once.
ours() {
    measure heat "$1" stencil size="$size" seconds="$seconds" programs="$(IFS=,; echo "${programs[*]}")"
}

# theirs RANKS: making the grid is not counted: a short run is subtracted from a long one.
theirs() {
    local short cells="$size / $size * 1e9"
    processor_seconds mpiexec.mpich -n "$1" "$peer" 1 "$size"
    short=$taken
    processor_seconds mpiexec.mpich -n "$1" "$peer" $((1 + peer_beats)) "$size"
    grep -q 'Solution validates' "$work/log" || failed "$peer"
    keep "heat-peer-$1" "ns=$(calculate "$(sed -n 's/.*Avg time (s): //p' "$work/log") / $cells") \
cpu_ns=$(calculate "($taken - $short) / $peer_beats / $cells")"
}

echo "Heat, 5 points, $size x $size 64-bit floats; NAME:8 does 8 beats an exchange. Medians of"
echo "$rounds rounds in turn, ns a cell and beat: as it passes, and on the processors of all ranks"
echo "together. $(nproc) cores."
for ((round = 0; round < rounds; round++)); do
    for ranks in 1 2; do
        ours "$ranks"
        if [ -n "$peer" ]; then theirs "$ranks"; fi
    done
done
head_line
for ranks in 1 2; do
    for name in "${programs[@]}"; do row "heat-$name-$ranks" halobeat "$ranks" "$name"; done
    row "heat-peer-$ranks" "Parallel Research Kernels" "$ranks" peer
done
echo
for ranks in 1 2; do
    for name in "${programs[@]}"; do
        compared "times the peer, $name, ranks: $ranks" "heat-$name-$ranks" "heat-peer-$ranks"
        compared "  on the processors" "heat-$name-$ranks/cpu" "heat-peer-$ranks/cpu"
    done
done
for ranks in 1 2; do
    calculate "100 * ($(median "heat-user-$ranks/cpu") / $(median "heat-hand-$ranks/cpu") - 1)" \
        "a kernel through the table against the same loops by hand, ranks: $ranks: %+.1f %%\n"
done
finish
