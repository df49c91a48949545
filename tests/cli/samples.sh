#!/usr/bin/env bash
# Images of signed, wide and real samples: thresholds, labels and what regions tell are those of NumPy and
# SciPy, for any type, number of ranks, decomposition and instruction set, from files and pipes.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy
scripts=$(dirname "$0") out=$work/out
mkdir "$work/should"
"$python" "$scripts/compare_samples.py" make "$work" || exit 1

# Ranks, image, options. Lines that differ in ranks and in how pixels are cut have the same bytes.
while read -r ranks name options; do
    # shellcheck disable=SC2086 # the options' words
    labelled "$ranks" "$work/$name" $options
done <<'TABLE'
1 bytes.npy
2 bytes.npy --instructions plain
1 ct.npy -t -300 -c 26
3 ct.npy -t -300 -c 26 --decomposition 1x3x1
2 ct.npy -t -1000..-200
1 ct.npy -t -200,100 -c 18
3 ct.npy -t -200,100 -c 18 --method settle
2 ct.npy -t -20,150 --invert
1 ct.npy --periodic
3 ct.npy --periodic --decomposition strips
2 ct.npy -t 40% --fill-holes
2 ct.mrc -t -300 -c 26 --spacing pixels
1 wide.npy
2 wide.npy --instructions avx2
1 wide.npy -t 25%..75%
3 long.npy -c 8
1 long.npy -c 8 --instructions plain
2 high.npy
1 high.npy -t 90%
1 prob.npy -t 0.5 -c 26
3 prob.npy -t 0.5 -c 26 --decomposition 3x1x1 --balance chain
2 prob.npy -c 18 --decomposition 1x1x2
1 prob.npy -c 18
1 signs.npy -t nonzero
3 signs.npy -t nonzero --invert -c 8
2 signs.npy -t nonzero --fill-holes
2 signs-i2.npy -t nonzero
1 signs-i2.npy -t nonzero --invert --instructions plain
2 nan.npy -t nonzero
2 zeroes.npy -t nonzero
1 high.npy -t nonzero
1 prob.npy -t 40%
1 prob.npy -t .3,.7
2 prob.npy -t .3,.7 --decomposition blocks
1 nan.npy
3 nan.npy
2 nan.npy --invert -c 26
1 nan.npy -t .4..1
2 nan.npy --fill-holes -t .6
2 nan.npy -t .3,.7 --invert
1 huge.npy -c 8
3 huge.npy -c 8
2 huge.npy -t 1e-300
1 tiny.npy
2 zeroes.npy
1 none.npy
2 five.npy
1 hundred.npy -t 14%
2 hundred.npy -t 7%..14%
1 hundred-real.npy -t 14%
2 hundred-real.npy -t 29%..57%
TABLE

# The same samples in another file, of another type, or through a pipe, give the same bytes.
same() { # FROM TO WORDS...
    holds "other labels $*" cmp -s "$work/should/$1.npy" "$out/$2.npy"
    holds "other regions $*" cmp -s "$work/should/$1.csv" "$out/$2.csv"
    rm -f "$out"/*
}
should() { # NAME FILE OPTION...
    run_well 1 label "$work/$2" -q -o "$work/should/$1.npy" --regions "$work/should/$1.csv" "${@:3}"
}
should greys greys.npy -t 20000
for file in greys-i8.npy greys-u4.npy greys-i4.npy; do
    run_well 2 label "$work/$file" -q -o "$out/is.npy" --regions "$out/is.csv" -t 20000
    same greys is "of $file"
done
should otsu greys.npy -c 8 --spacing 2,3 --names skimage
run_well 3 label "$work/greys-i8.npy" -q -o "$out/is.npy" --regions "$out/is.csv" -c 8 --spacing 2,3 --names skimage
same otsu is 'with a spacing'
should real prob.npy -c 18
run_well 2 label "$work/prob.bin" --shape 9x40x130 --dtype '>f4' -q -o "$out/is.npy" --regions "$out/is.csv" -c 18
same real is 'of raw samples'
should scaled ct-real.npy -t -300 -c 26
for file in scaled.nii scaled-big.nii; do
    run_well 3 label "$work/$file" -q -o "$out/is.npy" --regions "$out/is.csv" -t -300 -c 26
    same scaled is "of $file, whose samples are scaled"
done
gzip -k "$work/scaled.nii"
run_well 2 label "$work/scaled.nii.gz" -q -o "$out/is.npy" --regions "$out/is.csv" -t -300 -c 26
same scaled is 'of scaled samples that are packed'
if has_python 'compressed TIFF' tifffile; then
    "$python" "$scripts/compare_samples.py" tiff "$work" || exit 1
    run_well 2 label "$work/prob.tif" -q -o "$out/is.npy" --regions "$out/is.csv" -c 18
    same real is 'of a TIFF'
    run_well 3 label "$work/prob.tif" -q -o "$out/is.npy" --regions "$out/is.csv" -c 18 --balance chain
    same real is 'of a TIFF that is balanced'
fi
what='halobeat label - <prob.npy'
words=(label - -q -o "$out/is.npy" --regions "$out/is.csv" -c 18)
holds 'it fails' "$program" "${words[@]}" < <(cat "$work/prob.npy")
same real is 'through a pipe'
holds 'it fails' "$program" "${words[@]}" <"$work/prob.npy"
same real is 'of standard input'
for more in '' '--balance chain' '--decomposition 1x1x2'; do
    # shellcheck disable=SC2086 # the options' words
    holds 'it fails' "$program" "${words[@]}" --ranks 2 $more < <(cat "$work/prob.npy")
    same real is "through a pipe, $more"
done
holds 'the results differ' "$python" "$scripts/compare_samples.py" compare "$work/runs"

# The summary tells of NaN and of a percentage, and JSON has infinities.
run_well 1 label "$work/nan.npy" -t 50% --regions "$out/regions.json"
holds 'NaN is not told' grep -q '% of the samples are nodata (NaN)' <(unbroken)
holds 'the percentage is not told' grep -q '(percent)' "$work/stdout"
holds 'the JSON is not valid' "$python" -c 'import json, sys
rows = json.load(open(sys.argv[1]), parse_constant=lambda name: 1 / 0)
assert any(row["max_grey"] is None for row in rows)' "$out/regions.json"
rm -f "$out"/*

# A file that changes while labels are written is not read for its regions as if it were the same.
what='halobeat label of a file that changes'
"$program" label "$work/noise.npy" -t .5 -q -o -.npy --regions "$out/regions.csv" 2>"$work/stderr" | {
    head -c 1 >/dev/null
    touch -d '2001-01-01' "$work/noise.npy"
    cat >/dev/null
}
holds 'the change is not noticed' grep -q 'has changed between two readings' "$work/stderr"
holds 'a table is left' [ ! -e "$out/regions.csv" ]

fails 2 'threshold -40000 is beyond' 2 label "$work/ct.npy" -t -40000
fails 2 'threshold 10000000000 is beyond .*uint32' 1 label "$work/wide.npy" -t 1e10
fails 2 'threshold -1 is beyond' 1 label "$work/greys.npy" -t -1
fails 2 'threshold -1 is beyond' 1 label "$work/greys.npy" -t -1..5
fails 2 'no sample of type int16 is from 5 to 3' 2 label "$work/ct.npy" -t 5..3
fails 1 'has 3 channels; choose with --channel' 2 label "$work/colours.mha"
finish
