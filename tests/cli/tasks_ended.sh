#!/usr/bin/env bash
# Jobs of the shell (halobeat tasks) that are ended: by a limit, by another job that failed, or since the
# rank that runs them, or the launcher, has ended. Nothing of them is left.
# shellcheck disable=SC2016 # what the shells of jobs are to expand
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
log=$work/out/log

# Nobody else sleeps for so long.
long=7$$.5

# As a word of a command line, which grep's own has not.
# shellcheck disable=SC2317 # called by holds, and by wait_until
nothing_left() { ! grep -q -s -a -z -x -e "${long%?}[5]" /proc/[0-9]*/cmdline; }
# shellcheck disable=SC2317
any_sleeps() { ! nothing_left; }
# shellcheck disable=SC2317
are_begun() { [ "$(cat "$work"/begun.* 2>/dev/null | wc -l)" = "$1" ]; }

# Jobs start processes in the background, some of which ignore SIGTERM.
easy="echo \$PPID >$work/begun.{}; (sleep $long; true) & sleep $long >/dev/null 2>&1; true"
stubborn="echo \$PPID >$work/begun.{}; (trap '' TERM; sleep $long; sleep $long) >/dev/null 2>&1 & sleep $long"

# begin JOB: on two ranks, in the background, until both jobs have begun.
begin() {
    rm -f "$work"/begun.*
    start_with 2
    what="halobeat tasks -- $1"
    timeout -k 5 "$limit" "${starter[@]}" "$program" tasks -- "$1" ::: 1 2 \
        </dev/null >"$work/stdout" 2>"$work/stderr" &
    launched=$!
    wait_until "$limit" are_begun 2 || wrong "jobs do not begin"
    # A job says that it has begun before it sleeps.
    holds "the test does not see its jobs" wait_until "$limit" any_sleeps
}

# lose_rank SIGNAL JOB: of the ranks that run it the second gets the signal.
lose_rank() {
    begin "$2"
    kill -s "$1" "$(cat "$work/begun.2")"
    wait "$launched" && wrong "status 0 after SIG$1 to a rank"
    wait_until "$limit" nothing_left || wrong "processes are left after SIG$1 to a rank"
    good
}

lose_rank KILL "$easy"
lose_rank TERM "$easy"
lose_rank KILL "$stubborn"
begin "$easy"
kill -s TERM "$launched"
wait "$launched" || true # the launcher's own status, which is 0 at times
wait_until "$limit" nothing_left || wrong "processes are left after SIGTERM to the launcher"

# A signal: how many jobs were done, and how to go on.
# shellcheck disable=SC2317 # called by wait_until
three_are_done() { [ "$(wc -l <"$work/stdout")" = 3 ]; }
for given in "--joblog $log" ''; do
    for ranks in 1 2; do
        rm -f "$log"
        start_with "$ranks"
        what="halobeat tasks $given, ended by a signal ($ranks ranks)"
        : >"$work/stdout" # of the run before, which the background would empty too late
        # shellcheck disable=SC2086 # a list
        "${starter[@]}" "$program" tasks $given --schedule fixed:1 \
            "case {} in 1 | 2 | 3) echo done ;; *) sleep $long ;; esac" ::: 1 2 3 4 5 \
            </dev/null >"$work/stdout" 2>"$work/stderr" &
        launched=$!
        wait_until "$limit" three_are_done || wrong "jobs do not end"
        kill -s TERM "$launched"
        wait "$launched" || true
        how="they are in $log, and the same command goes on with --resume"
        [ -n "$given" ] || how='what they have written stays; with --joblog FILE --resume the same command goes on'
        holds "not said: how many were done, and how to go on" \
            grep -q -x "halobeat tasks: stopped by a signal when 3 of 5 tasks were done; $how" "$work/stderr"
        wait_until "$limit" nothing_left || wrong "processes are left after SIGTERM"
    done
done
rm -f "$log"

# A limit, and another job that fails. What listens to no signal but SIGKILL is gone at the end.
run 2 tasks --timeout 0.5 -- "$stubborn" ::: 1 2
holds "status $status" [ "$status" = 1 ]
holds "processes are left of jobs that took too long" nothing_left
for ranks in 1 2 3; do
    run "$ranks" tasks --halt now -- \
        "if [ {} = 1 ]; then sleep 0.3; exit 1; fi; sleep $long >/dev/null 2>&1" ::: 1 2 3
    holds "status $status" [ "$status" = 1 ]
    holds "processes are left after --halt now" nothing_left
done

# Jobs that come to their end while a run is ended count, on any rank; those that it ended do not. The job that
# ends in good order says that it is up when it is ready for the signal.
run 3 tasks --halt now --joblog "$log" --schedule fixed:1 -- \
    "case {} in
    1) until [ -e $work/up.2 ] && [ -e $work/up.3 ]; do sleep 0.05; done; exit 1 ;;
    2) trap 'exit 0' TERM; sleep $long & echo >$work/up.2; wait ;;
    3) echo >$work/up.3; sleep $long ;; esac" ::: 1 2 3
holds "the log: $(cut -f 1,7 "$log" | paste -s -d ';')" [ "$(cut -f 1,7 "$log" | sort -n | paste -s -d ';')" = \
    $'Seq\tExitval;1\t1;2\t0' ]
holds "processes are left of what a job has started" nothing_left
rm -f "$log"

# A job ends when its first process ends, also where another goes on, which is neither waited for nor ended, by
# whatever it writes: within the job's group, or as a daemon, which has no files of the launcher.
leaves="until [ -e $work/go ]; do sleep 0.05; done; echo late; touch $work/late.{}"
for ranks in 1 2; do
    for job in "($leaves) & echo {}" "setsid sh -c '$leaves' >/dev/null 2>&1 </dev/null & echo {}" \
        "setsid sh -c '$leaves' & echo {}"; do
        rm -f "$work/go" "$work"/late.*
        run_well "$ranks" tasks -k --timeout "$limit" --joblog "$log" "$job" ::: 1 2
        holds "outputs: $(paste -s -d ' ' "$work/stdout")" [ "$(paste -s -d ' ' "$work/stdout")" = '1 2' ]
        holds "the log: $(cut -f 1,7 "$log" | paste -s -d ';')" [ "$(cut -f 1,7 "$log" | sort -n | paste -s -d ';')" = \
            $'Seq\tExitval;1\t0;2\t0' ]
        touch "$work/go"
        # shellcheck disable=SC2016,SC2317
        both_late() { [ -e "$work/late.1" ] && [ -e "$work/late.2" ]; }
        wait_until "$limit" both_late || wrong "what a job left running was ended"
        rm -f "$log"
    done
done
exec 7<"$work/stdout"
for ranks in 1 2; do
    run_well "$ranks" tasks 'i=0; while [ $i -lt 50 ]; do [ -e /proc/$$/fd/$i ] && echo $i; i=$((i + 1)); done; : {}' ::: 1
    holds "files of a job: $(paste -s -d ' ' "$work/stdout")" [ "$(paste -s -d ' ' "$work/stdout")" = '0 1 2' ]
done
exec 7<&-

# Processes that have ended, and that nobody waits for, as where the first process of a container does not
# reap: they are no reason to wait until the rest of a job is killed.
# How long the jobs take where they are reaped says how busy the machine is; to be waited for takes 2 s each.
if unshare -pf --mount-proc true 2>/dev/null; then
    started=$SECONDS
    run 1 tasks --timeout 0.1 "sleep $long; echo {}" ::: 1 2 3 4 5 6 7 8 9 10
    reaped=$((SECONDS - started)) started=$SECONDS
    what='halobeat tasks below a process 1 that does not reap'
    unshare -pf --mount-proc "$python" -c 'import subprocess, sys
print(subprocess.run(sys.argv[1:], capture_output=True).returncode)' "$program" tasks --timeout 0.1 \
        "sleep $long; echo {}" ::: 1 2 3 4 5 6 7 8 9 10 >"$work/stdout"
    holds "status $(cat "$work/stdout")" [ "$(cat "$work/stdout")" = 1 ]
    holds "10 jobs took $((SECONDS - started)) seconds, and $reaped where they are reaped" \
        [ $((SECONDS - started - reaped)) -lt 15 ]
fi
finish
