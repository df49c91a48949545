#!/usr/bin/env bash
# Jobs of the shell (halobeat tasks) may write any amount, in little memory, in order, line by line, at
# once, with tags, into files; and how many jobs run at once.
# shellcheck disable=SC2016 # what the shells of jobs are to expand
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
log=$work/out/log

# shellcheck disable=SC2317 # called by wait_until
has_line() { grep -q -s -e "$1" "$work/stdout"; }

# More than is kept in memory, of several jobs at once, on both outputs, with the right bytes in the right
# order; what is kept on the way is gone from TMPDIR.
big='yes {} | head -c 3000000; yes e{} | head -c 699999 >&2'
for i in 1 2 3 4; do yes $i | head -c 3000000; done >"$work/right.out"
for i in 1 2 3 4; do yes e$i | head -c 699999; done >"$work/right.err"
mkdir "$work/tmp"
export TMPDIR=$work/tmp
for ranks in 1 2 3 5; do
    run "$ranks" tasks -j 5 -k "$big" ::: 1 2 3 4
    holds "the output is not that of the jobs, in order" cmp -s "$work/right.out" "$work/stdout"
    holds "the errors are not those of the jobs, in order" cmp -s "$work/right.err" "$work/stderr"
    holds "status $status" [ "$status" = 0 ]
done
run 2 tasks "$big" ::: 1 2 3 4
holds "outputs are mixed" [ "$(uniq "$work/stdout" | wc -l) $(uniq "$work/stderr" | wc -l)" = '4 4' ]
holds "files are left in TMPDIR" [ -z "$(ls -A "$work/tmp")" ]
# In little memory, on the rank that runs it and on rank 0.
if [ -x "$tools/peak_memory" ] && [ -z "${HALOBEAT_TEST_HOSTS:-}" ]; then
    for ranks in 1 2; do
        rm -f "$work/peaks"
        start_with "$ranks"
        what="200 MB of output on $ranks ranks"
        "${starter[@]}" "$tools/peak_memory" "$work/peaks" "$program" tasks --schedule fixed:1 -k \
            'head -c {} /dev/zero' ::: 1000 200000000 2>"$work/stderr" | wc -c >"$work/stdout"
        holds "$(cat "$work/stdout") bytes" [ "$(cat "$work/stdout")" -eq 200001000 ]
        holds "$(paste -s -d ' ' "$work/peaks") KiB of memory" [ "$(sort -n "$work/peaks" | tail -n 1)" -lt 120000 ]
    done
fi
# A run that has no room for it ends the job, says why, and does the others.
TMPDIR=$work/none run 2 tasks -k 'head -c {} /dev/zero | tr "\0" x' ::: 2000000 5
holds "status $status" [ "$status" = 1 ]
holds "not said: why it was ended" grep -q 'job 1 was ended, since what it writes cannot be kept' "$work/stderr"
holds "not said: TMPDIR" grep -q 'cannot be kept in ".*none": No such file .*; set TMPDIR' "$work/stderr"
holds "another job" [ "$(cat "$work/stdout")" = xxxxx ]
unset TMPDIR

# Lines, and parts of lines, as they come: a job waits until its first one has been read.
for ranks in 1 3; do
    for option in --line-buffer '--line-buffer -k' -u; do
        rm -f "$work/seen" "$work/stdout"
        start_with "$ranks"
        what="halobeat tasks $option ($ranks ranks)"
        # shellcheck disable=SC2086 # a list
        timeout -k 5 "$limit" "${starter[@]}" "$program" tasks $option -j 3 \
            "echo {}1; until [ -e $work/seen ]; do sleep 0.02; done; echo {}2" ::: a b c \
            </dev/null >"$work/stdout" 2>"$work/stderr" &
        launched=$!
        wait_until "$limit" has_line a1 || wrong "nothing is printed while a job runs"
        touch "$work/seen"
        wait "$launched" || wrong "status $?"
        holds "not all lines" [ "$(sort "$work/stdout" | paste -s -d ' ')" = 'a1 a2 b1 b2 c1 c2' ]
    done
done
run_well 2 tasks -j 3 --line-buffer 'for i in 1 2 3; do printf {}; sleep 0.02; echo {}; done' ::: a b c
holds "lines are mixed" [ "$(grep -c -x -e aa -e bb -e cc "$work/stdout")" = 9 ]
run_well 2 tasks -j 4 -k --line-buffer 'sleep 0.{}; echo {}; echo {}' ::: 3 1 2
holds "lines are not in order" [ "$(paste -s -d ' ' "$work/stdout")" = '3 3 1 1 2 2' ]

# Tags.
for ranks in 1 3; do
    run "$ranks" tasks -k --tag 'printf "1\n2"; echo e >&2 # {}' ::: a b ::: c
    holds "tags" [ "$(cat "$work/stdout")" = $'a c\t1\na c\t2b c\t1\nb c\t2' ]
    holds "tags of errors" [ "$(cat "$work/stderr")" = $'a c\te\nb c\te' ]
done
run_well 1 tasks -k --tagstring '{#}:{/.}' echo ::: a/b.c d
holds "tags of a kind" [ "$(cat "$work/stdout")" = $'1:b\ta/b.c\n2:d\td' ]
fails 2 'ungroup.*tag' 1 tasks --ungroup --tag echo ::: a

# Files in place of printing.
cd "$work" || exit 1
for ranks in 1 3; do
    rm -rf R
    run_well "$ranks" tasks --results R 'echo {}; echo e{2} >&2' ::: a 'b/c' $'t\\\t' .. ::: 1
    holds "results are printed" [ ! -s "$work/stdout" ]
    holds "another tree: $(find R -type f | sort | paste -s -d ' ')" [ "$(find R -name stdout | sort)" = \
        "$(printf '%s\n' 'R/1/\../2/1/stdout' 'R/1/a/2/1/stdout' 'R/1/b\_c/2/1/stdout' 'R/1/t\\\t/2/1/stdout')" ]
    holds "what is in them" [ "$(cat 'R/1/b\_c/2/1/stdout' 'R/1/b\_c/2/1/stderr' 'R/1/b\_c/2/1/seq')" = $'b/c 1\ne1\n2' ]
done
run_well 2 tasks --header=: --results H echo ::: x a ::: y 1
holds "no names of columns" [ "$(cat H/x/a/y/1/stdout)" = 'a 1' ]
run_well 2 tasks --results 'F/{1}-{#}' 'echo {}; echo e >&2' ::: a b
holds "files: $(find F | sort | paste -s -d ' ')" [ "$(cat F/a-1 F/b-2.err F/b-2.seq)" = $'a\ne\n2' ]
run_well 1 tasks --results 'G/{1}/{#}/' --joblog "$log" 'echo {}' ::: a b
holds "folders" [ "$(cat G/b/2/stdout)" = b ]
fails 2 'jobs 1 and 2 would both write "G/a"' 1 tasks --results 'G/{1.}' echo ::: a.x a.y
fails 2 'line-buffer' 1 tasks --results R --line-buffer echo ::: a
# A job whose results cannot be written is done again.
rm -f "$log"
: >N
run 2 tasks --results N --joblog "$log" echo ::: a
holds "status $status" [ "$status" = 1 ]
holds "a job without results is in the log" [ "$(wc -l <"$log")" = 1 ]
rm -f "$log"

# Each job waits for all others, which shows how many run at once.
for try in '1 4' '2 5' '3 4' '3 3'; do
    read -r ranks jobs <<<"$try"
    rm -f here.*
    # shellcheck disable=SC2046 # inputs
    run_well "$ranks" tasks -j "$jobs" "touch here.{}; until [ \$(ls here.* | wc -l) = $jobs ]; do sleep 0.02; done" \
        ::: $(seq "$jobs")
done
for number in 100% +1 -1 0; do
    run_well 1 tasks -j "$number" -k echo ::: 1 2 3
    holds "-j $number" [ "$(paste -s -d ' ' "$work/stdout")" = '1 2 3' ]
done
run_well 3 tasks -j 7 --timeline "$work/out/line.csv" --json "$work/out/run.json" true ::: $(seq 40)
holds "jobs done: $(told jobs_done)" [ "$(told jobs_done)" = 40 ]
rm -f "$work/out/run.json" "$work/out/line.csv"

# When they start: at intervals, and not while there is too much to do or too little memory.
for try in 1 2 3; do # the first may start late, on a busy machine
    rm -f "$log"
    run_well 2 tasks -j 4 --delay 0.1 --joblog "$log" true ::: 1 2 3 4 5 6
    spread=$(tail -n +2 "$log" | cut -f 3 | sort -n | awk 'NR == 1 { first = $1 } END { print $1 - first }')
    [ "${spread#0.[0-3]}" = "$spread" ] && [ "$spread" != 0 ] && break
done
holds "starts within $spread s in try $try" [ "${spread#0.[0-3]}" = "$spread" ]
rm -f "$log"
run_well 2 tasks --memfree 1k --load 1000000 -k echo ::: a b
for option in '--memfree 1000000T' '--load 0.000001'; do
    : >"$work/stderr" # or what the last one said is taken for what this one says
    # shellcheck disable=SC2086 # a list
    "$program" tasks $option echo ::: a >"$work/stdout" 2>"$work/stderr" &
    launched=$!
    what="halobeat tasks $option"
    if [ "$option" = '--load 0.000001' ]; then
        # Something has to run.
        while [ ! -e "$work/idle" ]; do :; done &
        spinning=$!
    fi
    wait_until "$limit" grep -q 'jobs wait: .*and --' "$work/stderr" || wrong "not said: why jobs wait"
    touch "$work/idle"
    kill "$launched"
    wait "$launched" || true
    wait "${spinning:-}" 2>/dev/null || true
    holds "a job has started" [ ! -s "$work/stdout" ]
    rm -f "$work/idle"
done

# Limits: times, a share of the median, and counts of jobs.
run_well 2 tasks --timeout 1m30s --delay 0s echo ::: a
for ranks in 1 2; do
    run "$ranks" tasks --timeout 2000% --schedule fixed:1 --joblog "$log" 'sleep {}' ::: 0 0 0 0 70
    holds "$ranks: a job that took 20 times the median: $(cut -f 7 "$log" | paste -s -d ' ')" \
        [ "$(cut -f 1,7 "$log" | grep -v -P '\t0$' | paste -s -d ' ')" = $'Seq\tExitval 5\t-1' ]
    rm -f "$log"
done
run 1 tasks --halt now,success=1 -j 2 'sleep {}' ::: 0 77
holds "status $status after --halt now,success=1" [ "$status" = 0 ]
run 3 tasks --halt now,success=1 --schedule fixed:1 'sleep {}' ::: 77 0 77
holds "status $status after --halt now,success=1" [ "$status" = 0 ]
for when in soon now; do # those that failed before are no failure
    for ranks in 1 3; do
        run "$ranks" tasks --halt $when,success=1 --schedule fixed:1 'exit {}' ::: 3 4 0 5 0
        holds "status $status after --halt $when,success=1 with failures" [ "$status" = 0 ]
        run "$ranks" tasks --halt $when,success=1 'exit {}' ::: 3 4
        holds "status $status after --halt $when,success=1 without a success" [ "$status" = 1 ]
    done
done
run 1 tasks --halt soon,fail=2 --schedule fixed:1 'echo {}; exit {}' ::: 1 0 1 1 1
holds "jobs are begun after --halt soon,fail=2: $(paste -s -d ' ' "$work/stdout")" [ "$(wc -l <"$work/stdout")" -le 4 ]
holds "two may fail" [ "$(wc -l <"$work/stdout")" -ge 3 ]
run 1 tasks --halt 2 --schedule fixed:1 'echo {}; exit {}' ::: 1 0 1
holds "status $status" [ "$status" = 1 ]
finish
