#!/usr/bin/env bash
# ./run bench tasks: what does a shell command cost that halobeat tasks runs? Jobs that do nothing, two at
# a time: milliseconds of all processors for each, beside xargs -P and GNU parallel, in turn.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin tasks "$@"
rounds=${rounds:-$(either 5 3)}
jobs=$(either 2000 1000)
unit=ms

# jobs KEY RANKS COUNT COMMAND...: processor milliseconds for each of so many jobs.
jobs() {
    seq "$3" >"$work/inputs"
    processor_seconds "${@:4}" <"$work/inputs"
    keep "$1" "ms=$(calculate "1000 * $taken / $3")"
}

printf 'Processor milliseconds for a job, %d jobs, two at a time. Medians of %d rounds.\n' "$jobs" "$rounds"
halobeat=("$bin/halobeat" tasks --ranks 2)
way tasks 2 "halobeat tasks -- /bin/true" jobs "$jobs" "${halobeat[@]}" -- /bin/true
program="xargs" way xargs 2 "xargs -P 2 -n 1 /bin/true" jobs "$jobs" xargs -P 2 -n 1 /bin/true
way tasks-shell 2 "halobeat tasks -- 'true; true'" jobs "$jobs" "${halobeat[@]}" -- 'true; true'
program="xargs" way xargs-shell 2 "xargs -P 2 -I{} sh -c 'true; true {}'" \
    jobs "$jobs" xargs -P 2 -I{} sh -c 'true; true {}'
if command -v parallel >/dev/null; then
    program=parallel way parallel 2 "parallel -j 2 /bin/true" jobs $((jobs / 4)) parallel -j 2 /bin/true
else
    echo "skipped: GNU parallel, not installed: parallel"
fi
measure_ways
table
echo
compared "less than xargs, without a shell, by a factor of" tasks xargs "at least 1"
compared "less than xargs, with a shell, by a factor of" tasks-shell xargs-shell "at least 1"
compared "less than GNU parallel by a factor of" tasks parallel "at least 4"
finish
