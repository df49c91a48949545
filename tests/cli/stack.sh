#!/usr/bin/env bash
# Stacks of slices: labels and regions are those of the same volume in one file, for any number of ranks
# and blocks, however the slices are named and in whatever format; planes are written as files of their
# own, with the same bytes for any number of ranks; what is wrong with a slice is said, with its name.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python PIL numpy
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/make_stack.py" make "$work" || exit 1

# alike RANKS ARGUMENT...: the results of label are those of $work/should.*.
alike() {
    run_well "$@" -q -o "$out/is.npy" --regions "$out/is.csv"
    holds "other labels" cmp -s "$out/is.npy" "$work/should.npy"
    holds "other regions" cmp -s "$out/is.csv" "$work/should.csv"
    rm -f "$out"/*
}

# should ARGUMENT...: what they are compared with.
should() { run_well 1 label "$@" -q -o "$work/should.npy" --regions "$work/should.csv"; }

should "$work/wide.npy" -c 26
alike 3 label "$work/wide" -c 26
alike 1 label "$work/wide/z%02d.png" -c 26
alike 2 label "$work/arrays" -c 26
should "$work/colour" -c 26
alike 3 label "$work/colour-%02d.npy" -c 26
should "$work/grey.npy"
alike 1 label "$work/png"
alike 2 label "$work/png/" --decomposition 1x2x1
alike 3 label "$work/png/slice-%d.png"
alike 4 label "$work/tif/z%04d.tif" --decomposition blocks
alike 2 label "$work/pgm/z%d.pgm" --method settle
alike 3 label "$work/text"
alike 4 label --stack "$work/png/*.png"
alike 2 label --stack "$work/pgm/z?.pgm" "$work/png/slice-1?.png"
alike 1 label --stack "$work"/tif/z00??.tif
alike 20 label "$work/png"
alike 3 label "$work/raw%03d.bin" --shape 21x35
cd "$work/png" || exit 1
alike 2 label slice-%d.png
alike 2 label .
cd - >/dev/null || exit 1
run_well 2 label "$work/png" --json "$out/run.json"
holds 'the number of slices is not told' grep -q '35 x 21 x 13, 13 PNG slices' "$work/stdout"
holds 'the number of slices is not in JSON' [ "$(told image slices)" = 13 ]
rm -f "$out"/*

# A stack is one of many images.
run_well 3 label "$work/png/" "$work/tif/z%04d.tif" -q -o "$out/{name}.npy" --ranks-per-image 1
holds 'other labels of a folder among others' cmp -s "$out/png.npy" "$work/should.npy"
holds 'other labels of numbers among others' cmp -s "$out/z.npy" "$work/should.npy"
rm -f "$out"/*
# A folder of one slice is an image to commands for images.
mkdir "$work/single"
cp "$work/png/slice-9.png" "$work/single"
run_well 2 cluster "$work/single" -k 2 -q -o "$work/single.npy"
run_well 1 cluster "$work/png/slice-9.png" -k 2 -q -o "$out/is.npy"
holds 'other clusters of a single slice' cmp -s "$out/is.npy" "$work/single.npy"
rm -f "$out"/*

# ---- written ---------------------------------------------------------------------------------------

mkdir "$work/planes"
for ranks in 1 2 3; do
    parts=strips
    [ "$ranks" = 1 ] || parts=1x${ranks}x1
    run_well $ranks label "$work/png/slice-%d.png" -q -o "$out/a-%03d.png" --colour "$out/e-%d.png"
    run_well $ranks label "$work/grey.npy" -q -o "$out/b-%d.tif" --decomposition "$parts"
    run_well $ranks label "$work/png" -q -o "$out/c-%04d.pgm"
    run_well $ranks label "$work/tif" -q -o "$out/d-%0d.npy" --decomposition blocks
    if [ "$ranks" = 1 ]; then
        holds 'planes differ from those of the volume' \
            "$python" "$scripts/make_stack.py" compare "$work" "$out"
        mv "$out"/* "$work/planes"
    else
        holds "other planes by $ranks ranks" diff -r "$out" "$work/planes"
        rm -f "$out"/*
    fi
done
# Written files are read again.
mv "$work/should.npy" "$work/labels.npy"
should "$work/labels.npy" -t 1
alike 2 label "$work/planes/a-%03d.png" -t 1
alike 2 label --stack "$work/planes/b-*.tif" -t 1
alike 3 label "$work/planes/d-%d.npy" -t 1

# A folder, which is made: planes as z0000.png and so on, and read again as a volume.
for ranks in 1 2 3 4; do
    run_well $ranks label "$work/grey.npy" -q -o "$out/labels/" --colour "$out/colours/" --decomposition \
        "$([ $((ranks % 2)) = 1 ] && echo strips || echo 1x${ranks}x1)"
    run_well $ranks label "$work/grey.npy" -q -o "$out/z%04d.png" --colour "$out/c%04d.png"
    for plane in "$out"/z*.png; do
        holds 'another plane of labels' cmp -s "$plane" "$out/labels/${plane##*/}"
        name=${plane##*/z}
        holds 'another plane of colours' cmp -s "$out/c$name" "$out/colours/z$name"
    done
    holds 'not as many planes' [ "$(find "$out/labels" -type f | wc -l)" = "$(find "$out" -maxdepth 1 -name 'z*' | wc -l)" ]
    rm -rf "$work/folder" "${out:?}"/c* "$out"/z*
    mv "$out/labels" "$work/folder"
    alike $ranks label "$work/folder" -t 1
done
mv "$work/folder" "$out/labels"
run_well 2 label "$work/grey.npy" -q -o "$out/labels/" # the same planes are replaced
for other in z0900.png notes.txt; do # what would be read as a plane is not left beside them
    echo other >"$out/labels/$other"
    fails 1 "has the file $other, which is none of the planes" 2 label "$work/grey.npy" -o "$out/labels/"
    rm "$out/labels/$other"
done
rm -rf "${out:?}"/*

# ---- folders that may be many images ----------------------------------------------------------------

mkdir "$work/wells"
for number in 1 2 3 4; do cp "$work/png/slice-$((8 + number)).png" "$work/wells/well$number.png"; done
for ranks in 1 3; do
    fails 2 'wells: a folder of 4 files; say --stack if .* or --batch if each is an image by itself' \
        $ranks label "$work/wells"
    fails 2 'wells: a folder of 4 files; say --batch' $ranks cluster "$work/wells" -k 2
    fails 2 'wells: a folder of 4 files' $ranks label "$work/wells" -o "$out/{name}.npy"
    run_well $ranks label --stack "$work/wells" -q -o "$out/stack.npy"
    run_well $ranks label "$work/wells/well%d.png" -q -o "$out/numbers.npy"
    holds 'another volume of a folder' cmp -s "$out/stack.npy" "$out/numbers.npy"
    run_well $ranks label "$work/wells" -c 6 -q -o "$out/said.npy"
    holds 'neighbours of voxels do not make it a volume' cmp -s "$out/said.npy" "$out/numbers.npy"
    run_well $ranks label "$work/wells" -q -o "$out/a%d.npy"
    rm -f "$out"/*
    run_well $ranks label --batch "$work/wells" "$work/png/slice-9.png" -q -o "$out/{name}.npy" --table "$out/table.csv"
    holds 'not as many images' [ "$(wc -l <"$out/table.csv")" = 6 ]
    for number in 1 2 3 4; do
        run_well 1 label "$work/wells/well$number.png" -q -o "$out/one.npy"
        holds 'other labels of a picture of a folder' cmp -s "$out/one.npy" "$out/well$number.npy"
    done
    run_well $ranks cluster --batch "$work/wells" -k 2 -q -o "$out/{name}.png"
    rm -f "$out"/*
done
run_well 2 walk "$work/wells" --steps 64 --walkers 100 -q
fails 2 '--stack cannot be given with --batch' 1 label --stack --batch "$work/wells"

# ---- refused ---------------------------------------------------------------------------------------

bad=$work/bad
for ranks in 1 3; do
    fails 1 'z11.pgm is missing, and there is a .*z12.pgm' $ranks label "$bad/gap/z%d.pgm"
    fails 1 'z7.pgm is 35 x 21 grey.* and .*z12.pgm is 20 x 21' $ranks label "$bad/size"
    fails 1 'z7.pgm is .*uint8, and .*z12.pgm is .*uint16' $ranks label "$bad/type/z%d.pgm"
    fails 1 'z12.pgm: a volume of 13 planes cannot be a slice' $ranks label "$bad/volume"
    fails 1 'notes is a directory, .*a.txt: not an image' $ranks label "$bad/notes" --stack
    fails 1 'z12.pgm: the file is cut off' $ranks label "$bad/cut" -o "$out/a%d.png"
    fails 1 'slice-12.png: ' $ranks label "$bad/damaged" -o "$out/labels.npy"
    fails 1 'z12.pgm: cannot be read: No such file' $ranks label "$bad/gone"
    fails 1 'z30.pgm: is no ordinary file' $ranks label "$bad/pipe"
    fails 1 'z12.pgm: the header claims' $ranks label "$bad/forged"
    fails 1 'a directory without files' $ranks label "$bad/empty"
    fails 1 'no file is called .*q%d.png' $ranks label "$work/png/q%d.png"
    fails 1 'this command takes images of two axes' $ranks cluster "$work/png" -k 2
done
fails 1 'z12.pgm: cannot be read' 2 label --stack "$bad/cut/z11.pgm" "$bad/gap/z12.pgm" "$bad/none/z12.pgm"
fails 1 'cannot be listed: No such file' 1 label "$work/none/z%d.png"
fails 2 'no file.s name is like' 2 label --stack "$work/png/*.jpg"
fails 2 'in the names of files, not in those of folders' 1 label "$work/p%dg/z.png"
fails 2 'two places for a number' 1 label "$work/png/z%d-%d.png"
fails 2 'standard input cannot be a slice' 1 label --stack "$work/png/slice-9.png" -
fails 1 'leave out the planes of --shape' 2 label "$work/raw%03d.bin" --shape 13x21x35
fails 2 'cannot be given with --table' 1 label --stack "$work/png/*.png" --table "$out/t.csv"
fails 2 'stack makes one volume' 2 label --stack "$work/png/*.png" -o "$out/{name}.npy"
fails 2 'stands for a file a plane' 2 label "$work/png/slice-9.png" -o "$out/a-%04d.png"
fails 2 'stands for a file a plane' 1 label "$work/png/slice-9.png" --colour "$out/a-%04d.png"
fails 2 'whose labels are no picture' 2 label "$work/png" -o "$out/a.png"
fails 2 'two places for a number' 1 label "$work/png" -o "$out/a%d-%d.png"
fails 2 'in the names of files, not in those of folders' 1 label "$work/png" -o "$work/o%dt/a.png"
fails 1 'cannot write' 2 label "$work/png" -o "$out/none/a%d.png"
fails 1 'cannot' 2 label "$work/png" -o "$out/none/labels/"
fails 2 'stands for a file a plane' 2 label "$work/png/slice-9.png" -o "$out/labels/"
fails 2 'two outputs are files called' 2 label "$work/png" -o "$out/a/" --colour "$out/./a//"
fails 2 'takes a name ending in .* or FOLDER/, not' 1 label "$work/png" -o "$out"
fails 2 'pictures hold labels of 16 bits' 1 label "$work/png" -o "$out/a/" --out-dtype uint32
echo text >"$work/file"
fails 1 'is not a folder' 2 label "$work/png" -o "$work/file/"
fails 2 'two outputs are files called' 2 label "$work/png" -o "$out/a%d.png" --colour "$out/a%02d.png"
# No slice is written over.
fails 2 'would replace it' 2 label "$work/png/slice-%d.png" -o "$work/png/slice-%d.png"
fails 2 'would replace it' 1 label "$work/png" --colour "$work/png/../png/slice-%04d.png"
fails 2 'the same file' 2 label --stack "$work/tif/*.tif" -o "$work/tif/z0009.tif"
finish
