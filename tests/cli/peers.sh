#!/usr/bin/env bash
# Other programs (the sixth argument) give the same results: labels, areas, boxes, centroids and mean
# greys (label), clusters, pictures, centres and inertia (cluster), and what is inside (chan-vese) are
# equal to the last pixel, distances (paths) to the last bit; flow (motion) is near to known motion.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
command=$6 scripts=$(dirname "$0")
picture() { "$python" "$scripts/pictures.py" "$@" || exit 1; }

# compared WHAT SCRIPT ARGUMENT...: the script finds nothing that differs.
compared() {
    what=$1
    holds "the results differ from $1" "$python" "$scripts/$2" "${@:3}"
}

# scikit_picture NAME: the path of one of scikit-image's, in $found. Debian's package has them all,
# PyPI's has not.
scikit_picture() {
    found=$("$python" -c 'import os, skimage; print(os.path.dirname(skimage.__file__))')/data/$1
    [ -f "$found" ] || echo "skipped: $1, not installed: python3-skimage"
    [ -f "$found" ]
}

peers_label() {
    local -a options configurations=('--connectivity 4' '--connectivity 8'
        '--connectivity 4 --invert --min-area 10' '--connectivity 8 --threshold 40% --min-area 3'
        '--connectivity 8 --fill-holes --largest 3' '--connectivity 4 --invert --clear-border'
        '--connectivity 4 --threshold 30%,60% --max-area 900'
        '--connectivity 8 --threshold 50%,55% --invert --fill-holes --dust 5 --largest 40')
    local image i=0 ranks
    for image in "$data"/*.png; do
        for _ in 0 1; do
            read -ra options <<<"${configurations[(i + i / 2) % ${#configurations[@]}]}"
            ranks=$((i % 3 + 1)) i=$((i + 1))
            add_run "$image" "${options[@]}"
            run_well "$ranks" label "$image" "${options[@]}" -q -o "$folder/labels.png" \
                --regions "$folder/regions.csv" --colour "$folder/colour.png" \
                --json "$folder/run.json"
            run_well $((ranks % 3 + 1)) label "$image" "${options[@]}" -q -o "$folder/labels.npy" \
                --regions "$folder/regions.json"
        done
    done
    compared "scipy's" compare_scipy.py "$work/runs"
}

peers_cluster() {
    local p=$work/pictures ranks image clusters weight how rest
    mkdir "$p"
    picture cluster "$p"
    while read -r ranks image clusters weight how rest; do
        add_run "$image" "$clusters" "$weight" "$how"
        if [ "$how" = colour ]; then rest+=' --colour'; fi
        # shellcheck disable=SC2086 # the options' words
        run_well "$ranks" cluster "$image" -k "$clusters" --weight "$weight" $rest -q \
            -o "$folder/labels.npy" --mosaic "$folder/mosaic.png" \
            --outline "$folder/outline.png" --centres "$folder/centres.csv" \
            --json "$folder/run.json"
    done <<TABLE
2 $p/noise.png 30 2 sklearn
1 $p/noise.png 64 1.25 grey --beats 9
3 $p/grey16.png 20 .7 grey --beats 12
3 $p/grey16.png 900 1 grey --beats 4
1 $p/line.png 2 3 grey
2 $p/rgb.png 17 .3 grey --beats 10
2 $data/text.png 12 1 grey --beats 6
2 $p/rgb.png 13 2 colour --beats 8
1 $data/coffee.png 8 1.5 colour --beats 3
TABLE
    holds "no cluster has lost all its pixels" \
        [ "$(grep -c '"empty_clusters": 0' "$work/runs.d/3/run.json")" = 0 ]
    compared "numpy's" compare_clusters.py "$work/runs"
}

peers_chan_vese() {
    local -a images=("$data/camera.png" "$work/deep.png")
    picture make 131 97 16 "$work/deep.png"
    if scikit_picture coins.png; then images+=("$found"); fi
    compared "scikit-image's" chan_vese_skimage.py "$program" "$work" "${images[@]}"
}

# Moved real images, and the two views of scikit-image's motorcycle, whose flow OpenCV reads.
peers_motion() {
    local image u v most
    while read -r image u v most; do
        "$python" "$scripts/motion_opencv.py" shifted "$data/$image" "$u" "$v" "$work/0.png" \
            "$work/1.png" || wrong "no frames of $image"
        run_well 2 motion "$work/0.png" "$work/1.png" -k 64 -q -o "$work/out/flow.flo"
        compared "$image moved by $u, $v" motion_opencv.py shift "$work/out/flow.flo" "$u" "$v" \
            "$most"
    done <<TABLE
camera.png 12 -7 0.05
camera.png 2.5 1.25 0.6
chelsea.png -9 5 0.05
TABLE
    if scikit_picture motorcycle_left.png && scikit_picture motorcycle_disp.npz; then
        run_well 2 motion "${found%disp.npz}left.png" "${found%disp.npz}right.png" -k 64 -q \
            -o "$work/out/flow.flo"
        compared 'the motorcycle' motion_opencv.py stereo "$work/out/flow.flo" "$found" 2
    fi
}

# Pictures and arrays, by 4 and 8 neighbours; by GRASS also knight's moves.
peers_paths() {
    picture make 131 97 16 "$work/deep.png"
    start_any 3
    compared "scikit-image's" paths_peers.py skimage "$program" "$work" "$work/deep.png" \
        "$data/camera.png" "${starter[@]}"
    if has grass grass-core 'the comparison with r.cost'; then
        compared "GRASS's" paths_peers.py grass "$program" "$work" "$work/deep.png"
    fi
}

case $command in
    label) needs_python scipy numpy PIL && peers_label ;;
    cluster) needs_python numpy PIL && peers_cluster ;;
    chan-vese) needs_python numpy skimage && peers_chan_vese ;;
    motion) needs_python numpy cv2 skimage && peers_motion ;;
    paths) needs_python numpy skimage && peers_paths ;;
    *) skip "no peer of $command" ;;
esac
finish
