#!/usr/bin/env bash
# ./run bench tasks_strategies, a part of ./run bench tasks: strategies of handing out tasks on two ranks
# of this machine, one of them made three times as slow; and the default in cases that are hard on it.
#
# 1000 tasks of about a millisecond. The ideal is their total cost over the sum of speeds, if both ranks
# compute all the time; the cost is the seconds that both have worked in a run with nothing slowed, one
# of each round. Runs that are compared take turns, so that what else the machine does meets all of
# them; medians are shown, and the lowest and highest ratio. On a machine that is not quiet speeds vary
# from run to run, so there is a second ideal, by the same run: of equal tasks, by the speeds of ranks,
# tasks over seconds of work; of others, if both ranks had worked all the time, and nothing had been
# done twice. `./run sim tasks` has more ranks.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
# shellcheck source=tests/bench/tasks.bash
source "$(dirname "${BASH_SOURCE[0]}")/tasks.bash"
begin tasks_strategies "$@"
rounds=${rounds:-$(either 9 3)} unit=seconds
if [ "$(nproc)" -lt 2 ]; then skip "two ranks on one core share it; this needs two cores"; fi

tasks=1000
schedules=("${all_schedules[@]}")
costs=(equal exponential room ramp)
if [ -n "$quick" ]; then
    schedules=("${few_schedules[@]}") costs=(equal room)
fi
# Mean costs are about 300000 steps, a millisecond.
declare -A cost=(
    [equal]="--work 300000"
    [exponential]="--work 3200 --profile exponential:ratio=1000"
    [room]="--work 60000 --profile hills:ratio=12,seed=3"
    [ramp]="--work 150000 --profile linear:ratio=3"
)
# In the last the rank does one task for some seconds, longer than all others take.
declare -A slow=([even]="" [slow]="--slow 1:3" [late]="--slow 1:10@200" [stops]="--slow 1:4000@200")
cases=(even slow late stops)

# ours KEY RANKS COST OPTION...: one run.
ours() {
    local key=$1
    # shellcheck disable=SC2086 # the words of a command
    "$bin/halobeat" synthetic --ranks "$2" --tasks "$tasks" ${cost[$3]} "${@:4}" \
        --quiet --json "$work/run.json" >"$work/log" 2>&1 || failed "$key"
    keep "$key" "seconds=$(tasks_reported seconds)"
    keep "$key/idc" "seconds=$(tasks_reported imbalance)"
    keep "$key/own" "seconds=$(own_ratio)"
    keep "$key/worked" "seconds=$(worked_ratio "$tasks")"
}

# own_ratio: of seconds to those that all tasks take at the speeds of the run; what was done twice counts
# for the speed.
own_ratio() {
    awk -v seconds="$(tasks_reported seconds)" -v all="$tasks" '
        function number() { sub(/,$/, "", $2); return $2 }
        /"ranks": \[/ { inside = 1 }
        /^ *\]/ { inside = 0 }
        inside && /"tasks":/ { count = number() }
        inside && /"working_seconds":/ { if (count > 0) speed += count / number() }
        END { printf "%.6g", seconds * speed / all }' "$work/run.json"
}

# measure_cost KEY RANKS COST: a run with nothing slowed.
measure_cost() {
    ours "$@" --schedule fixed:1 --once
    keep "$3-total" "seconds=$(worked_seconds)"
}

# ideal COST CASE: seconds. A rank that becomes slow has done 200 of the 1000 tasks by then, as has the
# other one.
ideal() {
    local total
    total=$(median "$1-total")
    case $2 in
        even) calculate "$total / 2" ;;
        slow) calculate "$total / (1 + 1 / 3)" ;;
        late) calculate ".2 * $total + .6 * $total / (1 + 1 / 10)" ;;
        stops) calculate ".2 * $total + .6 * $total" ;;
    esac
}

way equal-cost 2 '' measure_cost equal
for schedule in "${schedules[@]}"; do
    way "$schedule" 2 '' ours equal --slow 1:3 --schedule "$schedule"
    way "$schedule-once" 2 '' ours equal --slow 1:3 --schedule "$schedule" --once
done
measure_ways
ideal=$(ideal equal slow)
cat <<END

Two ranks, $tasks tasks of equal cost, rank 1 three times as slow: seconds of $rounds runs in turn as
ratios to the ideal, $ideal seconds (median, lowest, highest), to that by the speeds in the same run,
and IDC; where idle ranks do unfinished tasks again, as they do by default, and with --once. The cost
was measured as $(median equal-total) seconds ($(low equal-total) to $(high equal-total)).
END
again_and_once "$ideal" ''

ways=()
for name in "${costs[@]}"; do
    way "$name-cost" 2 '' measure_cost "$name"
    for case in "${cases[@]}"; do
        # shellcheck disable=SC2086
        way "default-$name-$case" 2 '' ours "$name" ${slow[$case]}
    done
done
measure_ways
cat <<END

The default schedule: the same ratios with tasks of equal cost, and others; with nothing slowed, with
rank 1 three times as slow, ten times as slow from its 200th task on, and no more answering from there.
Beside each, the ratio to the ideal by the same run.
$(printf '%-12s' cost; printf ' %26s  by run' "${cases[@]}")
END
for name in "${costs[@]}"; do
    printf '%-12s' "$name"
    for case in "${cases[@]}"; do
        ratios "default-$name-$case" "$(ideal "$name" "$case")"
        calculate "$(median "default-$name-$case/worked")" ' %7.3f'
        result "default-$name-$case" halobeat 2
    done
    echo
done
finish
