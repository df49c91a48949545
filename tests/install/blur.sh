#!/usr/bin/env bash
# The example blur: the same pictures on any number of ranks and in blocks, and the means they should
# be.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

program=$tools/examples/bin/blur
run_well 1 "$data/camera.png" "$work/out/first.png" --radius 7
for ranks in 2 3 4; do
    for decomposition in strips blocks auto; do
        run_well "$ranks" "$data/camera.png" "$work/out/next.png" --radius 7 \
            --decomposition "$decomposition"
        holds 'the picture is another one' cmp -s "$work/out/first.png" "$work/out/next.png"
    done
done
for ranks in 1 3 5 8; do # threads
    HALOBEAT_RANKS=$ranks run_well 1 "$data/camera.png" "$work/out/next.png" --radius 7 --decomposition blocks
    holds 'the picture is another one' cmp -s "$work/out/first.png" "$work/out/next.png"
done
run 2 "$data/none.png" "$work/out/none.png"
holds 'a picture that is not there is none' [ "$status" = 1 ]
run 2 "$data/camera.png" "$work/out/none.png" --radius 128
holds 'a radius that is too large is taken' [ "$status" = 2 ]
what='blur against expected.py'
if has_python 'what expected.py computes' numpy PIL; then
    holds 'it differs' "$python" "$(dirname "$0")/expected.py" blur "$work/out/first.png" \
        "$data/camera.png" 7 2>"$work/stderr"
fi
finish
