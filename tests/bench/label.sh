#!/usr/bin/env bash
# ./run bench label: how fast labelling is, beside OpenCV (in memory) and vips (files), where they
# are installed: libopencv-imgproc-dev before building, libvips-tools.
#   --quick           smaller pictures, fewer runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/label.json)
set -euo pipefail

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
bin=$root/build/bench/bin
work=$root/build/bench/work
save=$root/build/bench/label.json
size=4096 runs=15 file_size=16384 file_runs=5 baseline=

while [ $# -gt 0 ]; do
    case $1 in
        --quick) size=2048 runs=5 file_size=4096 file_runs=3 ;;
        --vs) baseline=${2:?--vs needs the result of an earlier run} && shift ;;
        --save) save=${2:?--save needs a file name} && shift ;;
        *) echo "./run bench label takes --quick, --vs FILE and --save FILE, not '$1'" >&2 && exit 2 ;;
    esac
    shift
done
if [ -n "$baseline" ] && [ ! -r "$baseline" ]; then
    echo "./run bench label: cannot read $baseline; name the result of an earlier run" >&2
    exit 2
fi
mkdir -p "$work"

# seconds COMMAND...: how long it takes, into $taken.
seconds() {
    local begun=$EPOCHREALTIME
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    taken=$(awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.4f", b - a }')
}

# median NUMBER...
median() {
    printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

halobeat_job() {
    mpiexec.mpich -n "$1" "$bin/halobeat" label "$2" -t 128 -o "$work/labels.png" \
        --regions "$work/regions.csv" --json "$work/job.json" --quiet
}

# vips labels areas of one value, so that a grey picture goes through a threshold first.
vips_job() {
    if [ "$2" = grey ]; then
        vips relational_const "$1" "$work/lit.v" moreeq 128
        vips labelregions "$work/lit.v" "$work/labels.v"
    else
        vips labelregions "$1" "$work/labels.v"
    fi
}

peak_bytes() {
    sed -n 's/^  "peak_memory_bytes": \([0-9]*\).*/\1/p' "$work/job.json"
}

# whole_job KIND: from PNG file to label file, ours on 1 and 2 ranks and vips in turn.
whole_job() {
    local kind=$1 picture=$work/$1-$file_size.png
    local -a one=() two=() peer=()
    [ -s "$picture" ] || "$bin/bench_picture" blur_6 "$file_size" "$picture.new" "$kind"
    [ -s "$picture" ] || mv "$picture.new" "$picture"
    for ((i = 0; i <= file_runs; i++)); do # the first run warms up
        seconds halobeat_job 1 "$picture"; [ "$i" = 0 ] || one+=("$taken")
        local peak_one; peak_one=$(peak_bytes)
        seconds halobeat_job 2 "$picture"; [ "$i" = 0 ] || two+=("$taken")
        local peak_two; peak_two=$(peak_bytes)
        if command -v vips >/dev/null; then
            seconds vips_job "$picture" "$kind"; [ "$i" = 0 ] || peer+=("$taken")
        fi
    done
    add_row "$kind" 1 "$(median "${one[@]}")" "$peak_one"
    add_row "$kind" 2 "$(median "${two[@]}")" "$peak_two"
    printf '%-5s %8.3f s %8.3f s %6.2f %6.2f B' "$kind" "$(median "${one[@]}")" \
        "$(median "${two[@]}")" "$(share "$peak_one")" "$(share "$peak_two")"
    if [ ${#peer[@]} -gt 0 ]; then
        printf ' %8.3f s %6.1f\n' "$(median "${peer[@]}")" \
            "$(awk -v a="$(median "${peer[@]}")" -v b="$(median "${two[@]}")" 'BEGIN { print a / b }')"
    else
        printf '  skipped: vips is not installed (libvips-tools)\n'
    fi
}

# share BYTES: of a pixel.
share() {
    awk -v b="$1" -v n="$file_size" 'BEGIN { print b / n / n }'
}

rows=()
add_row() {
    rows+=("{\"picture\": \"blur_6 $1 PNG\", \"program\": \"halobeat\", \"connectivity\": 4,
\"ranks\": $2, \"size_pixels\": $file_size, \"median_seconds\": $3, \"peak_memory_bytes\": $4}")
}

for ranks in 1 2; do
    mpiexec.mpich -n "$ranks" "$bin/bench_label" "$work/memory-$ranks.json" "$size" "$runs"
    echo
done

echo "From PNG to labels and a table of regions: $file_size x $file_size blurred noise (blur_6), 8 bits a"
echo "pixel, as grey and as two values; seconds of the whole command, medians of $file_runs in turn;"
echo "peak memory of all ranks together in bytes a pixel; vips labelregions to its uncompressed file."
printf '%-5s %10s %10s %6s %8s %10s %6s\n' "" "1 rank" "2 ranks" "mem 1" "mem 2" vips times
whole_job grey
whole_job lit
(IFS=,; echo "{\"rows\": [${rows[*]}]}") >"$work/files.json"

"$bin/bench_report" join "$save" "$work/memory-1.json" "$work/memory-2.json" "$work/files.json"
"$bin/bench_report" speedup "$save"
if [ -n "$baseline" ]; then "$bin/bench_report" vs "$baseline" "$save"; fi
echo
echo "Result kept in $save"
