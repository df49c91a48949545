#!/usr/bin/env bash
# Files with more axes than an image has: of each the part that options, or what stands behind its name, choose
# is the one that NumPy finds, for any number of ranks; where nothing is chosen, or something that is not
# there, the message says what there is to choose.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy tifffile h5py zarr
scripts=$(dirname "$0") out=$work/out files=$work/files
mkdir "$files"
"$python" "$scripts/make_axes.py" "$files" || exit 1

# Some cases on several ranks; with --values, regions have equal samples. All arrays are labelled by one run.
mkdir "$work/should"
run_well 1 label "$files/part*.npy" -q --values --volume -o "$work/should/{name}.npy"
cases=0
while IFS=$'\t' read -r -a words; do
    wanted=${words[-1]}
    unset 'words[-1]'
    cases=$((cases + 1)) ranks=1
    if [ $((cases % 8)) = 0 ]; then ranks=$((cases % 3 + 2)); fi
    run_well $ranks label "${words[@]}" -q --values -o "$out/is.npy" --json "$out/run.json"
    holds 'other pixels' cmp -s "$out/is.npy" "$work/should/${wanted##*/}"
    rm -f "$out"/*
done <"$files/cases"

# The summary and the JSON report tell what was taken.
cd "$files" || exit 1
run_well 2 label TZC.ome.tif -t 9 --channel dapi --time 2 --json "$out/run.json"
holds 'what was taken is not told' grep -q '^taken  *time 2 of 3, channel 0 (DAPI) of 2$' "$work/stdout"
holds 'the channel is not in JSON' [ "$(told image channel name) $(told image channel index)" = 'DAPI 0' ]
holds 'the time is not in JSON' [ "$(told image time index) $(told image time count)" = '2 3' ]
run_well 1 label slide.tif
holds 'the largest page is not told' grep -q '^taken  *page 0 of 3; .*others: 16 x 16' "$work/stdout"
run_well 1 label rgbx.tif
holds 'a sample is left out silently' grep -q 'sample 3 of each pixel, which has no meaning, is left out' \
    "$work/stdout"
run_well 1 label images.mrc
holds 'images are taken for planes silently' grep -q 'were taken for planes' "$work/stdout"
rm -f "$out"/*

# In all places where images are named.
run_well 2 label 'TZ?.ome.tif:c=1,t=0' 'CT*.ome.tif:c=0,t=1' -q --values -o "$out/{name}.npy"
run_well 1 label TZC.ome.tif -q --values --channel 1 --time 0 -o "$out/should.npy"
holds 'another part in a batch' cmp -s "$out/TZC.ome.npy" "$out/should.npy"
holds 'a name with what was chosen' [ -s "$out/CTZ.ome.npy" ]
rm -f "$out"/*
run_well 3 label --stack 'TZ?.ome.tif:z=2' CZT.ome.tif:z=2,c=1,t=0 --channel 1 --time 0 -q --values -o "$out/is.npy"
"$python" -c 'import numpy, sys, tifffile
planes = [tifffile.imread(name + ".ome.tif") for name in ("TZC", "CZT")]
numpy.save(sys.argv[1], numpy.stack([planes[0][0, 2, 1], planes[1][1, 2, 0]]))' "$out/planes.npy"
run_well 1 label "$out/planes.npy" -q --values -o "$out/should.npy"
holds 'other slices' cmp -s "$out/is.npy" "$out/should.npy"
rm -f "$out"/*
run_well 2 motion movie.tif:t=0 movie.tif:t=1 -q
run_well 3 paths movie.tif:t=0 --from movie.tif:t=1 --to 5,5 -q
run_well 2 chan-vese movie.tif:t=0 --init movie.tif:t=1 -n 4 -q
run_well 2 run heat --input channels-f4.npy:c=1 -n 2 -q -o "$out/is.npy"
"$python" -c 'import numpy; numpy.save("one.npy", numpy.ascontiguousarray(numpy.load("channels-f4.npy")[..., 1]))'
run_well 1 run heat --input one.npy -n 2 -q -o "$out/should.npy"
holds 'other cells' cmp -s "$out/is.npy" "$out/should.npy"
run_well 3 life movie.tif:t=2 -n 0 -q -o "$out/life.png"
run_well 2 life movie.tif --time 2 -n 0 -q -o "$out/same.png"
holds 'other cells by an option' cmp -s "$out/life.png" "$out/same.png"
run_well 2 cluster five.npy:t=1,c=2,z=3 -k 2 -q --report "$out/report.html"
holds 'no picture of the input on the page' grep -q 'src="data:image/png' "$out/report.html"
rm -f "$out"/*
# A file that is called so.
cp rgb.tif 'colours.tif:c=1'
run_well 1 label 'colours.tif:c=1' -q -t 50% -o "$out/is.npy"
run_well 1 label rgb.tif -q -t 50% -o "$out/should.npy"
holds 'a file with such a name is not read' cmp -s "$out/is.npy" "$out/should.npy"
rm -f "$out"/*
# Inputs are not written over under another name.
fails 2 'are the same file' 2 label rgb.tif:c=1 -o "$files/rgb.tif"

# ---- what is missing, and what is not there --------------------------------------------------------

for ranks in 1 3; do
    fails 1 'TZC.ome.tif: has 3 times and 2 channels (DAPI, GFP & co); choose with --time and --channel, or as TZC.ome.tif:t=0,c=0' \
        $ranks label TZC.ome.tif
    fails 1 'times.ome.tif: has 5 times; choose with --time' $ranks label times.ome.tif
    fails 1 'has 5 times; choose' $ranks cluster movie.tif -k 2
    fails 1 'has 5 times; choose' $ranks walk scales.h5:/air0 -t 1
    fails 1 'has 3 times; choose' $ranks label scales.h5:/labels
    fails 1 'has 2 channels; choose with --channel' $ranks label 2c.tif
    fails 1 '11 x 13 x 2 samples of float32 can be an image of 2 channels, or a volume that is 2 columns wide; .*--volume' \
        $ranks label channels-f4.npy
    fails 1 'has 2 images along the unnamed axis 1 and 3 images along the unnamed axis 2' $ranks label five.npy
    fails 2 'has 2 channels (DAPI, GFP & co), and no channel is "2"; they are numbered from 0 to 1' \
        $ranks label TZC.ome.tif:c=2,t=0
done
while IFS=$'\t' read -r name message; do
    fails 1 "$name: .*\($message\)" 1 label "$name"
done <hostile
fails 1 'can be an image of 2 channels' 1 label channels-u1.npy
fails 1 'can be an image of 2 channels' 2 walk channels-f4.npy
fails 1 'more than one kind has 16 x 16 pixels; choose with --page' 1 label equal.tif
fails 1 'plane 0 of what was chosen is in another file, there.ome.tif' 2 label apart.ome.tif:c=1
fails 1 'a volume of 4 planes, and this command takes images .* as imagej.tif:c=0,t=0,z=0$' \
    1 cluster imagej.tif:c=0,t=0 -k 2
fails 1 'has 5 times; choose' 1 life movie.tif -n 1
fails 2 'has 5 times, and no time is "7"' 3 life movie.tif --time 7 -n 1
fails 1 'glider-gun.rle: is no image of which a part' 2 life "$data/patterns/glider-gun.rle" --channel 1
fails 2 'of a soup; leave them out' 2 life soup:9x9:50% --as-stored
fails 2 'no channel is "violet"' 1 label rgb.tif --channel violet
fails 2 'has 4 channels (red, green, blue, alpha), and no channel is "violet"' 2 label rgba-1.png --channel violet
fails 2 'has 1 channel, and no channel is "red"' 1 label "$data/brick.png" --channel red
fails 2 'two of "c=" stand behind the name of the file; give one' 2 label TZC.ome.tif:c=1,t=0,c=0
fails 2 'has 1 time, and no time is "1"' 2 label stack.tif --time 1
fails 2 'has 3 pages, and no page is "3"' 1 label slide.tif:p=3
fails 2 'has 1 page, and no page is "1"' 2 label colours.npy:p=1
fails 2 'there is no "q" to choose' 1 label rgb.tif:q=1
fails 2 '--volume cannot be given with --channel' 1 label rgb.tif --volume --channel 1
finish
