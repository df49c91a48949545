#!/usr/bin/env bash
# Make the pictures that README.md and docs show again, from the images and patterns in data.
#   bash tools/pictures.sh             all of them
#   bash tools/pictures.sh FILE...     these, such as data/pictures/flow.png
#   bash tools/pictures.sh --check     make none: is each picture that a page shows made here?
# Frames are cut out, made smaller and turned by Python (python3-opencv). Movies need ffmpeg, plots
# gnuplot, and the simulated cluster SimGrid. strips-or-blocks.png is a measurement: leave the machine
# alone meanwhile.
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")
cd "$root"
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT

# Each picture has a function that makes it; one function may make several.
declare -A makes=(
    [data/brick-regions.png]=make_bricks
    [data/grains.tif]=make_grains
    [data/pictures/grains.png]=make_volume
    [data/pictures/stones.png]=make_stones
    [data/glider-gun.gif]=make_gun
    [data/pictures/clusters.png]=make_clusters
    [data/pictures/superpixels.png]=make_superpixels
    [data/pictures/flow.png]=make_motion
    [data/pictures/arrows.png]=make_motion
    [data/pictures/snake.png]=make_snake
    [data/pictures/chan-vese.png]=make_chan_vese
    [data/pictures/filters.png]=make_filters
    [data/pictures/masks.png]=make_filters
    [data/pictures/extrema.png]=make_filters
    [data/pictures/room.png]=make_room
    [data/pictures/room-cost.png]=make_room
    [data/rock.png]=make_rock
    [data/pictures/walk.png]=make_walk
    [data/pictures/walk-plot.png]=make_walk
    [data/pictures/paths.png]=make_paths
    [data/pictures/nearest.png]=make_paths
    [data/strips-or-blocks.png]=make_strips_or_blocks
    [data/strips-that-move.png]=make_strips_that_move
)

run() { ./run "$@" --quiet; }
python() { /usr/bin/python3 tools/pictures.py "$@" 2>/dev/null; }

make_bricks() { run label data/brick.png --invert --colour data/brick-regions.png; }

make_grains() { python grains data/grains.tif; }

make_volume() {
    run label data/grains.tif -c 26 -o "$frames/labels.tif"
    python volume data/grains.tif "$frames/labels.tif" data/pictures/grains.png
}

make_stones() {
    python part data/gravel.png 100,100,320,320 320 "$frames/stones.png"
    run label "$frames/stones.png" --filter 'median:1 gaussian:1.5' -t 105 \
        --mask-filter 'fill_holes opening:disk:3' --split intensity:12 --outline data/pictures/stones.png
}

# Two periods of the gun, from when the first gliders have left.
make_gun() {
    run life data/patterns/glider-gun.rle -n 240 -o "$frames/gun-240.rle"
    run life "$frames/gun-240.rle" -n 59 --every 1 --view 80x46+-3+-3 --scale 6 \
        --movie data/glider-gun.gif
}

# Place counts little, colour much: what lies together and looks alike in one colour.
make_clusters() {
    run cluster data/coffee.png --colour -k 300 --weight 4 -n 100 \
        --mosaic data/pictures/clusters.png
}

# Compact, and still along edges. The borders are drawn on the mosaic.
make_superpixels() {
    run cluster data/astronaut.png --colour -k 500 --weight 1.5 -n 100 \
        --mosaic "$frames/mosaic.png"
    run cluster "$frames/mosaic.png" --colour -k 500 --weight 1.5 -n 20 \
        --outline data/pictures/superpixels.png
}

make_motion() {
    python part data/astronaut.png 0,0,512,512 300 "$frames/before.png"
    python turn "$frames/before.png" -4 1.04 "$frames/after.png"
    run motion "$frames/before.png" "$frames/after.png" -k 160 --radius 20 \
        -o data/pictures/flow.png --arrows data/pictures/arrows.png
}

make_snake() {
    run snake data/astronaut.png --init circle:225,115,108 --floor 24 --overlay "$frames/head.png"
    python cut "$frames/head.png" 105,0,240,236 data/pictures/snake.png
}

make_chan_vese() {
    python part data/camera.png 0,20,440,440 300 "$frames/camera.png"
    run chan-vese "$frames/camera.png" --smoothing 2 -n 200 --overlay data/pictures/chan-vese.png
}

# Each filter on the same part of a photograph; derivatives are stretched to black and white.
make_filters() {
    local step greys=(image.png) masks=() maxima=(gaussian:1.5.png)
    python part data/camera.png 120,40,260,260 150 "$frames/image.png"
    for step in gaussian:2 uniform:9 median:3 minimum:7 maximum:7 percentile:25:9 opening:disk:4 closing:disk:4 \
        white_tophat:disk:6 black_tophat:disk:6 sobel prewitt laplace gaussian_laplace:2 gaussian_gradient_magnitude:1.5 \
        background:20 rolling_ball:20 rescale:5%,80% equalize gamma:.5 log invert; do
        run filter "$frames/image.png" "$step" rescale:dtype=uint8 -o "$frames/$step.png"
        greys+=("$step.png")
    done
    run filter "$frames/image.png" invert -o "$frames/invert.png"
    run filter "$frames/image.png" gamma:.5 -o "$frames/gamma:.5.png"
    run filter "$frames/image.png" gaussian:1 threshold:otsu invert -o "$frames/threshold.png"
    masks=(threshold.png)
    for step in fill_holes remove_small_objects:60 clear_border opening:disk:2 erosion:box:3 dilation:disk:3 skeletonize; do
        run filter "$frames/threshold.png" "$step" -o "$frames/$step.png"
        masks+=("$step.png")
    done
    run filter "$frames/image.png" gaussian:1.5 -o "$frames/gaussian:1.5.png"
    for step in local_maxima h_maxima:15 extended_maxima:15; do # single pixels are drawn larger
        run filter "$frames/gaussian:1.5.png" "$step" dilation:disk:2 -o "$frames/$step.png"
        maxima+=("$step.png")
    done
    run filter "$frames/gaussian:1.5.png" erosion:disk:5 "reconstruction:$frames/gaussian:1.5.png" -o "$frames/reconstruction.png"
    run filter "$frames/gaussian:1.5.png" "subtract:$frames/reconstruction.png" multiply:3 -o "$frames/subtract, times 3.png"
    maxima+=(reconstruction.png "subtract, times 3.png")
    (cd "$frames" && /usr/bin/python3 "$root/tools/pictures.py" sheet 3 "$root/data/pictures/extrema.png" "${maxima[@]}")
    (cd "$frames" && /usr/bin/python3 "$root/tools/pictures.py" sheet 5 "$root/data/pictures/filters.png" "${greys[@]}")
    (cd "$frames" && /usr/bin/python3 "$root/tools/pictures.py" sheet 4 "$root/data/pictures/masks.png" "${masks[@]}")
}

make_room() {
    run trace data/scenes/room.nff --size 320x320 --subpixels 4 -o data/pictures/room.png \
        --heat data/pictures/room-cost.png
}

make_rock() { python rock data/rock.png; }

make_walk() {
    run walk data/rock.png --flow channel:0.15 --steps 1500 --walkers 20 --shown 14 \
        --trajectories data/pictures/walk.png
    run walk data/rock.png --steps 32768 --plot data/pictures/walk-plot.png
}

# Ways between stones: dark gaps cost little.
make_paths() {
    python part data/gravel.png 0,0,512,512 300 "$frames/gravel.png"
    run paths "$frames/gravel.png" --from 150,150 --to 8,8 --to 290,14 --to 12,290 --to 290,290 \
        --to 150,6 --to 6,150 --to 294,150 --to 150,294 --overlay data/pictures/paths.png
    run paths "$frames/gravel.png" --from 40,50 --from 230,40 --from 150,140 --from 60,240 \
        --from 250,210 --from 150,280 --nearest data/pictures/nearest.png
}

make_strips_or_blocks() {
    HALOBEAT_RANKS=4 run bench decomposition --kernel heat --size 4096 --depth 1,8 \
        --plot data/strips-or-blocks.png
}

make_strips_that_move() {
    ./run sim hot >/dev/null
    cp out/sim/hot.png data/strips-that-move.png
}

# shown: the pictures of README.md and docs, as paths from the top.
shown() {
    local page
    for page in README.md docs/*.md; do
        { grep -o '!\[[^]]*\]([^)]*)' "$page" || true; } | sed -e 's/.*(//' -e 's/)$//' |
            while read -r file; do realpath -m --relative-to=. "$(dirname "$page")/$file"; done
    done | sort -u
}

# Photographs are in the table of data/README.md, and not made.
check() {
    local file bad=0
    for file in $(shown); do
        if [ -z "${makes[$file]:-}" ] && ! grep -qF "| \`$(basename "$file")\` |" data/README.md; then
            echo "tools/pictures.sh: a page shows $file, which nothing here makes" >&2
            bad=1
        fi
    done
    return "$bad"
}

main() {
    local file
    local -A wanted=()
    check || exit 1
    if [ "${1:-}" = --check ]; then return; fi
    if [ $# = 0 ]; then set -- "${!makes[@]}"; fi
    for file in "$@"; do
        if [ -z "${makes[$file]:-}" ]; then
            echo "tools/pictures.sh: nothing makes '$file'; pictures: ${!makes[*]}" >&2
            exit 2
        fi
        wanted[${makes[$file]}]=1
    done
    if ! /usr/bin/python3 -c 'import cv2' 2>/dev/null; then
        echo "tools/pictures.sh: /usr/bin/python3 has no cv2; install python3-opencv" >&2
        exit 1
    fi
    mkdir -p data/pictures
    for file in "${!wanted[@]}"; do "$file"; done
    wc -c "$@"
}

main "$@"
