#!/usr/bin/env bash
# ./run bench label: how fast labelling is, beside OpenCV (in memory) and vips (files), where they
# are installed: libopencv-imgproc-dev before building, libvips-tools.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin label "$@"
runs=$(either 15 5) rounds=${rounds:-$(either 5 3)} size=$(either 4096 2048) file_size=$(either 16384 4096)

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

# job KEY RANKS FILE: from PNG file to label file, and bytes a pixel.
job() {
    wall_seconds "$bin/halobeat" label "$3" --ranks "$2" -t 128 -o "$work/labels.png" \
        --regions "$work/regions.csv" --json "$work/run.json" --quiet
    keep "$1" "seconds=$taken bytes=$(calculate "$(peak_memory) / $file_size / $file_size")"
}

# vips_job KEY RANKS FILE: vips labels areas of one value, so that a grey picture goes through a threshold first.
vips_job() {
    local all=0 input=$3
    if [[ $1 = grey* ]]; then
        wall_seconds vips relational_const "$3" "$work/foreground.v" moreeq 128
        all=$taken input=$work/foreground.v
    fi
    wall_seconds vips labelregions "$input" "$work/labels.v"
    keep "$1" "seconds=$(calculate "$all + $taken")"
}

unit=seconds words=(bytes)
echo
echo "From PNG to labels and a table of regions: $file_size x $file_size blurred noise (blur_6), 8 bits a"
echo "pixel, as grey and as two values; seconds of the whole command, medians of $rounds in turn;"
echo "peak memory of all ranks together in bytes a pixel; vips labelregions to its uncompressed file."
if ! command -v vips >/dev/null; then echo "skipped: vips is not installed (libvips-tools)"; fi
for kind in grey binary; do
    file=$work/$kind-$file_size.png
    make_picture "$file" name=blur_6 size="$file_size" kind="$kind"
    cat "$file" >/dev/null # into memory
    for ranks in 1 2; do way "$kind-$ranks" "$ranks" "$kind" job "$file"; done
    if command -v vips >/dev/null; then program=vips way "$kind-vips" 1 "$kind, vips" vips_job "$file"; fi
done
measure_ways
table

echo
compared "times vips, grey, 2 ranks" grey-2 grey-vips
compared "times vips, binary, 2 ranks" binary-2 binary-vips
compared "times faster with 2 ranks than with 1, grey" grey-2 grey-1
compared "times faster with 2 ranks than with 1, binary" binary-2 binary-1
unit=ns
for key in "${!last[@]}"; do
    if [[ $key =~ ^1-(.*)-([48])-ours$ ]]; then
        compared "times faster with 2 ranks than with 1, ${BASH_REMATCH[1]}, ${BASH_REMATCH[2]}-connected" "2${key#1}" "$key"
    fi
done | sort
finish
