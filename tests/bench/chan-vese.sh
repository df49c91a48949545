#!/usr/bin/env bash
# ./run bench chan-vese: morphological Chan-Vese in memory on one rank and two, beside scikit-image
# where it is installed (python3-skimage, python3-opencv), and whether both find the same.
#   --quick           fewer beats and runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/chan-vese.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin chan-vese "$@"

rounds=5 peer_rounds=3 large_beats=20
if [ -n "$quick" ]; then rounds=3 peer_rounds=1 large_beats=5; fi
camera=$data/camera.png

# ours KEY RANKS SIZE BEATS SMOOTHING INSTRUCTIONS
ours() {
    measure "$1" "$2" chan_vese picture="$camera" size="$3" beats="$4" smoothing="$5" \
        ${6:+"instructions=$6"}
}

# skimage SIZE BEATS
skimage() {
    measure_peer "skimage-$1" peer_chan_vese.py "$camera" "$1" "$2" 1 "$work/skimage-$1.png"
}

echo "Morphological Chan-Vese of data/camera.png, repeated to the size, from the checkerboard on, one"
echo "smoothing a beat: ns per pixel and beat as they pass, medians of $rounds runs in turn, and on the"
echo "processors of all ranks together. $(nproc) cores."
peer=''
if find_python skimage cv2 numpy; then peer=yes; fi
for ((round = 0; round < rounds; round++)); do
    ours small 1 512 400 1
    ours large 1 4096 "$large_beats" 1
    ours large-2 2 4096 "$large_beats" 1
    ours large-smooth-0 1 4096 "$large_beats" 0
    ours large-smooth-3 1 4096 "$large_beats" 3
    ours large-plain 1 4096 "$large_beats" 1 plain
    if [ -n "$peer" ] && [ "$round" -lt "$peer_rounds" ]; then skimage 512 20; fi
    if [ -n "$peer" ] && [ "$round" = 0 ]; then skimage 4096 2; fi
done
head_line
row small halobeat 1 "512 x 512"
row large halobeat 1 "4096 x 4096" .25
row large-2 halobeat 2 "4096 x 4096"
row large-smooth-0 halobeat 1 "4096 x 4096, no smoothing"
row large-smooth-3 halobeat 1 "4096 x 4096, 3 smoothings"
row large-plain halobeat 1 "4096 x 4096, plain C"
row skimage-512 scikit-image 1 "scikit-image, 512 x 512"
row skimage-4096 scikit-image 1 "scikit-image, 4096 x 4096"
echo
compared "times faster with 2 ranks than with 1, 4096 x 4096" large-2 large
compared "times scikit-image, 512 x 512" small skimage-512
compared "times scikit-image, 4096 x 4096" large skimage-4096

# Both level sets, pixel by pixel.
if [ -n "$peer" ]; then
    for size in 512 4096; do
        beats=20
        if [ "$size" = 4096 ]; then beats=2; fi
        "$python" "$peers/peer_images.py" repeat "$camera" "$size" "$work/camera-$size.png"
        "$bin/halobeat" chan-vese "$work/camera-$size.png" -n "$beats" --quiet \
            -o "$work/ours-$size.png" >"$work/log" 2>&1 || failed halobeat chan-vese
        printf '%-62s %8s\n' "pixels that differ from scikit-image's, $size x $size, $beats beats" \
            "$("$python" "$peers/peer_images.py" differ "$work/ours-$size.png" \
                "$work/skimage-$size.png")"
    done
fi
finish
