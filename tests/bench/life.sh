#!/usr/bin/env bash
# ./run bench life: how fast dense soups on a torus are, on one rank and more, beside Golly's
# QuickLife on the same soups where it is installed (golly).
#   --quick           smaller grids, fewer runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/life.json)
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
bin=$root/build/bench/bin
work=$root/build/bench/work
save=$root/build/bench/life.json
large=65536 middle=16384 small=4096 seconds=2 rounds=5 golly_rounds=3 baseline=
density=0.35 seed=1 general=B35/S236

while [ $# -gt 0 ]; do
    case $1 in
        --quick) large=16384 middle=8192 seconds=0.5 rounds=3 golly_rounds=1 ;;
        --vs) baseline=${2:?--vs needs the result of an earlier run} && shift ;;
        --save) save=${2:?--save needs a file name} && shift ;;
        *) echo "./run bench life takes --quick, --vs FILE and --save FILE, not '$1'" >&2 && exit 2 ;;
    esac
    shift
done
if [ -n "$baseline" ] && [ ! -r "$baseline" ]; then
    echo "./run bench life: cannot read $baseline; name the result of an earlier run" >&2
    exit 2
fi
mkdir -p "$work"
cores=$(nproc)

# statistic low|median|high NUMBER...
statistic() {
    local which=$1
    shift
    printf '%s\n' "$@" | sort -g | awk -v which="$which" '{ v[NR] = $1 }
        END { print v[which == "low" ? 1 : which == "high" ? NR : int((NR + 1) / 2)] }'
}

# value NAME LINE: of a line of NAME=VALUE words.
value() {
    sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"
}

# ---- Halobeat -----------------------------------------------------------------------------------

# What is measured: a name, ranks, size, rule, instructions.
cases=() skipped=()
declare -A samples=() cpu_samples=() last=()

add_case() {
    local instructions=$5
    if [ "$instructions" != best ] && ! "$bin/bench_life" 64 64 B3/S23 "$instructions" 0 0 \
        >"$work/log" 2>&1; then
        skipped+=("$1: this machine has no $instructions")
    else
        cases+=("$*")
    fi
}

run_case() {
    local name=$1 ranks=$2 size=$3 rule=$4 instructions=$5 line
    if ! line=$(mpiexec.mpich -n "$ranks" "$bin/bench_life" "$size" "$size" "$rule" \
        "$instructions" 0 "$seconds" 2>"$work/log"); then
        cat "$work/log" >&2
        exit 1
    fi
    samples[$name]+=" $(value gcells "$line")"
    cpu_samples[$name]+=" $(value cpu_gcells "$line")"
    last[$name]=$line
}

rows=()
report_case() {
    local name=$1 ranks=$2 size=$3 rule=$4 line=${last[$1]}
    local -a all cpu
    read -ra all <<<"${samples[$name]}"
    read -ra cpu <<<"${cpu_samples[$name]}"
    local median low high cpu_median
    cpu_median=$(statistic median "${cpu[@]}")
    median=$(statistic median "${all[@]}") low=$(statistic low "${all[@]}")
    high=$(statistic high "${all[@]}")
    printf '%-14s %5d  %-8s %-7s %2d %9.1f %7.1f -%6.1f %7.1f %8.3f %8.2f %6.2f %6.2f\n' \
        "$name" "$size" "$rule" "$(value instructions "$line")" "$(value depth "$line")" \
        "$median" "$low" "$high" \
        "$cpu_median" "$(value bits "$line")" "$(percent "$(value exchange "$line")")" \
        "$(percent "$(value vote "$line")")" "$(percent "$(value wait "$line")")"
    rows+=("{\"name\": \"$name\", \"program\": \"halobeat\", \"ranks\": $ranks, \"size_cells\": $size, \
\"rule\": \"$rule\", \"instructions\": \"$(value instructions "$line")\", \
\"halo_depth\": $(value depth "$line"), \"gcells_per_second\": $median, \"low\": $low, \
\"high\": $high, \"gcells_per_cpu_second\": $cpu_median, \"runs\": ${#all[@]}, \
\"peak_bits_per_cell\": $(value bits "$line"), \
\"exchange_share\": $(value exchange "$line"), \"vote_share\": $(value vote "$line"), \
\"wait_share\": $(value wait "$line")}")
    medians[$name]=$median
    medians[$name-cpu]=$cpu_median
}
declare -A medians=()

percent() {
    awk -v x="$1" 'BEGIN { print 100 * x }'
}

# ratio TEXT A B: how many times faster A is than B, if both were measured.
ratio() {
    if [ -n "${medians[$2]:-}" ] && [ -n "${medians[$3]:-}" ]; then
        awk -v t="$1" -v a="${medians[$2]}" -v b="${medians[$3]}" \
            'BEGIN { printf "%-62s %7.2f\n", t, a / b }'
    fi
}

# ---- Golly --------------------------------------------------------------------------------------

# golly_seconds PATTERN GENERATIONS: into $taken. Seconds on the processor: what else the machine
# does is not held against Golly, which computes in one thread.
golly_seconds() {
    local TIMEFORMAT='%U %S' times
    times=$({
        time bgolly -q -q -a QuickLife -M 16000 -m "$2" -i "$2" "$1" >"$work/log" 2>&1
    } 2>&1) || { cat "$work/log" >&2; exit 1; }
    taken=$(awk '{ print $1 + $2 }' <<<"$times")
}

# golly_case NAME PATTERN SIZE GENERATIONS: reading the pattern takes longer than computing, so two
# runs are subtracted from each other.
golly_case() {
    local name=$1 pattern=$2 size=$3 generations=$4 round first=4 short
    local -a speeds=()
    for ((round = 0; round < golly_rounds; round++)); do
        golly_seconds "$pattern" "$first"
        short=$taken
        golly_seconds "$pattern" $((first + generations))
        speeds+=("$(awk -v n="$size" -v g="$generations" -v t="$taken" -v s="$short" \
            'BEGIN { printf "%.4f", n * n * g / (t - s) / 1e9 }')")
    done
    medians[$name]=$(statistic median "${speeds[@]}")
    printf '%-20s %5d %9.2f %9.2f -%6.2f\n' "$name" "$size" "${medians[$name]}" \
        "$(statistic low "${speeds[@]}")" "$(statistic high "${speeds[@]}")"
    rows+=("{\"name\": \"$name\", \"program\": \"bgolly QuickLife\", \"ranks\": 1, \
\"size_cells\": $size, \"rule\": \"B3/S23\", \"gcells_per_second\": ${medians[$name]}, \
\"low\": $(statistic low "${speeds[@]}"), \"high\": $(statistic high "${speeds[@]}"), \
\"runs\": ${#speeds[@]}}")
}

# soup SIZE: the same soup as a pattern, on a torus and on the plane.
soup() {
    local torus=$work/soup-$1-torus.rle plane=$work/soup-$1-plane.rle
    if [ ! -s "$plane" ]; then
        "$bin/halobeat" life "soup:$1x$1:$density:$seed" --topology torus -g 0 \
            -o "$torus" --quiet >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
        sed '/^x *=/s/:T[0-9,]*//' "$torus" >"$plane.new"
        mv "$plane.new" "$plane"
    fi
}

compare_golly() {
    echo
    if ! command -v bgolly >/dev/null; then
        echo "Golly: skipped, bgolly is not installed (golly)"
        return
    fi
    echo "bgolly, QuickLife, on the same soups, as a torus and on the endless plane (faster in Golly);"
    echo "reading the pattern is not counted; medians of $golly_rounds, 10^9 cells a second of CPU time:"
    soup "$small"
    golly_case golly-torus-small "$work/soup-$small-torus.rle" "$small" 100
    golly_case golly-plane-small "$work/soup-$small-plane.rle" "$small" 400
    soup "$middle"
    golly_case golly-torus-middle "$work/soup-$middle-torus.rle" "$middle" 8
    golly_case golly-plane-middle "$work/soup-$middle-plane.rle" "$middle" 48
}

# ---- all of it ----------------------------------------------------------------------------------

compare_baseline() {
    echo
    echo "Against $baseline (10^9 cells a second; more is faster):"
    local row name before
    for row in "${rows[@]}"; do
        name=${row#*\"name\": \"} name=${name%%\"*}
        before=$(sed -n "s/.*\"name\": \"$name\".*\"gcells_per_second\": \([0-9.e+-]*\).*/\1/p" \
            "$baseline")
        if [ -n "$before" ]; then
            awk -v n="$name" -v b="$before" -v a="${medians[$name]}" \
                'BEGIN { printf "%-20s %9.2f -> %9.2f  %+6.1f %%\n", n, b, a, 100 * (a / b - 1) }'
        fi
    done
}

add_case large 1 "$large" B3/S23 best
add_case large-avx2 1 "$large" B3/S23 avx2
add_case large-plain 1 "$large" B3/S23 plain
add_case middle 1 "$middle" B3/S23 best
add_case small 1 "$small" B3/S23 best
add_case general 1 "$middle" "$general" best
add_case generations 1 "$middle" /2/3 best
add_case large-2 2 "$large" B3/S23 best
add_case middle-2 2 "$middle" B3/S23 best
add_case large-8 8 "$large" B3/S23 best
add_case middle-8 8 "$middle" B3/S23 best

echo "Dense soups (density $density) on tori, at least $seconds s of generations a run, medians of $rounds"
echo "runs in turn. 10^9 cells a second, all ranks together, and per second of CPU time; peak memory of"
echo "all ranks together in bits a cell; the share of all ranks' time in percent. $cores cores."
printf '%-14s %5s  %-8s %-7s %2s %9s %16s %7s %8s %8s %6s %6s\n' "" size rule set k "10^9/s" \
    "low - high" cpu bits exchange vote wait
for ((round = 0; round < rounds; round++)); do
    for one in "${cases[@]}"; do
        read -ra words <<<"$one"
        run_case "${words[@]}"
    done
done
for one in "${cases[@]}"; do
    read -ra words <<<"$one"
    report_case "${words[@]}"
done
for one in ${skipped[@]+"${skipped[@]}"}; do
    echo "skipped: $one"
done
compare_golly
echo
ratio "times faster with 2 ranks than with 1, $large x $large" large-2 large
ratio "times faster with 2 ranks than with 1, $middle x $middle" middle-2 middle
ratio "8 ranks on $cores cores against 2, $large x $large" large-8 large-2
ratio "8 ranks on $cores cores against 2, $middle x $middle" middle-8 middle-2
# One thread against one: time on the processor counts for both.
ratio "times Golly on the plane, $small x $small" small-cpu golly-plane-small
ratio "times Golly on a torus, $small x $small" small-cpu golly-torus-small
ratio "times Golly on the plane, $middle x $middle" middle-cpu golly-plane-middle
ratio "times Golly on a torus, $middle x $middle" middle-cpu golly-torus-middle
{
    printf '{"benchmark": "life", "rows": [\n'
    printf '%s' "${rows[0]}"
    printf ',\n%s' "${rows[@]:1}"
    printf '\n]}\n'
} >"$work/life.json"
if [ -n "$baseline" ]; then compare_baseline; fi
mkdir -p "$(dirname "$save")"
mv "$work/life.json" "$save"
echo
echo "Result kept in $save"
