#!/usr/bin/env bash
# ./run bench label: how fast labelling is, beside OpenCV (in memory) and vips (files), where they
# are installed: libopencv-imgproc-dev before building, libvips-tools.
#   --quick           smaller pictures, fewer runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/label.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin label "$@"

size=4096 runs=15 file_size=16384 file_runs=5
if [ -n "$quick" ]; then size=2048 runs=5 file_size=4096 file_runs=3; fi

# ---- In memory ---------------------------------------------------------------------------------

# memory_rows RANKS: a line for each picture, connectivity and instructions; OpenCV's beside the best.
memory_rows() {
    local key base regions
    while read -r key; do
        base=${key%-*} regions=$(value regions "${last[$key]}")
        result "$key" halobeat "$1"
        printf '%-12s %-7s %5d %9d %7.3f %8.3f -%8.3f' "${base#"$1"-}" \
            "$(value instructions "${last[$key]}")" "$1" "$regions" "$(median "$key")" \
            "$(low "$key")" "$(high "$key")"
        if [ "${key##*-}" = ours ] && [ -n "${samples[$base-opencv]:-}" ]; then
            printf ' %8.3f %8.3f %7s %7s' "$(median "$base-opencv")" \
                "$(median "$base-opencv_stats")" "$(times "$key" "$base-opencv")" \
                "$(times "$key" "$base-opencv_stats")"
            result "$base-opencv" OpenCV "$1"
            result "$base-opencv_stats" "OpenCV with statistics" "$1"
        fi
        printf '\n'
    done < <(printf '%s\n' "${!last[@]}" | grep "^$1-.*-[48]-" | grep -v -- '-opencv' | sort)
}

echo "Labelling $size x $size in memory: 8-bit grey in, 32-bit labels out. ns a pixel, medians of $runs"
echo "runs in turn; OpenCV with a thread for each rank (threshold not counted), where it was found."
printf '%-12s %-7s %5s %9s %7s %18s %8s %8s %7s %7s\n' "" set ranks regions ours "low - high" OpenCV \
    +stats times times
for ranks in 1 2; do
    measure "$ranks" "$ranks" label size="$size" repeats="$runs"
    memory_rows "$ranks"
done

# ---- Files -------------------------------------------------------------------------------------

halobeat_job() {
    mpiexec.mpich -n "$1" "$bin/halobeat" label "$2" -t 128 -o "$work/labels.png" \
        --regions "$work/regions.csv" --json "$work/job.json" --quiet
}

# vips labels areas of one value, so that a grey picture goes through a threshold first.
vips_job() {
    if [ "$2" = grey ]; then
        vips relational_const "$1" "$work/foreground.v" moreeq 128
        vips labelregions "$work/foreground.v" "$work/labels.v"
    else
        vips labelregions "$1" "$work/labels.v"
    fi
}

# job KEY COMMAND...: from PNG file to label file, and bytes a pixel of ours; the first run warms up.
job() {
    local peak
    wall_seconds "${@:2}"
    peak=$(sed -n 's/^  "peak_memory_bytes": \([0-9]*\).*/\1/p' "$work/job.json")
    if [ "$run" -gt 0 ]; then
        keep "$1" "seconds=$taken bytes=$(calculate "$peak / $file_size / $file_size")"
    fi
}

unit=seconds words=(bytes)
echo
echo "From PNG to labels and a table of regions: $file_size x $file_size blurred noise (blur_6), 8 bits a"
echo "pixel, as grey and as two values; seconds of the whole command, medians of $file_runs in turn;"
echo "peak memory of all ranks together in bytes a pixel; vips labelregions to its uncompressed file."
if ! command -v vips >/dev/null; then echo "skipped: vips is not installed (libvips-tools)"; fi
head_line
for kind in grey binary; do
    file=$work/$kind-$file_size.png
    if [ ! -s "$file" ]; then
        "$bin/bench" picture name=blur_6 size="$file_size" out="$file.new" kind="$kind" \
            >"$work/log" 2>&1 || failed picture
        mv "$file.new" "$file"
    fi
    for ((run = 0; run <= file_runs; run++)); do
        job "$kind-1" halobeat_job 1 "$file"
        job "$kind-2" halobeat_job 2 "$file"
        if command -v vips >/dev/null; then job "$kind-vips" vips_job "$file" "$kind"; fi
    done
    row "$kind-1" halobeat 1 "$kind"
    row "$kind-2" halobeat 2 "$kind"
    words=()
    row "$kind-vips" vips 1 "$kind, vips"
    words=(bytes)
done

echo
compared "times vips, grey, 2 ranks" grey-2 grey-vips
compared "times vips, binary, 2 ranks" binary-2 binary-vips
compared "times faster with 2 ranks than with 1, grey" grey-2 grey-1
compared "times faster with 2 ranks than with 1, binary" binary-2 binary-1
unit=ns
for picture in noise_30 noise_50 noise_59 noise_70 blur_1.5 blur_6 blur_24 spiral; do
    for c in 4 8; do
        compared "times faster with 2 ranks than with 1, $picture, $c-connected" \
            "2-$picture-$c-ours" "1-$picture-$c-ours"
    done
done
finish
