#!/usr/bin/env bash
# If UDP does not get through, as with some firewalls, a job computes as any other, with --patience
# too, and says that silent ranks will not be found.
HALOBEAT_HOSTS_DELAY=0ms
export WIRE_WITHOUT_UDP=yes
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

start_on_hosts 8
what='a job without UDP'
"${starter[@]}" "$program" life soup:300x300:35% -n 100000000000 --quiet --patience 5 \
    --checkpoint "$work/state" </dev/null >"$work/stdout" 2>"$work/stderr" &
job=$!
holds 'no word about UDP' wait_until "$limit" \
    grep -q '^halobeat life: no sign has come from 6 ranks, of which rank 1 on host1 is the first: UDP' "$work/stderr"
sleep 2
kill -TERM "$job"
wait "$job"
holds 'it was over too soon' grep -q 'stopped by a signal' "$work/stderr"
holds 'something else was said' [ "$(grep -c '^halobeat' "$work/stderr")" = 2 ]
run 1 life --restore "$work/state" -n 1 --quiet
holds "exit status $status of the checkpoint" [ "$status" = 0 ]
finish
