#!/usr/bin/env bash
# ./run bench label_narrow, a part of ./run bench label: noise of 20 million pixels as few columns and as few
# rows, whole commands from a raw file to an array of labels, with one threshold, with local ones (of the largest
# radius up to 7), of equal values, and with pixels that are missing. An image of few columns takes at most 1.5
# times as long.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin label_narrow "$@"
rounds=${rounds:-$(either 9 3)} widths=$(either '1 2 3 8 16 32 64 300' '1 8 64')
unit=seconds words=(bytes) pixels=20160000
declare -A kinds=([local]='-t local:' [values]=--values [nodata]='-t 128 --nodata 0')

# job KEY RANKS SHAPE OPTION...: seconds of the whole command on the processor, and bytes a pixel.
job() {
    processor_seconds "$bin/halobeat" label "$work/noise.raw" --shape "$3" "${@:4}" -o "$work/labels.npy" \
        --json "$work/run.json" --quiet
    keep "$1" "seconds=$taken bytes=$(calculate "$(peak_memory) / $pixels")"
}

# both PREFIX WIDTH TEXT OPTION...: so many columns, and so many rows.
both() {
    way "$1$2-columns" 1 "$3$2 columns" job "$((pixels / $2))x$2" "${@:4}"
    way "$1$2-rows" 1 "$3$2 rows" job "$2x$((pixels / $2))" "${@:4}"
}

echo "Noise of $pixels pixels of 8 bits, labelled as an image of a few columns and as one of a few rows:"
echo "seconds of the whole command on the processor, medians of $rounds in turn, and peak memory in bytes a pixel."
head -c "$pixels" /dev/urandom >"$work/noise.raw"
for width in $widths; do both '' "$width" '' -t 128; done
for kind in "${!kinds[@]}"; do
    for width in 2 8; do
        read -r -a options <<<"${kinds[$kind]}"
        if [ "$kind" = local ]; then options[1]+=$((width - 1)); fi
        both "$kind-" "$width" "$kind, " "${options[@]}"
    done
done
measure_ways
table
echo
for kind in "${!kinds[@]}"; do
    for width in 2 8; do
        compared "times as fast with $width columns as with $width rows, $kind" "$kind-$width-columns" "$kind-$width-rows"
    done
done
for width in $widths; do
    compared "times as fast with $width columns as with $width rows" "$width-columns" "$width-rows"
done
finish
