#!/usr/bin/env bash
# What is inside equals scikit-image's answer on real images, to the last pixel.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy skimage
folder=$("$python" -c 'import os, skimage; print(os.path.join(os.path.dirname(skimage.__file__),
"data"))')
images=("$data/camera.png")
if [ -f "$folder/coins.png" ]; then
    images+=("$folder/coins.png")
else
    echo 'skipped: coins, not installed: python3-skimage' # Debian's has them, PyPI's has not
fi
check=$(dirname "$0")/chan_vese_check.py
"$python" "$check" make 131 97 16 "$work/deep.png"
images+=("$work/deep.png")
what="scikit-image's answers"
holds "the results differ from them" "$python" "$check" skimage "$program" "$work" "${images[@]}"
finish
