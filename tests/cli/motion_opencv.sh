#!/usr/bin/env bash
# How near real motion is: moved real images, and the two views of scikit-image's motorcycle. Flow
# is read by OpenCV.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy cv2 skimage
judge() { "$python" "$(dirname "$0")/motion_opencv.py" "$@"; }

# moved IMAGE U V MOST: its mean end-point error with 64 clusters.
moved() {
    judge shifted "$data/$1" "$2" "$3" "$work/0.png" "$work/1.png" || wrong "no frames of $1"
    run_well 2 motion "$work/0.png" "$work/1.png" -k 64 -q -o "$work/out/flow.flo"
    what="$1 moved by $2, $3"
    holds 'the error is too large' judge shift "$work/out/flow.flo" "$2" "$3" "$4"
}
moved camera.png 12 -7 0.05
moved camera.png 2.5 1.25 0.6
moved chelsea.png -9 5 0.05

folder=$("$python" -c 'import os, skimage; print(os.path.dirname(skimage.__file__))')/data
what='the motorcycle'
if [ -f "$folder/motorcycle_left.png" ] && [ -f "$folder/motorcycle_disp.npz" ]; then
    run_well 2 motion "$folder/motorcycle_left.png" "$folder/motorcycle_right.png" -k 64 -q \
        -o "$work/out/flow.flo"
    holds 'the error is too large' judge stereo "$work/out/flow.flo" \
        "$folder/motorcycle_disp.npz" 2
else
    echo "skipped: $what, not installed: python3-skimage" # Debian's has it, PyPI's has not
fi
finish
