#!/usr/bin/env bash
# Many images in one run: what becomes of images that are broken, and of signals.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
images=$work/images out=$work/out
mkdir "$images"
"$python" "$(dirname "$0")/make_batch.py" "$images" 6
first=$images/image-00.png second=$images/image-01.png

# An image that cannot be read, or whose results do not fit, is said once; the others are done.
mkdir "$work/broken"
head -c 60 "$first" >"$work/broken/half.png"
echo nothing >"$work/broken/text.png"
cp "$first" "$second" "$work/broken"
for ranks in 1 2 3; do
    rm -rf "$out" && mkdir "$out"
    run "$ranks" label "$work/broken/*.png" "$work/missing.png" -o "$out/{name}.png" \
        --table "$work/table.csv" --json "$work/all.json" --regions "$work/all.csv"
    holds "status $status" [ "$status" = 1 ]
    holds 'not named' [ "$(messages | grep -c '/half.png\|/text.png\|/missing.png')" = 3 ]
    holds 'said otherwise' [ "$(messages | wc -l)" = 3 ]
    holds 'not counted' grep -q '^images *2 of 5 in' "$work/stdout"
    holds 'files' [ "$(cd "$out" && echo * .[!.]*)" = 'image-00.png image-01.png .[!.]*' ]
    holds 'the table' "$python" - "$work" <<'PYTHON'
import csv, json, os, sys
work = sys.argv[1]
rows = list(csv.DictReader(open(work + "/table.csv", newline="")))
images = json.load(open(work + "/all.json"))
good = [row["error"] == "" for row in rows]
names = [os.path.basename(row["image"]) for row in rows]
assert names == ["half.png", "image-00.png", "image-01.png", "text.png", "missing.png"], names
assert good == [False, True, True, False, False]
assert ["error" not in image for image in images] == good
assert all(row["width"] == "" and row["regions"] == "" for row in rows if row["error"])
regions = list(csv.DictReader(open(work + "/all.csv", newline="")))
assert {row["image"] for row in regions} == {r["image"] for r in rows if not r["error"]}
PYTHON
done
run 3 label "$work/broken/*.png" -o "$out/{name}-x.png" --ranks-per-image 3
holds "status $status" [ "$status" = 1 ]
holds 'said otherwise' [ "$(messages | wc -l)" = 2 ]
# An image for which its disk has no room is such an image.
if [ "$(id -u)" != 0 ]; then
    mkdir "$out/closed" && chmod 500 "$out/closed"
    fails 1 'closed' 2 label "$images/*.png" -o "$out/closed/{name}.png"
fi

mkdir "$work/slow"
# After a signal nothing is half written, and what was done is reported.
rm -rf "$out" && mkdir "$out"
start_with 2
slow=$work/slow
"$python" "$(dirname "$0")/make_batch.py" "$slow" 200
timeout -k 5 "$limit" "${starter[@]}" "$program" label "$slow/*.png" -o "$out/{name}.png" \
    --slow 0:300 --slow 1:300 </dev/null >"$work/stdout" 2>"$work/stderr" &
running=$!
# Once they catch signals, which is before the first image is written.
until [ -n "$(ls "$out")" ] || ! kill -0 "$running"; do sleep 0.05; done
pkill -TERM -f "^[^ ]*halobeat label $slow"
status=0
wait "$running" || status=$?
what='halobeat label, stopped'
holds "status $status" [ "$status" -lt 124 ]
holds 'not said' grep -q 'stopped by a signal after [0-9]* of 200 images' "$work/stderr"
holds 'files are left' [ -z "$(find "$out" -name '.*.partial*')" ]
holds 'it went on' [ "$(find "$out" -type f | wc -l)" -lt 200 ]
finish
