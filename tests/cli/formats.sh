#!/usr/bin/env bash
# Images of all formats: the same samples give the same labels, whatever file, pipe or number of ranks
# they come from; what is wrong with a file is said with its remedy.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python PIL numpy
scripts=$(dirname "$0") files=$work/files out=$work/out
mkdir "$files"
"$python" "$scripts/make_formats.py" "$files" || exit 1

# Debian's libtiff converts them: tiles, planes apart, both byte orders, 64-bit offsets, predictors.
converted() { tiffcp "$@" 2>"$work/tiffcp" || { cat "$work/tiffcp"; exit 1; }; }
if command -v tiffcp >/dev/null; then
    cd "$files" || exit 1
    converted -t -w 32 -l 16 -c zip:2 grey.tif grey-tiles.tif
    converted -B -8 -r 7 -c lzw:2 grey16.tif grey16-big.tif
    converted -L -t -w 64 -l 64 grey16.tif grey16-tiles.tif
    converted -p separate -t -w 48 -l 48 colour.tif colour-separate.tif
    converted -B -c lzw bits.tif bits-lzw.tif
    converted -8 -t -w 16 -l 16 -c zip pages.tif pages-tiles.tif
    cd - >/dev/null || exit 1
else
    echo "skipped: TIFF files by tiffcp, not installed: libtiff-tools"
fi

# One file of each group is the measure of all.
for measure in "$files"/*.png "$files/colour16.npy" "$files/halves.npy"; do
    name=$(basename "${measure%.*}")
    run_well 1 label "$measure" -q -o "$work/should.npy" --regions "$work/should.csv"
    ranks=1
    for file in "$files/$name".* "$files/$name"-*; do
        if [ ! -e "$file" ] || [ "$file" = "$measure" ]; then continue; fi
        ranks=$((ranks % 3 + 1))
        run_well "$ranks" label "$file" -q -o "$out/is.npy" --regions "$out/is.csv" --spacing pixels
        holds "other labels of $file" cmp -s "$out/is.npy" "$work/should.npy"
        holds "other regions of $file" cmp -s "$out/is.csv" "$work/should.csv"
        what="halobeat label - <$file"
        # Sanitized programs start slowly: a third of files are piped, a third are standard input.
        if [ -z "${HALOBEAT_TEST_LIMIT:-}" ] || [ "$ranks" = 1 ]; then
            holds "it fails" "$program" label - -q -o "$out/pipe.npy" < <(cat "$file")
            holds "other labels through a pipe" cmp -s "$out/pipe.npy" "$work/should.npy"
        fi
        if [ -z "${HALOBEAT_TEST_LIMIT:-}" ] || [ "$ranks" = 2 ]; then
            holds "standard input fails" "$program" label - -q -o "$out/file.npy" <"$file"
            holds "other labels of standard input" cmp -s "$out/file.npy" "$work/should.npy"
        fi
        rm -f "$out"/*
    done
done

# Samples in another file than the header: that one is found beside it.
for file in "$files"/apart/grey* "$files"/apart/second/grey*.hdr; do
    name=$(basename "${file%.*}")
    case $file in *.raw | *.img) continue ;; esac
    run_well 1 label "$files/$name.png" -q -o "$work/should.npy"
    run_well $((ranks = ranks % 3 + 1)) label "$file" -q -o "$out/is.npy"
    holds "other labels of $file" cmp -s "$out/is.npy" "$work/should.npy"
    rm -f "$out"/*
done
what="halobeat label - <grey.nhdr"
"$program" label - -q -o "$out/pipe.npy" <"$files/apart/grey.nhdr" 2>"$work/stderr"
holds "samples beside standard input are found" [ $? -eq 1 ]
holds "it is not told that samples are elsewhere" grep -q 'are in another file' "$work/stderr"

# Other commands read the same.
run_well 1 cluster "$files/colour.png" -k 3 --colour -q -o "$work/should.npy"
run_well 2 cluster "$files/colour.ppm" -k 3 --colour -q -o "$out/is.npy"
holds 'other clusters of a PPM' cmp -s "$out/is.npy" "$work/should.npy"
run_well 3 cluster "$files/colour.tif" -k 3 --colour -q -o "$out/is.npy"
holds 'other clusters of a TIFF' cmp -s "$out/is.npy" "$work/should.npy"
run_well 1 paths "$files/grey.png" --from 1,1 --to 20,30 -q --path "$work/should.csv"
run_well 2 paths "$files/grey.tif" --from 1,1 --to 20,30 -q --path "$out/is.csv"
holds 'another path through a TIFF' cmp -s "$out/is.csv" "$work/should.csv"
rm -f "$out"/*
# Images that options name, too.
run_well 1 chan-vese "$files/grey.png" --init "$files/grey.png" -n 3 -q -o "$work/should.npy"
run_well 1 paths "$files/grey.png" --from "$files/grey.png" --to 2,3 -q --path "$work/should.csv"
for file in "$files/grey.pgm" "$files/grey.npy" "$files/grey-lzw.tif"; do
    run_well 2 chan-vese "$file" --init "$file" -n 3 -q -o "$out/is.npy"
    holds "another inside from $file" cmp -s "$out/is.npy" "$work/should.npy"
    run_well 3 paths "$file" --from "$file" --to 2,3 -q --path "$out/is.csv"
    holds "another path from $file" cmp -s "$out/is.csv" "$work/should.csv"
done
rm -f "$out"/*
# Kernels of floating point take numbers of all types.
for name in grey grey16 bits; do
    run_well 1 run heat --input "$files/$name.npy" -n 2 -q -o "$work/should.npy"
    for ending in png tif; do
        [ -e "$files/$name.$ending" ] || continue
        run_well $((ranks = ranks % 3 + 1)) run heat --input "$files/$name.$ending" -n 2 -q -o "$out/is.npy"
        holds "other cells from $name.$ending" cmp -s "$out/is.npy" "$work/should.npy"
    done
done
# Cells of life are states in arrays of all formats.
run_well 1 life "$files/grey.npy" --rule 345/2/256 -n 2 -q -o "$work/should.npy"
for file in "$files"/grey.nii.gz "$files"/grey-big.* "$files"/grey-little.* "$files"/apart/grey.?hd*; do
    run_well $((ranks = ranks % 3 + 1)) life "$file" --rule 345/2/256 -n 2 -q -o "$out/is.npy"
    holds "other cells of life from $file" cmp -s "$out/is.npy" "$work/should.npy"
done
"$program" life - --rule 345/2/256 -n 2 -q -o "$out/is.npy" <"$files/grey-big.nrrd" 2>"$work/stderr"
holds 'other cells of life from standard input' cmp -s "$out/is.npy" "$work/should.npy"
for ending in npy zarr h5; do
    run_well 1 label "$files/grey.npy" -t 200 -q -o "$work/states.$ending"
    run_well 2 life "$work/states.$ending" --rule 345/2/256 -n 2 -q -o "$out/$ending.npy"
    holds "other cells of life from .$ending" cmp -s "$out/$ending.npy" "$out/npy.npy"
done
fails 1 'choose one, as FILE:z=0' 2 life "$files/pages.npy" -n 1
# Arrays are written in all formats.
for ending in npy nii.gz mhd zarr; do
    run_well 2 cluster "$files/grey.png" -k 5 -q -o "$work/clusters.$ending"
    run_well 3 chan-vese "$files/grey.png" -n 3 -q -o "$work/inside.$ending"
    run_well 2 paths "$files/grey.png" --from 1,1 -q -o "$work/distances.$ending" --nearest "$work/nearest.$ending"
    for name in clusters inside distances nearest; do
        run_well 1 run heat --input "$work/$name.$ending" -n 1 -q -o "$out/$ending-$name.npy"
        holds "other $name in .$ending" cmp -s "$out/$ending-$name.npy" "$out/npy-$name.npy"
    done
done
rm -f "$out"/*
mkdir "$files/slices"
cp "$files/grey.png" "$files/slices/z1.png"
cp "$files/grey.tif" "$files/slices/z2.tif"
"$python" -c 'import numpy, sys
grey = numpy.load(sys.argv[1] + "/grey.npy")
numpy.save(sys.argv[1] + "/slices.npy", [grey, grey])' "$files"
run_well 1 run heat3d --input "$files/slices.npy" -n 1 -q -o "$work/should.npy"
run_well 3 run heat3d --input "$files/slices" -n 1 -q -o "$out/is.npy"
holds 'other cells from slices of two formats' cmp -s "$out/is.npy" "$work/should.npy"
rm -f "$out"/*
run_well 1 run heat --input "$data/horse.png" -n 1 -q -o "$out/is.npy"
holds 'no greys of a colour PNG' "$python" -c 'import numpy, sys
cells = numpy.load(sys.argv[1])
assert 0 <= cells.min() < 128 < cells.max() <= 255' "$out/is.npy"
# All formats turn colours into the same greys.
for name in colour colour16; do
    should=
    for file in "$files/$name".*; do
        case $file in *.npy) continue ;; esac # whose three columns are those of a volume
        run_well $((ranks = ranks % 3 + 1)) run heat --input "$file" -n 1 -q -o "$out/is.npy"
        [ -n "$should" ] || { should=$file && cp "$out/is.npy" "$work/should.npy"; }
        holds "other cells from $file than from $should" cmp -s "$out/is.npy" "$work/should.npy"
    done
done
rm -f "$out"/*
rm -f "$out"/*
run_well 1 --version
holds 'the formats are not told' grep -q '^reads images as PNG.*PNM' "$work/stdout"
while read -r name; do
    holds "docs/formats.md has no row for $name" grep -qi "^| .*${name%s}.* | .* | .* |\$" "$scripts/../../docs/formats.md"
done < <(sed -n 's/^reads images as //p' "$work/stdout" | sed 's/NumPy arrays (\(.*\))/\1/; s/, /\n/g')

# Files without a header.
"$python" - "$files" <<'PYTHON' || exit 1
import sys
import numpy

folder = sys.argv[1]
volume = numpy.load(folder + "/pages.npy")
open(folder + "/volume.bin", "wb").write(volume.tobytes())
wide = volume.astype(numpy.uint16) * 3
open(folder + "/big.bin", "wb").write(b"12345" + wide.astype(">u2").tobytes())
numpy.save(folder + "/three.npy", wide)
open(folder + "/image.bin", "wb").write(volume[0].tobytes())
numpy.save(folder + "/image.npy", volume[0])
PYTHON
# raw NAME BIN OPTION...: the same as NAME.npy.
raw() {
    local name=$1 bin=$2
    shift 2
    run_well 1 label "$files/$name.npy" -q -o "$work/should.npy"
    run_well 3 label "$files/$bin.bin" "$@" -q -o "$out/is.npy"
    holds "other labels of $bin.bin" cmp -s "$out/is.npy" "$work/should.npy"
    rm -f "$out"/*
}
raw pages volume --shape 11x20x30
raw three big --shape 11x20x30 --dtype '>u2' --offset 5
cp "$files/apart/"halves-*.bin "$files"
raw halves halves-little --shape 41x53 --dtype '<f2' --offset 5
raw halves halves-big --shape 41x53 --dtype '>f2' --offset 5
run_well 1 label "$files/filled.npy" -t -.8 -q -o "$work/should.npy" --regions "$work/should.csv"
run_well 3 label "$files/apart/halves.zarr" -t -.8 -q -o "$out/is.npy" --regions "$out/is.csv"
holds 'other labels of halves.zarr' cmp -s "$out/is.npy" "$work/should.npy"
holds 'other regions of halves.zarr' cmp -s "$out/is.csv" "$work/should.csv"
rm -f "$out"/*
raw image image --shape 20x30 --dtype uint8
fails 1 '600 bytes follow the last sample' 2 label "$files/volume.bin" --shape 10x20x30
fails 1 'cut off: 220 of 240 rows' 2 label "$files/volume.bin" --shape 12x20x30
fails 2 'takes u1, i1' 2 label "$files/volume.bin" --shape 11x20x30 --dtype u3
fails 2 'takes HEIGHTxWIDTH' 1 label "$files/volume.bin" --shape 11
fails 2 'takes HEIGHTxWIDTH' 1 label "$files/volume.bin" --shape 11x0x3
fails 2 'needs --shape' 1 label "$files/volume.bin" --dtype u1

# ---- what cannot be read, on one rank and on three ------------------------------------------------
while IFS=$'\t' read -r file message options; do
    # shellcheck disable=SC2086 # the options' words
    for ranks in 1 3; do fails 1 "$message" $ranks label "$files/bad/$file" -o "$out/labels.png" $options; done
done <"$files/bad/list"
finish
