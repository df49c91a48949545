#!/usr/bin/env bash
# Part of ./run bench label: noise of 20 million pixels as few columns and as few rows, whole commands
# from a raw file to an array of labels, with one threshold, with local ones (of the largest radius up to 7),
# of equal values, and with pixels that are missing. An image of few columns takes at most 1.5 times as long.
#   --quick           fewer runs and widths
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/label_narrow.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin label_narrow "$@"
unit=seconds words=(bytes) runs=9 pixels=20160000 widths=(1 2 3 8 16 32 64 300)
if [ -n "$quick" ]; then runs=3 widths=(1 8 64); fi
declare -A kinds=([local]='-t local:' [values]=--values [nodata]='-t 128 --nodata 0')

# job KEY SHAPE OPTION...: seconds of the whole command on the processor, and bytes a pixel.
job() {
    local peak
    processor_seconds "$bin/halobeat" label "$work/noise.raw" --shape "$2" "${@:3}" -o "$work/labels.npy" \
        --json "$work/job.json" --quiet
    peak=$(sed -n 's/^  "peak_memory_bytes": \([0-9]*\).*/\1/p' "$work/job.json")
    if [ "$run" -gt 0 ]; then keep "$1" "seconds=$taken bytes=$(calculate "$peak / $pixels")"; fi
}

echo "Noise of $pixels pixels of 8 bits, labelled as an image of a few columns and as one of a few rows:"
echo "seconds of the whole command on the processor, medians of $runs in turn, and peak memory in bytes a pixel."
head -c "$pixels" /dev/urandom >"$work/noise.raw"
for ((run = 0; run <= runs; run++)); do
    for width in "${widths[@]}"; do
        job "$width-columns" "$((pixels / width))x$width" -t 128
        job "$width-rows" "${width}x$((pixels / width))" -t 128
    done
    for width in 2 8; do
        for kind in "${!kinds[@]}"; do
            read -r -a options <<<"${kinds[$kind]}"
            if [ "$kind" = local ]; then options[1]+=$((width - 1)); fi
            job "$kind-$width-columns" "$((pixels / width))x$width" "${options[@]}"
            job "$kind-$width-rows" "${width}x$((pixels / width))" "${options[@]}"
        done
    done
done
head_line
for width in "${widths[@]}"; do
    row "$width-columns" halobeat 1 "$width columns"
    row "$width-rows" halobeat 1 "$width rows"
done
for kind in "${!kinds[@]}"; do
    for width in 2 8; do
        row "$kind-$width-columns" halobeat 1 "$kind, $width columns"
        row "$kind-$width-rows" halobeat 1 "$kind, $width rows"
    done
done
echo
for kind in "${!kinds[@]}"; do
    for width in 2 8; do
        compared "times as fast with $width columns as with $width rows, $kind" "$kind-$width-columns" "$kind-$width-rows"
    done
done
for width in "${widths[@]}"; do
    compared "times as fast with $width columns as with $width rows" "$width-columns" "$width-rows"
done
finish
