#!/usr/bin/env bash
# ./run bench balance: what boundaries that move are worth, and what they cost.
#   --quick   shorter runs, fewer of them
#
# Planning: new cuts from measured loads, for many ranks. Running: every kernel on two ranks, one of
# them made three times as slow, without balancing and with it, compared with the ideal; and with
# nothing slowed, what balancing costs. Runs that are compared take turns, so that what else the
# machine does meets all of them; the medians are shown. `./run sim` shows simulated clusters.
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
bin=$root/build/bench/bin
work=$root/build/bench/work
rounds=9 plan=() balancers=(chain lb2)
generations=6000 beats=600 picture=1024

while [ $# -gt 0 ]; do
    case $1 in
        --quick) plan=(--quick) rounds=3 generations=2000 beats=300 picture=512 balancers=(chain) ;;
        *) echo "./run bench balance takes --quick, not '$1'" >&2 && exit 2 ;;
    esac
    shift
done
mkdir -p "$work"

"$bin/bench_plan" "${plan[@]}"

if [ "$(nproc)" -lt 2 ]; then
    echo "Two ranks on one core share it: the rest needs two cores"
    exit 0
fi

# ---- what runs ------------------------------------------------------------------------------------

"$bin/bench_picture" noise_50 "$picture" "$work/noise.png" lit

kernels=(life sweep synthetic)
declare -A command=(
    [life]="life soup:8192x8192:35%:1 --generations $generations"
    [sweep]="label $work/noise.png --method sweep --connectivity 8"
    [synthetic]="synthetic --beats $beats"
)
declare -A clock=([life]=generations_seconds [sweep]=labelling_seconds [synthetic]=beats_seconds)

# timed KERNEL OPTION...: seconds that the kernel's beats took.
timed() {
    local kernel=$1
    shift
    # shellcheck disable=SC2086 # the words of a command
    mpiexec.mpich -bind-to core -n 2 "$bin/halobeat" ${command[$kernel]} "$@" --quiet \
        --json "$work/run.json" >&2
    sed -n "s/.*\"${clock[$kernel]}\": \([0-9.e+-]*\).*/\1/p" "$work/run.json"
}

median() {
    printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# Two ranks with speeds 1 and 1/3 do in 1.5 s what two with speed 1 do in 1 s.
ideal=1.5

measure() {
    local kernel=$1 round name
    local -A samples=()
    for ((round = 0; round < rounds; round++)); do
        samples[even]+=" $(timed "$kernel")"
        samples[even_balanced]+=" $(timed "$kernel" --balance chain)"
        samples[slow]+=" $(timed "$kernel" --slow 1:3)"
        for name in "${balancers[@]}"; do
            samples[$name]+=" $(timed "$kernel" --slow 1:3 --balance "$name")"
        done
    done
    local even balanced slow line
    # shellcheck disable=SC2086 # lists of numbers
    {
        even=$(median ${samples[even]})
        balanced=$(median ${samples[even_balanced]})
        slow=$(median ${samples[slow]})
        line=$(awk -v e="$even" -v b="$balanced" -v s="$slow" -v i="$ideal" \
            'BEGIN { printf "%10.3f %9.3f %10.2f", e, b / e, s / (i * e) }')
        for name in "${balancers[@]}"; do
            line+=$(awk -v t="$(median ${samples[$name]})" -v e="$even" -v i="$ideal" \
                'BEGIN { printf " %9.2f", t / (i * e) }')
        done
    }
    printf '%-10s %s\n' "$kernel" "$line"
}

cat <<END

Two ranks, medians of $rounds runs in turn. Seconds with nothing slowed; the same with --balance
chain, as a ratio; then with rank 1 made three times as slow, as ratios to the ideal ($ideal times
the seconds with nothing slowed): without balancing, and with it.
$(printf '%-10s %10s %9s %10s' kernel seconds balanced none; printf ' %9s' "${balancers[@]}")
END
for kernel in "${kernels[@]}"; do
    measure "$kernel"
done
