#!/usr/bin/env bash
# ./run bench filters: how fast images and volumes are filtered in memory, beside scipy, scikit-image and
# OpenCV on one thread, where they are installed (python3-scipy, python3-skimage, python3-opencv).
# --only 'uint8 2 median': cases that match.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
takes=(only)
begin filters "$@"
size=$(either 4096 1024) side=$(either 256 96)
rounds=${rounds:-$(either 5 3)}

# One core with AVX-512 is to reach these ns a pixel on the processor.
declare -A targets=([uint8-2-gaussian:2]=1.0 [uint8-2-gaussian:8]=3.2 [uint16-2-gaussian:2]=2.0
    [uint16-2-gaussian:8]=3.8 [float32-2-gaussian:2]=1.6 [float32-2-gaussian:8]=4
    [uint8-3-gaussian:2]=2.5 [uint8-3-gaussian:8]=8 [uint8-2-median:2]=.55 [uint16-2-median:2]=1.1
    [uint8-3-median:1]=.5 [uint8-2-opening:box:3]=.3 [uint8-2-opening:disk:3]=.4
    [uint8-2-opening:disk:7]=.77 [uint8-2-opening:disk:15]=1.3 [uint8-3-opening:box:3]=.6
    [uint8-3-opening:ball:3]=1.3 [bit-2-opening:disk:3]=.05 [bit-3-opening:ball:3]=.2)

echo "Noise of $size^2 pixels and $side^3 voxels in memory; results a tile at a time into the same buffer."
echo "ns a pixel, medians of $rounds runs in turn. OpenCV has mirrored edges, and 8 bits in fixed point."
peer=''
if find_python numpy scipy; then peer=yes; fi
cases=()
for type in uint8 uint16 float32; do
    for steps in gaussian:2 gaussian:8; do cases+=("$type 2 $steps"); done
done
for steps in uniform:5 sobel laplace gaussian_laplace:2 gaussian_gradient_magnitude:2; do
    cases+=("uint8 2 $steps" "float32 2 $steps")
done
for type in uint8 float32; do
    for steps in gaussian:2 gaussian:8 uniform:5 sobel; do cases+=("$type 3 $steps"); done
done
for steps in median:1 median:2 median:3 median:7 minimum:3 minimum:15 opening:box:3 opening:disk:3 \
    opening:disk:7 opening:disk:15; do
    cases+=("uint8 2 $steps")
done
for type in uint16 float32; do
    for steps in median:2 opening:disk:3; do cases+=("$type 2 $steps"); done
done
for steps in rolling_ball:5 rolling_ball:50; do cases+=("uint8 2 $steps" "float32 2 $steps"); done
for steps in median:1 opening:box:3 opening:ball:3 opening:ball:5 rolling_ball:5; do cases+=("uint8 3 $steps"); done
for steps in disk:1 disk:3 disk:7 disk:15; do cases+=("bit 2 opening:$steps"); done
for steps in ball:1 ball:3 ball:5; do cases+=("bit 3 opening:$steps"); done
if [ -n "$only" ]; then
    mapfile -t cases < <(printf '%s\n' "${cases[@]}" | grep -E -- "$only")
fi
head_line
for one in "${cases[@]}"; do
    read -r type axes steps <<<"$one"
    name=$type-$axes-$steps length=$size
    if [ "$axes" = 3 ]; then length=$side; fi
    measure 1 1 filters type="$type" axes="$axes" steps="$steps" size="$length" repeats="$rounds" \
        dump="$work/noise.raw"
    measure 2 2 filters type="$type" axes="$axes" steps="$steps" size="$length" repeats="$rounds"
    if [ -n "$peer" ]; then
        for ((round = 0; round < 2; round++)); do
            measure_peer peer 1 peer_filters.py "$work/noise.raw" "$type" "$axes" "$length" "$steps"
        done
    fi
    rm -f "$work/noise.raw"
    text="$type, $axes axes, $steps"
    row "1-$name-ours" halobeat 1 "$text" "${targets[$name]:-}"
    row "2-$name-ours" halobeat 2 "$text"
    row "peer-$name-opencv" OpenCV 1 "$text, OpenCV"
    row "peer-$name-scipy" scipy 1 "$text, scipy"
    row "peer-$name-skimage" skimage 1 "$text, scikit-image"
done

echo
for one in "${cases[@]}"; do
    read -r type axes steps <<<"$one"
    name=$type-$axes-$steps
    compared "times faster with 2 ranks than with 1, $name" "2-$name-ours" "1-$name-ours" 1.7
    compared "times OpenCV, $name" "1-$name-ours" "peer-$name-opencv"
    compared "times scipy, $name" "1-$name-ours" "peer-$name-scipy"
    compared "times scikit-image, $name" "1-$name-ours" "peer-$name-skimage"
done
finish
