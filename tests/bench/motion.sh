#!/usr/bin/env bash
# ./run bench motion: motion by cluster matching, time and errors, beside OpenCV's DIS and Farneback
# on one thread. The frames with known motion are made by Python (python3-opencv), the motorcycle
# pair comes with python3-skimage.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin motion "$@"
rounds=${rounds:-$(either 5 3)}
peer_rounds=$(either 3 1)
counts=(64 256)
declare -A target_error=([shift]=.05 [half]=.6)

echo "Motion of data/camera.png by 12, -7 (shift) and by 2.5, 1.25 (half) pixels, of three discs over"
echo "bricks, and of a stereo pair, both frames as bytes in memory: ns per pixel, medians of $rounds runs"
echo "in turn; end-point errors in pixels. $(nproc) cores."
find_python cv2 numpy || skip "nothing can be measured without the frames that Python makes with them"
mapfile -t scenes < <("$python" "$peers/peer_motion.py" make "$data" "$work")
[ ${#scenes[@]} -gt 0 ] || failed peer_motion.py make
for scene in "${scenes[@]}"; do
    read -r name height width <<<"$scene"
    for k in "${counts[@]}"; do
        for ranks in 1 2; do
            way "$name-$ranks-$k" "$ranks" "$name, $height x $width, K = $k" measure motion \
                frames="$work/$name.raw" rows="$height" columns="$width" clusters="$k" out="$work/$name-$k.flow"
        done
    done
    program="OpenCV DIS" most=$peer_rounds way "$name-dis" 1 "$name, DIS" \
        measure_peer peer_motion.py dis "$work" "$name"
    program="OpenCV Farneback" most=$peer_rounds way "$name-farneback" 1 "$name, Farneback" \
        measure_peer peer_motion.py farneback "$work" "$name"
done
measure_ways
table

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
        asked=''
        if [ "$k" = 64 ]; then asked=${target_error[$name]:-}; fi
        error "$name" "K = $k" "$("$python" "$peers/peer_motion.py" error "$work" "$name" \
            "$work/$name-$k.flow")" "$asked"
    done
    error "$name" DIS "${last[$name-dis]}"
    error "$name" Farneback "${last[$name-farneback]}"
    error "$name" "no motion" "$("$python" "$peers/peer_motion.py" none "$work" "$name")"
done
echo "(of the motorcycle the median is to be 2 pixels or less)"
finish
