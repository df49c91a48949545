#!/usr/bin/env bash
# Clusterings that are cut in two by a checkpoint or a signal.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
needs_python sys
mkdir "$work/pictures"
"$python" "$(dirname "$0")/make_cluster_pngs.py" "$work/pictures" || exit 1

written=(labels.npy mosaic.png outline.png centres.json state)
# results FOLDER: options for all of these.
results() {
    files=(-o "$1/labels.npy" --mosaic "$1/mosaic.png" --outline "$1/outline.png"
        --centres "$1/centres.json" --checkpoint "$1/state" --quiet)
}

# whole_run IMAGE ARGUMENT...: 20 beats without an end in between.
whole_run() {
    image=$1 given=("${@:2}")
    results "$whole"
    run_well 1 cluster "$image" "${given[@]}" --max-beats 20 "${files[@]}"
}

# cut_at BEAT; first and second are ranks and more arguments of both parts.
cut_at() {
    run_well "${first[0]}" cluster "$image" "${given[@]}" "${first[@]:1}" --max-beats "$1" --quiet \
        --checkpoint "$work/part" --checkpoint-every 3
    results "$out"
    run_well "${second[0]}" cluster "$image" --restore "$work/part" "${second[@]:1}" \
        --max-beats $((20 - $1)) "${files[@]}"
    same "${written[@]}"
    rm -f "${out:?}"/*
}

whole_run "$work/pictures/noise.png" -k 40 --weight 3
first=(3 --engine tiles --balance random --balance-every 1) second=(2 --engine leaves)
cut_at 7
first=(1 --engine leaves) second=(5 --engine tiles --balance random --balance-every 1)
cut_at 1
first=(2 --engine tiles) second=(1 --engine brute)
cut_at 19
whole_run "$work/pictures/grey16.png" -k 17
first=(2 --engine leaves) second=(3 --engine leaves)
cut_at 5
whole_run "$work/pictures/rgb.png" -k 9 --weight 5 --colour
first=(2) second=(3 --engine tiles)
cut_at 4

# One of a run that has ended knows so; with another end it goes on.
image=$work/pictures/grey16.png given=(-k 17 --stop-changed 1%)
results "$whole"
run_well 1 cluster "$image" "${given[@]}" "${files[@]}"
cp "$whole/state" "$work/part"
results "$out"
run_well 3 cluster "$image" --restore "$work/part" --stop-changed 1% "${files[@]}"
same "${written[@]}"
run_well 2 cluster "$image" --restore "$work/part" --stop-changed 1%
holds "no word about the end" grep -q 'few enough pixels changed; the last moved' <(unbroken)
run_well 2 cluster "$image" --restore "$work/part" --checkpoint "$work/part"
holds "it did not go on" grep -q 'nothing changes any more' "$work/stdout"

# A checkpoint goes where the last one came from, and counts on.
image=$work/pictures/noise.png given=(-k 40 --weight 3)
run_well 1 cluster "$image" "${given[@]}" --max-beats 3 --quiet --checkpoint "$work/part"
run_well 2 cluster "$image" --restore "$work/part" --checkpoint "$work/part" --max-beats 2
holds "beats are not counted on" grep -q '^beats      5:' "$work/stdout"

# stopped SIGNAL RANKS: it leaves with all that was asked for, and can go on from there. It would go
# on for a hundred beats and more, half a minute.
stopped() {
    local beat
    rm -f "${out:?}"/*
    stop_once shows clustering "$1" "$2" cluster "$data/camera.png" -k 600 --weight 6 \
        --engine brute --json "$out/run.json" --checkpoint "$out/state" -o "$out/labels.npy" \
        --progress always
    beat=$(told beat)
    holds "no beats" [ "$beat" -gt 0 ]
    run_well 2 cluster "$data/camera.png" --restore "$out/state" --max-beats 1 --engine tiles
    holds "it did not go on" grep -q "^beats      $((beat + 1)):" "$work/stdout"
}
if [ -n "$ranks_hear_signals" ]; then stopped INT 2; fi
stopped TERM 1
finish
