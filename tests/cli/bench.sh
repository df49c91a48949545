#!/usr/bin/env bash
# halobeat bench: everything promised is measured and written, and what cannot be is refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python csv json
csv=$work/out/bench.csv json=$work/out/bench.json
# How long it takes is told to those who wait, and depends on the machine.
quick=(--beats 4 --repeat 6 --progress never)

# cuts KERNEL SIZE DEPTHS RANKS: a decomposition of every kernel, and what its files hold.
cuts() {
    run_well "$4" bench decomposition --kernel "$1" --size "$2" --depth "$3" "${quick[@]}" \
        --csv "$csv" --json "$json"
    for word in '^machine ' '^real ' '^size .*model' "^winner .* $4 ranks: [sb]"; do
        holds "nothing about $word" grep -q -e "$word" <(unbroken)
    done
    holds "the files are not as they should be" "$python" - "$csv" "$json" "$1" "$3" "$4" <<'PYTHON'
import csv, json, math, sys

kernel, depths, most = sys.argv[3], [int(d) for d in sys.argv[4].split(",")], int(sys.argv[5])
with open(sys.argv[1]) as file:
    rows = list(csv.DictReader(file))
with open(sys.argv[2]) as file:
    run = json.load(file)
names = """kernel size ranks shape parts depth mode beats repeats seconds low_quartile high_quartile
    deviation compute_seconds exchange_seconds vote_seconds wait_seconds messages bytes
    surface_to_volume predicted_seconds prediction_error best""".split()
assert list(rows[0]) == names, list(rows[0])
assert run["command"] == "bench" and run["measured"] == "decomposition", run
assert run["kernel"] == kernel and run["ranks_started"] == most, run
assert len(rows) == len(run["measurements"]) > 0
modelled = kernel != "label"
for text, row in zip(rows, run["measurements"]):
    assert list(row) == names
    assert text["kernel"] == row["kernel"] == kernel
    assert text["parts"] == row["parts"] and math.prod(map(int, row["parts"].split("x"))) == row["ranks"]
    assert float(text["seconds"]) == row["seconds"] > 0
    assert row["low_quartile"] <= row["seconds"] <= row["high_quartile"], row
    assert row["deviation"] >= 0 and row["repeats"] == 6, row
    assert row["beats"] == math.ceil(4 / row["depth"]) * row["depth"], row
    assert row["compute_seconds"] > 0 and row["wait_seconds"] >= 0, row
    if modelled:
        assert (row["messages"] > 0) == (row["bytes"] > 0) == (row["ranks"] > 1), row
    assert (row["predicted_seconds"] is not None) == modelled == (text["predicted_seconds"] != "")
    if modelled:
        assert row["predicted_seconds"] > 0 and (row["surface_to_volume"] > 0) == (row["ranks"] > 1)
        wanted = row["predicted_seconds"] / row["seconds"] - 1
        assert abs(row["prediction_error"] - wanted) < 1e-6 * (1 + abs(wanted)), row
ranks = sorted({row["ranks"] for row in run["measurements"]})
assert ranks == [p for p in (1, 2, 4) if p <= most], ranks
assert {row["depth"] for row in run["measurements"]} == set(depths)
if most == 4:
    assert {row["shape"] for row in run["measurements"]} == {"strips", "blocks"}
# Winners: the least median of each number of ranks.
assert [w["ranks"] for w in run["winners"]] == ranks
for winner in run["winners"]:
    group = [row for row in run["measurements"] if row["ranks"] == winner["ranks"]]
    best = min(group, key=lambda row: row["seconds"])
    assert winner["winner"]["seconds"] == best["seconds"], (winner, best)
    assert [row["best"] for row in group].count("best") == 1 and best["best"] == "best"
    same = [row for row in group if row["best"] == "same"]
    assert len(winner["not_really_slower"]) == len(same)
# Up to 2^20 ranks, with the figures it comes from.
assert len(run["models"]) == modelled and len(run["predictions"]) == 21 * modelled
for model in run["models"]:
    figures = ["cell", "message", "post", "byte", "pack", "vote"]
    assert all(model["machine"][name + "_seconds"] >= 0 for name in figures), model
    assert model["machine"]["cell_seconds"] > 0
    crossing = model["crossing_ranks"]
    for row in run["predictions"]:
        wins = row["blocks_seconds"] is not None and row["strips_seconds"] is not None and \
            row["blocks_seconds"] < row["strips_seconds"]
        assert not wins or 0 < crossing <= row["ranks"], (row, crossing)
PYTHON
}
cuts heat 50x60 1,2 4
most=2 # blocks take the longest
if more; then most=4; fi
cuts heat3d 12x10x8 1,2 $most
cuts life 1280x640 1,2 $most
cuts label 70x80 1 $most
cuts synthetic 64 1,3 2

# kind NAME RANKS WORD...: the other things to measure, and what their tables name.
kind() {
    local word
    run_well "$2" bench "$1" --beats 2 --repeat 2 --progress never --csv "$csv" --json "$json"
    for word in 'too few repeats' "${@:3}"; do
        holds "nothing about $word" grep -q -e "$word" <(unbroken)
    done
    holds "the files are not as they should be" "$python" - "$csv" "$json" "$1" "$2" <<'PYTHON'
import csv, json, sys

with open(sys.argv[1]) as file:
    rows = list(csv.DictReader(file))
with open(sys.argv[2]) as file:
    run = json.load(file)
assert run["measured"] == sys.argv[3] and len(rows) == len(run["measurements"]) > 3
assert max(row["ranks"] for row in run["measurements"]) == int(sys.argv[4])
for text, row in zip(rows, run["measurements"]):
    assert text["measure"] == row["measure"] != "" and text["way"] == row["way"] != ""
    assert row["real"] == "not here" or row["low_quartile"] <= row["seconds"] <= row["high_quartile"]
    assert row["real"] in ("", "no", "not here"), row  # two repeats cannot tell
    assert row["rate"] is None or (row["rate"] > 0 and row["rate_of"] == "B")
assert any(row["seconds"] for row in run["measurements"])
PYTHON
}
kind exchange 2 'message *one way *2 *4194304' '8 messages each way' 'bare MPI' \
    'halo of 2 rows *p2p' 'halo of 2 columns *p2p copy' 'halo with corners *p2p direct' 'datatype'
kind vote 3 allreduce tree coordinator broadcast pipeline

# Shapes by number, several sizes and modes; one rank alone has no network to model.
run_well 4 bench decomposition --size 40,50x30 --shapes 1x4,auto --ranks 4 --depth 1 \
    --modes p2p,persistent "${quick[@]}" --csv "$csv"
holds "not all ways to cut" [ "$(grep -c ',1x4,' "$csv")" = 4 ]
run_well 1 bench decomposition --size 40 "${quick[@]}"
holds "nothing about what is missing" grep -q '2 ranks or more' <(unbroken)

# Those who wait are told what is measured and for how long, but not of what takes no time.
run 2 bench vote --repeat 6
holds "nothing about how long it takes" grep -qxF \
    'halobeat bench vote: 10 measurements, 6 repeats of each: about 3 s' "$work/stderr"
run 2 bench vote --repeat 1 --progress always
holds "no progress line" grep -qE 'vote, 2 ranks +\[[#.]{24}\]' "$work/stderr"
run_well 2 bench vote --repeat 1 --progress never
run_well 2 bench vote --repeat 1 --quiet
holds "quiet is not quiet" [ ! -s "$work/stdout" ]

# Pictures, and what is said without the program that draws them.
small=(bench decomposition --size 48 --depth 1 "${quick[@]}" --quiet)
if has gnuplot gnuplot-nox pictures; then
    if more; then run_well 4 "${small[@]}" --plot "$work/out/plot.png"; fi
    run_well 1 "${small[@]}" --plot "$work/out/plot.svg"
    holds "no SVG" grep -q '<svg' "$work/out/plot.svg"
    small+=(--repeat 1)
    run_well 2 "${small[@]}" --kernel heat3d --size 12 --plot "$work/out/cube.PNG"
    holds "no PNG" [ "$(head -c 4 "$work/out/cube.PNG" | tail -c 3)" = PNG ]
    # Each of eight lines has a colour of its own; there are three others.
    run_well 2 "${small[@]}" --size 96 --depth 1,2,3,4,5,6,7,8 --plot "$work/out/many.svg"
    holds "lines of one colour" [ "$(grep -o "stroke='rgb([ 0-9,]*)'" "$work/out/many.svg" | sort -u | wc -l)" -ge 11 ]
    holds "something is left beside them" [ "$(find "$work/out" -name '.*partial*')" = '' ]
fi
# Open MPI itself cannot do without programs that it looks for in PATH.
if [ "$launcher" = mpich ]; then
    mkdir "$work/tools"
    for tool in timeout find sort xargs cksum grep sed wc cut head cat; do
        ln -s "$(command -v "$tool")" "$work/tools/"
    done
    PATH=$work/tools fails 1 'gnuplot is not installed; install it' 1 "${small[@]}" \
        --plot "$work/out/none.png"
fi

run 2 bench --help
for word in decomposition: exchange: vote: heat: heat3d: life: label: synthetic: Wilcoxon; do
    holds "nothing about $word" grep -q -F -e "$word" "$work/stdout"
done

refusing=bench

# bad OPTION VALUE...: none of these values will do; of a list the last entry is to blame.
bad() {
    local value
    for value in "${@:2}"; do refuse "$1.*${value##*,}" decomposition "--$1=$value"; done
}
bad size 0 x5 10x 10x10x10 -5 1e3 '10,' 10,,20 10,x 9999999999
bad ranks 0 -1 two 1,0 99 1,
bad shapes squares 0x4 2x 2x2x2x2 strips,,blocks
bad depth 0 -1 deep 1,0 1001
bad modes pigeon p2p,pigeon ''
refuse 'lunch' lunch
refuse 'too many' vote exchange
for option in --kernel --size --shapes --depth --modes --plot; do
    case $option in
        --kernel) value=heat ;;
        --shapes) value=strips ;;
        --modes) value=p2p ;;
        --plot) value=x.png ;;
        *) value=4 ;;
    esac
    refuse "$option is for decomposition" vote "$option" "$value"
done
fails 2 'ranks 8: .*mpiexec -n 8' 2 bench vote --ranks 8
fails 2 'exchange takes at least 2 ranks; ask for them (--ranks 2)' 1 bench exchange
fails 2 'exchange takes at least 2 ranks' 2 bench exchange --ranks 1
fails 2 'label an exchange lasts for 1 beat' 2 bench decomposition --kernel label --depth 2
fails 2 'size 8x8 is too small for 4 ranks .*depth 3' 4 bench decomposition --size 8 --ranks 4 \
    --depth 3
fails 2 'shapes 3x2: no number of ranks' 4 bench decomposition --shapes 3x2 --size 40
finish
