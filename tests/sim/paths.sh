#!/usr/bin/env bash
# ./run sim paths [MACHINES...]: distances on rasters of costs on simulated machines (2 8 64), in rounds
# (--method settle) and without (async), from one source and from 200: phases or rounds, how often a cell was
# taken from a queue, and the efficiency: the time of one machine over that of all. Distances must be the
# same bytes.
#   --size N   rows and columns (1024)
#
# The real program runs; a cell that is taken from a queue takes .24 us of virtual time, a message 50 us.
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
source "$root/tools/simulate.sh"
program=$root/build/simgrid/bin/halobeat
size=1024
if [ "${1:-}" = --size ]; then
    size=${2:?--size needs a number}
    shift 2
fi
machines=("$@")
if [ $# = 0 ]; then machines=(2 8 64); fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# told KEY: of the last run.
told() { sed -n 's/^ *"'"$1"'": \([0-9.e+-]*\).*/\1/p' "$out/run.json" | head -n 1; }

# search RANKS METHOD [ARGUMENT...]: prints the seconds.
search() {
    HALOBEAT_RANKS=$1 simulate uniform-256 "$program" paths "$out/costs.npy" --method "$2" "${@:3}" \
        --quiet --json "$out/run.json" -o "$out/distances.npy" >"$out/log" 2>&1 ||
        { cat "$out/log" >&2 && exit 1; }
}

awk -v size="$size" 'BEGIN {
    srand(1)
    for (i = 0; i < 200; i++) printf "%d,%d\n", 1 + 2 * int(rand() * (size / 2 - 1)), 1 + 2 * int(rand() * (size / 2 - 1))
}' >"$out/many.csv"
faults=0
printf '%-7s %-8s %9s %-7s %7s %7s %11s\n' costs sources machines method rounds taken efficiency
for kind in smooth noise maze; do
    python3 "$root/tests/sim/paths_costs.py" "$kind" "$size" 5 "$out/costs.npy"
    for sources in 1 200; do
        from=(--from "$((size / 2 | 1)),$((size / 2 | 1))" --barrier 0)
        if [ "$sources" = 200 ]; then from=(--from "$out/many.csv" --barrier 0); fi
        search 1 bucket "${from[@]}"
        one=$(told beats_seconds) first=$(cksum <"$out/distances.npy")
        for ranks in "${machines[@]}"; do
            for method in settle async; do
                search "$ranks" "$method" "${from[@]}"
                awk -v kind="$kind" -v sources="$sources" -v ranks="$ranks" -v method="$method" \
                    -v rounds="$(told beat)" -v taken="$(told taken_cells)" \
                    -v reached="$(told reached_cells)" -v one="$one" -v all="$(told beats_seconds)" \
                    'BEGIN {
                        printf "%-7s %8d %9d %-7s %7d %7.2f %11.2f\n", kind, sources, ranks, method,
                            rounds, taken / reached, one / (ranks * all) }'
                if [ "$(cksum <"$out/distances.npy")" != "$first" ]; then
                    echo "$kind on $ranks machines: other distances by $method" >&2
                    faults=1
                fi
            done
        done
    done
done
exit "$faults"
