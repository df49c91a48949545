#!/usr/bin/env bash
# Journals of tasks (halobeat synthetic --tasks --journal): what is done is not done again, also after a run
# that was killed in the middle; journals of other jobs, and damaged ones, are refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
json=$work/out/run.json journal=$work/out/journal
tasks=(synthetic --tasks 150 --profile random:ratio=5 --json "$json" --schedule fixed:3)
head_lines=2

# done_once COUNT: the journal has so many tasks, none twice, each line whole.
# shellcheck disable=SC2317 # called by holds
done_once() {
    [ "$(tail -n +$((head_lines + 1)) "$journal" | grep -c -E '^[0-9]+ [0-9a-f]{16} [0-9a-f]{16}$')" = "$1" ] &&
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
# A run that was killed before it made its journal has left the file by which it tried the folder.
for ranks in 1 3; do
    rm -rf "$work/own" && mkdir "$work/own"
    : >"$work/own/.state.partial-0123456789abcdef"
    run_well "$ranks" "${tasks[@]}" --work 100 --quiet --journal "$work/own/state"
    holds "left over: $(ls -A "$work/own")" [ "$(ls -A "$work/own")" = state ]
done

# Another job's, a damaged one, and no journal.
fails 1 'belongs to another job: .*work 100.*work 101.*another journal' 2 "${tasks[@]}" --work 101 --journal "$journal"
fails 1 'belongs to another job: .*150 tasks.*151 tasks' 2 "${tasks[@]}" --tasks 151 --work 100 --journal "$journal"
sum=0123456789abcdef
for line in "150 $sum 00" "-1 $sum 00" "7 $sum 0" "7 $sum 0g" "7 $sum 00" '7 00' '7' "x $sum 00" '' \
    "18446744073709551623 $sum 00" "7 ${sum}0 00" "7 $sum" "7 $sum $(printf 'a%.0s' {1..5000})"; do
    cp "$journal" "$work/kept"
    printf '%s\n' "$line" >>"$journal"
    cp "$journal" "$work/damaged"
    fails 1 'is damaged in line 153; remove' 2 "${tasks[@]}" --work 100 --journal "$journal"
    holds 'a damaged journal was changed' cmp -s "$journal" "$work/damaged"
    mv "$work/kept" "$journal"
done
# A digit of a result that has changed.
sed '9s/[0-9a-f]$/x/;9s/x$/0/' "$journal" >"$work/kept"
cmp -s "$work/kept" "$journal" && sed '9s/.$/1/' "$journal" >"$work/kept"
fails 1 'is damaged in line 9; remove' 2 "${tasks[@]}" --work 100 --journal "$work/kept"
# A machine that loses its power may leave these at the end.
cp "$journal" "$work/kept"
printf '\0\0\0\0' >>"$work/kept"
run_well 2 "${tasks[@]}" --work 100 --quiet --journal "$work/kept"
holds 'zeros at the end are not removed' cmp -s "$journal" "$work/kept"
sed '1s/1$/0/' "$journal" >"$work/kept"
fails 1 'is no journal; use another' 2 "${tasks[@]}" --work 100 --journal "$work/kept"

# Files of other kinds stay as they are, with each command that has journals.
cp "$data/coffee.png" "$work/photo.png"
printf 'no line end' >"$work/note"
printf 'halobeat journal' >"$work/begun"
printf 'first\nsecond' >"$work/list"
commands=("synthetic --tasks 150 --work 100" "walk $data/rock.png --walkers 300 --steps 20"
    "trace $data/scenes/five-balls.nff --size 40x30 -o $work/out/t.png" "label $data/brick.png --table $work/out/t.csv")
for command in "${commands[@]}"; do
    for file in photo.png note begun list; do
        cp "$work/$file" "$work/kept"
        read -ra words <<<"$command"
        fails 1 'is no journal; use another' 2 "${words[@]}" --quiet --journal "$work/$file"
        holds "$file was changed" cmp -s "$work/$file" "$work/kept"
    done
done
rm -f "$work/out"/t.*
# A link to a journal is followed, and none that would have a file made elsewhere.
ln -s "$journal" "$work/link"
ln -s "$work/elsewhere" "$work/dangling"
run_well 2 "${tasks[@]}" --work 100 --journal "$work/link"
holds 'the journal behind a link is not read' grep -q '^journal  *150 tasks' "$work/stdout"
fails 1 'symbolic link to a file that is not there' 2 "${tasks[@]}" --journal "$work/dangling"
holds 'a link has led to a new file' [ ! -e "$work/elsewhere" ]
mkfifo "$work/fifo"
fails 1 'not a regular file' 1 "${tasks[@]}" --journal "$work/fifo"
fails 1 'not a regular file' 1 "${tasks[@]}" --journal /dev/null
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

printf 'sleep %s\n' {0..60} >"$work/sleeps"

# A signal: how many are done, where they are, and what could have been. With ranks, launchers end them.
# shellcheck disable=SC2317 # called by wait_until
shows_tasks() { # and has begun to catch SIGTERM
    local caught
    caught=$(sed -n 's/^SigCgt:[[:blank:]]*//p' "/proc/$launched/status")
    grep -q '%' "$work/stderr" && [ $((0x${caught:-0} >> 14 & 1)) = 1 ]
}
# interrupted PATTERN ARGUMENT...
interrupted() {
    what="SIGTERM: ${*:2}" status=0
    : >"$work/stderr" # of an earlier run
    "$program" "${@:2}" --progress always </dev/null >"$work/stdout" 2>"$work/stderr" &
    launched=$!
    wait_until "$limit" shows_tasks || wrong 'it does not begin'
    kill -TERM "$launched"
    wait "$launched" || status=$?
    holds "exit status $status, not 1" [ "$status" = 1 ]
    holds "no message: $1" grep -q "halobeat $2: stopped by a signal when [0-9]* of [0-9]* tasks were done; $1" \
        <(tr '\r' '\n' <"$work/stderr")
}
interrupted 'they are in .*journal, and the same command goes on' "${tasks[@]}" "${long[@]}"
rm -f "$journal" "$json"
interrupted 'no output was written; with --journal FILE' walk "$data/rock.png" --walkers 100000 --steps 60000000
interrupted 'no output was written; with --journal FILE' trace "$data/scenes/room.nff" --size 9999x9999 \
    --subpixels 16 -o "$work/out/room.png"
interrupted 'what they have written stays' tasks --jobs "$work/sleeps"
holds 'files are left' [ -z "$(ls "$work/out")" ]

# Many images, of which one is broken and then mended.
mkdir "$work/in"
for name in a b c d; do cp "$data/brick.png" "$work/in/$name.png"; done
echo hello >"$work/in/b.png"
batch=(label "$work/in/*.png" -o "$work/out/{name}.png" --regions "$work/out/all.csv" --journal "$journal" --quiet)
run 2 "${batch[@]}"
holds "status $status" [ "$status" = 1 ]
holds "other images than three are in the journal" [ "$(wc -l <"$journal")" = $((3 + head_lines)) ]
cp "$data/brick.png" "$work/in/b.png"
run_well 3 "${batch[@]}" --schedule static
holds "the table has not all images" [ "$(tail -n +2 "$work/out/all.csv" | cut -d , -f 1 | sort -u | wc -l)" = 4 ]
holds "not all images are in the journal" [ "$(wc -l <"$journal")" = $((4 + head_lines)) ]
fails 1 'another job' 2 "${batch[@]}" --invert
mv "$work/in/d.png" "$work/in/e.png"
fails 1 'another job' 2 "${batch[@]}"
rm -f "$journal" "$work/out"/*.png "$work/out/all.csv"

# Images that have changed or are gone since, and outputs that are gone. Second files count, too: samples behind a
# header, slices, chunks.
cd "$work/in" || exit 1
rm -f ./*
cp "$data/brick.png" a.png
cp "$data/gravel.png" b.png
mkdir slices
for z in 0 1 2; do cp "$data/gravel.png" "slices/z$z.png"; done
run_well 1 label b.png -q -o v.mhd
run_well 1 label a.png -q -o z.zarr
cp v.raw w.raw
sed -i 's/v\.raw/w.raw/' v.mhd # outputs are not to be like these
batch=(label -t otsu "$work/in/a.png" "$work/in/b.png" "$work/in/slices" "$work/in/v.mhd" "$work/in/z.zarr"
    -o "$work/out/{name}.mhd" --regions "$work/out/all.csv" --journal "$journal" --quiet)
run_well 2 "${batch[@]}"
cp "$work/out/all.csv" "$work/all.csv"

# again RANKS COUNT PATTERN: the run does COUNT images again, says so of those that PATTERN names, and writes the
# same table.
again() {
    local lines
    lines=$(wc -l <"$journal")
    run "$1" "${batch[@]}"
    holds "exit status $status" [ "$status" = 0 ]
    holds "not $2 images are done again" [ "$(wc -l <"$journal")" = $((lines + $2)) ]
    holds "messages are not about $3" [ "$(messages | grep -c -v -e "$3")" = 0 ]
    holds "not said: $3" [ "$([ "$2" = 0 ] || messages | grep -c -e "$3.* computed again$")" = "${2/0/}" ]
    [ $# -gt 3 ] || holds "another table" cmp -s "$work/all.csv" "$work/out/all.csv"
}
again 1 0 nothing
again 3 0 nothing
# Times alone change nothing: contents are compared then.
touch a.png z.zarr/.zarray slices/z1.png
again 2 0 nothing
for gone in a.mhd a.raw z.mhd; do
    rm "$work/out/$gone"
    again 2 1 "${gone%.*}.*: an output of it that the journal has is gone or empty"
    holds "no $gone" [ -s "$work/out/$gone" ]
done
# A change that size and date do not show.
cp -p w.raw "$work/kept"
printf '\377\377' | dd of=w.raw bs=1 seek=70000 conv=notrunc status=none
touch -r "$work/kept" w.raw
changed='its file is not what it was when the journal was written'
again 2 1 "v.mhd: $changed" other
cp -p "$work/kept" w.raw
again 1 1 "v.mhd: $changed"
cp "$data/brick.png" slices/z2.png
again 3 1 "slices: $changed" other
cp "$data/gravel.png" slices/z2.png
again 2 1 "slices: $changed"
cp b.png z.zarr/another
again 2 1 "z.zarr: $changed"
# Gone, and there again.
mv a.png elsewhere.png
run 2 "${batch[@]}"
holds "exit status $status" [ "$status" = 1 ]
holds 'the image that is gone is not named' grep -q 'label: .*/a\.png: .*No such file' "$work/stderr"
holds 'the image that is gone is in the table' [ "$(grep -c '/a\.png' "$work/out/all.csv")" = 0 ]
cp elsewhere.png a.png
again 2 0 nothing
cd "$OLDPWD" || exit 1

# Other outputs: inside a file of HDF5, a folder of chunks, planes of two files or of a folder each.
outputs() {
    local gone
    rm -rf "$journal" "$work/out"
    mkdir "$work/out"
    batch=(label -t otsu "$work/in/more" "$work/in/slices" -o "$work/out/$1" --regions "$work/out/all.csv"
        --journal "$journal" --quiet)
    run_well 2 "${batch[@]}"
    cp "$work/out/all.csv" "$work/all.csv"
    again 1 0 nothing
    for gone in "${@:2}"; do
        rm "$work/out/$gone" || wrong "no $gone"
        again 1 1 'slices: an output of it that the journal has is gone or empty'
        [ -s "$work/out/$gone" ] || wrong "no $gone"
    done
    : >"$work/out/$gone" # as after a loss of power
    again 1 1 'slices: an output of it that the journal has is gone or empty'
    again 3 0 nothing
}
cp -r "$work/in/slices" "$work/in/more"
outputs '{name}.h5:/labels' slices.h5
outputs '{name}.zarr' slices.zarr/0.0.0
outputs '{name}-%d.mhd' slices-1.raw slices-2.mhd
outputs '{name}-%d.zarr' slices-1.zarr/0.0
outputs '{name}.nii.gz' slices.nii.gz

# Outputs of all images together belong to the job.
run_well 1 snake "$work/in/a.png" --init circle:90,90,50 -n 1 -q -o "$work/polygon.csv"
for what in "snake -n 3 --init polygon:$work/polygon.csv" "chan-vese -n 3 --init $work/inside.png"; do
    read -ra words <<<"$what"
    rm -f "$work/j"
    cp "$data/brick.png" "$work/inside.png"
    many=("${words[@]}" "$work/in/a.png" "$work/in/b.png" --table "$work/out/many.csv" --quiet --journal "$work/j")
    run_well 1 "${many[@]}"
    run_well 2 "${many[@]}"
    run_well 1 snake "$work/in/a.png" --init circle:90,90,40 -n 1 -q -o "$work/polygon.csv"
    cp "$data/gravel.png" "$work/inside.png"
    fails 1 'belongs to another job: .*inputs.*inputs' 2 "${many[@]}"
done
rm -f "$work/out/many.csv"

# Results that are none: sizes beyond the line, a text that is no JSON, no table.
forge() {
    "$python" - "$journal" "$1" <<'PYTHON'
import sys, xxhash
lines = open(sys.argv[1]).read().split("\n")
task, _, data = lines[-2].split()
data = bytes.fromhex(data)
head = data[:64] # of the image's files and planes
def size(n): return n.to_bytes(8, sys.byteorder)
forged = {"empty": b"", "short": data[:70], "size": head + size(2 ** 63) + data[72:], "zero": head + size(0),
          "json": head + size(3) + b"{a\0" + size(2) + b"a\n", "table": head + size(3) + b"{}\0" + size(2 ** 62),
          "end": head + size(3) + b"{}\0" + size(1) + b"a", "tail": data + b"1"}[sys.argv[2]]
lines[-2] = f"{task} {xxhash.xxh3_64_hexdigest(forged, seed=int(task))} {forged.hex()}"
open(sys.argv[1], "w").write("\n".join(lines))
PYTHON
}
cp "$journal" "$work/kept"
kinds=(empty short size zero json table end tail)
has_python 'forged results of images' xxhash || kinds=()
for kind in "${kinds[@]}"; do
    forge "$kind"
    fails 1 'has no result of .*remove the lines that begin with' 2 "${batch[@]}"
    cp "$work/kept" "$journal"
done
rm -f "$journal" "$work/out"/* "$work/runs"
finish
