#!/usr/bin/env bash
# Jobs of the shell (halobeat tasks): what they are, what they write, and what becomes of those that fail.
# shellcheck disable=SC2016 # what the shells of jobs are to expand
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
out=$work/out log=$work/out/log

# writes WORDS: is that, sorted, what the last run has written?
# shellcheck disable=SC2317 # called by holds
writes() { [ "$(sort "$work/stdout" | paste -s -d ' ')" = "$1" ]; }

for ranks in 1 3; do
    run_well "$ranks" tasks -- 'echo {} {.} {/} {/.} {//} {#}' ::: a.b/c.d x
    holds "other places of an input" writes 'a.b/c.d a.b/c c.d c a.b 1 x x x x . 2'
    run_well "$ranks" tasks -- echo ::: 'two words' "it's" '$HOME' '*'
    holds "inputs are not quoted" writes "\$HOME * it's two words"
    run_well "$ranks" tasks -- 'echo "<{}>"' "'<{}>'" 'x\"{}' ::: "it's \$(echo run)" '"; echo run #'
    holds "inputs are not quoted between quotes" [ "$(sort "$work/stdout")" = \
        "$(printf '%s\n' '<"; echo run #> <"; echo run #> x""; echo run #' \
            "<it's \$(echo run)> <it's \$(echo run)> x\"it's \$(echo run)" | sort)" ]
    run_well "$ranks" tasks -- 'echo {} | tr a-z A-Z' ::: one two
    holds "no shell" writes 'ONE TWO'
    run_well "$ranks" tasks --keep-order -- 'sleep 0.{}; echo {}' ::: 3 1 2
    holds "not in order" [ "$(paste -s -d ' ' "$work/stdout")" = '3 1 2' ]
    printf 'echo 1\n\necho 2; echo 3\n' >"$work/jobs"
    run_well "$ranks" tasks --jobs "$work/jobs"
    holds "other jobs than the file's" writes '1 2 3'
    run_well "$ranks" tasks --jobs "$work/jobs" --dry-run
    holds "a dry run" [ "$(cat "$work/stdout")" = $'echo 1\necho 2; echo 3' ]
done
# Outputs of two jobs at the same time are kept apart.
run_well 3 tasks -- 'for i in 1 2 3 4 5; do echo {}{}{}; sleep 0.02; done' ::: a b c d e f
holds "outputs are mixed" [ "$(uniq "$work/stdout" | wc -l)" = 6 ]
# More than a pipe holds, on both outputs, and nothing at all.
run_well 2 tasks -- 'seq {}; true' ::: 200000 1 100000
holds "a large output" [ "$(wc -l <"$work/stdout")" = 300001 ]
run 2 tasks -- 'seq {} >&2' ::: 200000
holds "large errors" [ "$(grep -c '^[0-9]*$' "$work/stderr")" = 200000 ]
run_well 2 tasks --jobs /dev/null
run_well 2 tasks -- echo :::
# Programs of MPI among the jobs, which would take this job's launcher for theirs.
run_well 2 tasks -- "$program synthetic --size 5x5 --beats {} --work 10 --quiet && echo done" ::: 1 2 3
holds "programs of MPI do not run" writes 'done done done'

# Those that fail are said, logged, listed, and done again.
printf '%s\n' 'exit 3' 'echo well' 'kill -9 $$' true >"$work/jobs"
run 2 tasks --jobs "$work/jobs" --joblog "$log" --failed "$out/failed"
holds "status $status" [ "$status" = 1 ]
holds "not said: status" grep -q 'job 1 failed with status 3: exit 3' "$work/stderr"
holds "not said: signal" grep -q 'job 3 was ended by signal 9: kill' "$work/stderr"
holds "not summed up" grep -q '2 of 4 jobs failed' "$work/stderr"
holds "the log" [ "$(cut -f 1,7,8 "$log" | sort -n | paste -s -d ';')" = \
    $'Seq\tExitval\tSignal;1\t3\t0;2\t0\t0;3\t0\t9;4\t0\t0' ]
holds "the list of those that failed" [ "$(sort "$out/failed")" = $'exit 3\nkill -9 $$' ]
run 2 tasks --jobs "$work/jobs" --joblog "$log" --resume
holds "jobs that were done are done again" [ "$(wc -l <"$log")" = 7 ]
holds "an output of a job that was done" [ ! -s "$work/stdout" ]
run_well 2 tasks --retries 5 --joblog "$out/log2" -- "echo x >>$work/tries; [ \$(wc -l <$work/tries) -ge {} ]" ::: 3
holds "tried $(wc -l <"$work/tries") times" [ "$(wc -l <"$work/tries")" = 3 ]
for retries in 1 3; do # all runs count, as there
    rm -f "$work/tries"
    run 2 tasks --retries $retries -- "echo x >>$work/tries; exit {}" ::: 3
    holds "run $(wc -l <"$work/tries") times" [ "$status $(wc -l <"$work/tries")" = "1 $retries" ]
done
rm -f "$work/tries"
run_well 1 tasks --retries 0 -- "echo x >>$work/tries; [ \$(wc -l <$work/tries) -ge {} ]" ::: 5
holds "run $(wc -l <"$work/tries") times" [ "$(wc -l <"$work/tries")" = 5 ]
start=$SECONDS
run 2 tasks --timeout 0.3 -- 'sleep {}' ::: 30 0
holds "the time of a job has no limit" [ $((SECONDS - start)) -lt 15 ]
run 1 tasks --timeout 0.3 --joblog "$out/log3" -- "trap 'exit 0' TERM; sleep {} & wait" ::: 30
holds "a job that was ended counts as done" [ "$status $(cut -f 7 "$out/log3" | tail -n 1)" = '1 -1' ]
rm -f "$out/log3"
start=$SECONDS
run 1 tasks --timeout 0.3 -- 'setsid sleep {}' ::: 60
holds "a process of another group is waited for" [ $((SECONDS - start)) -lt 30 ]
run 2 tasks --timeout 0.3 -- 'sleep {}' ::: 30 0
holds "not said: timeout" grep -q 'job 1 took more than 0.3 seconds' "$work/stderr"
if [ -w /dev/full ]; then
    run 1 tasks --joblog /dev/full -- echo ::: a b
    holds "status $status without a log" [ "$status" = 1 ]
fi
start=$SECONDS
run 2 tasks --halt now -- 'sleep {}; false' ::: 0.1 30 31 32
holds "jobs go on after --halt now" [ $((SECONDS - start)) -lt 15 ]
run 1 tasks --halt soon --schedule fixed:1 -- 'echo {}; false' ::: 1 2 3
holds "jobs are begun after --halt soon" [ "$(wc -l <"$work/stdout")" -le 2 ]
rm -f "$log" "$out/failed" "$out/log2"

# A log of other jobs, and no log.
run_well 2 tasks --joblog "$log" -- echo ::: a b
fails 1 'of other jobs: job 2 is "echo b" there and "echo c"' 2 tasks --joblog "$log" --resume -- echo ::: a c
fails 1 'of other jobs: it has a job 2' 2 tasks --joblog "$log" --resume -- echo ::: a
# A line that was cut off is done again, and the log is good afterwards; blanks before a command.
printf '  echo a\necho b\n' >"$work/jobs"
run_well 1 tasks -j 1 --jobs "$work/jobs" --joblog "$log.cut" # in order
head -c -3 "$log.cut" >"$log"
for round in again nothing; do
    run_well 1 tasks -j 1 --jobs "$work/jobs" --joblog "$log" --resume
    holds "$round: $(paste -s "$work/stdout")" \
        [ "$(paste -s "$work/stdout")" = "$([ $round = nothing ] || echo b)" ]
done
holds "another log" [ "$(cut -f 1,9 "$log")" = "$(cut -f 1,9 "$log.cut")" ]
rm -f "$log.cut"
# Files of other kinds stay as they are, and so does the log of other jobs.
cp "$data/coffee.png" "$work/photo.png"
printf 'no line end' >"$work/note"
printf 'first\nsecond' >"$work/list"
printf 'Seq\tHost' >"$work/begun"
for file in photo.png note list begun; do
    cp "$work/$file" "$work/kept"
    for resume in '' --resume; do
        fails 1 'no log of jobs' 2 tasks --joblog "$work/$file" $resume -- echo ::: a
        holds "$file was changed" cmp -s "$work/$file" "$work/kept"
    done
done
fails 1 'no log of jobs' 1 tasks --joblog "$work/photo.png" --resume --dry-run -- echo ::: a
printf '%s' "$(cat "$log")" >"$work/cut" # its last line has no end
cp "$work/cut" "$work/kept"
fails 1 'of other jobs' 2 tasks --joblog "$work/cut" --resume -- echo ::: c d
run_well 1 tasks --jobs "$work/jobs" --joblog "$work/cut" --resume --dry-run
holds "a log was changed" cmp -s "$work/cut" "$work/kept"
run_well 1 tasks --joblog "$work/no-log" --resume --dry-run -- echo ::: a
holds "a log of nothing" [ ! -e "$work/no-log" ]
# Numbers that no job has, a zero byte, and no numbers.
for line in $'1\th\t0\t0\t0\t0\t4294967296\t0\techo a' $'1\th\t0\t0\t0\t0\t0\t0\techo a\\0' $'1\t\t\t' ''; do
    printf '%b\n' "$(head -n 1 "$log")" "$line" >"$work/odd"
    run_well 1 tasks --joblog "$work/odd" --resume -- echo ::: a
    holds "taken as done: $line" writes a
done
rm -f "$log"
# One run at a time.
run 1 tasks --joblog "$log" -- "$program tasks --joblog $log -- echo {}" ::: a
holds "two runs write the log" grep -q 'another run writes the log of jobs' "$work/stderr"
rm -f "$log"

# These arguments are refused.
fails 1 'no/such' 2 tasks --jobs "$work/no/such"
fails 1 'no/such' 2 tasks --joblog "$work/no/such/log" -- echo ::: a
fails 2 'resume.*joblog' 2 tasks --resume -- echo ::: a
fails 2 'unknown schedule' 2 tasks --schedule x -- echo ::: a
fails 2 'halt' 2 tasks --halt later -- echo ::: a
fails 2 'timeout' 2 tasks --timeout x -- echo ::: a
printf 'a\0b\n' >"$work/zero"
fails 1 'zero byte' 2 tasks --jobs "$work/zero"
run_well 1 tasks --help
for word in ':::' '{/.}' '--joblog' 'guided' '--halt'; do
    holds "nothing about $word" grep -q -F -e "$word" "$work/stdout"
done
run_well 2 tasks --verbose --json "$out/run.json" -- true ::: a b c
holds "no summary" grep -q 'jobs  *3, 3 done now' "$work/stdout"
holds "no facts" [ "$(told jobs_done) $(told jobs_failed)" = '3 0' ]
finish
