#!/usr/bin/env bash
# Contact sheets of many images: --contact-sheet.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
images=$work/images
mkdir "$images"
"$python" "$(dirname "$0")/make_batch.py" "$images" 11
cp "$data/brick.png" "$images/large with a name that is longer than a caption.png"
head -c 60 "$data/brick.png" >"$images/broken.png"
count=13 sheet=$work/sheet

# The same bytes for any number of ranks; 13 images are 4 rows of 4.
for ranks in 1 2 5; do
    run "$ranks" filter "$images/*.png" gaussian:1 -q -o "$work/out/{name}.png" --contact-sheet "$sheet-$ranks.png"
    holds "exit status $status, not 1 of a broken image" [ "$status" = 1 ]
    holds 'another sheet' cmp -s "$sheet-1.png" "$sheet-$ranks.png"
done
width=$((4 * 204 + 12)) height=$((4 * 218 + 12))
holds "not $width x $height" [ "$(od -An -t u1 -j 16 -N 8 "$sheet-1.png" | tr -s ' ')" = \
    " 0 0 $((width / 256)) $((width % 256)) 0 0 $((height / 256)) $((height % 256))" ]

# Cells have results, small, and names. Pixels of the sheet as rows of red, green and blue.
run_well 1 filter "$sheet-1.png" clip:0,255 --grey -q -o "$work/sheet.npy"
holds 'no pixels' [ "$(stat -c %s "$work/sheet.npy")" = $((128 + width * height)) ]
row() { tail -c +$((129 + ($1) * width + $2)) "$work/sheet.npy" | head -c "$3" | od -An -v -t u1 | tr -s ' \n' ' '; }
number=0
for image in "$images"/*.png; do
    x=$((12 + number % 4 * 204)) y=$((12 + 218 * (number / 4)))
    what="the cell of $image"
    holds 'nothing in it' [ "$(row $((y + 96)) "$x" 192 | tr ' ' '\n' | sort -u | wc -l)" -gt 1 ]
    holds 'no name' [ "$(row $((y + 201)) "$x" 192 | tr ' ' '\n' | sort -u | wc -l)" -gt 2 ]
    holds 'something around it' [ "$(row $((y + 96)) $((x - 12)) 12)" = "$(printf ' 255%.0s' {1..12}) " ]
    number=$((number + 1))
done
holds 'not all cells' [ "$number" = "$count" ]
what='the cell behind the last'
holds 'something in it' [ "$(row $((3 * 218 + 100)) 216 192 | tr ' ' '\n' | sort -u | tr -d '\n')" = 255 ]

# A picture of 512 x 512 pixels that is one grey is one in its cell; an array is black where it is least; labels are in
# colours.
printf 'P5\n512 512\n255\n' >"$work/grey.pgm" && head -c 262144 /dev/zero | tr '\0' '\144' >>"$work/grey.pgm"
width=216
for ending in pgm:100 npy:0; do
    run_well 1 filter "$work/grey.pgm" gaussian:1 -q -o "$work/out/{name}.${ending%:*}" --contact-sheet "$work/one.png"
    run_well 1 filter "$work/one.png" clip:0,255 --grey -q -o "$work/sheet.npy"
    holds 'not its grey' [ "$(row 100 12 192 | tr ' ' '\n' | sort -u | tr -d '\n')" = "${ending#*:}" ]
done
run_well 3 label "$data/brick.png" -q -o "$work/out/{name}.png" --regions "$work/r.csv" --contact-sheet "$work/labels.png"
run_well 1 cluster "$work/labels.png" -k 2 -q --json "$work/out/run.json"
holds 'no colours' [ "$(told image kind)" = colour ]

# Images that were left out, and those that cannot be shown.
what='very many images'
mkdir "$work/many"
printf 'P5\n1 1\n255\n\200' >"$work/many/0001.pgm"
for ((i = 2; i <= 2050; i++)); do ln "$work/many/0001.pgm" "$work/many/$(printf %04d "$i").pgm"; done
if more; then
    run 1 filter "$work/many" --batch invert -q -o "$work/out/{name}.pgm" --contact-sheet "$work/many.png"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'no warning' grep -q 'the contact sheet shows the first 2048 of 2050 images' "$work/stderr"
    holds 'not 128 rows' [ "$(od -An -t u1 -j 20 -N 4 "$work/many.png" | tr -s ' ')" = " 0 0 $(((128 * 218 + 12) / 256)) $(((128 * 218 + 12) % 256))" ]
fi

# A folder that is watched has one, too, and not in itself.
mkdir "$work/in"
cp "$images"/*0.png "$work/in"
touch -d '1 hour ago' "$work/in"/*
"$program" filter --watch-folder "$work/in" gaussian:1 -q -o "$work/out/w/{name}.png" --contact-sheet "$work/w.png" &
process=$!
end=$((SECONDS + limit))
until [ "$(find "$work/out/w" -name '*.png' 2>/dev/null | wc -l)" = "$(find "$work/in" -name '*.png' | wc -l)" ] ||
    [ "$SECONDS" -ge "$end" ]; do sleep 0.05; done
kill -INT "$process"
status=0
wait "$process" || status=$?
holds "exit status $status" [ "$status" = 0 ]
run_well 1 filter "$work/in/*.png" gaussian:1 -q -o "$work/out/{name}.png" --contact-sheet "$work/same.png"
holds 'another sheet' cmp -s "$work/w.png" "$work/same.png"
fails 2 'the contact sheet .* lies in the watched folder itself' 1 filter --watch-folder "$work/in" gaussian:1 \
    -o "$work/out/{name}.png" --contact-sheet "$work/in/sheet.png"
fails 2 '--contact-sheet shows the results of images; name one that is an image' 2 label "$images/*.png" \
    --regions "$work/r.csv" --contact-sheet "$work/x.png"
fails 2 'takes' 1 label "$images/*.png" -o "$work/out/{name}.png" --contact-sheet "$work/x.jpg"
fails 2 'same file' 1 label "$data/brick.png" -o "$work/out/{name}.png" --contact-sheet "$work/out/brick.png"
finish
