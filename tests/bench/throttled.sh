#!/usr/bin/env bash
# ./run bench throttled: what does balancing gain, or cost, where one of four hosts has little of a core?
#   --percent N       of a core, which that host has (5)
#
# Life on four hosts, which are namespaces of this machine (tests/hosts) and share its other cores, with
# and without --balance chain, in turn. Needs root and control groups.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
takes=(percent)
begin throttled "$@"
percent=${percent:-5} rounds=${rounds:-$(either 5 2)} beats=$(either 12000 4000) unit=seconds

begin_hosts 4
throttle_host host1 "$percent" || skip 'control groups cannot be made here'

# with BALANCER: seconds of all beats.
with() {
    start_on_hosts 4
    timeout 300 "${starter[@]}" "$bin/halobeat" life soup:4000x4000:35%:1 -n "$beats" --balance "$1" \
        --quiet --json "$work/run.json" </dev/null >"$work/log" 2>&1 || failed "$1"
    keep "$1" "seconds=$(reported generations_seconds)"
}

echo "Seconds for $beats generations of Life on 4000 x 4000 cells, 4 hosts, of which one has $percent % of a core."
echo "Medians of $rounds rounds."
way none 4 "strips of equal height" with
way chain 4 "--balance chain" with
measure_ways
table
echo
calculate "$(median chain) / $(median none)" "chain takes %.2f times as long as no balancing (target: at most 1.05)\n"
finish
