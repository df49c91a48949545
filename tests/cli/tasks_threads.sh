#!/usr/bin/env bash
# Jobs of the shell (halobeat tasks) without a launcher: how many run at once, what ranks that are threads share,
# and what a terminal or a signal does.
# shellcheck disable=SC2016 # what the shells of jobs are to expand
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
log=$work/out/log

# Nobody else sleeps for so long.
long=8$$.5
# shellcheck disable=SC2317 # called by holds, and by wait_until
nothing_left() { ! grep -q -s -a -z -x -e "${long%?}[5]" /proc/[0-9]*/cmdline; }

# ---- how many at once -----------------------------------------------------------------------------

# at_once N OPTION...: N jobs wait for each other, which they do for ever if fewer run at once.
at_once() {
    local wanted=$1 inputs
    shift
    mapfile -t inputs < <(seq "$wanted")
    rm -f "$work"/up.*
    run_well 1 tasks "$@" -- "touch $work/up.{}; until [ \$(ls $work/up.* | wc -l) = $wanted ]; do sleep 0.02; done
        echo {%}" ::: "${inputs[@]}"
    holds "slots: $(sort -n "$work/stdout" | paste -s -d ' ')" \
        [ "$(sort -n "$work/stdout" | paste -s -d ' ')" = "$(seq -s ' ' "$wanted")" ]
}
cores=$("$python" -c 'import os; print(len(os.sched_getaffinity(0)))')
at_once 4 -j 4
at_once 5 -j 5 --ranks 2
at_once 3 --ranks 3
at_once $((cores + 1)) -j +1
at_once $((2 * cores)) -j 200%
at_once 40 -j 0
HALOBEAT_RANKS=3 at_once 3
HALOBEAT_RANKS=3 at_once 5 -j 5
HALOBEAT_RANKS='' at_once 1
HALOBEAT_RANKS=many fails 2 'HALOBEAT_RANKS is "many"' 1 tasks echo ::: 1
# One at a time: each is alone.
run_well 1 tasks -j 1 -- "mkdir $work/one && sleep 0.02 && rmdir $work/one && echo {}" ::: 1 2 3 4
holds "not in order" [ "$(paste -s -d ' ' "$work/stdout")" = '1 2 3 4' ]
if has taskset util-linux 'jobs on one core'; then
    what='halobeat tasks on one core'
    holds "several jobs at once" [ "$(taskset -c "$("$python" -c 'import os; print(min(os.sched_getaffinity(0)))')" \
        "$program" tasks "mkdir $work/one && sleep 0.02 && rmdir $work/one && echo {}" ::: 1 2 3 | wc -l)" = 3 ]
fi
fails 2 'is less than the 3 ranks, each of which runs a job; leave out --ranks' 1 tasks --ranks 3 -j 2 echo ::: 1 2 3
fails 2 'is less than the 3 ranks of this machine.*mpiexec -n 2' 3 tasks -j 2 echo ::: 1 2 3

# ---- the same logs and outputs --------------------------------------------------------------------

# Jobs' outputs and their log are the same, but for hosts and times.
jobs='echo {}; echo e{} >&2; exit $(({} % 3))'
run 2 tasks -k --tag --joblog "$log" -- "$jobs" ::: 1 2 3 4 5 6 7 8 9
cp "$work/stdout" "$work/all"
columns() { cut -f 1,5-9 "$1" | sort -n; }
columns "$log" >"$work/columns"
for count in 1 2 3 5; do
    rm -f "$log"
    run 1 tasks --ranks $count -k --tag --joblog "$log" -- "$jobs" ::: 1 2 3 4 5 6 7 8 9
    holds "status $status" [ "$status" = 1 ]
    holds "other outputs" cmp -s "$work/stdout" "$work/all"
    holds "another log" cmp -s <(columns "$log") "$work/columns"
    run 1 tasks --ranks $count --joblog "$log" --resume -- "$jobs" ::: 1 2 3 4 5 6 7 8 9
    holds "$(wc -l <"$log") lines: other jobs are done again" [ "$(wc -l <"$log")" = 16 ]
done
rm -f "$log"

# Starts are --delay apart, on all ranks together.
run_well 1 tasks --ranks 3 --delay 0.2 -- ': {}; date +%s%N' ::: 1 2 3 4
holds "starts: $(sort "$work/stdout" | paste -s -d ' ')" "$python" - "$work/stdout" <<'PYTHON'
import sys
starts = sorted(int(line) for line in open(sys.argv[1]))
assert starts[-1] - starts[0] > 0.5e9, starts
PYTHON

# ---- what the process has once --------------------------------------------------------------------

# begin: a run that does not end, in the background, until three jobs run.
# shellcheck disable=SC2317 # called by wait_until
are_begun() { [ "$(cat "$work"/begun.* 2>/dev/null | wc -l)" = 3 ]; }
begin() {
    rm -f "$work"/begun.* "$work/go"
    what='halobeat tasks on three threads'
    "$program" tasks --ranks 3 -- "echo >$work/begun.{}; until [ -e $work/go ]; do sleep 0.05; done
        echo {}" ::: 1 2 3 4 </dev/null >"$work/stdout" 2>"$work/stderr" &
    launched=$!
    wait_until "$limit" are_begun || wrong "jobs do not begin"
}
# shellcheck disable=SC2317 # called by holds
children() { "$python" - "$launched" <<'PYTHON'
import glob, sys
names = []
for path in glob.glob('/proc/[0-9]*/stat'):
    try:
        text = open(path).read()
    except OSError:
        continue
    if text.rsplit(')', 1)[1].split()[1] == sys.argv[1]:
        names.append(text.split('(', 1)[1].rsplit(')', 1)[0])
print(names.count('halobeat'))
PYTHON
}
begin
holds "$(children) watchers for three ranks" [ "$(children)" = 1 ]
# As by Ctrl-Z and fg: nothing is begun in between, and the run goes on.
kill -s STOP "$launched"
# shellcheck disable=SC2317 # called by wait_until
is_stopped() { grep -q '^State:	T' "/proc/$launched/status"; }
wait_until "$limit" is_stopped || wrong "it does not stop"
touch "$work/go"
sleep 0.3
holds "a job is begun by a program that is stopped" [ ! -e "$work/begun.4" ]
kill -s CONT "$launched"
wait "$launched" || wrong "status $? after SIGCONT"
holds "outputs: $(paste -s -d ' ' "$work/stdout")" [ "$(sort "$work/stdout" | paste -s -d ' ')" = '1 2 3 4' ]

# The terminal is closed, or the program is killed: nothing is left of its jobs.
for signal in HUP INT TERM KILL; do
    rm -f "$work"/begun.*
    what="halobeat tasks, ended by SIG$signal"
    # A process in the background of a shell without job control ignores SIGINT, and below nohup SIGHUP.
    "$python" -c 'import os, signal, sys
for number in signal.SIGINT, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$program" tasks --ranks 3 -- \
        "echo >$work/begun.{}; sleep $long & sleep $long" ::: 1 2 3 4 </dev/null >"$work/stdout" 2>"$work/stderr" &
    launched=$!
    wait_until "$limit" are_begun || wrong "jobs do not begin"
    kill -s "$signal" "$launched"
    wait "$launched" 2>/dev/null && wrong "status 0"
    [ "$signal" = KILL ] || holds "not said: how many were done" \
        grep -q 'stopped by a signal when 0 of 4 tasks were done' "$work/stderr"
    wait_until "$limit" nothing_left || wrong "processes are left"
    good
done

# All of its group are killed while what watches its jobs is late.
if has strace strace 'a late process that watches jobs' && strace -qq true 2>/dev/null; then
    rm -f "$work"/begun.*
    what='halobeat tasks, of which what watches is late'
    set -m
    strace -qq -f -o "$work/trace" -e trace=setsid -e inject=setsid:delay_enter=1000000 "$program" tasks -j 2 -- \
        "echo >$work/begun.{}; sleep $long" ::: 1 2 3 4 </dev/null >"$work/stdout" 2>"$work/stderr" &
    launched=$!
    set +m
    wait_until "$limit" test -e "$work/begun.1" || wrong 'jobs do not begin'
    kill -KILL -- "-$launched"
    wait "$launched" 2>/dev/null
    wait_until "$limit" nothing_left || wrong "processes are left"
    good
fi

# The fourth thread or process of such a run is the first thread of its jobs.
what='halobeat tasks without threads for its jobs' status=0
FAIL_NTH='0 process 4' LD_PRELOAD=$tools/fail_nth.so timeout "$limit" "$program" tasks -j 3 -- true ::: 1 2 3 4 \
    </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
holds "exit status $status" [ "$status" = 1 ]
holds "$(cat "$work/stderr")" grep -q -x \
    'halobeat tasks: 3 tasks at a time need as many threads; the system starts 0; run fewer at a time, or raise .*' "$work/stderr"

# A list through a pipe, however long, and files of a job.
what='halobeat tasks with a list of 20000 jobs'
seq 20000 | "$program" tasks --dry-run 'echo {}' >"$work/stdout"
holds "$(wc -l <"$work/stdout") jobs" [ "$(wc -l <"$work/stdout")" = 20000 ]
run_well 1 tasks --ranks 3 -j 6 \
    'i=0; while [ $i -lt 60 ]; do [ -e /proc/$$/fd/$i ] && printf "$i "; i=$((i + 1)); done; echo; : {}' ::: {1..30}
holds "files of jobs: $(sort -u "$work/stdout")" [ "$(sort -u "$work/stdout")" = '0 1 2 ' ]
finish
