#!/usr/bin/env bash
# ./run bench chan-vese: morphological Chan-Vese in memory on one rank and two, beside scikit-image
# where it is installed (python3-skimage, python3-opencv), and whether both find the same.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin chan-vese "$@"
rounds=${rounds:-$(either 5 3)}
peer_rounds=$(either 3 1)
large_beats=$(either 20 5)
camera=$data/camera.png

# ours KEY RANKS SIZE BEATS [WORD...]
ours() { measure "$1" "$2" chan_vese picture="$camera" size="$3" beats="$4" "${@:5}"; }

# skimage KEY RANKS SIZE BEATS
skimage() { measure_peer "$1" 1 peer_chan_vese.py "$camera" "$3" "$4" 1 "$work/skimage-$3.png"; }

echo "Morphological Chan-Vese of data/camera.png, repeated to the size, from the checkerboard on, one"
echo "smoothing a beat: ns per pixel and beat as they pass, medians of $rounds runs in turn, and on the"
echo "processors of all ranks together. $(nproc) cores."
large="4096 x 4096"
way small 1 "512 x 512" ours 512 400
target=.25 way large 1 "$large" ours 4096 "$large_beats"
way large-2 2 "$large" ours 4096 "$large_beats"
for smoothing in 0 3; do
    way "large-smooth-$smoothing" 1 "$large, $smoothing smoothings" ours 4096 "$large_beats" "smoothing=$smoothing"
done
way large-plain 1 "$large, plain C" ours 4096 "$large_beats" instructions=plain
peer=''
if find_python skimage cv2 numpy; then
    peer=yes
    program=scikit-image most=$peer_rounds way skimage-512 1 "scikit-image, 512 x 512" skimage 512 20
    program=scikit-image most=1 way skimage-4096 1 "scikit-image, $large" skimage 4096 2
fi
measure_ways
table
echo
compared "times faster with 2 ranks than with 1, 4096 x 4096" large-2 large
compared "times scikit-image, 512 x 512" small skimage-512
compared "times scikit-image, 4096 x 4096" large skimage-4096

# Both level sets, pixel by pixel.
for shape in ${peer:+512:20 4096:2}; do
    size=${shape%:*} beats=${shape#*:}
    "$python" "$peers/peer_images.py" repeat "$camera" "$size" "$work/camera-$size.png"
    "$bin/halobeat" chan-vese "$work/camera-$size.png" -n "$beats" --quiet \
        -o "$work/ours-$size.png" >"$work/log" 2>&1 || failed halobeat chan-vese
    printf '%-62s %8s\n' "pixels that differ from scikit-image's, $size x $size, $beats beats" \
        "$("$python" "$peers/peer_images.py" differ "$work/ours-$size.png" "$work/skimage-$size.png")"
done
finish
