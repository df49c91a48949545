# shellcheck shell=bash
# Sourced by benchmarks of handing out tasks, behind common.bash: the schedules, and what a run's report,
# $work/run.json, says of its tasks.

# shellcheck disable=SC2034 # for those who source it
all_schedules=(static static-weighted fixed:1 fixed:8 uniform:64 guided guided:1987 tss factoring factoring:1992
    weighted-factoring weighted-factoring:start weighted-factoring:batch adaptive adaptive-latency
    awf-b awf-c awf-d awf-e af fsc mfsc exponential:2 hierarchical:3 diffusive "diffusive:2,random" pipeline)
# shellcheck disable=SC2034
few_schedules=(static fixed:1 guided factoring mfsc)

# tasks_reported KEY: of the whole run.
tasks_reported() {
    sed -n '/^  "tasks": {/,/"ranks": \[/s/^    "'"$1"'": \([0-9.e+-]*\).*/\1/p' "$work/run.json"
}

# worked_ratio TASKS: of the time of both ranks to that in which they worked, times tasks done over those
# there are. A rank that stops works at its last task till the end.
worked_ratio() {
    awk -v seconds="$(tasks_reported seconds)" -v all="$1" '
        function number() { sub(/,$/, "", $2); return $2 }
        /"ranks": \[/ { inside = 1 }
        /^ *\]/ { inside = 0 }
        inside && /"tasks":/ { done += number(); ranks++ }
        inside && /"working_seconds":/ { worked += (number() + 0 < seconds ? $2 : seconds) }
        END { printf "%.6g", seconds * ranks / worked * done / all }' "$work/run.json"
}

# slowed_ratio TASKS FACTOR: of two ranks, of which rank 1 is slowed by that factor: of the time to that which
# the same work would have taken if both had worked all the time; what was done twice is no work.
slowed_ratio() {
    awk -v seconds="$(tasks_reported seconds)" -v all="$1" -v factor="$2" '
        function number() { sub(/,$/, "", $2); return $2 }
        /"ranks": \[/ { inside = 1 }
        /^ *\]/ { inside = 0 }
        inside && /"tasks":/ { done += number(); ranks++ }
        inside && /"working_seconds":/ { worked += number() / (ranks > 1 ? factor : 1) }
        END { printf "%.6g", seconds * (1 + 1 / factor) / worked * done / all }' "$work/run.json"
}

# worked_seconds: of all ranks.
worked_seconds() {
    sed -n 's/.*"working_seconds": \([0-9.e+-]*\).*/\1/p' "$work/run.json" | awk '{ sum += $1 } END { print sum }'
}

# ratios KEY IDEAL: median, lowest and highest as ratios.
ratios() {
    local which
    for which in median low high; do calculate "$($which "$1") / $2" ' %8.3f'; done
}

# again_and_once IDEAL PREFIX: a table of "${schedules[@]}": of the runs that are kept as PREFIX and the schedule,
# and of those with -once behind it.
again_and_once() {
    local schedule key
    printf '%-26s %26s %8s %7s %26s %8s %7s\n' schedule again "by run" IDC once "by run" IDC
    # shellcheck disable=SC2154 # of whoever sources this
    for schedule in "${schedules[@]}"; do
        printf '%-26s' "$schedule"
        for key in "$2$schedule" "$2$schedule-once"; do
            ratios "$key" "$1"
            calculate "$(median "$key/own")" ' %8.3f'
            calculate "100 * $(median "$key/idc")" ' %5.1f %%'
            result "$key" halobeat 2
        done
        echo
    done
}
