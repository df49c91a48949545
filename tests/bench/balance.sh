#!/usr/bin/env bash
# ./run bench balance: what boundaries that move are worth, and what they cost.
#
# Planning: new cuts from measured loads, for many ranks. Running: every kernel on two ranks, one of
# them made three times as slow, without balancing and with it, compared with the ideal; and with
# nothing slowed, what balancing costs. Runs that are compared take turns, so that what else the
# machine does meets all of them; the medians are shown. `./run sim` shows simulated clusters.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin balance "$@"
rounds=${rounds:-$(either 9 3)}
balancers=$(either 'chain lb2' chain)
generations=$(either 6000 2000)
beats=$(either 600 300)
picture=$(either 1024 512)

echo "Planning new cuts, milliseconds a plan, of a balancer on one core; medians of $rounds rounds."
unit=ms words=(high moves)
target=1 way plan-16 1 "16 ranks, 4096 rows" measure plan parts=16 rows=4096 plans=100
target=50 way plan-1024 1 "1024 ranks, 262144 rows" measure plan parts=1024 rows=262144 plans=15
measure_ways
table

unit=seconds words=()
if [ "$(nproc)" -lt 2 ]; then skip "two ranks on one core share it: the rest needs two cores"; fi
make_picture "$work/noise-$picture.png" name=noise_50 size="$picture" kind=binary
kernels=(life sweep synthetic)
declare -A command=(
    [life]="life soup:8192x8192:35%:1 --beats $generations"
    [sweep]="label $work/noise-$picture.png --method sweep --connectivity 8"
    [synthetic]="synthetic --beats $beats"
)
declare -A clock=([life]=generations_seconds [sweep]=labelling_seconds [synthetic]=beats_seconds)

# ours KEY RANKS KERNEL OPTION...: seconds that the kernel's beats took.
ours() {
    # shellcheck disable=SC2086 # the words of a command
    "$bin/halobeat" ${command[$3]} --ranks "$2" "${@:4}" --quiet \
        --json "$work/run.json" >"$work/log" 2>&1 || failed "$1"
    keep "$1" "seconds=$(reported "${clock[$3]}")"
}

# share KEY OTHER FACTOR: its seconds as a ratio to those of another, FACTOR times.
share() { calculate "$(median "$1") / ($3 * $(median "$2"))" ' %9.2f'; }

# Two ranks with speeds 1 and 1/3 do in 1.5 s what two with speed 1 do in 1 s.
ideal=1.5

for kernel in "${kernels[@]}"; do
    way "$kernel-even" 2 '' ours "$kernel"
    way "$kernel-balanced" 2 '' ours "$kernel" --balance chain
    way "$kernel-slow" 2 '' ours "$kernel" --slow 1:3
    for name in $balancers; do
        way "$kernel-slow-$name" 2 '' ours "$kernel" --slow 1:3 --balance "$name"
    done
done
measure_ways
cat <<END

Two ranks, medians of $rounds runs in turn. Seconds with nothing slowed; the same with --balance
chain, as a ratio; then with rank 1 made three times as slow, as ratios to the ideal ($ideal times
the seconds with nothing slowed): without balancing, and with it.
END
# shellcheck disable=SC2086 # words
printf '%-10s %10s %9s %9s' kernel seconds balanced none && printf ' %9s' $balancers && echo
for kernel in "${kernels[@]}"; do
    printf '%-10s %10.3f' "$kernel" "$(median "$kernel-even")"
    share "$kernel-balanced" "$kernel-even" 1
    share "$kernel-slow" "$kernel-even" "$ideal"
    for name in $balancers; do share "$kernel-slow-$name" "$kernel-even" "$ideal"; done
    echo
done
for key in "${ways[@]}"; do result "$key" halobeat 2; done
finish
