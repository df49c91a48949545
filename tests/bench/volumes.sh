#!/usr/bin/env bash
# ./run bench volumes: how fast volumes are labelled with 6, 18 and 26 neighbours, beside cc3d
# (pip install connected-components-3d), scipy (python3-scipy), for equal values scikit-image
# (python3-skimage), and LSL3D if it is given.
#   --cc3d FOLDER     sources of cc3d (cc3d.hpp), which are built with -O3 -march=native and measured
#                     instead of the package
#   --lsl3d PROGRAM   a program that labels the file FILE of N x N x N bytes: PROGRAM FILE N, and
#                     prints ns=NANOSECONDS_A_VOXEL regions=REGIONS
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
takes=(lsl3d cc3d)
begin volumes "$@"
size=$(either 512 256)
rounds=${rounds:-$(either 5 3)}
words=(bytes regions)

# One core with AVX-512 is to reach these ns a voxel on the processor.
declare -A targets=([blur_8-26]=.35 [porous-26]=.55 [cells-26]=.55 [noise_30-26]=1.0
    [noise_50-26]=1.0 [blur_8-6]=.5 [cells-6]=.5 [porous-6]=.85 [noise_50-6]=2.1)

echo "Labelling $size^3 voxels in memory: 8 bits in, 32-bit labels out, a plane at a time into the same"
echo "buffer. ns a voxel, medians of $rounds runs in turn; bytes a voxel resident besides input and output."
echo "Voronoi cells are 32 bits in, and voxels of equal numbers are connected (label --values)."
peer=''
if find_python numpy scipy; then peer=yes; fi
cc3d_key=peer
if [ -n "$cc3d" ]; then
    cc3d_key=cc3d
    "${CXX:-c++}" -std=c++17 -O3 -march=native -I"$cc3d" "$peers/peer_cc3d.cpp" -o "$work/cc3d" \
        >"$work/log" 2>&1 || failed "building cc3d from $cc3d"
fi
kinds=(noise_10 noise_30 noise_50 blur_3 blur_8 porous cells voronoi)
head_line
for kind in "${kinds[@]}"; do
    measure 1 1 volumes size="$size" repeats="$rounds" kind="$kind" dump="$work/$kind.raw"
    measure 2 2 volumes size="$size" repeats="$rounds" kind="$kind"
    if [ -n "$peer" ]; then measure_peer peer 1 peer_volumes.py "$work/$kind.raw" "$size" "$kind"; fi
    if [ -n "$cc3d" ]; then keep_lines cc3d "$work/cc3d" "$work/$kind.raw" "$size" "$kind" "$rounds"; fi
    # LSL3D takes voxels that are 0 or not.
    if [ -n "$lsl3d" ] && [ "$kind" != voronoi ]; then keep_lines "lsl3d-$kind-26" "$lsl3d" "$work/$kind.raw" "$size"; fi
    rm -f "$work/$kind.raw"
    for c in 6 18 26; do
        row "1-$kind-$c-ours" halobeat 1 "$kind, $c" "${targets[$kind-$c]:-}"
        row "2-$kind-$c-ours" halobeat 2 "$kind, $c"
        row "$cc3d_key-$kind-$c-cc3d" cc3d 1 "$kind, $c, cc3d"
        row "peer-$kind-$c-scipy" scipy 1 "$kind, $c, scipy"
        row "peer-$kind-$c-skimage" skimage 1 "$kind, $c, scikit-image"
    done
    row "lsl3d-$kind-26" LSL3D 1 "$kind, 26, LSL3D"
done

echo
for kind in "${kinds[@]}"; do
    for c in 6 18 26; do
        compared "times faster with 2 ranks than with 1, $kind, $c" "2-$kind-$c-ours" \
            "1-$kind-$c-ours" 1.7
        compared "times cc3d, $kind, $c" "1-$kind-$c-ours" "$cc3d_key-$kind-$c-cc3d" 3.5
        compared "times scipy, $kind, $c" "1-$kind-$c-ours" "peer-$kind-$c-scipy"
        compared "times scikit-image, $kind, $c" "1-$kind-$c-ours" "peer-$kind-$c-skimage"
    done
    compared "times LSL3D, $kind, 26" "1-$kind-26-ours" "lsl3d-$kind-26" 2
done
finish
