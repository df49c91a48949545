#!/usr/bin/env bash
# ./run bench heat: the 5-point stencil of heat, 64-bit floats, beside the same loops written by hand
# and the Parallel Research Kernels' MPI stencil, in turn.
#   --quick           a smaller grid, fewer rounds
#   --size N          N x N cells (8192)
#   --rounds N        of all programs (5)
#   --peer FILE       the peer's program, built from MPI1/Stencil of github.com/ParRes/Kernels with
#                     RADIUS=1 STAR=1 DOUBLE=1; without it there is no comparison with it
#   --save FILE.json  where to keep the result (build/bench/heat.json)
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
bin=${HALOBEAT_BENCH_BIN:-$root/build/bench/bin}
work=$root/build/bench/work
save=$root/build/bench/heat.json
size=8192 rounds=5 seconds=0.3 peer='' peer_beats=12
programs=(heat heat:8 user user:8 hand)

while [ $# -gt 0 ]; do
    case $1 in
        --quick) size=4096 rounds=3 ;;
        --size) size=${2:?--size needs a number of cells} && shift ;;
        --rounds) rounds=${2:?--rounds needs a number} && shift ;;
        --peer) peer=$(readlink -f "${2:?--peer needs a program}") && shift ;;
        --save) save=${2:?--save needs a file name} && shift ;;
        *)
            echo "./run bench heat takes --quick, --size N, --rounds N, --peer FILE and" \
                "--save FILE, not '$1'" >&2
            exit 2
            ;;
    esac
    shift
done
if [ -n "$peer" ] && [ ! -x "$peer" ]; then
    echo "./run bench heat: $peer is no program; name one built from MPI1/Stencil" >&2
    exit 2
fi
mkdir -p "$work" "$(dirname "$save")"

declare -A wall=() cpu=()

# value NAME LINE: of a line of NAME=VALUE words.
value() { sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"; }

# statistic low|median|high NUMBER...
statistic() {
    local which=$1
    shift
    printf '%s\n' "$@" | sort -g | awk -v which="$which" '{ v[NR] = $1 }
        END { print v[which == "low" ? 1 : which == "high" ? NR : int((NR + 1) / 2)] }'
}

fail() {
    cat "$work/log" >&2
    exit 1
}

# ours RANKS: every program once.
ours() {
    local line lines
    lines=$(mpiexec.mpich -n "$1" "$bin/bench_stencil" "$size" "$size" "$seconds" 1 \
        "${programs[@]}" 2>"$work/log") || fail
    while read -r line; do
        wall[$(value program "$line")/$1]+=" $(value ns "$line")"
        cpu[$(value program "$line")/$1]+=" $(value cpu_ns "$line")"
    done <<<"$lines"
}

# peer_cpu RANKS BEATS: seconds on the processors, into $taken.
peer_cpu() {
    local TIMEFORMAT='%U %S' times
    times=$({
        time mpiexec.mpich -n "$1" "$peer" "$2" "$size" >"$work/log" 2>&1
    } 2>&1) || fail
    grep -q 'Solution validates' "$work/log" || fail
    taken=$(awk '{ print $1 + $2 }' <<<"$times")
}

# theirs RANKS: making the grid is not counted: a short run is subtracted from a long one.
theirs() {
    local taken short average
    peer_cpu "$1" 1
    short=$taken
    peer_cpu "$1" $((1 + peer_beats))
    average=$(sed -n 's/.*Avg time (s): //p' "$work/log")
    wall[peer/$1]+=" $(awk -v t="$average" -v n="$size" 'BEGIN { print t / n / n * 1e9 }')"
    cpu[peer/$1]+=" $(awk -v t="$taken" -v s="$short" -v n="$size" -v b="$peer_beats" \
        'BEGIN { print (t - s) / b / n / n * 1e9 }')"
}

# ratio A B: of two medians; nothing where the second is not known.
ratio() { if [ -n "$2" ]; then awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b / a }'; fi; }

# median_of LIST: nothing where that is empty.
median_of() {
    local -a list
    read -ra list <<<"$1"
    if [ ${#list[@]} -gt 0 ]; then statistic median "${list[@]}"; fi
}

rows=()
report() {
    local name=$1 ranks=$2 key=$1/$2 w c
    local -a walls cpus
    read -ra walls <<<"${wall[$key]}"
    read -ra cpus <<<"${cpu[$key]}"
    w=$(statistic median "${walls[@]}") c=$(statistic median "${cpus[@]}")
    printf '%-8s %5d %8.3f %8.3f -%8.3f %8.3f %8.3f -%8.3f %9s %9s\n' "$name" "$ranks" \
        "$w" "$(statistic low "${walls[@]}")" "$(statistic high "${walls[@]}")" \
        "$c" "$(statistic low "${cpus[@]}")" "$(statistic high "${cpus[@]}")" \
        "$(ratio "$w" "$(median_of "${wall[peer/$ranks]:-}")")" \
        "$(ratio "$c" "$(median_of "${cpu[peer/$ranks]:-}")")"
    rows+=("{\"program\": \"$name\", \"ranks\": $ranks, \"size_cells\": $size, \
\"ns_per_cell\": $w, \"low\": $(statistic low "${walls[@]}"), \
\"high\": $(statistic high "${walls[@]}"), \"cpu_ns_per_cell\": $c, \
\"cpu_low\": $(statistic low "${cpus[@]}"), \"cpu_high\": $(statistic high "${cpus[@]}"), \
\"runs\": ${#walls[@]}}")
}

echo "Heat, 5 points, $size x $size 64-bit floats; NAME:8 does 8 beats an exchange. Medians of"
echo "$rounds rounds in turn, ns a cell and beat: as it passes, and on the processors of all ranks"
echo "together. Times faster than the peer. $(nproc) cores."
for ((round = 0; round < rounds; round++)); do
    for ranks in 1 2; do
        ours "$ranks"
        if [ -n "$peer" ]; then theirs "$ranks"; fi
    done
done
printf '%-8s %5s %8s %18s %8s %18s %9s %9s\n' "" ranks ns "low - high" "cpu ns" "low - high" \
    faster "cpu"
for ranks in 1 2; do
    for name in "${programs[@]}"; do report "$name" "$ranks"; done
    if [ -n "$peer" ]; then report peer "$ranks"; fi
done
for ranks in 1 2; do
    awk -v r="$ranks" -v u="$(median_of "${cpu[user/$ranks]}")" \
        -v h="$(median_of "${cpu[hand/$ranks]}")" 'BEGIN {
        printf "a kernel through the table against the same loops by hand, %d rank%s: %+.1f %%\n",
            r, (r > 1 ? "s" : ""), 100 * (u / h - 1) }'
done
{
    printf '{"benchmark": "heat", "rows": [\n'
    printf '%s' "${rows[0]}"
    printf ',\n%s' "${rows[@]:1}"
    printf '\n]}\n'
} >"$work/heat.json"
mv "$work/heat.json" "$save"
echo "Result kept in $save"
