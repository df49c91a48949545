#!/usr/bin/env bash
# Life in blocks writes the same bytes as in strips, and either goes on from the other's checkpoint.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

out=$work/out patterns=$data/patterns one=$work/one
mkdir "$one"

# same SPEC...: all results in strips on 1 rank, and then in blocks.
same() {
    local ranks how
    rm -rf "${one:?}"/*
    local -a results=(-g 137 --quiet --every 9)
    run_well 1 life "$@" "${results[@]}" --population "$one/table.csv" -o "$one/cells.rle" \
        --frames "$one/frames" --checkpoint "$one/checkpoint"
    run_well 1 life "$@" -g 137 --quiet -o "$one/cells.npy"
    run_well 1 life "$@" -g 137 --quiet -o "$one/cells.png"
    for how in "2 1x2" "3 1x3 --halo-depth 1" "4 blocks --exchange persistent" \
        "4 2x2 --halo-depth 20 --exchange neighbour" "5 1x5 --instructions plain" \
        "8 2x4 --exchange shared"; do
        ranks=${how%% *}
        rm -rf "${out:?}"/*
        # shellcheck disable=SC2086
        run_well "$ranks" life "$@" "${results[@]}" --population "$out/table.csv" \
            -o "$out/cells.rle" --frames "$out/frames" --checkpoint "$out/checkpoint" \
            --decomposition ${how#* }
        # shellcheck disable=SC2086
        run_well "$ranks" life "$@" -g 137 --quiet -o "$out/cells.npy" --decomposition ${how#* }
        # shellcheck disable=SC2086
        run_well "$ranks" life "$@" -g 137 --quiet -o "$out/cells.png" --decomposition ${how#* }
        holds "$(diff -rq "$one" "$out" | head -n 3)" diff -rq "$one" "$out"
    done
}
same soup:600x200:30%:7
same soup:333x190:0.4 --topology plane
same soup:345x170:35% --rule 345/2/4 --topology dead
same "$patterns/glider-gun.rle"

# Pictures of a pattern that has flown far show what they do of strips.
rm -rf "${one:?}"/* "${out:?}"/*
run_well 1 life "$patterns/glider-gun.rle" -g 1500 --every 750 --quiet --frames "$one/frames"
run_well 4 life "$patterns/glider-gun.rle" -g 1500 --every 750 --quiet --frames "$out/frames" \
    --decomposition 1x4
holds "other frames" diff -rq "$one" "$out"

# On from a checkpoint in another decomposition, and what the summary tells.
run_well 1 life soup:500x300:35%:2 -g 90 --quiet --checkpoint "$work/whole"
run_well 4 life soup:500x300:35%:2 -g 40 --quiet --checkpoint "$work/part" --decomposition 2x2
for how in "3 strips" "4 1x4" "2 1x2" "6 3x2"; do
    run_well "${how%% *}" life --restore "$work/part" -g 50 --checkpoint "$out/end" \
        --decomposition "${how#* }" --json "$out/run.json"
    holds "another end of $how" cmp -s "$work/whole" "$out/end"
    case ${how#* } in
        strips) parts='[3, 1]' ;;
        *) parts="[${how:2:1}, ${how:4:1}]" ;;
    esac
    holds "parts $(told grid parts), not $parts" [ "$(told grid parts)" = "$parts" ]
done
holds "no word about blocks" grep -q '300, in 3 x 2 blocks$' "$work/stdout"
holds "ranks without their blocks" \
    [ "$(grep -c '^ *[0-5]  *100 x [12][0-9]* ' "$work/stdout")" = 6 ]
holds "another block in JSON" [ "$(told rank_table 5 box)" = '[100, 244]' ]

# Boundaries that can move are those of strips.
run_well 2 life soup:500x300:35%:2 -g 90 --quiet --balance chain --decomposition auto \
    --checkpoint "$out/end"
holds "another end of auto" cmp -s "$work/whole" "$out/end"
fails 2 'between strips only' 2 life soup:500x300:35% --decomposition 1x2 --balance chain
fails 2 'more than the 64' 2 life soup:500x300:35% --decomposition 1x2 --halo-depth 65
fails 2 '2 ranks' 2 life soup:500x300:35% --decomposition 2x2
fails 1 'too many for a grid of 127 columns.* 2 x 1 blocks, or strips' 2 \
    life soup:127x300:35% --decomposition 1x2
finish
