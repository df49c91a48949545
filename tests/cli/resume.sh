#!/usr/bin/env bash
# The same command line again goes on where it was (--resume), ends at the same beat, and writes what a
# run without an interruption does; another command line is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
state=$work/state

# resumed RESULT PART WHOLE COMMAND ARGUMENT...: PART and WHOLE are numbers of beats.
resumed() {
    local result=$1 part=$2 whole=$3
    shift 3
    rm -f "$state"
    run_well 2 "$@" -n "$whole" --quiet -o "$work/whole$result"
    run_well 3 "$@" -n "$part" --quiet --checkpoint "$state" --resume
    run_well 1 "$@" -n "$whole" --quiet --checkpoint "$state" --resume -o "$work/part$result"
    holds 'another result' cmp -s "$work/whole$result" "$work/part$result"
    cp "$state" "$work/before"
    run_well 2 "$@" -n "$whole" --checkpoint "$state" --resume -o "$work/part$result"
    holds 'a speed of nothing' [ "$(grep -c '^speed.* 0 \(ns\|[GM]\|gen\)' "$work/stdout")" = 0 ]
    holds 'another result of a run that was done' cmp -s "$work/whole$result" "$work/part$result"
    holds 'another checkpoint of a run that was done' cmp -s "$work/before" "$state"
    run_well 2 "${@:1:1}" "${again[@]}" --restore "$state" --until-beat "$whole" --quiet \
        -o "$work/part$result"
    holds 'another result of --until-beat' cmp -s "$work/whole$result" "$work/part$result"
    # A run that ends before the checkpoint cannot have it for its result.
    fails 2 "checkpoint \"$state\" is at beat $whole, beyond beat $part, at which this run ends: give --beats $whole or more" \
        3 "$@" -n "$part" --checkpoint "$state" --resume -o "$work/out/early$result"
    fails 2 "is at beat $whole, beyond beat $part, at which this run ends: give --until-beat $whole or more" \
        2 "${@:1:1}" "${again[@]}" --restore "$state" --until-beat "$part" -o "$work/out/early$result"
    holds 'the checkpoint has changed' cmp -s "$work/before" "$state"
}

again=()
resumed .npy 70 200 life soup:150x90:35% --rule B36/S23
resumed .rle 70 200 life "$data/patterns/glider-gun.rle"
again=(heat)
resumed .npy 20 50 run heat --size 60x40 --shape linear
again=("$data/coffee.png")
resumed .npy 3 8 cluster "$data/coffee.png" -k 30 --weight 2
again=("$data/camera.png")
resumed .npy 5 12 chan-vese "$data/camera.png" --init "$data/camera.png"
again=("$data/cell.png")
resumed .csv 5 12 snake "$data/cell.png" --init grid:3x3

# Another beginning, and a checkpoint of another run.
run_well 1 life soup:40x30:35% -n 5 --quiet --checkpoint "$state"
fails 2 'soup:40x30:36%.*begun with.*soup:40x30:35%' 2 life soup:40x30:36% -n 9 --checkpoint "$state" \
    --resume
fails 2 '--rule B3/S234.*begun with none' 1 life soup:40x30:35% --rule B3/S234 -n 9 \
    --checkpoint "$state" --resume
fails 1 'cannot be restored by .halobeat run' 2 run heat --size 40x30 --checkpoint "$state" --resume
fails 2 '--resume needs --checkpoint' 1 life soup:40x30:35% --resume
fails 2 'cannot be given with' 1 life --restore "$state" --checkpoint "$state" --resume
fails 2 'cannot be given with' 1 life soup:40x30:35% -n 3 --until-beat 3
printf '#CXRLE Gen=100\nx = 3, y = 1\n3o!\n' >"$work/late.rle"
fails 2 'begins at beat 100, beyond --until-beat 50: give 100 or more' 1 life "$work/late.rle" --until-beat 50

# The table goes on, whatever line the run before ended with, and lines beyond the checkpoint are
# computed again.
gun=$data/patterns/glider-gun.rle
for table in whole.csv whole.json; do
    ending=${table#whole}
    for every in 1 7; do
        rm -f "$state" "$work/part$ending"
        common=("$gun" --every "$every" --quiet)
        run_well 2 life "${common[@]}" -n 200 --population "$work/$table"
        common+=(--population "$work/part$ending" --checkpoint "$state" --resume)
        run_well 3 life "${common[@]}" -n 60
        cp "$state" "$work/before"
        run_well 2 life "${common[@]}" -n 133
        cp "$work/before" "$state"
        run_well 1 life "${common[@]}" -n 200
        holds "another $table" cmp -s "$work/$table" "$work/part$ending"
        run_well 2 life "${common[@]}" -n 200
        holds "another $table of a run that was done" cmp -s "$work/$table" "$work/part$ending"
    done
done
cp "$work/whole.json" "$work/part.csv"
fails 1 'cannot go on with the table.*part.csv.*line 1: .*move it' 2 life "$gun" -n 210 \
    --population "$work/part.csv" --checkpoint "$state" --resume
holds 'the table has changed' cmp -s "$work/whole.json" "$work/part.csv"
run 2 life "$gun" -n 210 --quiet --population "$work/new.csv" --checkpoint "$state" --resume
holds 'no word about a table that is missing' grep -q 'no ".*new.csv" to go on with' "$work/stderr"
holds 'lines of no run' [ "$(sed -n 2p "$work/new.csv" | cut -d , -f 1)" = 200 ]
head -n 1 "$work/new.csv" >"$work/head.csv"
run 2 life "$gun" -n 290 --quiet --population "$work/head.csv" --every 30 --checkpoint "$state" --resume
holds 'no word about lines that are missing' grep -q '"head.csv" has no lines from generation 0 to .* 210' \
    <(sed "s|$work/||" "$work/stderr")
holds 'not its first lines' [ "$(cut -d , -f 1 "$work/head.csv" | paste -s -d ' ')" = 'generation 210 240 270 290' ]

# A run that is killed has written the table with its last checkpoint; pictures show the same cells.
common=("$gun" -n 1500 --every 5 --style plain --quiet)
mkdir "$work/whole" "$work/part"
rm -f "$state" "$work/part.csv"
run_well 2 life "${common[@]}" --population "$work/whole.csv" --frames "$work/whole"
common+=(--population "$work/part.csv" --frames "$work/part" --checkpoint "$state"
    --checkpoint-every 50 --resume)
"$program" life "${common[@]}" </dev/null >/dev/null 2>"$work/stderr" &
until [ -e "$state" ] || ! kill -0 $!; do sleep 0.01; done 2>/dev/null
kill -KILL $!
wait $! 2>/dev/null
holds 'no table with a checkpoint' [ -s "$work/part.csv" ]
holds 'it had ended' [ "$(wc -l <"$work/part.csv")" -lt 300 ]
run_well 3 life "${common[@]}"
holds 'another table after a kill' cmp -s "$work/whole.csv" "$work/part.csv"
holds 'other pictures after a kill' diff -rq "$work/whole" "$work/part"

# The log of balancing grows, and counts beats from the first one on.
rm -f "$state"
for beats in 400 800 1200; do
    run_well 3 life soup:300x300:35% -n "$beats" --quiet --balance chain --balance-every 50 \
        --balance-log "$work/log.csv" --checkpoint "$state" --resume
    [ "$beats" != 400 ] || cp "$state" "$work/before"
    [ "$beats" != 800 ] || cp "$work/before" "$state" # lines of 401 to 800 come again
done
holds 'not both logs' [ "$(grep -c '^beat,' "$work/log.csv")" = 2 ]
holds 'beats of the second run' [ "$(tail -n 1 "$work/log.csv" | cut -d , -f 1)" -gt 800 ]
holds 'beats twice' sort -n -c <(grep -v '^beat,' "$work/log.csv" | cut -d , -f 1)
cp "$data/coffee.png" "$work/photo.csv"
fails 1 'photo.csv" is no log of decisions; use another file' 3 life soup:300x300:35% -n 1300 --quiet \
    --balance chain --balance-every 50 --balance-log "$work/photo.csv" --checkpoint "$state" --resume
fails 1 'photo.csv" is no log of decisions; use another file' 1 life soup:300x300:35% -n 5 --quiet --balance chain \
    --balance-log "$work/photo.csv"
holds 'a picture was cut as if it were a log' cmp -s "$data/coffee.png" "$work/photo.csv"

# A movie is left as it is; the rest is another.
if has ffmpeg ffmpeg movies; then
    rm -f "$state"
    run_well 1 life "$gun" -n 20 --quiet --movie "$work/gun.gif" --checkpoint "$state" --resume
    before=$(cksum "$work/gun.gif")
    run_well 2 life "$gun" -n 40 --quiet --movie "$work/gun.gif" --checkpoint "$state" --resume
    holds 'the first part of the movie has changed' [ "$(cksum "$work/gun.gif")" = "$before" ]
    holds 'no second part' [ -s "$work/gun-from-20.gif" ]
    fails 2 'gun.gif" are the same file' 1 life "$gun" -n 60 --quiet --movie "$work/gun.gif" --checkpoint "$state" \
        --resume --json "$work/gun.gif"
fi

# A generation of the pattern's own counts from there.
printf '#CXRLE Gen=40\nx = 3, y = 1, rule = B3/S23\n3o!\n' >"$work/late.rle"
rm -f "$state"
run_well 1 life "$work/late.rle" -n 3 --quiet --checkpoint "$state" --resume
run_well 2 life "$work/late.rle" -n 7 --quiet --checkpoint "$state" --resume --json "$work/out/run.json"
holds 'not at generation 47' [ "$(told state generation)" = 47 ]
finish
