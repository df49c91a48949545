#!/usr/bin/env bash
# ./run bench termination: what termination detectors cost in two programs (docs/termination.md): us from the
# end until all ranks know of it; until rank 0 has found it; messages of the program, of the detector, and
# to announce the end; rounds of a ring.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin termination "$@"
rounds=${rounds:-$(either 15 3)}
unit=us words=(found_us messages control announcements rounds) runs=5

# in_round MEASURE KEY RANKS: the programs of each round send other messages to others.
in_round() { "$1" "$2" "$3" termination runs="$runs" first=$((1 + runs * round)); }
processes() { in_round measure_processes "$@"; }
threads() { in_round measure "$@"; }

echo "Means of $runs runs; medians of them from $rounds rounds in turn. $(nproc) cores."
way processes 2 '' processes
way threads 2 'threads' threads
measure_ways
table
finish
