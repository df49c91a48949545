#!/usr/bin/env bash
# ./run bench balance: what boundaries that move are worth, and what they cost.
#   --quick           shorter runs, fewer of them
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/balance.json)
#
# Planning: new cuts from measured loads, for many ranks. Running: every kernel on two ranks, one of
# them made three times as slow, without balancing and with it, compared with the ideal; and with
# nothing slowed, what balancing costs. Runs that are compared take turns, so that what else the
# machine does meets all of them; the medians are shown. `./run sim` shows simulated clusters.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin balance "$@"

rounds=9 balancers=(chain lb2) generations=6000 beats=600 picture=1024
if [ -n "$quick" ]; then
    rounds=3 balancers=(chain) generations=2000 beats=300 picture=512
fi
unit=seconds

"$bin/bench" plan ${quick:+quick=1}

if [ "$(nproc)" -lt 2 ]; then
    echo "Two ranks on one core share it: the rest needs two cores"
    exit 0
fi
"$bin/bench" picture name=noise_50 size="$picture" out="$work/noise.png" kind=binary

kernels=(life sweep synthetic)
declare -A command=(
    [life]="life soup:8192x8192:35%:1 --generations $generations"
    [sweep]="label $work/noise.png --method sweep --connectivity 8"
    [synthetic]="synthetic --beats $beats"
)
declare -A clock=([life]=generations_seconds [sweep]=labelling_seconds [synthetic]=beats_seconds)

# ours KERNEL-NAME OPTION...: seconds that the kernel's beats took.
ours() {
    local key=$1 kernel=${1%%-*}
    shift
    # shellcheck disable=SC2086 # the words of a command
    mpiexec.mpich -bind-to core -n 2 "$bin/halobeat" ${command[$kernel]} "$@" --quiet \
        --json "$work/run.json" >"$work/log" 2>&1 || failed "$key"
    keep "$key" "seconds=$(reported "${clock[$kernel]}")"
}

# share KEY OTHER FACTOR: its seconds as a ratio to those of another, FACTOR times.
share() { calculate "$(median "$1") / ($3 * $(median "$2"))" ' %9.2f'; }

# Two ranks with speeds 1 and 1/3 do in 1.5 s what two with speed 1 do in 1 s.
ideal=1.5

cat <<END

Two ranks, medians of $rounds runs in turn. Seconds with nothing slowed; the same with --balance
chain, as a ratio; then with rank 1 made three times as slow, as ratios to the ideal ($ideal times
the seconds with nothing slowed): without balancing, and with it.
$(printf '%-10s %10s %9s %9s' kernel seconds balanced none; printf ' %9s' "${balancers[@]}")
END
for kernel in "${kernels[@]}"; do
    for ((round = 0; round < rounds; round++)); do
        ours "$kernel-even"
        ours "$kernel-balanced" --balance chain
        ours "$kernel-slow" --slow 1:3
        for name in "${balancers[@]}"; do
            ours "$kernel-slow-$name" --slow 1:3 --balance "$name"
        done
    done
    printf '%-10s %10.3f' "$kernel" "$(median "$kernel-even")"
    share "$kernel-balanced" "$kernel-even" 1
    for name in slow "${balancers[@]/#/slow-}"; do share "$kernel-$name" "$kernel-even" "$ideal"; done
    echo
    for name in even balanced slow "${balancers[@]/#/slow-}"; do result "$kernel-$name" halobeat 2; done
done
finish
