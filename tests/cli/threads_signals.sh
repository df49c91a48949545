#!/usr/bin/env bash
# Signals at a chosen moment: while ranks begin, at a call for memory, while a
# checkpoint or an output is written, while they end. The program ends as docs/reliability.md says, and what it has
# written is whole. (fail_nth.c counts the calls of which one is that moment.)
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
# Sanitizers want to be loaded first, unless told that they need not.
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
exec 2>"$work/shell" # it has a word for each process that a signal ends
state=$work/out/state cells=$work/out/cells.npy log=$work/out/log.csv
heat=(run heat --ranks 3 --size 300x300 --quiet --checkpoint "$state" -o "$cells" --log "$log" --every 2)
beats=(--beats 12 --checkpoint-every 4)

# at POINT COMMAND...: the run, with what fail_nth.c is to do.
at() {
    what="halobeat ${*:2} at $1" status=0
    FAIL_NTH="0 $1" FAIL_FOLDER=$work/out LD_PRELOAD=$tools/fail_nth.so timeout -k 5 "$limit" "$program" "${@:2}" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    check_sanitizers
}

run_well 1 "${heat[@]}" "${beats[@]}"
cp "$cells" "$work/cells.npy"
cp "$log" "$work/log.csv"
rm -f "$work"/out/*

# complete: all outputs are those of a run without a signal.
# shellcheck disable=SC2317 # `holds` calls it
complete() { cmp -s "$cells" "$work/cells.npy" && cmp -s "$log" "$work/log.csv"; }

# The points: of each kind of calls the first, one in the middle and the last, and with `more` as many as there are,
# but not more than 24, evenly spread.
FAIL_NTH=0 FAIL_SITES=$work/sites FAIL_FOLDER=$work/out LD_PRELOAD=$tools/fail_nth.so "$program" "${heat[@]}" \
    "${beats[@]}" </dev/null >"$work/stdout" 2>"$work/stderr" || wrong "$(cat "$work/stderr")"
rm -f "$work"/out/*
mapfile -t points < <("$python" -c '
import collections, sys
most, kinds = int(sys.argv[2]), collections.Counter(line.split()[0] for line in open(sys.argv[1]))
for kind, count in sorted(kinds.items()):
    chosen = range(1, count + 1) if count <= most else (1 + i * (count - 1) // (most - 1) for i in range(most))
    print(*("%s %d" % (kind, number) for number in sorted(set(chosen))), sep="\n")' "$work/sites" \
    "$(if more; then echo 24; else echo 3; fi)")
holds "only ${#points[@]} points" [ "${#points[@]}" -ge 20 ]

# ended NUMBER: before the program looks for signals, and after it, the signal ends it; in between it saves, and the
# run goes on to the same bytes.
ended() {
    local left
    left=$(find "$work/out" -name '.*')
    case $status in
        0) holds 'not all is done' complete ;;
        1)
            holds 'no word of the signal' grep -q 'stopped by a signal at beat\|stopped by a signal before' "$work/stderr"
            holds "left over: $left" [ -z "$left" ]
            holds 'no checkpoint' [ -s "$state" ]
            run_well 1 "${heat[@]:0:2}" --ranks 2 "${heat[@]:4}" --until-beat 12 --resume
            holds 'another result after it' complete
            ;;
        $((128 + $1)))
            holds "left over: $left" [ -z "$left" ]
            [ -z "$(ls -A "$work/out")" ] || holds 'half of it is done' complete
            ;;
        *) wrong "exit status $status: $(cat "$work/stderr")" ;;
    esac
}

turn=0
names=(TERM INT HUP) numbers=(15 2 1)
for point in "${points[@]}"; do
    signal=$((turn++ % 3))
    rm -rf "${work:?}/out" && mkdir "$work/out"
    at "$point ${names[signal]}" "${heat[@]}" "${beats[@]}"
    ended "${numbers[signal]}"
done

# A run that a second Ctrl-C ends at once has its last checkpoint or the new one, as a whole; the next run removes
# the temporary file.
for point in write\ {3..11..2} sync\ {1..3} rename\ {1..3}; do
    rm -rf "${work:?}/out" && mkdir "$work/out"
    at "$point INT+INT" "${heat[@]}" "${beats[@]}"
    holds "exit status $status" [ "$status" = 130 ]
    run_well 1 "${heat[@]}" "${beats[@]}" --resume
    holds 'another result after it' complete
    holds "left over: $(find "$work/out" -name '.*')" [ -z "$(find "$work/out" -name '.*')" ]
done

# Readers that go away are no reason to end, and a run that is stopped goes on.
for point in process\ {1..3} write\ 5; do
    rm -rf "${work:?}/out" && mkdir "$work/out"
    at "$point PIPE" "${heat[@]}" "${beats[@]}"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'another result' complete
done

# shellcheck disable=SC2317 # `wait_until` calls it
stopped() { grep -qs '^State:[[:space:]]*T' "/proc/$1/status"; }
for point in process\ 2 memory\ 40 write\ 5 rename\ 1; do
    rm -rf "${work:?}/out" && mkdir "$work/out"
    what="stopped at $point"
    FAIL_NTH="0 $point STOP" FAIL_FOLDER=$work/out LD_PRELOAD=$tools/fail_nth.so "$program" "${heat[@]}" \
        "${beats[@]}" </dev/null >"$work/stdout" 2>"$work/stderr" &
    job=$!
    holds 'it does not stop' wait_until "$limit" stopped "$job"
    kill -CONT "$job"
    wait "$job"
    status=$?
    holds "exit status $status" [ "$status" = 0 ]
    holds 'another result' complete
done
finish
