#!/usr/bin/env bash
# Samples that stand for no data (GDAL_NODATA, NaN, --nodata and others): no foreground, no part of
# thresholds and means, solid for walkers, barriers of paths; as NumPy and SciPy have it, on any number
# of ranks. Commands that need all samples refuse such images.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python scipy tifffile
check=$(dirname "$0")/nodata_check.py
"$python" "$check" make "$work" || exit 1

# source NAME: prints a free cell of an image of costs.
source_of() {
    "$python" -c 'import numpy, sys
y, x = numpy.argwhere(~numpy.load(sys.argv[1] + ".missing.npy"))[0]
print("%d,%d" % (x, y))' "$1"
}
while read -r ranks command name options; do
    # shellcheck disable=SC2206 # the options' words
    words=($options)
    case $command in
        paths) words+=(--from "$(source_of "$name")") ;;
    esac
    add_run "$command" "$name" "${words[@]}"
    case $command in
        label) words+=(-o "$folder/labels.npy" --regions "$folder/regions.csv") ;;
        paths) words+=(-o "$folder/distances.npy") ;;
        walk) words+=(--walkers 100 --steps 10) ;;
    esac
    run_well "$ranks" "$command" "$name" -q --json "$folder/run.json" "${words[@]}"
done <"$work/list"
what='what came of it'
holds 'the results differ' "$python" "$check" compare "$work"
finish
