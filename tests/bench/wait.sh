#!/usr/bin/env bash
# ./run bench wait: what each policy of waiting costs. Beats of no work and of 100 us, with a vote, on ranks
# that are processes and on threads, with a core for each rank and without: us a beat as they pass, and on
# the processors of all ranks together.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin wait "$@"
rounds=${rounds:-$(either 9 3)}
unit=us cores=$(nproc)
echo "A beat and a vote, us a beat, medians of $rounds rounds in turn. $cores cores."
for ranks in 2 $((2 * cores)); do
    for us in 0 100; do
        way "processes-$ranks-$us" "$ranks" "$us us of work, processes" measure_processes wait work="$us"
        way "threads-$ranks-$us" "$ranks" "$us us of work, threads" measure wait work="$us"
    done
done
measure_ways
table
finish
