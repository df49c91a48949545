#!/usr/bin/env bash
# ./run bench latency: is the depth of halos that is chosen near the best one?
#
# Life and heat on four hosts, which are namespaces of this machine, with 0 to 100 ms from each to each
# other (tests/hosts): with every depth and with the one that is chosen, in turn; medians. Needs root.
# The hosts share this machine's cores, so that runs are short of computing and long of waiting.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin latency "$@"
rounds=${rounds:-$(either 3 1)} delays=$(either '0 1 10 100' '0 10')
depths=$(either '1 8 16 32 64 128 200 400 500 auto' '8 64 200 500 auto')
unit=seconds results=$work
kernels=(life heat heat3d)
declare -A command=(
    [life]="life soup:2000x2000:35%:1 -n 2000"
    [heat]="run heat --size 1000x1000 --beats 1000"
    [heat3d]="run heat3d --size 64x64x128 --beats 400"
)
declare -A clock=([life]=generations_seconds [heat]=beats_seconds [heat3d]=beats_seconds)

# depth KEY RANKS KERNEL DEPTH: deeper than a strip is refused.
depth() {
    # shellcheck disable=SC2086 # the words of a command
    timeout 300 "${starter[@]}" "$bin/halobeat" ${command[$3]} --quiet --halo-depth "$4" \
        --json "$work/run.json" >"$work/log" 2>&1 </dev/null || return 0
    printf '%s seconds=%s\n' "$1" "$(reported "${clock[$3]}")"
}

# on_hosts DELAY: all measurements with it.
on_hosts() {
    local kernel depth
    work=$results/hosts
    HALOBEAT_HOSTS_DELAY=$1ms
    begin_hosts 4
    start_on_hosts 4
    for kernel in "${kernels[@]}"; do
        for depth in $depths; do
            # With one beat an exchange the slowest network would take minutes, and never be best.
            [ "$1" != 100 ] || [ "$depth" = auto ] || [ "$depth" -ge 16 ] || continue
            way "$kernel-$1-$depth" 4 '' depth "$kernel" "$depth"
        done
    done
    measure_ways
    hosts_end # the trap of hosts.sh is for the whole script, not for this shell
}

printf 'Medians of %d rounds: seconds with the depth that is chosen, and with the best of\n%s; ratio\n' \
    "$rounds" "$depths"
printf '%-8s %6s %10s %10s %6s %7s\n' kernel delay chosen best depth ratio
for delay in $delays; do
    (on_hosts "$delay") >"$results/measured"
    if grep ': skipped: ' "$results/measured"; then exit; fi
    while read -r key line; do keep "$key" "$line"; done <"$results/measured"
    for kernel in "${kernels[@]}"; do
        best='' best_depth=''
        for depth in $depths; do
            seconds=$(median "$kernel-$delay-$depth")
            [ -n "$seconds" ] || continue
            result "$kernel-$delay-$depth" halobeat 4
            [ "$depth" != auto ] || continue
            if [ -z "$best" ] || awk "BEGIN { exit !($seconds < $best) }"; then
                best=$seconds best_depth=$depth
            fi
        done
        chosen=$(median "$kernel-$delay-auto")
        printf '%-8s %3d ms %10.3f %10.3f %6d %7.2f\n' "$kernel" "$delay" "$chosen" "$best" \
            "$best_depth" "$(calculate "$chosen / $best")"
    done
done
finish
