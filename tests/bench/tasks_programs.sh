#!/usr/bin/env bash
# ./run bench tasks_programs, a part of ./run bench tasks: the two applications of the study of
# master-worker strategies, random walkers (its Termions) and ray tracing, with every schedule on two ranks
# of this machine, one of them made three times as slow.
#   --size small|large  small, the default: 1000 tasks of walkers, pictures of 16 subpixels; large: 2000, and 64
#
# Ratios are to the total cost over the sum of speeds: the cost that a run with nothing slowed took in each
# round, and that of the same run, which on a machine that is not quiet is the better ideal. Results must be
# the same bytes in all runs.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
# shellcheck source=tests/bench/tasks.bash
source "$(dirname "${BASH_SOURCE[0]}")/tasks.bash"
takes=(size)
begin tasks_programs "$@"
size=${size:-small} rounds=${rounds:-$(either 3 1)} unit=seconds
if [ "$(nproc)" -lt 2 ]; then skip "two ranks on one core share it; this needs two cores"; fi

schedules=("${all_schedules[@]}")
if [ -n "$quick" ]; then schedules=("${few_schedules[@]}"); fi
case $size in
    small) walkers=1000 subpixels=4 ;;
    large) walkers=2000 subpixels=8 ;;
    *)
        echo "./run bench tasks_programs: --size is small or large, not '$size'" >&2
        exit 2
        ;;
esac

# 1024 walkers a task, 2000 steps: about a millisecond. Pictures are 500 x 500 pixels, 1024 tiles.
programs=(walk five-balls room)
declare -A tasks=([walk]=$walkers [five-balls]=1024 [room]=1024)
declare -A result_of=([walk]=csv [five-balls]=png [room]=png)
declare -A command=(
    [walk]="walk $data/rock.png --walkers $((1024 * walkers)) --steps 2000"
    [five-balls]="trace $data/scenes/five-balls.nff --subpixels $subpixels"
    [room]="trace $data/scenes/room.nff --subpixels $subpixels"
)
declare -A sums=()

# ours KEY RANKS PROGRAM OPTION...: one run.
ours() {
    local key=$1 sum result=$work/result.${result_of[$3]}
    # shellcheck disable=SC2086 # the words of a command
    "$bin/halobeat" ${command[$3]} --ranks "$2" "${@:4}" \
        --quiet --json "$work/run.json" -o "$result" >"$work/log" 2>&1 || failed "$key"
    sum=$(cksum <"$result")
    if [ "${sums[$3]:=$sum}" != "$sum" ]; then
        echo "$key: the result is another one" >"$work/log"
        failed "$key"
    fi
    keep "$key" "seconds=$(tasks_reported seconds)"
    keep "$key/idc" "seconds=$(tasks_reported imbalance)"
    keep "$key/own" "seconds=$(slowed_ratio "${tasks[$3]}" 3)"
}

# cost KEY RANKS PROGRAM: a run with nothing slowed.
cost() {
    ours "$@" --schedule fixed:1 --once
    keep "$3-total" "seconds=$(worked_seconds)"
}

for one in "${programs[@]}"; do
    way "$one-cost" 2 '' cost "$one"
    for schedule in "${schedules[@]}"; do
        way "$one-$schedule" 2 '' ours "$one" --slow 1:3 --schedule "$schedule"
        way "$one-$schedule-once" 2 '' ours "$one" --slow 1:3 --schedule "$schedule" --once
    done
done
measure_ways

for one in "${programs[@]}"; do
    ideal=$(calculate "$(median "$one-total") / (1 + 1 / 3)")
    cat <<END

$one, ${tasks[$one]} tasks (${command[$one]##*/}), two ranks, rank 1 three times as slow: seconds
of $rounds runs in turn as ratios to the ideal, $ideal seconds (median, lowest, highest), to that by the work of
the same run, and IDC; where idle ranks do unfinished tasks again, as they do by default, and with --once.
The cost was measured as $(median "$one-total") seconds ($(low "$one-total") to $(high "$one-total")).
END
    again_and_once "$ideal" "$one-"
done
finish
