#!/usr/bin/env bash
# ./run bench motion: motion by cluster matching, time and errors, beside OpenCV's DIS and Farneback
# on one thread. The frames with known motion are made by Python (python3-opencv), the motorcycle
# pair comes with python3-skimage.
#   --quick           fewer runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/motion.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin motion "$@"

rounds=5 peer_rounds=3
if [ -n "$quick" ]; then rounds=3 peer_rounds=1; fi
counts=(64 256)
declare -A target_error=([shift]=.05 [half]=.6)

echo "Motion of data/camera.png by 12, -7 (shift) and by 2.5, 1.25 (half) pixels, of three discs over"
echo "bricks, and of a stereo pair, both frames as bytes in memory: ns per pixel, medians of $rounds runs"
echo "in turn; end-point errors in pixels. $(nproc) cores."
if ! find_python cv2 numpy; then
    echo "There is nothing to measure without the frames that Python makes with them."
    exit 0
fi
mapfile -t scenes < <("$python" "$peers/peer_motion.py" make "$data" "$work")
[ ${#scenes[@]} -gt 0 ] || failed peer_motion.py make

# ours NAME ROWS COLUMNS RANKS K: time, and the flow to find its errors.
ours() {
    measure "$1-$4-$5" "$4" motion frames="$work/$1.raw" rows="$2" columns="$3" clusters="$5" \
        out="$work/$1-$5.flow"
}

for ((round = 0; round < rounds; round++)); do
    for scene in "${scenes[@]}"; do
        read -r name height width <<<"$scene"
        for k in "${counts[@]}"; do
            ours "$name" "$height" "$width" 1 "$k"
            ours "$name" "$height" "$width" 2 "$k"
        done
        if [ "$round" -ge "$peer_rounds" ]; then continue; fi
        for program in dis farneback; do
            measure_peer "$name-$program" peer_motion.py "$program" "$work" "$name"
        done
    done
done
head_line
for scene in "${scenes[@]}"; do
    read -r name height width <<<"$scene"
    for k in "${counts[@]}"; do
        for ranks in 1 2; do
            row "$name-$ranks-$k" halobeat "$ranks" "$name, $height x $width, K = $k"
        done
    done
    row "$name-dis" "OpenCV DIS" 1 "$name, DIS"
    row "$name-farneback" "OpenCV Farneback" 1 "$name, Farneback"
done

# error NAME WHO LINE [TARGET]
error() {
    local mean
    mean=$(value mean "$3")
    printf '%-12s %-12s %9.3f %9.3f %8s%s\n' "$1" "$2" "$mean" "$(value median "$3")" "${4:--}" \
        "$(awk -v n="$mean" -v t="${4:-}" 'BEGIN { if (t && n > t) printf " missed" }')"
    rows+=("{\"name\": \"$1 $2\", \"mean_error_pixels\": $mean, \
\"median_error_pixels\": $(value median "$3")}")
}

echo
printf '%-12s %-12s %9s %9s %8s\n' "" "" "mean error" median target
for scene in "${scenes[@]}"; do
    read -r name _ _ <<<"$scene"
    for k in "${counts[@]}"; do
        target=''
        if [ "$k" = 64 ]; then target=${target_error[$name]:-}; fi
        error "$name" "K = $k" "$("$python" "$peers/peer_motion.py" error "$work" "$name" \
            "$work/$name-$k.flow")" "$target"
    done
    error "$name" DIS "${last[$name-dis]}"
    error "$name" Farneback "${last[$name-farneback]}"
    error "$name" "no motion" "$("$python" "$peers/peer_motion.py" none "$work" "$name")"
done
echo "(of the motorcycle the median is to be 2 pixels or less)"
finish
