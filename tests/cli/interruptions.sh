#!/usr/bin/env bash
# Runs of one command, the sixth argument, that are cut in two by a checkpoint or a signal: both
# parts together write what one part does, on any numbers of ranks.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
needs_python sys
command=$6 scripts=$(dirname "$0")

# A command has a number of beats, outputs, inputs that are named again after a checkpoint (the first
# argument), the place of the beat in JSON, and the word for what it is doing.
again=yes beat=(beat) doing=computing
case $command in
    life)
        count=-n outputs='-o cells.npy --population table.csv --every 11'
        again='' beat=(state generation)
        ;;
    run) count=--beats outputs='-o cells.npy' ;;
    cluster) count=--beats doing=clustering \
        outputs='-o labels.npy --mosaic mosaic.png --outline outline.png --centres centres.json' ;;
    chan-vese) count=-n outputs='-o inside.npy --overlay overlay.png' ;;
    snake)
        count=--beats outputs='-o contours.csv --overlay overlay.png'
        doing='moving contours'
        ;;
    motion) ;;
    *) skip "no table for $command" ;;
esac

# results FOLDER: leaves in $files the options for all that is written, in $written its names.
results() {
    local word
    written=(state) files=(--quiet --checkpoint "$1/state")
    for word in $outputs; do
        case $word in
            *.*) files+=("$1/$word") && written+=("$word") ;;
            *) files+=("$word") ;;
        esac
    done
}

# whole_run BEATS: in one part.
whole_run() {
    results "$whole"
    run_well 1 "$command" "${given[@]}" "$count" "$1" "${files[@]}"
}

# go_on RANKS BEATS STATE OPTION...: BEATS more.
go_on() {
    local -a named=()
    if [ -n "$again" ]; then named=("${given[0]}"); fi
    results "$out"
    run_well "$1" "$command" "${named[@]}" --restore "$3" "${@:4}" "$count" "$2" "${files[@]}"
}

# same_from BEAT: both have written the same. A table of Life's second part begins there, with no
# births or deaths of that generation.
same_from() {
    local file
    for file in "${written[@]}"; do
        if [ "$file" = table.csv ]; then
            holds "another table" [ "$(awk -F , -v at="$1" 'NR > 1 && $1 > at' "$whole/$file")" = \
                "$(awk -F , -v at="$1" 'NR > 1 && $1 > at' "$out/$file")" ]
        else
            same "$file"
        fi
    done
    rm -f "${out:?}"/*
}

# cuts: reads rows of a table: arguments, all beats, the beat of the cut, ranks and options of both
# parts.
cuts() {
    local last='' arguments beats at
    local -a first second
    while IFS='|' read -r arguments beats at part rest; do
        read -ra given <<<"$arguments"
        read -ra first <<<"$part"
        read -ra second <<<"$rest"
        if [ "$arguments$beats" != "$last" ]; then whole_run $((beats)); fi
        last=$arguments$beats
        run_well "${first[0]}" "$command" "${given[@]}" "${first[@]:1}" "$count" $((at)) --quiet \
            --checkpoint "$work/part" --checkpoint-every 3
        go_on "${second[0]}" $((beats - at)) "$work/part" "${second[@]:1}"
        same_from $((at))
    done < <(rows)
    # A checkpoint goes where the last one came from, and counts on.
    run_well 1 "$command" "${given[@]}" "$count" 3 --quiet --checkpoint "$work/part"
    run_well 2 "$command" ${again:+"${given[0]}"} --restore "$work/part" --checkpoint "$work/part" \
        "$count" 2 --quiet --json "$out/run.json"
    holds "beats are not counted on" [ "$(told "${beat[@]}")" = 5 ]
}

# stopped SIGNAL RANKS ARGUMENT...: it leaves with all that it would have had after as many beats,
# and goes on as if nothing had been. $with are options of the run that is stopped alone. MPI that
# does not pass signals on is spared.
with=()
stopped() {
    local at
    if [ "$2" != 1 ] && [ -z "$ranks_hear_signals" ]; then return; fi
    given=("${@:3}")
    rm -f "${out:?}"/*
    results "$out"
    stop_once shows "$doing" "$1" "$2" "$command" "${given[@]}" "${with[@]}" "$count" \
        2000000000 "${files[@]:1}" --json "$out/run.json" --progress always
    at=$(told "${beat[@]}")
    holds "no beats" [ "$at" -gt 0 ]
    whole_run "$at"
    cp "$out/state" "$work/stopped"
    same_from 0
    whole_run $((at + 3))
    go_on 2 3 "$work/stopped"
    same_from "$at"
}

# ended_knows ARGUMENT...: a checkpoint of a run that came to its end, on which nothing is left to
# do. $ending is what has to be said of the end again.
ending=()
ended_knows() {
    local at
    given=("$@")
    results "$whole"
    run_well 2 "$command" "${given[@]}" "${files[@]}" --json "$out/run.json"
    at=$(told beat)
    results "$out"
    run_well 3 "$command" "${given[0]}" --restore "$whole/state" "${ending[@]}" \
        "${files[@]}" --json "$work/again.json"
    same "${written[@]}"
    cp "$work/again.json" "$out/run.json"
    holds "it went on from beat $at to $(told beat)" [ "$(told beat)" = "$at" ]
    cp "$whole/state" "$work/state"
    rm -f "${out:?}"/*
}

# damaged_fails ARGUMENT...: of $work/state one byte, or the end.
damaged_fails() {
    damage "$work/state" 4200
    fails 1 'damaged' 3 "$command" "$@" --restore "$work/damaged"
    head -c 4500 "$work/state" >"$work/short"
    fails 1 'short\|damaged' 2 "$command" "$@" --restore "$work/short"
    fails 1 'not a checkpoint' 2 "$command" "$@" --restore "$0"
    fails 1 'no/such' 2 "$command" "$@" --restore no/such
}

# ---- Life ---------------------------------------------------------------------------------------

# short_of_memory RANKS ARGUMENT...: a plane that cannot grow is saved where it was asked for, or
# beside where the program was started, and can be gone on from with more memory.
short_of_memory() {
    local ranks=$1 saved at before
    shift
    # Two gliders that fly apart: a grid follows one. A dollar ends a row.
    # shellcheck disable=SC2016
    printf 'x = 23, y = 23, rule = B3/S23\n3o$o$bo18$21bo$22bo$20b3o!\n' >"$work/apart.rle"
    rm -rf "$work/here" && mkdir "$work/here"
    cd "$work/here" || exit
    HALOBEAT_MEMORY=1200K run "$ranks" life "$work/apart.rle" -n 100000 --quiet "$@"
    [ "$status" = 1 ] || wrong "exit status $status, not 1"
    saved=$(messages | sed -n 's/^halobeat life: .*out of memory: .* is saved in //p')
    holds "no state ($saved)" [ -s "$saved" ]
    run_well 2 life --restore "$saved" -n 8 --quiet --json "$out/run.json" -o "$work/cells.rle"
    at=$(told state generation)
    # How far ahead the grid grows depends on how long generations take.
    holds "stopped at once" [ "$at" -gt 100 ]
    run_well 1 life "$work/apart.rle" -n "$at" --quiet -o "$work/whole.rle"
    holds "other cells at $at" cmp -s "$work/cells.rle" "$work/whole.rle"
    # The next that runs out of memory there leaves it as it is.
    before=$(cksum "$saved")
    HALOBEAT_MEMORY=1200K run 1 life "$work/apart.rle" -n 100000 --quiet
    holds "$saved was replaced" [ "$(cksum "$saved")" = "$before" ]
    cd "$OLDPWD" || exit
}

test_life() {
    cuts <<TABLE
soup:100x80:30% | 200 | 0 | 1 | 3
soup:100x80:30% | 200 | 1 | 3 | 2
soup:65x50:40%:9 --rule 345/2/4 | 200 | 77 | 2 | 1
soup:64x40:40% --rule B36/S23:T64,0 | 200 | 121 | 3 | 8
soup:500x300:35%:2 | 90 | 40 | 4 --decomposition 2x2 | 6 --decomposition 3x2
soup:500x300:35%:2 | 90 | 41 | 2 --balance chain --decomposition auto | 2 --decomposition 1x2
$data/patterns/acorn.rle | 200 | 199 | 1 | 5
$data/patterns/diehard.rle | 200 | 200 | 2 | 3
TABLE
    local signal
    for signal in 'TERM 1' 'INT 1' 'TERM 2' 'INT 5'; do
        # shellcheck disable=SC2086
        stopped $signal soup:1000x800:30%
    done
    short_of_memory 1
    short_of_memory 3
    short_of_memory 2 --checkpoint asked.halo
    HALOBEAT_MEMORY=lots fails 2 'HALOBEAT_MEMORY' 2 life soup:10x10:30%
    run_well 1 life soup:100x80:30% -n 5 --quiet --checkpoint "$work/state"
    damaged_fails
}

# ---- kernels ------------------------------------------------------------------------------------

test_run() {
    local steer=$tools/steer.so
    local heat='heat --size 33x40 --periodic y --shape square --source .25'
    # A kernel in a shared object: a state besides cells, two fields, the beat's number.
    cuts <<TABLE
$heat | 60 | 25 | 3 --decomposition 1x3 | 2
+ $heat | 60 | 59 | 2 --halo-depth 3 | 4 --decomposition 2x2 --halo-depth 2
$heat | 60 | 1 | 4 --decomposition blocks --balance random --balance-every 1 | 1
heat3d --size 9x11x8 --periodic all | 60 | 30 | 4 --decomposition 1x2x2 | 3
+ heat3d --size 9x11x8 --periodic all | 60 | 31 | 5 | 4 --decomposition 2x1x2
$steer --size 19x23 --seed 77 | 60 | 20 | 3 | 4 --decomposition 2x2
+ $steer --size 19x23 --seed 77 | 60 | 41 | 4 --decomposition 2x2 | 2
TABLE
    # Other options may be given if they equal those of the checkpoint.
    local state=$work/state
    # shellcheck disable=SC2086
    run_well 2 run $heat --beats 5 --quiet --checkpoint "$state"
    # shellcheck disable=SC2086
    run_well 2 run $heat --restore "$state" --beats 3 --quiet
    run_well 2 run heat --size 20x30 --beats 5 --source 1 --quiet --checkpoint "$state"
    fails 1 'cannot be restored by .halobeat run heat3d' 2 run heat3d --restore "$state"
    fails 1 'cannot be restored by .halobeat run steer' 3 run "$steer" --restore "$state"
    fails 2 'size is 30x20.*20x30' 2 run heat --restore "$state" --size 30x20
    fails 2 'periodic y.*leave it out' 1 run heat --restore "$state" --periodic y
    fails 2 'options source=2.*source=1' 5 run heat --restore "$state" --source 2
    run_well 2 run heat --restore "$state" --source 1 --beats 2 --quiet
    # Values are compared, not how they are written; and only those that are given.
    run_well 1 run heat --restore "$state" --source 1e0 --beats 2 --quiet
    run_well 1 run heat --restore "$state" --shape square --beats 2 --quiet
    damaged_fails heat
    with=(--decomposition 1x3)
    stopped INT 3 heat --size 400x500
    with=()
    stopped TERM 1 heat --size 400x500
    if more; then
        stopped TERM 2 heat --size 400x500
        stopped INT 1 heat --size 400x500
    fi
}

# ---- pictures -----------------------------------------------------------------------------------

test_cluster() {
    local pictures=$work/pictures moves='--balance random --balance-every 1'
    mkdir "$pictures"
    "$python" "$scripts/pictures.py" cluster "$pictures" || exit 1
    cuts <<TABLE
$pictures/noise.png -k 40 --weight 3 | 20 | 7 | 3 --engine tiles $moves | 2 --engine leaves
+ $pictures/noise.png -k 40 --weight 3 | 20 | 1 | 1 --engine leaves | 5 --engine tiles $moves
$pictures/noise.png -k 40 --weight 3 | 20 | 19 | 2 --engine tiles | 1 --engine brute
$pictures/grey16.png -k 17 | 20 | 5 | 2 --engine leaves | 3 --engine leaves
$pictures/rgb.png -k 9 --weight 5 --colour | 20 | 4 | 2 | 3 --engine tiles
$pictures/noise.png -k 40 --weight 3 | 20 | 3 | 1 | 2
TABLE
    # With another end a run that has ended goes on.
    local image=$pictures/grey16.png
    ending=(--until change:1%)
    ended_knows "$image" -k 17 --until change:1%
    run_well 2 cluster "$image" --restore "$work/state" --until change:1%
    holds "no word about the end" grep -q 'few enough pixels changed; the last moved' <(unbroken)
    run_well 2 cluster "$image" --restore "$work/state" --checkpoint "$work/part"
    holds "it did not go on" grep -q 'nothing changes any more' "$work/stdout"
    damaged_fails "$image"
    # Hundreds of beats, half a minute.
    with=(--engine brute)
    stopped INT 2 "$data/camera.png" -k 600 --weight 6
    stopped TERM 1 "$data/camera.png" -k 600 --weight 6
}

test_chan_vese() {
    local grey=$work/grey.png how='--smoothing 3 --lambda1 1.25'
    "$python" "$scripts/pictures.py" make 130 90 8 "$grey" || exit 1
    cuts <<TABLE
$grey $how | 21 | 7 | 3 | 2
$grey $how | 21 | 12 | 1 | 4
$grey $how | 21 | 20 | 2 | 1
TABLE
    run_well 2 chan-vese "$grey" -n 5 --quiet --checkpoint "$work/state"
    damaged_fails "$grey"
    stopped TERM 2 "$data/camera.png"
    stopped INT 1 "$data/camera.png"
}

test_snake() {
    local star=$work/star.png moves='--balance random --balance-every 1' state=$work/state
    local many='--init circle:64,64,55 --init grid:2x3 --window 3 --sigma 1.25 --floor 2'
    local all_at_once='--init circle:64,64,55,51 --order jacobi --until change:0'
    "$python" "$scripts/snake_shapes.py" make star 128 0.1 "$star" || exit 1
    cuts <<TABLE
$star $many | 30 | 11 | 3 | 2 $moves
$star $many | 30 | 1 | 2 $moves | 1
$star $all_at_once | 30 | 29 | 1 | 5 --order jacobi --until change:0%
TABLE
    ended_knows "$star" --init circle:64,64,45 --until change:50%
    # It cannot be restored with these.
    "$python" "$scripts/snake_shapes.py" make disk 128 0 "$work/disk.png"
    "$python" "$scripts/snake_shapes.py" make disk 64 0 "$work/small.png"
    fails 2 'another picture.*disk.png' 2 snake "$work/disk.png" --restore "$state"
    fails 2 'another picture.*64 x 64' 1 snake "$work/small.png" --restore "$state"
    fails 2 'window 7: .* has 5; leave --window out' 2 snake "$star" --restore "$state" --window 7
    fails 2 'alpha 3: .* has 1.*leave --alpha out' 3 snake "$star" --restore "$state" --alpha 3
    fails 2 'order jacobi: .*two-colour' 1 snake "$star" --restore "$state" --order jacobi
    fails 2 'until change:5%: .* has 0.5; leave --until out' 2 snake "$star" \
        --restore "$state" --until change:5%
    fails 2 'until change:5%: .* has .*; leave --until out' 1 snake "$star" \
        --restore "$state" --until change:5%
    run_well 2 snake "$star" --restore "$state" --until change:50% --quiet
    run_well 2 run heat --size 20x30 --beats 5 --quiet --checkpoint "$work/heat"
    fails 1 'of .halobeat run heat' 2 snake "$star" --restore "$work/heat"
    damaged_fails "$star"
    # Points all at once, near to each other and stiff, go to and fro on an edge for ever.
    local -a endless=(--init grid:4x4 --spacing 3 --order jacobi --until change:0 --beta 5 --window 7
        --floor 0 --sigma 1)
    stopped INT 3 "$star" "${endless[@]}"
    stopped TERM 1 "$star" "${endless[@]}"
}

# A long sequence, which tells pairs and not beats: what it has is what it would have had, and it
# can go on from there.
test_motion() {
    local frames=400 pairs i signal # few are done, however late the signal comes
    local -a sequence=(motion "$work/frame-%d.png" -k 24 --radius 64)
    "$tools/flow_tool" make "$work/frame-%d.png" 4 5 -3 400 300 8 || wrong 'no frames'
    # The same four again and again.
    for ((i = 4; i < frames; i++)); do ln -s "frame-$((i % 4)).png" "$work/frame-$i.png"; done
    for signal in 'INT 2' 'TERM 1'; do
        if [ "$signal" != 'TERM 1' ] && [ -z "$ranks_hear_signals" ]; then continue; fi
        rm -rf "${out:?}"/* "${whole:?}"/*
        # shellcheck disable=SC2086
        stop_once exists "$out/1.flo" $signal "${sequence[@]}" --checkpoint "$work/state" \
            --checkpoint-every 100 -o "$out/%d.flo" --balance lb2
        pairs=$(find "$out" -name '*.flo' | wc -l)
        holds "$pairs pairs in spite of the signal" [ "$pairs" -lt $((frames - 1)) ]
        run_well 3 "${sequence[@]:0:2}" --restore "$work/state" --frames $((pairs + 3)) -q \
            -o "$out/%d.flo"
        run_well 1 "${sequence[@]}" --frames $((pairs + 3)) -q -o "$whole/%d.flo"
        holds "flow differs from that of an uninterrupted sequence" diff -rq "$out" "$whole"
    done
}

case $command in
    life) test_life ;;
    run) test_run ;;
    cluster) test_cluster ;;
    chan-vese) test_chan_vese ;;
    snake) test_snake ;;
    motion) test_motion ;;
esac
finish
