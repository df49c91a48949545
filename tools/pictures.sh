#!/usr/bin/env bash
# Make the README's pictures of clusters, motion and contours again, into data/pictures, from the
# images in data. Frames are cut out, made smaller and turned by Python (python3-opencv).
#   HALOBEAT=FILE   the program (default: ./run, which builds it)
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")
halobeat=${HALOBEAT:-$root/run}
data=$root/data
made=$data/pictures
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
mkdir -p "$made"

python=/usr/bin/python3
if ! "$python" -c 'import cv2' 2>/dev/null; then
    echo "tools/pictures.sh: $python has no cv2; install python3-opencv" >&2
    exit 1
fi

picture() { "$python" "$root/tools/pictures.py" "$@" 2>/dev/null; }
run() { "$halobeat" "$@" --quiet; }

# Few places, many colours: what lies together and looks alike in one colour.
run cluster "$data/coffee.png" --colour -k 300 --weight 4 --max-beats 100 \
    --mosaic "$made/clusters.png"
# Superpixels: compact, and still along edges. The borders are drawn on the mosaic.
run cluster "$data/astronaut.png" --colour -k 500 --weight 1.5 --max-beats 100 \
    --mosaic "$frames/mosaic.png"
run cluster "$frames/mosaic.png" --colour -k 500 --weight 1.5 --max-beats 20 \
    --outline "$made/superpixels.png"

picture part "$data/astronaut.png" 0,0,512,512 300 "$frames/before.png"
picture turn "$frames/before.png" -4 1.04 "$frames/after.png"
run motion "$frames/before.png" "$frames/after.png" -k 160 --radius 20 \
    -o "$made/flow.png" --arrows "$made/arrows.png"

run snake "$data/astronaut.png" --init circle:225,115,108 --floor 24 \
    --overlay "$frames/head.png"
picture cut "$frames/head.png" 105,0,240,236 "$made/snake.png"

picture part "$data/camera.png" 0,20,440,440 300 "$frames/camera.png"
run chan-vese "$frames/camera.png" --smoothing 2 -n 200 --overlay "$made/chan-vese.png"

wc -c "$made"/*.png
