#!/usr/bin/env bash
# ./run bench tasks: what does a shell command cost that halobeat tasks runs?
#   --quick           fewer jobs and rounds
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/tasks.json)
#
# Jobs that do nothing, two at a time: milliseconds of all processors for each, beside xargs -P and GNU
# parallel, in turn. Starting MPI is part of it.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin tasks "$@"
rounds=5 jobs=2000 unit=ms
if [ -n "$quick" ]; then rounds=3 jobs=1000; fi

# measure_jobs KEY COUNT COMMAND...: processor milliseconds for each of so many jobs.
measure_jobs() {
    local key=$1 count=$2
    seq "$2" >"$work/inputs"
    shift 2
    processor_seconds "$@" <"$work/inputs"
    keep "$key" "ms=$(calculate "1000 * $taken / $count")"
}

halobeat=(mpiexec.mpich -n 2 "$bin/halobeat" tasks)
has_parallel=''
if command -v parallel >/dev/null; then has_parallel=yes; else echo "skipped: GNU parallel, not installed: parallel"; fi
printf 'Processor milliseconds for a job, %d jobs, two at a time. Medians of %d rounds.\n' "$jobs" "$rounds"
for ((round = 0; round < rounds; round++)); do
    measure_jobs tasks "$jobs" "${halobeat[@]}" -- /bin/true
    measure_jobs xargs "$jobs" xargs -P 2 -n 1 /bin/true
    measure_jobs tasks-shell "$jobs" "${halobeat[@]}" -- 'true; true'
    measure_jobs xargs-shell "$jobs" xargs -P 2 -I{} sh -c 'true; true {}'
    [ -z "$has_parallel" ] || measure_jobs parallel $((jobs / 4)) parallel -j 2 /bin/true
done
head_line
row tasks halobeat 2 "halobeat tasks -- /bin/true"
row xargs xargs 2 "xargs -P 2 -n 1 /bin/true"
row tasks-shell halobeat 2 "halobeat tasks -- 'true; true'"
row xargs-shell xargs 2 "xargs -P 2 -I{} sh -c 'true; true {}'"
row parallel parallel 2 "parallel -j 2 /bin/true"
echo
compared "less than xargs, without a shell, by a factor of" tasks xargs "at least 1"
compared "less than xargs, with a shell, by a factor of" tasks-shell xargs-shell "at least 1"
compared "less than GNU parallel by a factor of" tasks parallel "at least 4"
finish
