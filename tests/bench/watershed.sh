#!/usr/bin/env bash
# ./run bench watershed: watersheds in memory on one rank and two, beside scikit-image and OpenCV where they are
# installed (python3-skimage, python3-opencv).
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin watershed "$@"
rounds=${rounds:-$(either 5 3)}
large=$(either 4096 1024)
volume=$(either 256 128)

# flood KEY RANKS SIZE [WORD...]
flood() { measure "$1" "$2" watershed size="$3" "${@:4}"; }

# peers_of KEY RANKS AXES SIZE STEPS: of the files that the flood of that key saved.
peers_of() { measure_peer "${1#peer-}" 1 peer_watershed.py "$work/${1#peer-}" "${@:3}"; }

echo "Watersheds of 8-bit grey from markers, labels of 32 bits: ns a pixel as they pass, medians of $rounds runs in"
echo "turn, and on the processors of all ranks together. Markers are all minima, or points anywhere. $(nproc) cores."
peer=''
if find_python numpy skimage cv2; then peer=yes; fi
target=25 way image 1 "blur_6, $large x $large, 4 neighbours" flood "$large"
way image-2 2 "blur_6, $large x $large, 4" flood "$large"
way image-8 1 "blur_6, $large x $large, 8" flood "$large" neighbours=8
way points 1 "blur_6, $large x $large, 4, 200 points" flood "$large" seeds=200
way points-2 2 "blur_6, $large x $large, 4, 200 points" flood "$large" seeds=200
target=40 way volume 1 "volume, $volume^3, 6" flood "$volume" kind=volume
way volume-2 2 "volume, $volume^3, 6" flood "$volume" kind=volume
target=110 way volume-26 1 "volume, $volume^3, 26" flood "$volume" kind=volume neighbours=26
way small 1 "blur_6, 1024 x 1024, 4" flood 1024 save="$work/small"
way cube 1 "volume, 128^3, 6" flood 128 kind=volume save="$work/cube"
way cube-26 1 "volume, 128^3, 26" flood 128 kind=volume neighbours=26 save="$work/cube-26"
if [ -n "$peer" ]; then
    most=1
    way peer-small 1 "" peers_of 2 1024 1
    way peer-cube 1 "" peers_of 3 128 1
    way peer-cube-26 1 "" peers_of 3 128 3
fi
measure_ways
[ -z "$peer" ] || unset "ways[-1]" "ways[-1]" "ways[-1]"
table
echo
compared "times faster with 2 ranks than with 1" image-2 image
compared "times faster with 2 ranks than with 1, 200 points" points-2 points
compared "times faster with 2 ranks than with 1, a volume" volume-2 volume
if [ -n "$peer" ]; then
    compared "times scikit-image, 1024 x 1024" small small-skimage
    compared "times OpenCV, 1024 x 1024" small small-opencv
    compared "times scikit-image, 128^3, 6 neighbours" cube cube-skimage
    compared "times scikit-image, 128^3, 26 neighbours" cube-26 cube-26-skimage
fi
finish
