#!/usr/bin/env bash
# ./run bench filters: how fast images and volumes are filtered in memory, beside scipy and
# OpenCV on one thread, where they are installed (python3-scipy, python3-opencv).
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin filters "$@"
size=$(either 4096 1024) side=$(either 256 96)
rounds=${rounds:-$(either 5 3)}

# One core with AVX-512 is to reach these ns a pixel on the processor.
declare -A targets=([uint8-2-gaussian:2]=1.0 [uint8-2-gaussian:8]=3.2 [uint16-2-gaussian:2]=2.0
    [uint16-2-gaussian:8]=3.8 [float32-2-gaussian:2]=1.6 [float32-2-gaussian:8]=4
    [uint8-3-gaussian:2]=2.5 [uint8-3-gaussian:8]=8)

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
done

echo
for one in "${cases[@]}"; do
    read -r type axes steps <<<"$one"
    name=$type-$axes-$steps
    compared "times faster with 2 ranks than with 1, $name" "2-$name-ours" "1-$name-ours" 1.7
    compared "times OpenCV, $name" "1-$name-ours" "peer-$name-opencv"
    compared "times scipy, $name" "1-$name-ours" "peer-$name-scipy"
done
finish
