#!/usr/bin/env bash
# Pictures of all commands as PNM and TIFF have the pixels of those as PNG, for any number of ranks and on
# standard output.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python PIL numpy
out=$work/out image=$work/grey.png

"$python" - "$work" <<'PYTHON' || exit 1
import sys
import numpy
from PIL import Image

work = sys.argv[1]
grey = numpy.kron(numpy.random.RandomState(2).randint(0, 255, (9, 11)), numpy.ones((7, 9), int))
grey = grey[:61, :97].astype(numpy.uint8)  # no whole words of bits
Image.fromarray(grey).save(work + "/grey.png")
grey.tofile(work + "/grey.raw")
later = numpy.roll(grey, 3, axis=1)
Image.fromarray(later).save(work + "/later.png")
later.tofile(work + "/later.raw")
Image.fromarray(numpy.stack([grey, 255 - grey, grey // 2], axis=-1)).save(work + "/colour.png")
PYTHON

# written NAME ENDINGS ARGUMENT...: the command with each ending, the last argument being the option.
ranks=0
written() {
    local name=$1 endings=$2 ending
    shift 2
    for ending in $endings; do
        ranks=$((ranks % 3 + 1))
        run_well $ranks "${@:1:$#-1}" -q "${*: -1}" "$out/$name.$ending"
    done
}
written clusters 'png pgm pnm tif' cluster "$image" -k 5 -o
written outline 'png ppm pnm tiff' cluster "$image" -k 5 --outline
written mosaic 'png pnm tif' cluster "$image" -k 5 --mosaic
written colours 'png pnm tif' cluster "$work/colour.png" --colour -k 5 --mosaic
written inside 'png pgm pnm tif' chan-vese "$image" -n 5 -o
written border 'png ppm tif' chan-vese "$image" -n 5 --overlay
written slopes 'png pgm tif' snake "$image" --init circle:40,30,20 --gradient
written contours 'png ppm tif' snake "$image" --init circle:40,30,20 --overlay
written path 'png ppm tif' paths "$image" --from 1,1 --to 50,50 --overlay
written nearest 'png ppm tif' paths "$image" --from 1,1 --nearest
written flow 'png ppm tiff' motion "$image" "$work/later.png" -k 4 --radius 8 -o
written arrows 'png pnm tif' motion "$image" "$work/later.png" -k 4 --radius 8 --arrows
written cells 'png pgm pnm tif' life soup:97x61:35% -n 9 -o
written states 'png pgm tif' life soup:97x61:35% --rule /2/3 -n 9 -o
written walks 'png ppm tif' walk "$image" --walkers 9 --steps 200 --trajectories
written regions 'png ppm pnm tif' label "$image" --colour
written balls 'png ppm tif' trace "$data/scenes/room.nff" --size 40x30 -o
what='pictures of one run'
holds 'other pixels' "$python" - "$out" <<'PYTHON'
import glob
import sys
import numpy
from PIL import Image


def pixels(path):
    picture = Image.open(path)
    picture = picture.convert("RGB") if picture.mode == "P" else picture
    return numpy.array(picture) * (255 if picture.mode == "1" else 1)


for png in glob.glob(sys.argv[1] + "/*.png"):
    others = [path for path in glob.glob(png[:-3] + "*") if path != png]
    assert len(others) >= 2, png
    for path in others:
        assert pixels(path).shape == pixels(png).shape and (pixels(path) == pixels(png)).all(), path
PYTHON

# Written pictures are read again, also through a pipe.
run_well 2 label "$out/clusters.pgm" -t 2 -q -o "$work/should.npy"
run_well 3 label "$out/clusters.tif" -t 2 -q -o "$work/is.npy"
holds 'other labels of a TIFF' cmp -s "$work/is.npy" "$work/should.npy"
what='cluster -o -.pgm | label -'
"$program" cluster "$image" -k 5 -q -o -.pgm | "$program" label - -t 2 -q -o "$work/pipe.npy"
holds 'other labels through a pipe' cmp -s "$work/pipe.npy" "$work/should.npy"

# Files of nothing but samples are pictures for those that take pictures.
raw=(--shape 61x97)
run_well 2 motion "$work/grey.raw" "$work/later.raw" "${raw[@]}" -k 4 --radius 8 -q -o "$work/is.png"
holds 'another flow of raw frames' cmp -s "$work/is.png" "$out/flow.png"
run_well 3 walk "$work/grey.raw" "${raw[@]}" --walkers 9 --steps 200 -q --trajectories "$work/is.png"
holds 'other walks in a raw image' cmp -s "$work/is.png" "$out/walks.png"
fails 1 'bytes follow the last sample' 2 walk "$work/grey.raw" --shape 60x97 --steps 9
fails 1 'cut off: 61 of 62 rows' 1 motion "$work/grey.raw" "$work/later.raw" --shape 62x97
fails 2 'takes a name ending in .*\.ppm' 1 label "$image" --colour "$out/a.pgm"
fails 2 'takes a name ending in .*\.pgm' 2 cluster "$image" -k 5 -o "$out/a.ppm"
finish
