#!/usr/bin/env bash
# The orientation of TIFF, and of EXIF in JPEG and PNG, is applied as viewers do: all eight, in all layouts
# of samples, by any number of readers; all commands compute on the image as it is shown.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy PIL
scripts=$(dirname "$0") out=$work/out files=$work/files
mkdir "$files" "$work/many"
holds 'other pixels' "$python" "$scripts/compare_orientation.py" "$tools/read_pixels" "$work/many"
rm -rf "$work/many"
"$python" "$scripts/compare_orientation.py" make "$files" || exit 1

# upright IMAGE ENDING WORDS...; turned RANKS IMAGE ENDING WORDS...: a command, of which WORDS name the image
# as @ and the output as @@; the second one has the same output as the first.
upright() {
    local image=$1 ending=$2 words=("${@:3}")
    words=("${words[@]//@@/$work/should.$ending}")
    run_well 1 "${words[@]//@/$image}" -q
}
turned() {
    local ranks=$1 image=$2 ending=$3 words=("${@:4}")
    words=("${words[@]//@@/$out/is.$ending}")
    run_well "$ranks" "${words[@]//@/$image}" -q
    holds "another result of $image on $ranks ranks" cmp -s "$out/is.$ending" "$work/should.$ending"
    rm -f "$out"/*
}

# Labels of all of them.
for n in 2 3 4 5 6 7 8; do
    upright "$files/$n.png" csv label @ -t 100 --regions @@
    for ranks in $(some 2 1 3 2 5); do turned "$ranks" "$files/o$n.tif" csv label @ -t 100 --regions @@; done
    turned 2 "$files/o$n.jpg" csv label @ -t 100 --regions @@
    turned 3 "$files/o$n.png" csv label @ -t 100 --regions @@
done
upright "$files/1.png" csv label @ -t 100 --regions @@
for kind in tif jpg png; do
    turned 3 "$files/o6.$kind" csv label @ --as-stored -t 100 --regions @@
done

upright "$files/1.png" png life @ -n 5 -o @@
for kind in tif jpg png; do turned 2 "$files/o6.$kind" png life @ --as-stored -n 5 -o @@; done

# A second image of a command, too.
while read -r ending words; do
    read -ra words <<<"$words"
    upright "$files/6.png" "$ending" "${words[@]}" "$files/6.png"
    turned 2 "$files/o6.tif" "$ending" "${words[@]}" "$files/o6.png"
    upright "$files/1.png" "$ending" "${words[@]}" "$files/1.png"
    turned 3 "$files/o6.tif" "$ending" "${words[@]}" "$files/o6.png" --as-stored
done <<'TABLE'
png chan-vese @ -o @@ -n 3 --init
npy paths @ -o @@ --from
TABLE

# Each command that reads images, and pictures in colours that are read a second time.
while read -r n kind ranks ending words; do
    read -ra words <<<"$words"
    upright "$files/$n.png" "$ending" "${words[@]}"
    turned "$ranks" "$files/o$n.$kind" "$ending" "${words[@]}"
done <<'TABLE'
6 tif 3 png label @ -o @@
6 jpg 2 png label @ --colour @@
7 tif 2 png cluster @ -k 3 --outline @@
8 png 3 png chan-vese @ -n 5 --overlay @@
6 tif 3 png snake @ --init circle:40,30,20 --overlay @@
6 png 2 png paths @ --from 1,1 --to 60,50 --overlay @@
5 tif 3 png walk @ --walkers 9 --steps 200 --trajectories @@
6 tif 2 png motion @ @ -k 4 --radius 8 -o @@
6 jpg 3 png life @ -n 5 -o @@
6 png 1 png life @ -n 5 -o @@
6 tif 5 npy run heat --input @ --beats 3 -o @@
TABLE

# Volumes: each plane is turned; slices by themselves.
run_well 1 label "$files/volume.npy" -q -t 60 --regions "$work/should.csv"
for ranks in 1 2 3; do turned $ranks "$files/volume.tif" csv label @ -t 60 --regions @@; done
what='a volume through a pipe'
"$program" label - -q -t 60 --regions "$out/is.csv" < <(cat "$files/volume.tif") 2>"$work/stderr"
holds 'other regions' cmp -s "$out/is.csv" "$work/should.csv"
rm -f "$out"/*
mkdir "$work/upright" "$work/turned"
for n in 1 2 3; do
    cp "$files/6.png" "$work/upright/$n.png"
    cp "$files/o6.tif" "$work/turned/$n.tif"
done
cp "$files/o6.jpg" "$work/turned/2.tif"
run_well 1 label --stack "$work/upright/*.png" -q -t 100 --regions "$work/should.csv"
for ranks in 1 3; do
    run_well $ranks label --stack "$work/turned/*.tif" -q -t 100 --regions "$out/is.csv"
    holds 'other regions of a stack' cmp -s "$out/is.csv" "$work/should.csv"
    rm -f "$out"/*
done
# A batch.
run_well 2 label "$files/o6.tif" "$files/o3.jpg" "$files/o8.png" -t 100 -o "$out/{name}.npy" -q
for name in o6:6 o3:3 o8:8; do
    run_well 1 label "$files/${name#*:}.png" -t 100 -o "$work/should.npy" -q
    holds "another result of ${name%:*} in a batch" cmp -s "$work/should.npy" "$out/${name%:*}.npy"
done
rm -f "$out"/*

# The summary names the orientation.
run_well 2 label "$files/o6.tif" --json "$work/run.json"
tr -s '\n ' ' ' <"$work/stdout" >"$work/words" # the line may be a long one
holds 'no word about the orientation' grep -q '72 x 104, grey, 8 bits, turned by its orientation 6 ' "$work/words"
holds 'no orientation in JSON' grep -q '"orientation": 6' "$work/run.json"
# Not all browsers turn a picture in a page: it is a turned copy there.
run_well 2 label "$files/o1.jpg" --report "$work/page.html"
holds 'a JPEG is not shown as it is' grep -q 'data:image/jpeg' "$work/page.html"
run_well 2 label "$files/o6.jpg" --report "$work/page.html"
holds 'a JPEG that is turned is shown as it is' [ "$(grep -c 'data:image/jpeg' "$work/page.html")" = 0 ]
run_well 2 label "$files/o6.tif" --as-stored
tr -s '\n ' ' ' <"$work/stdout" >"$work/words"
holds 'a word about an orientation' grep -q '104 x 72, grey, 8 bits threshold ' "$work/words"
finish
