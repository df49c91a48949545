#!/usr/bin/env bash
# ./run bench life: how fast dense soups on a torus are, on one rank and more, beside Golly's
# QuickLife on the same soups where it is installed (golly).
#   --quick           smaller grids, fewer runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/life.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin life "$@"

large=65536 middle=16384 small=4096 seconds=2 rounds=5 golly_rounds=3
if [ -n "$quick" ]; then large=16384 middle=8192 seconds=0.5 rounds=3 golly_rounds=1; fi
density=0.35 seed=1 unit=gcells words=(instructions depth bits exchange vote wait)
cores=$(nproc)

# Each measurement has a name, ranks, size, rule, and instructions if not the best.
cases=(
    "large 1 $large B3/S23"
    "large-avx2 1 $large B3/S23 avx2"
    "large-plain 1 $large B3/S23 plain"
    "middle 1 $middle B3/S23"
    "small 1 $small B3/S23"
    "general 1 $middle B35/S236"
    "letters 1 $middle B2-a/S12"
    "more-letters 1 $middle B3-cnqy4/S2-i34q"
    "generations 1 $middle /2/3"
    "large-2 2 $large B3/S23"
    "middle-2 2 $middle B3/S23"
    "large-8 8 $large B3/S23"
    "middle-8 8 $middle B3/S23"
)

# ours NAME RANKS SIZE RULE [INSTRUCTIONS]: nothing on a machine without these.
ours() {
    if [ -n "${5:-}" ] && ! "$bin/bench" life size=64 instructions="$5" seconds=0 >"$work/log" 2>&1
    then
        if [ "$round" = 0 ]; then echo "skipped: $1: this machine has no $5"; fi
        return
    fi
    measure "$1" "$2" life size="$3" rule="$4" seconds="$seconds" ${5:+"instructions=$5"}
}

# ---- Golly --------------------------------------------------------------------------------------

# Seconds on the processor: what else the machine does is not held against Golly, which computes in
# one thread.
golly_seconds() { processor_seconds bgolly -q -q -a QuickLife -M 16000 -m "$2" -i "$2" "$1"; }

# golly NAME PATTERN SIZE GENERATIONS: reading the pattern takes longer than computing, so two runs are
# subtracted from each other.
golly() {
    local first=4 short i
    for ((i = 0; i < golly_rounds; i++)); do
        golly_seconds "$2" "$first"
        short=$taken
        golly_seconds "$2" $((first + $4))
        keep "$1" "gcells=$(calculate "$3 * $3 * $4 / ($taken - $short) / 1e9")"
    done
    row "$1" "bgolly QuickLife" 1 "$1, $3 x $3"
}

# soup SIZE: the same soup as a pattern, on a torus and on the plane.
soup() {
    local torus=$work/soup-$1-torus.rle plane=$work/soup-$1-plane.rle
    if [ ! -s "$plane" ]; then
        "$bin/halobeat" life "soup:$1x$1:$density:$seed" --topology torus -g 0 \
            -o "$torus" --quiet >"$work/log" 2>&1 || failed halobeat life
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
    words=()
    soup "$small"
    golly golly-torus-small "$work/soup-$small-torus.rle" "$small" 100
    golly golly-plane-small "$work/soup-$small-plane.rle" "$small" 400
    soup "$middle"
    golly golly-torus-middle "$work/soup-$middle-torus.rle" "$middle" 8
    golly golly-plane-middle "$work/soup-$middle-plane.rle" "$middle" 48
}

# ---- all of it ----------------------------------------------------------------------------------

echo "Dense soups (density $density) on tori, at least $seconds s of generations a run, medians of $rounds"
echo "runs in turn. 10^9 cells a second, all ranks together, and per second of CPU time; peak memory of"
echo "all ranks together in bits a cell; the share of all ranks' time in percent. $cores cores."
for ((round = 0; round < rounds; round++)); do
    for one in "${cases[@]}"; do
        read -ra arguments <<<"$one"
        ours "${arguments[@]}"
    done
done
head_line
for one in "${cases[@]}"; do
    read -r name ranks size rule _ <<<"$one"
    row "$name" halobeat "$ranks" "$size x $size, $rule"
done
compare_golly
echo
for size in large middle; do
    compared "times faster with 2 ranks than with 1, ${!size} x ${!size}" "$size-2" "$size"
    compared "8 ranks on $cores cores against 2, ${!size} x ${!size}" "$size-8" "$size-2"
done
# One thread against one: time on the processor counts for both.
for size in small middle; do
    compared "times Golly on the plane, ${!size} x ${!size}" "$size/cpu" "golly-plane-$size"
    compared "times Golly on a torus, ${!size} x ${!size}" "$size/cpu" "golly-torus-$size"
done
finish
