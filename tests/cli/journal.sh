#!/usr/bin/env bash
# Journals of tasks (halobeat synthetic --tasks --journal): what is done is not done again, also after a run
# that was killed in the middle; journals of other jobs, and damaged ones, are refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
json=$work/out/run.json journal=$work/out/journal
tasks=(synthetic --tasks 150 --cost random:ratio=5 --json "$json" --schedule fixed:3)
head_lines=2

# done_once COUNT: the journal has so many tasks, none twice, each line whole.
# shellcheck disable=SC2317 # called by holds
done_once() {
    [ "$(tail -n +$((head_lines + 1)) "$journal" | grep -c -E '^[0-9]+ [0-9a-f]{16}$')" = "$1" ] &&
        [ "$(tail -n +$((head_lines + 1)) "$journal" | cut -d ' ' -f 1 | sort -u | wc -l)" = "$1" ] &&
        [ "$(wc -l <"$journal")" = $(($1 + head_lines)) ]
}
# shellcheck disable=SC2317 # called by wait_until
has_lines() { [ "$(wc -l 2>/dev/null <"$journal" || echo 0)" -ge "$1" ]; }

run_well 2 "${tasks[@]}" --work 100 --quiet
digest=$(told digest)
run_well 3 "${tasks[@]}" --work 100 --quiet --journal "$journal"
holds "another digest with a journal" [ "$(told digest)" = "$digest" ]
holds "the journal has not all tasks once" done_once 150
run_well 2 "${tasks[@]}" --work 100 --journal "$journal" --schedule guided --once
holds "not said how many were done" grep -q '^journal  *150 tasks of an earlier run were in it' "$work/stdout"
holds "$(told tasks finished) done again" [ "$(told tasks finished) $(told tasks before)" = '0 150' ]
holds "another digest from the journal" [ "$(told digest)" = "$digest" ]
# Without its last line's end, and without some lines.
head -n -40 "$journal" | head -c -5 >"$journal.cut"
mv "$journal.cut" "$journal"
run_well 3 "${tasks[@]}" --work 100 --quiet --journal "$journal"
holds "$(told tasks finished) done" [ "$(told tasks finished) $(told digest)" = "41 $digest" ]
holds "the journal is not mended" done_once 150

# Another job's, a damaged one, and no journal.
fails 1 'belongs to another job: .*work 100.*work 101.*another journal' 2 "${tasks[@]}" --work 101 --journal "$journal"
fails 1 'belongs to another job: .*150 tasks.*151 tasks' 2 "${tasks[@]}" --tasks 151 --work 100 --journal "$journal"
for line in '150 00' '-1 00' '7 0' '7 0g' '7' 'x 00' ''; do
    cp "$journal" "$work/kept"
    printf '%s\n' "$line" >>"$journal"
    fails 1 'is damaged in line 153; remove' 2 "${tasks[@]}" --work 100 --journal "$journal"
    mv "$work/kept" "$journal"
done
echo hello >"$work/out/hello"
fails 1 'is no journal; use another' 2 "${tasks[@]}" --journal "$work/out/hello"
rm "$work/out/hello"
fails 1 'no/such' 2 "${tasks[@]}" --journal "$work/no/such/journal"
fails 2 'same file' 2 "${tasks[@]}" --journal "$work/out/x.csv" --timeline "$work/out/x.csv"
fails 2 'journal.* need --tasks' 2 synthetic --journal "$journal"

# running: the processes that write the journal, launchers included. Not every machine has pgrep.
running() {
    local -a files=(/proc/[0-9]*/cmdline) # before there is a grep, which would find itself
    grep -lsF -- "$journal" "${files[@]}" | tr -dc '0-9\n'
}

# Killed in the middle, three times, and then to the end: every task once.
rm -f "$journal"
long=(--work 3000000 --quiet --journal "$journal" --once)
begun=1
for part in 20 50 80; do
    start_with 2
    what="killed after $part tasks"
    "${starter[@]}" "$program" "${tasks[@]}" "${long[@]}" </dev/null >"$work/stdout" 2>"$work/stderr" &
    launched=$!
    wait_until "$limit" has_lines $((part + head_lines)) || wrong "no lines in the journal"
    if [ "$begun" = 1 ]; then
        run 2 "${tasks[@]}" "${long[@]}"
        holds "two runs write the journal" grep -q 'another run writes the journal' "$work/stderr"
        begun=2
    fi
    what="killed after $part tasks"
    while mapfile -t all < <(running) && [ ${#all[@]} -gt 0 ]; do
        kill -KILL "${all[@]}" 2>/dev/null
        sleep 0.05
    done
    { wait "$launched"; } 2>/dev/null
    holds "no tasks, or all, are done" [ "$(wc -l <"$journal")" -lt 140 ]
done
before=$(($(wc -l <"$journal") - head_lines))
run_well 2 "${tasks[@]}" "${long[@]}"
holds "$(told tasks before) were done, not $before" [ $((before - $(told tasks before))) -le 1 ]
holds "not all tasks are done once" done_once 150
holds "not checked" [ "$(told checked)" = True ]
rm -f "$journal" "$json"

# Many images, of which one is broken and then mended.
mkdir "$work/in"
for name in a b c d; do cp "$data/brick.png" "$work/in/$name.png"; done
echo hello >"$work/in/b.png"
batch=(label "$work/in/*.png" -o "$work/out/{name}.png" --regions "$work/out/all.csv" --journal "$journal" --quiet)
run 2 "${batch[@]}"
holds "status $status" [ "$status" = 1 ]
holds "other images than three are in the journal" [ "$(wc -l <"$journal")" = $((3 + head_lines)) ]
cp "$data/brick.png" "$work/in/b.png"
rm "$work/out"/[abcd].png "$work/out/all.csv"
run_well 3 "${batch[@]}" --schedule static
holds "images are done again" [ "$(ls "$work/out"/*.png)" = "$work/out/b.png" ]
holds "the table has not all images" [ "$(tail -n +2 "$work/out/all.csv" | cut -d , -f 1 | sort -u | wc -l)" = 4 ]
holds "not all images are in the journal" [ "$(wc -l <"$journal")" = $((4 + head_lines)) ]
fails 1 'another job' 2 "${batch[@]}" --invert
mv "$work/in/d.png" "$work/in/e.png"
fails 1 'another job' 2 "${batch[@]}"
rm -f "$journal" "$work/out"/*.png "$work/out/all.csv"
finish
