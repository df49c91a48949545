#!/usr/bin/env bash
# Regions of equal values, and of close ones: labels and what regions tell are those of a graph of all
# pixels, for any type of values, number of ranks, decomposition and instruction set.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy
scripts=$(dirname "$0") out=$work/out
"$python" "$scripts/compare_values.py" make "$work" || exit 1

while read -r ranks name options; do
    options=${options/--contacts/--contacts $work/runs.d/$runs/contacts.csv --spacing}
    # shellcheck disable=SC2086 # the options' words
    labelled "$ranks" "$work/$name.npy" --values $options
done <<TABLE
1 bytes
2 bytes -c 8 --decomposition blocks
4 bytes -c 8 --delta 1 --decomposition 2x2 --periodic
3 shorts -c 8 --instructions plain
2 shorts --delta 1 --periodic
1 big -c 8 --periodic --instructions avx2
4 big -c 8 --delta 2
1 labels -c 26
3 labels -c 26 --periodic
2 labels -c 18 --instructions plain
4 labels -c 6 --decomposition 1x2x2
4 labels -c 26 --decomposition 2x1x2 --delta 1
2 long -c 18 --periodic
8 signed -c 26 --decomposition 2x2x2 --periodic
1 signed -c 6 --delta 2 --instructions avx2
2 reals -c 8 --delta .5 --decomposition blocks --periodic
3 reals
5 doubles -c 26 --delta 1
2 flags -c 8
3 thin -c 26 --periodic
2 labels -c 18 --balance chain
1 blocks -c 6
1 blocks -c 18 --background none
1 blocks -c 26
1 blocks -c 26 --instructions plain
2 blocks -c 26 --instructions avx2
3 blocks -c 26 --periodic
2 bytes --background none -c 8
1 bytes --contacts 2,3
4 bytes -c 8 --contacts 2,3 --periodic
5 labels -c 18 --contacts 2,3,5
4 labels -c 26 --contacts 2,3,5 --decomposition 1x2x2 --periodic
13 labels --contacts 2,3,5 --periodic
3 signed --background -2 -c 18
2 reals --background none
2 doubles --background -.5 -c 26
1 shorts --background 99999
TABLE
holds 'the results differ' "$python" "$scripts/compare_values.py" compare "$work/runs"

# The summary says which values, and tells of no threshold.
run_well 2 label "$work/labels.npy" --values --background -2
holds 'no word of the values' grep -q '^values     all but -2: [0-9.]* % of the pixels$' "$work/stdout"
run_well 1 label "$work/labels.npy" --values --background none
holds 'no word of the values' grep -q '^values     all: 100.00 % of the pixels$' "$work/stdout"
holds 'a threshold' [ "$(grep -c '^threshold' "$work/stdout")" = 0 ]

# Filters and tables are the same for regions of values.
for ranks in 1 3; do
    run_well $ranks label "$work/labels.npy" --values -c 18 -q --min-area 2 --largest 9 --clear-border \
        --names skimage -o "$out/few.npy" --regions "$out/few.$ranks.csv"
done
holds 'other regions on 3 ranks' cmp -s "$out/few.1.csv" "$out/few.3.csv"
holds 'no intensity of regions' grep -q '^label,area,bbox-0.*,intensity_mean$' "$out/few.1.csv"
rm -f "$out"/*
run_well 1 label "$work/labels.npy" --values -q --delta 1 --names skimage --regions "$out/two.csv"
holds 'no extremes of regions' grep -q 'intensity_min,intensity_max$' "$out/two.csv"
rm -f "$out"/*

# Clusters touch each other: their labels are a picture that is labelled by values.
run_well 2 cluster "$data/gravel.png" -k 5 --beats 3 -q -o "$out/clusters.npy"
echo "$out" "$out/clusters.npy" -c 8 --background none >"$work/runs"
run_well 2 label "$out/clusters.npy" --values -c 8 --background none -q -o "$out/labels.npy" --regions "$out/regions.csv" \
    --json "$out/run.json"
holds 'other regions of clusters' "$python" "$scripts/compare_values.py" compare "$work/runs"
rm -f "$out"/*

# A PNG of one bit has the values 0 and 1.
run_well 1 label "$data/rock.png" -t 1 -q -o "$out/threshold.npy"
for ranks in 1 3; do
    run_well "$ranks" label "$data/rock.png" --values -q -o "$out/values.npy" --json "$out/run.json"
    holds 'other regions of bits' cmp -s "$out/threshold.npy" "$out/values.npy"
    holds 'not called bits' [ "$(told values)" = bit ]
done
fails 2 'pixels of one bit' 2 label "$data/rock.png" --values --background none
rm -f "$out"/*

# Identifiers beyond 2^53, which doubles cannot tell apart, and beyond 2^63 - 1.
"$python" - "$work" <<'PYTHON'
import sys

import numpy

ids = numpy.full((3, 4), 720575940618780781, "u8")
ids[0, 0], ids[2, 3] = 5, 720575940618780783
numpy.save(sys.argv[1] + "/ids.npy", ids)
numpy.save(sys.argv[1] + "/signed_ids.npy", -ids.astype("i8"))
ends = numpy.array([[2**63 - 1, 2**63 - 2, 2**63 - 2]], "i8")
numpy.save(sys.argv[1] + "/ends.npy", ends)
numpy.save(sys.argv[1] + "/top.npy", ends.astype("u8") + 1)
PYTHON
# ids IMAGE COUNT OPTION...: that many pixels are foreground, on any number of ranks; of regions.
ids() {
    local ranks image=$1 pixels=$2
    for ranks in 1 2 3; do
        run_well $ranks label "$work/$image.npy" "${@:3}" -q -o "$out/labels.npy" --regions "$out/regions.csv" \
            --json "$out/run.json"
        holds "not $pixels pixels" [ "$(told foreground_pixels)" = "$pixels" ]
    done
}
ids ids 1 -t 720575940618780783
ids ids 11 -t 720575940618780781
ids ids 10 -t 720575940618780780..720575940618780782
ids ids 1 -t 720575940618780782.5
ids ids 1 -t 7.20575940618780783e17
ids ids 11 -t 720575940618780781.0
ids ids 12 --values --background none --delta 720575940618780775
holds 'values that are farther apart are neighbours' grep -q '^1,1,' "$out/regions.csv"
ids ids 12 --values --background none --delta 720575940618780776
holds 'values that are as far apart are no neighbours' grep -q '^1,1[12],' "$out/regions.csv"
holds 'another distance' [ "$(told delta)" = 720575940618780776 ]
ids ids 11 -t 50%
holds 'another half' [ "$(told threshold value)" = 360287970309390394 ]
ids ids 2 --values --background 720575940618780781
holds 'another value' grep -q ',720575940618780783$' "$out/regions.csv"
ids ids 11 --values --background 5
ids signed_ids 11 -t -720575940618780782
ids signed_ids 1 -t -9223372036854775808..-720575940618780782
ids signed_ids 2 --values --background -720575940618780781
ids ends 1 -t 9223372036854775807
holds 'another threshold' [ "$(told threshold value)" = 9223372036854775807 ]
holds 'another extreme' grep -q ',9223372036854775807,9223372036854775807' "$out/regions.csv"
ids ends 1 --values --background 9223372036854775806
ids top 1 -t 9223372036854775808
holds 'another threshold' [ "$(told threshold value)" = 9223372036854775808 ]
holds 'another extreme' grep -q ',9223372036854775808,9223372036854775808' "$out/regions.csv"
ids top 1 --values --background 9223372036854775807
holds 'another value' grep -q ',9223372036854775808$' "$out/regions.csv"
fails 2 'the threshold 9223372036854775808 is beyond' 2 label "$work/ends.npy" -t 9223372036854775808 -q
fails 2 'the threshold -1 is beyond' 1 label "$work/ids.npy" -t -1 -q
rm -f "$out"/*

fails 2 'cannot be used with --threshold\|--threshold' 1 label "$work/bytes.npy" --values -t 3
fails 2 'takes a number, none, ' 1 label "$work/bytes.npy" --values --background zero
fails 2 'pixels of one bit' 2 label "$work/flags.npy" --values --background none
fails 2 'needs --values' 1 label "$work/bytes.npy" --delta 2
fails 2 'delta' 1 label "$work/bytes.npy" --values --delta -1
fails 2 'needs --values' 1 label "$work/bytes.npy" --contacts "$out/a.csv"
fails 2 '--contacts needs --numbering scan' 1 label "$work/bytes.npy" --values --contacts "$out/a.csv" \
    --numbering seed
fails 2 '--values needs --method union' 2 label "$work/bytes.npy" --values --method settle
fails 2 '--fill-holes' 1 label "$work/bytes.npy" --values --fill-holes
fails 1 '3 samples of type uint8, and one a pixel are needed' 2 label "$work/colours.npy" --values
finish
