#!/usr/bin/env bash
# Life's reports: summary, JSON, pictures in files and in the terminal, movies.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

out=$work/out glider=$data/patterns/glider.rle gun=$data/patterns/glider-gun.rle
return=$'\r' escape=$'\033'

# The summary, without a terminal.
run_well 2 life soup:300x200:35%:4 -n 60 --population "$out/table.csv" -o "$out/cells.rle" -v
for word in 'soup:300x200:35%:4' 'torus, 300 x 200' 'B3/S23' 'generation 60' 'population [0-9]' \
    'births' 'hash  *[0-9a-f]\{16\}$' 'cells/s' 'halo depth' 'written .*cells.rle.*table.csv' \
    'computing' 'waiting'; do
    holds "nothing about $word" grep -q -e "$word" "$work/stdout"
done
holds "escape codes without a terminal" [ "$(grep -c "$escape" "$work/stdout")" = 0 ]
# No halo is deeper than there are generations, however slow the exchange was when it was measured.
for ranks in 1 2 3; do
    run_well $ranks life soup:3000x3000:35%:4 -n 2 --quiet --json "$out/short.json"
    holds "2 generations have a halo of more rows" grep -q '"halo_depth": [12]\b' "$out/short.json"
done
# A vote a superstep, whatever that is: two messages for each rank.
run_well 3 life "$gun" -n 100 --verbose --vote coordinator --halo-depth 3
for word in 'plane, .*enlargement' 'coordinator: 6 messages' 'memory' 'B3/S23'; do
    holds "nothing about $word" grep -q -e "$word" "$work/stdout"
done
run 2 life "$gun" -n 100 --progress always --quiet
holds "no progress" grep -q "$return.*computing.*%" "$work/stderr"
holds "standard output is not empty" [ ! -s "$work/stdout" ]

# The JSON.
run_well 3 life "$gun" -n 90 --quiet --json "$out/run.json" --population "$out/table.json"
holds "the JSON is not as it should be" "$python" - "$out/run.json" "$out/table.json" <<'PYTHON'
import json, sys

run = json.load(open(sys.argv[1]))
table = json.load(open(sys.argv[2]))
assert run["command"] == "life" and run["rule"] == "B3/S23" and run["ranks"] == 3, run
assert run["pattern"]["kind"] == "rle" and run["pattern"]["width_cells"] == 36, run
assert run["state"]["live"].keys() == {"width_cells", "height_cells", "x", "y"}, run
assert run["grid"]["topology"] == "plane" and run["generations"] == 90, run
state = run["state"]
assert state["generation"] == 90 and len(state["hash"]) == 16, state
assert [line["generation"] for line in table] == list(range(91))
assert table[-1]["population"] == state["population"], (table[-1], state)
assert table[-1]["births"] == state["last_generation"]["births"], (table[-1], state)
assert sum(line["rows"] for line in run["rank_table"]) == run["grid"]["height_cells"]
assert run["cells_per_second"] == 0 and run["generations_per_second"] > 0
PYTHON

# Blocks: how many, and which one each rank has.
run_well 6 life soup:500x300:35%:2 -n 50 --decomposition 3x2 --json "$out/run.json" -v
holds "parts $(told grid parts)" [ "$(told grid parts)" = '[3, 2]' ]
holds "no word about blocks" grep -q '300, in 3 x 2 blocks$' "$work/stdout"
holds "ranks without their blocks" \
    [ "$(grep -c '^ *[0-5]  *100 x [12][0-9]* ' "$work/stdout")" = 6 ]
holds "another block in JSON" [ "$(told rank_table 5 box)" = '[100, 244]' ]

# In a terminal the grid is shown in the end, but not where it goes into a file.
shown() { in_terminal 1 60 40 run_well "$@"; }
# is_drawn: four pictures, each but the first over the one before.
is_drawn() {
    local drawn
    drawn=$(grep -o 'generation [0-9]* of 30,' "$work/stdout" | tr '\n' ' ')
    holds "drawn: $drawn" [ "$drawn" = 'generation 0 of 30, generation 10 of 30, '\
'generation 20 of 30, generation 30 of 30, ' ]
    holds "not drawn over" [ "$(grep -c "$escape\[[0-9]*A" "$work/stdout")" = 3 ]
}
watched=(life "$gun" -n 30 --watch --every 10 --fps 50)
for ranks in 1 3; do
    shown "$ranks" life "$gun" -n 30
    holds "no picture" grep -q '▀\|▄\|█' "$work/stdout"
    first=$(grep -n '^rule  ' "$work/stdout" | cut -d : -f 1)
    holds "a picture of $first lines" [ "$first" -gt 5 ]
    holds "more lines than the terminal" [ "$first" -le 28 ]
    shown "$ranks" life soup:30000x100:50% -n 1
    longest=$("$python" -c 'import re, sys
lines = open(sys.argv[1], encoding="utf-8").read().split("\n")
lines = [re.sub("\033\\[[0-9;]*[a-zA-Z]", "", line) for line in lines]
print(max(len(line) for line in lines if set(line) & set("▀▄█")))' "$work/stdout")
    holds "a picture of $longest columns" [ "$longest" -lt 60 ]
    shown "$ranks" life "$gun" -n 30 -o "$out/cells.rle"
    holds "a picture" [ "$(grep -c '▀\|▄\|█' "$work/stdout")" = 0 ]
    shown "$ranks" life "$gun" -n 30 --quiet
    holds "a picture" [ ! -s "$work/stdout" ]
    # Watched, each N-th generation is drawn over the one before.
    shown "$ranks" "${watched[@]}"
    is_drawn
    shown "$ranks" life soup:500x500:30% -n 3000 --watch --quiet
    holds "not the last generation" [ "$(grep -c 'generation 3000 of 3000' "$work/stdout")" = 1 ]
done

# Under mpiexec ranks cannot see the terminal, and draw where they are told to.
if [ "$launcher" != none ]; then
    HALOBEAT_TEST_THREADS='' run_well 2 "${watched[@]}"
    is_drawn
fi

# Frames: named by generation, all of one size, at the scale asked for.
run_well 2 life "$gun" -n 100 --frames "$out/frames" --every 25 --quiet
holds "$(ls "$out/frames")" [ "$(cd "$out/frames" && echo *)" = \
    "frame-000000.png frame-000025.png frame-000050.png frame-000075.png frame-000100.png" ]
sizes=$(for frame in "$out"/frames/*; do od -A n -t x1 -j 16 -N 8 "$frame"; done | sort -u | wc -l)
holds "frames of $sizes sizes" [ "$sizes" = 1 ]
# frame_size RANKS ARGUMENT...: width and height of a single frame.
frame_size() {
    rm -rf "$out/frames"
    run_well "$1" life "${@:2}" -n 0 --frames "$out/frames" --quiet
    od -A n -t u1 -j 16 -N 8 "$out/frames/frame-000000.png" |
        awk '{ print ($3 * 256 + $4) "x" ($7 * 256 + $8) }'
}
holds "not 600x400" [ "$(frame_size 1 soup:300x200:30% --scale 2)" = 600x400 ]
holds "not 75x50" [ "$(frame_size 3 soup:300x200:30% --scale 1/4 --style plain)" = 75x50 ]
holds "not 50x20" [ "$(frame_size 2 "$glider" --view 10x4-3+100 --scale 5)" = 50x20 ]
holds "not 2000x500" [ "$(frame_size 2 soup:8000x2000:30%)" = 2000x500 ]

# Movies; without ffmpeg it is told before anything is computed.
if has ffmpeg ffmpeg movies; then
    for movie in movie.gif movie.mp4 movie.png; do
        run_well 2 life "$gun" -n 40 --movie "$out/$movie" --every 10 --quiet
        holds "no movie" [ -s "$out/$movie" ]
    done
    holds "no GIF" [ "$(head -c 6 "$out/movie.gif")" = GIF89a ]
fi
rm -rf "${out:?}"/*
what='no ffmpeg'
mkdir "$work/empty"
ln -s "$(type -P true)" "$work/empty/ssh" # Open MPI does not start without
status=0
PATH=$work/empty "$program" life soup:100x100:30% -n 10 --movie "$out/movie.gif" \
    </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
holds "exit status $status" [ "$status" = 1 ]
holds "no remedy" grep -q 'ffmpeg.*install' "$work/stderr"
holds "something is left" [ -z "$(ls -A "$out")" ]

# Help names every option.
run_well 2 life --help
for option in -o -n --rule --topology --size --at --population --every --frames --movie --scale \
    --style --view --fps --halo-depth --until --checkpoint --checkpoint-every --restore \
    --watch --json --progress --vote --wait --instructions --quiet --verbose soup: PATTERN \
    'Exit status'; do
    holds "nothing about $option" grep -q -F -e "$option" "$work/stdout"
done
holds "lines beyond 80 columns" [ "$(grep -c '.\{81\}' "$work/stdout")" = 0 ]
holds "one copy on 2 ranks" [ "$(grep -c '^Usage: halobeat life' "$work/stdout")" = 1 ]
finish
