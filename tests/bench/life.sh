#!/usr/bin/env bash
# ./run bench life: how fast dense soups on a torus are, on one rank and more, beside Golly's
# QuickLife on the same soups where it is installed (golly).
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin life "$@"
large=$(either 65536 16384)
middle=$(either 16384 8192)
seconds=$(either 2 0.5)
rounds=${rounds:-$(either 5 3)}
golly_rounds=$(either 3 1)
small=4096 density=0.35 seed=1 unit=gcells words=(instructions depth bits exchange vote wait)
cores=$(nproc)

# ours KEY RANKS SIZE RULE [WORD...]
ours() { measure "$1" "$2" life size="$3" rule="$4" seconds="$seconds" "${@:5}"; }

# soup_way KEY RANKS SIZE RULE [INSTRUCTIONS]: nothing on a machine without these.
soup_way() {
    if [ -n "${5:-}" ] && ! "$bin/bench" life threads=1 size=64 instructions="$5" seconds=0 >"$work/log" 2>&1
    then
        echo "skipped: $1: this machine has no $5"
        return
    fi
    way "$1" "$2" "$3 x $3, $4${5:+, $5}" ours "$3" "$4" ${5:+"instructions=$5"}
}

# ---- Golly --------------------------------------------------------------------------------------

# Seconds on the processor: what else the machine does is not held against Golly, which computes in
# one thread.
golly_seconds() { processor_seconds bgolly -q -q -a QuickLife -M 16000 -m "$2" -i "$2" "$1"; }

# golly KEY RANKS SHAPE SIZE GENERATIONS: reading the pattern takes longer than computing, so two runs are
# subtracted from each other.
golly() {
    local first=4 short file=$work/soup-$4-$3.rle
    golly_seconds "$file" "$first"
    short=$taken
    golly_seconds "$file" $((first + $5))
    keep "$1" "gcells=$(calculate "$4 * $4 * $5 / ($taken - $short) / 1e9")"
}

# golly_ways SIZE NAME TORUS PLANE: the same soup as a pattern, on a torus and on the plane; generations.
golly_ways() {
    local torus=$work/soup-$1-torus.rle plane=$work/soup-$1-plane.rle
    if [ ! -s "$plane" ]; then
        "$bin/halobeat" life "soup:$1x$1:$density:$seed" --topology torus -n 0 \
            -o "$torus" --quiet >"$work/log" 2>&1 || failed halobeat life
        sed '/^x *=/s/:T[0-9,]*//' "$torus" >"$plane.new"
        mv "$plane.new" "$plane"
    fi
    program="bgolly QuickLife" most=$golly_rounds way "golly-torus-$2" 1 "Golly, torus, $1 x $1" golly torus "$1" "$3"
    program="bgolly QuickLife" most=$golly_rounds way "golly-plane-$2" 1 "Golly, plane, $1 x $1" golly plane "$1" "$4"
}

# ---- all of it ----------------------------------------------------------------------------------

echo "Dense soups (density $density) on tori, at least $seconds s of generations a run, medians of $rounds"
echo "runs in turn. 10^9 cells a second, all ranks together, and per second of CPU time; peak memory of"
echo "all ranks together in bits a cell; the share of all ranks' time in percent. $cores cores. bgolly,"
echo "QuickLife, on the same soups, as a torus and on the endless plane (faster in Golly), of CPU time;"
echo "reading the pattern is not counted."
soup_way large 1 "$large" B3/S23
soup_way large-avx2 1 "$large" B3/S23 avx2
soup_way large-plain 1 "$large" B3/S23 plain
soup_way middle 1 "$middle" B3/S23
soup_way small 1 "$small" B3/S23
soup_way general 1 "$middle" B35/S236
soup_way letters 1 "$middle" B2-a/S12
soup_way more-letters 1 "$middle" B3-cnqy4/S2-i34q
soup_way generations 1 "$middle" /2/3
for ranks in 2 8; do
    soup_way "large-$ranks" "$ranks" "$large" B3/S23
    soup_way "middle-$ranks" "$ranks" "$middle" B3/S23
done
if command -v bgolly >/dev/null; then
    golly_ways "$small" small 100 400
    golly_ways "$middle" middle 8 48
else
    echo "skipped: Golly: bgolly is not installed (golly)"
fi
measure_ways
table
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
