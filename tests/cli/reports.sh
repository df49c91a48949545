#!/usr/bin/env bash
# The program reports progress, a summary and JSON.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
image=$data/text.png
json=$work/out/run.json
return=$'\r'

# Progress is drawn on stderr, over and over on one line, and only where somebody watches.
for ranks in 1 2 5; do
    run "$ranks" label "$image" --progress always -o "$work/out/labels.png"
    holds "exit status $status" [ "$status" = 0 ]
    holds "no line is drawn over" grep -q "$return" "$work/stderr"
    holds "no phase" grep -q 'reading.*%' "$work/stderr"
    holds "progress among the results" [ "$(grep -c "$return" "$work/stdout")" = 0 ]
    run "$ranks" label "$image" --quiet
    holds "standard error is not empty" [ ! -s "$work/stderr" ]
    holds "standard output is not empty" [ ! -s "$work/stdout" ]
done
run 2 label "$image" --progress never --quiet
holds "never is not never" [ ! -s "$work/stderr" ]
in_terminal 2 50 24 run 1 label "$image" --quiet
holds "no progress in a terminal" grep -q "$return" "$work/stderr"
longest=$(tr '\r' '\n' <"$work/stderr" | awk '{ if (length > n) n = length } END { print n }')
holds "a line of $longest columns on a terminal of 50" [ "$longest" -lt 50 ]

# The summary.
run_well 2 label "$image" --invert --connectivity 8 --periodic --verbose
for word in "$image" '448 x 172' 'threshold' 'otsu' 'inverted' '% of the pixels' 'regions' \
    '8-connected' 'periodic' 'beats .* (union)' ' read [0-9]' 'distribute' 'merge' \
    '^memory .* MiB at the peak of .* process.*; a rank.s data: up to [1-9.0]* MiB$' \
    ' write [0-9]' 'rank ' 'computing' 'exchange' 'waiting'; do
    holds "nothing about $word" grep -q -e "$word" "$work/stdout"
done
run_well 2 label "$image" --verbose --vote coordinator
holds "no messages of votes" grep -q 'coordinator: 4 messages' "$work/stdout"

# Without --verbose: what came out, one line of speed, and the files; nothing of how it was done.
machinery='efficiency|seconds|messages|vote|wait|memory|balancing|decoder|tasks|master|schedule|energy|engine'
# short LINES ARGUMENT...: all that is printed is at most so many lines.
short() {
    local lines
    run_well 2 "${@:2}"
    holds "$(grep -E -c "^($machinery)  " "$work/stdout") lines of machinery" \
        [ "$(grep -E -c "^($machinery)  |^ *rank  " "$work/stdout")" = 0 ]
    holds 'no line of speed' [ "$(grep -c '^speed  .* s in all on 2 ranks$' <(unbroken))" = 1 ]
    lines=$(grep -c . <(unbroken))
    holds "$lines lines, not $1" [ "$lines" -le "$1" ]
}
short 6 label "$image" -o "$work/out/labels.npy" --balance chain --balance-every 1
short 6 cluster "$image" -k 5 -o "$work/out/labels.npy"
short 5 chan-vese "$image" -n 3 -o "$work/out/labels.npy"
short 6 snake "$image" --init circle:60,60,30 -n 3 -o "$work/out/points.csv"
short 6 paths "$image" --from 5,5 -o "$work/out/distance.npy"
short 6 life soup:64x64:35% -n 5 -o "$work/out/cells.rle"
short 4 run heat --size 40x40 -n 5 -o "$work/out/heat.npy"
short 6 trace "$data/scenes/room.nff" --size 24x16 -o "$work/out/room.png"
short 5 motion "$image" "$image" -k 4 -o "$work/out/flow.flo"
short 10 walk "$data/rock.png" --walkers 100 --steps 64 -o "$work/out/walk.csv"
short 9 synthetic --size 40x40 -n 3 --balance chain
rm -rf "$work"/out/*

# The summary names the decomposition.
run 4 label "$image" --decomposition 2x2 -v
holds "blocks are not told" grep -q '(union) in 2 x 2 blocks' "$work/stdout"
holds "nor the ranks' own" [ "$(grep -c '^ *[0-3]  *86 x [12][0-9]* ' "$work/stdout")" = 4 ]
run 2 label "$image" -v
holds "strips are not told" grep -q '(union) in 2 strips' "$work/stdout"
run_well 2 label "$image" --decomposition 1x2 --json "$json" --quiet
holds "blocks in JSON" grep -q '"decomposition": *"1 x 2 blocks"' "$json"

# votes RANKS VOTE MESSAGES STEPS METHOD: the JSON, with what a vote costs as in Andrews' chapter.
votes() {
    run_well "$1" label "$image" --quiet --json "$json" --vote "$2" --method "$5"
    holds "the JSON is not as it should be" "$python" - "$json" "$@" <<'PYTHON'
import json, sys

with open(sys.argv[1]) as file:
    run = json.load(file)
ranks, vote, messages, steps, method = sys.argv[2:7]
wanted = {
    "command": "label", "ranks": int(ranks), "method": method, "connectivity": 4,
    "periodic": False, "numbering": "scan", "min_area_pixels": 0,
}
assert {key: run[key] for key in wanted} == wanted, run
assert run["vote"]["method"] == vote, run["vote"]
number = lambda text: None if text == "-" else float(text)
assert run["vote"]["messages_per_vote"] == number(messages), run["vote"]
if steps != "?":
    assert run["vote"]["steps_per_vote"] == number(steps), run["vote"]
assert run["image"]["width_pixels"] == 448 and run["image"]["height_pixels"] == 172
assert run["beats"] >= 1 and run["regions"] > 1
if method == "union":
    assert run["beats"] <= max(int(ranks) - 1, 0).bit_length() + 2, run["beats"]
assert abs(run["foreground_share"] - run["foreground_pixels"] / (448 * 172)) < 1e-6
table = run["rank_table"]
assert [line["rank"] for line in table] == list(range(int(ranks)))
assert sum(line["rows"] for line in table) == 172
for line in table + [run["phases"]]:
    seconds = [value for key, value in line.items() if key.endswith("_seconds")]
    assert len(seconds) >= 8 and all(value >= 0 for value in seconds), line
# A rank that is a thread has its data, but no process, to itself.
peaks = [line["peak_memory_bytes"] for line in table]
if run["transport"].startswith("threads") and len(peaks) > 1:
    assert peaks == [None] * len(peaks), peaks
else:
    assert sum(peaks) == run["peak_memory_bytes"], (peaks, run["peak_memory_bytes"])
for line in table: # what is decoded, and labels
    assert line["rows"] * 448 <= line["peak_data_bytes"] < run["peak_memory_bytes"], line
PYTHON
}
votes 1 coordinator 2 '?' union
votes 2 coordinator 4 '?' union
votes 5 coordinator 10 '?' settle
votes 2 broadcast 3 '?' settle
votes 5 broadcast 9 '?' union
votes 2 tree 2 2 sweep
votes 4 tree 6 4 union
votes 5 tree 8 6 union
votes 5 pipeline 15 3 union
votes 5 allreduce - - union
holds "not valid for another reader" "$python" -m json.tool "$json" /dev/null

run_well 2 --help
holds "one copy on 2 ranks" [ "$(grep -c '^Usage: halobeat' "$work/stdout")" = 1 ]
run_well 1 label --help
cp "$work/stdout" "$work/help"
run_well 2 help label
holds "other help" cmp -s "$work/help" "$work/stdout"
run_well 1 help run heat
holds "no help of a kernel" grep -q -e '^Usage: halobeat run.*' "$work/stdout"
run 1 help no-such
holds "status $status" [ "$status" = 2 ]
holds "no word about the command" grep -q 'there is no command "no-such"' "$work/stderr"

# American spellings, and what both spellings begin with.
run_well 2 cluster "$image" -k 5 -n 1 --color --centers "$work/out/a.csv" -q
run_well 2 cluster "$image" -k 5 -n 1 --colour --cent "$work/out/b.csv" -q
holds "other centres" cmp -s "$work/out/a.csv" "$work/out/b.csv"
run_well 1 label "$image" --col "$work/out/a.png" -q
run_well 1 paths "$image" --from 5,5 --neigh 4 -q
run 1 cluster "$image" -k 5 --centers a.png
holds "a complaint without the option" grep -q -e '--centres takes a name ending in' "$work/stderr"
for names in halobeat american; do
    run_well 2 label "$image" --regions "$work/out/$names.csv" --names "$names" -q
done
holds "no American names" grep -q 'mean_gray,min_gray,max_gray$' "$work/out/american.csv"
holds "other regions" cmp -s "$work/out/halobeat.csv" <(sed 1s/gray/grey/g "$work/out/american.csv")
# Values of options, too.
run_well 1 run heat --size 20x20 -n 1 --colours grey -o "$work/out/a.png" -q
run_well 2 run heat --size 20x20 -n 1 --color gray -o "$work/out/b.png" -q --exchange neighbor --json "$work/out/g.json"
holds "other greys" cmp -s "$work/out/a.png" "$work/out/b.png"
holds "no British value" grep -q '"colours": "grey"' "$work/out/g.json"
run_well 2 life soup:64x64:30% -n 4 -q --exchange neighbor --balance random --migrate neighbor
rm -f "$work"/out/*
run_well 2 --version
holds "no version" grep -q -x 'halobeat [0-9]*\.[0-9]*\.[0-9]*' "$work/stdout"
transports=$(sed -n 's/^ranks are connected by //p' "$work/stdout")
holds "transports: $transports" grep -q -x -E 'threads(, MPI \((MPICH|Open MPI) [0-9][0-9a-z.]*\))?' <<<"$transports"
run_well 1 label "$image" -q --json "$json"
holds "other transports in JSON" grep -q -F "\"transports\": \"$transports\"" "$json"
finish
