#!/usr/bin/env bash
# `halobeat run`: the range and the colours of pictures, files of several beats, logs, cells of 32 bits,
# and runs that end within a tolerance.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
has_python "NumPy's arrays" numpy PIL || finish
out=$work/out one=$work/one
mkdir "$one"

"$python" - "$work" <<'PYTHON'
import sys, numpy
y, x = numpy.mgrid[:40, :60]
warm = 280 + 20 * numpy.hypot(x - 30, y - 20) / 40
numpy.save(sys.argv[1] + "/warm.npy", warm)
numpy.save(sys.argv[1] + "/warm32.npy", warm.astype("f4"))
numpy.save(sys.argv[1] + "/even.npy", numpy.full((40, 60), 291.5))
zeros = numpy.zeros((40, 60))
zeros[:20] = zeros[:, :30] = -zeros[0, 0]
numpy.save(sys.argv[1] + "/zeros.npy", zeros)
holes = warm.copy()
holes[10, 5] = numpy.nan
holes[20, 30:33] = numpy.inf, -numpy.inf, -5
numpy.save(sys.argv[1] + "/holes.npy", holes)
PYTHON

# picture NAME RANKS ARGUMENT...: the same bytes as on one rank.
picture() {
    run_well 1 run heat --edge held "${@:3}" -o "$one/$1" --json "$one/$1.json" --quiet
    run_well "$2" run heat --edge held "${@:3}" -o "$out/$1" --quiet --decomposition blocks
    holds "another picture $1 on $2 ranks" cmp -s "$one/$1" "$out/$1"
}
picture warm.png 4 --input "$work/warm.npy" --beats 3
picture viridis.png 3 --input "$work/warm.npy" --beats 3 --colours viridis
picture viridis.ppm 4 --input "$work/warm.npy" --beats 3 --colours viridis
picture warm.ppm 2 --input "$work/warm.npy" --beats 3
picture warm.pnm 3 --input "$work/warm.npy" --beats 3
picture range.png 4 --input "$work/warm.npy" --beats 3 --range 270,310
picture even.png 2 --input "$work/even.npy" --beats 1
picture own.png 4 --size 60x40 --beats 50
picture holes.png 4 --input "$work/holes.npy" --beats 1 --range 280,300
picture holes-hot.png 2 --input "$work/holes.npy" --beats 1 --color hot

holds "not the colours of the cells" "$python" - "$program" "$work" <<'PYTHON'
import json, subprocess, sys
import numpy
from PIL import Image

program, work = sys.argv[1:]
def cells(*arguments):
    subprocess.run([program, "run", "heat", "--edge", "held", *arguments, "-q", "-o", work + "/a.npy"],
                   check=True)
    return numpy.load(work + "/a.npy")
def shown(name):
    with open(f"{work}/one/{name}.json") as file:
        return Image.open(f"{work}/one/{name}"), json.load(file)["picture"]
def levels(cells, lo, hi, top):
    return numpy.floor(top * numpy.clip((cells - lo) / (hi - lo), 0, 1) + .5).astype(int)

warm = cells("--input", work + "/warm.npy", "--beats", "3")
picture, said = shown("warm.png")
assert picture.mode == "L", picture.mode
assert abs(numpy.array(picture).astype(int) - levels(warm, warm.min(), warm.max(), 255)).max() <= 1
assert said["colours"] == "grey" and said["cells_that_are_no_numbers"] == 0, said
assert said["range"] == [warm.min(), warm.max()], said  # to the last digit: it can be --range
picture, said = shown("range.png")
assert said["range"] == [270, 310], said
assert abs(numpy.array(picture).astype(int) - levels(warm, 270, 310, 255)).max() <= 1
picture, said = shown("viridis.png")
assert picture.mode == "P" and said["colours"] == "viridis", said
assert abs(numpy.array(picture).astype(int) - levels(warm, warm.min(), warm.max(), 254)).max() <= 1
luminance = numpy.array(picture.convert("RGB")) @ [.2126, .7152, .0722]
order = numpy.argsort(numpy.array(picture).ravel())
assert (numpy.diff(luminance.ravel()[order]) > -1).all(), "viridis is not evenly brighter"
rgb = picture.convert("RGB")
assert (numpy.array(shown("viridis.ppm")[0]) == numpy.array(rgb)).all()
assert shown("warm.pnm")[0].mode == "L" and shown("warm.ppm")[0].mode == "RGB"
assert (numpy.array(shown("warm.pnm")[0]) == numpy.array(shown("warm.png")[0])).all()
assert set(numpy.array(shown("even.png")[0]).ravel()) == {128}
own = cells("--size", "60x40", "--beats", "50")
picture, said = shown("own.png")
assert said["range"] == [0, 1] and own.max() < 1, said
assert abs(numpy.array(picture).astype(int) - levels(own, 0, 1, 255)).max() <= 1

holes = cells("--input", work + "/holes.npy", "--beats", "1")
none = numpy.isnan(holes)
for name, colour in ("holes.png", (217, 26, 26)), ("holes-hot.png", (128, 128, 128)):
    picture, said = shown(name)
    rgb = numpy.array(picture.convert("RGB"))
    assert none.sum() > 3 and said["cells_that_are_no_numbers"] == none.sum(), said
    assert (rgb[none] == colour).all() and not (rgb[~none] == colour).all(axis=1).any(), name
assert numpy.isclose(said["range"][1], holes[numpy.isfinite(holes)].max()), said
rgb = numpy.array(shown("holes.png")[0].convert("RGB"))
assert (holes == numpy.inf).any() and (rgb[holes == numpy.inf] == 255).all()
assert (holes == -numpy.inf).any() and (rgb[holes == -numpy.inf] == 0).all()
PYTHON

# Maps that are called as matplotlib's have its colours. Its hot begins with a red of 10.
if has_python "matplotlib's colours" matplotlib; then
    "$python" -c 'import sys, numpy
numpy.save(sys.argv[1], numpy.tile(numpy.linspace(0, 1, 255), (3, 1)))' "$work/ramp.npy"
    for map in viridis cubehelix coolwarm hot; do
        run_well 1 run heat --edge held --input "$work/ramp.npy" --range 0,1 --beats 1 --quiet \
            --colours "$map" -o "$out/$map.png"
    done
    holds "other colours than matplotlib's" "$python" - "$out" <<'PYTHON'
import sys
import matplotlib, numpy
from PIL import Image
for name, most in ("viridis", 3), ("cubehelix", 3), ("coolwarm", 6), ("hot", 12):
    ours = numpy.array(Image.open(f"{sys.argv[1]}/{name}.png").convert("RGB"))[1].astype(float)
    theirs = matplotlib.colormaps[name](numpy.linspace(0, 1, 255))[:, :3] * 255
    assert abs(ours - theirs).max() <= most, (name, abs(ours - theirs).max(axis=0))
PYTHON
fi

# A hint names --edge if a picture shows what the default edges do to cells of a file.
told_edges() {
    run_well 2 run heat --input "$work/warm.npy" --beats 2 "$@"
    grep -q '^hint .*--edge held keeps' <(unbroken)
}
holds "no word about edges" told_edges -o "$out/edges.png"
for how in "--edge held -o $out/e.png" "--edge 280 -o $out/e.png" "--periodic all -o $out/e.png" "-o $out/e.npy"; do
    read -ra words <<<"$how"
    told_edges "${words[@]}" && holds "edges are told of with $how" false
done

# Edges have their number also where cells come from a file.
for ranks in 1 2 4; do
    run_well "$ranks" run heat --input "$work/warm.npy" --edge 250 --beats 1 --every 1 --quiet \
        -o "$out/$ranks-edge%d.npy" --decomposition blocks
done
holds "other edges" "$python" - "$work" <<'PYTHON'
import sys
import numpy
work = sys.argv[1]
before = numpy.load(work + "/warm.npy")
before[[0, -1]] = before[:, [0, -1]] = 250
after = before.copy()
after[1:-1, 1:-1] = .25 * ((before[:-2, 1:-1] + before[2:, 1:-1]) + (before[1:-1, :-2] + before[1:-1, 2:]))
for ranks in 1, 2, 4:
    for beat, cells in enumerate((before, after)):
        assert (numpy.load(f"{work}/out/{ranks}-edge{beat}.npy") == cells).all(), (ranks, beat)
PYTHON

# A file for each of several beats, arrays and pictures, which all have the first one's range.
run_well 3 run heat --size 50x30 --beats 14 --every 5 -o "$out/b-%03d.npy" --quiet
for beat in 0 5 10 14; do
    run_well 1 run heat --size 50x30 --beats "$((beat > 0 ? beat : 1))" --quiet -o "$one/b.npy"
    holds "other cells after beat $beat" \
        [ "$beat" = 0 -a -s "$out/b-000.npy" -o "$(cmp "$one/b.npy" "$out/b-$(printf %03d "$beat").npy")" = '' ]
done
holds "other files" [ "$(cd "$out" && echo b-*)" = "b-000.npy b-005.npy b-010.npy b-014.npy" ]
run_well 2 run heat --input "$work/warm.npy" --beats 40 --every 20 -o "$out/p%d.png" --quiet
run_well 1 run heat --input "$work/warm.npy" --beats 20 --quiet -o "$one/p20.npy"
run_well 1 run heat --input "$one/p20.npy" --beats 20 --quiet -o "$one/p40.png" --range 280,298.027756377
holds "pictures of several ranges" cmp -s "$out/p40.png" "$one/p40.png"
# A first picture of one colour sets no range for those that follow.
for ranks in 1 3; do
    run_well "$ranks" run heat --input "$work/zeros.npy" --source 1 --beats 4 --every 2 --quiet \
        -o "$out/$ranks-z%d.png" --json "$out/$ranks-z.json" --decomposition blocks
done
holds "other colours on 3 ranks" cmp -s "$out/1-z4.png" "$out/3-z4.png"
holds "no range of cells that began as one" "$python" - "$out" <<'PYTHON'
import json, sys
import numpy
from PIL import Image
out = sys.argv[1]
with open(out + "/1-z.json") as file:
    low, high = json.load(file)["picture"]["range"]
assert (low, high) == (1.5, 2), (low, high)
first, second, third = (numpy.array(Image.open(f"{out}/1-z{beat}.png")) for beat in (0, 2, 4))
assert set(first.ravel()) == {128} and (second.min(), second.max()) == (0, 255)
assert (third == 255).all()
PYTHON

# Nor do the pictures of a movie and of an output differ in theirs.
if has ffmpeg ffmpeg movies; then
    run_well 2 run heat --input "$work/warm.npy" --beats 40 --every 20 --quiet -o "$out/q.png" --movie "$out/q.gif"
    holds "another range beside a movie" cmp -s "$out/q.png" "$out/p40.png"
fi
# A run that goes on writes the files that are left.
rm -f "$out"/b-*
run_well 2 run heat --size 50x30 --beats 7 --every 5 -o "$out/b-%03d.npy" --checkpoint "$work/c.halo" --quiet
run_well 3 run heat --restore "$work/c.halo" --beats 7 --every 5 -o "$out/b-%03d.npy" --quiet
holds "files of a run in two parts" \
    [ "$(cd "$out" && echo b-*)" = "b-000.npy b-005.npy b-007.npy b-010.npy b-014.npy" ]
holds "another end of a run in two parts" cmp -s "$one/b.npy" "$out/b-014.npy"

# Cells of 32 bits: the same bytes on any number of ranks, as NumPy computes them.
for kernel in 'heat --size 61x43' 'heat3d --size 17x15x13'; do
    read -ra words <<<"$kernel"
    run_well 1 run "${words[@]}" --dtype float32 --source .1 --beats 21 --quiet -o "$one/f.npy"
    for ranks in 2 4; do
        run_well "$ranks" run "${words[@]}" --dtype float32 --source .1 --beats 21 --quiet -o "$out/f.npy" \
            --decomposition blocks --checkpoint "$work/f.halo"
        holds "other floats of $kernel on $ranks ranks" cmp -s "$one/f.npy" "$out/f.npy"
    done
    run_well 1 run "${words[@]}" --dtype float32 --source .1 --beats 25 --quiet -o "$one/f.npy"
    run_well 3 run "${words[0]}" --restore "$work/f.halo" --beats 4 --quiet -o "$out/f.npy"
    holds "other floats of $kernel from a checkpoint" cmp -s "$one/f.npy" "$out/f.npy"
done
holds "not NumPy's floats" "$python" - "$program" "$work" <<'PYTHON'
import json, subprocess, sys
import numpy

program, work = sys.argv[1:]
def after(name, *how):
    subprocess.run([program, "run", "heat", "--input", work + name, *how, "--beats", "1", "-q",
                    "-o", work + "/a.npy", "--json", work + "/a.json"], check=True)
    with open(work + "/a.json") as file:
        run = json.load(file)
    cells = numpy.load(work + "/a.npy")
    assert run["cell_type"] == cells.dtype, (run["cell_type"], cells.dtype)
    return cells
def same(a, b):
    return a.dtype == b.dtype and (a == b).all()
wide = numpy.pad(numpy.load(work + "/warm32.npy"), 1)
quarter = numpy.float32(.25)
mean = quarter * ((wide[:-2, 1:-1] + wide[2:, 1:-1]) + (wide[1:-1, :-2] + wide[1:-1, 2:]))
assert mean.dtype == numpy.float32 and same(after("/warm32.npy", "--dtype", "float32"), mean)
# Without --dtype cells are what the samples are; those of 64 bits are the default for all others.
assert same(after("/warm32.npy"), mean) and same(after("/warm32.npy", "--source", "0"), mean)
assert after("/warm32.npy", "--dtype", "float64").dtype == numpy.float64
assert after("/warm32.npy", "--dtype", "float64").dtype == numpy.float64
assert after("/warm.npy").dtype == numpy.float64
PYTHON

# From a checkpoint, too, without a word of the type.
run_well 1 run heat --input "$work/warm32.npy" --beats 9 --quiet -o "$one/f.npy"
run_well 2 run heat --input "$work/warm32.npy" --beats 4 --quiet --checkpoint "$work/w.halo"
run_well 3 run heat --restore "$work/w.halo" --beats 5 --quiet -o "$out/f.npy" --decomposition blocks
holds "other cells of an input of 32 bits in two parts" cmp -s "$one/f.npy" "$out/f.npy"

# A tolerance ends a run at the same beat on any number of ranks.
settles=(heat --size 40x30 --tolerance 1e-3 --beats 5000 --edge 0)
run_well 1 run "${settles[@]}" --quiet -o "$one/t.npy" --json "$one/t.json"
for ranks in 2 4; do
    run_well "$ranks" run "${settles[@]}" -o "$out/t.npy" --json "$out/t.json" --decomposition blocks
    holds "nothing about the tolerance" grep -q 'no cell changes by more than the tolerance' "$work/stdout"
    holds "another end on $ranks ranks" cmp -s "$one/t.npy" "$out/t.npy"
done
holds "not the first beat within the tolerance" "$python" - "$program" "$work" <<'PYTHON'
import json, subprocess, sys
import numpy

program, work = sys.argv[1:]
with open(work + "/one/t.json") as file:
    run = json.load(file)
def after(beats):
    subprocess.run([program, "run", "heat", "--size", "40x30", "--edge", "0", "--beats", str(beats), "-q",
                    "-o", work + "/a.npy"], check=True)
    return numpy.load(work + "/a.npy")
end = run["beat"]
assert run["converged"] is True and 3 < end < 5000, run
before, last, least = after(end - 2), after(end - 1), after(end)
assert abs(last - before).max() > 1e-3 >= abs(least - last).max()
assert (numpy.load(work + "/one/t.npy") == least).all()
PYTHON
run_well 2 run heat --size 40x30 --tolerance 1e-9 --beats 9
holds "nothing about what was not reached" grep -q 'asked for, and it has not converged' "$work/stdout"
run_well 1 run heat --tolerance 1e-3 --input "$work/holes.npy" --beats 9
holds "what is no number has converged" grep -q 'has not converged' "$work/stdout"

# A log: the same bytes for any ranks and parts, also where boundaries move, as NumPy has them.
logged=(heat --size 60x44 --beats 23 --every 5)
run_well 1 run "${logged[@]}" --quiet --log "$one/l.csv"
for how in '4 --decomposition blocks' '3 --balance random' '2 --halo-depth 4' '4 --movie m.gif'; do
    read -ra words <<<"${how/m.gif/$out/m.gif}"
    if [[ $how == *movie* ]] && ! has ffmpeg ffmpeg movies; then continue; fi
    run_well "${words[0]}" run "${logged[@]}" --quiet --log "$out/l.csv" "${words[@]:1}"
    holds "another log with $how" cmp -s "$one/l.csv" "$out/l.csv"
done
run_well 1 run "$tools/rise.so" --size 30 --beats 4 --quiet --log "$out/line.csv"
run_well 3 run heat3d --size 9x8x7 --beats 4 --every 2 --quiet --log "$out/block.csv"
run_well 2 run "${logged[@]}" --quiet --log - >/dev/null
holds "another log on standard output" cmp -s "$one/l.csv" "$work/stdout"
# Logs of cells of 0 and -0, and of a run that ends within a tolerance, agree.
for log in "zeros --input $work/zeros.npy --edge held --beats 1" \
    'ends --size 40x30 --edge 0 --beats 5000 --every 100 --tolerance 1e-3'; do
    read -ra words <<<"$log"
    run_well 1 run heat "${words[@]:1}" --quiet --log "$one/${words[0]}.csv"
    for how in '2' '3 --decomposition 1x3' '4 --decomposition blocks'; do
        read -ra parts <<<"$how"
        run_well "${parts[0]}" run heat "${words[@]:1}" --quiet --log "$out/m.csv" "${parts[@]:1}"
        holds "another log of ${words[0]} on $how" cmp -s "$one/${words[0]}.csv" "$out/m.csv"
    done
done
holds "no change of the last beat" "$python" - "$one" <<'PYTHON'
import csv, json, sys
with open(sys.argv[1] + "/ends.csv") as file, open(sys.argv[1] + "/t.json") as run:
    last, end = list(csv.DictReader(file))[-1], json.load(run)["beat"]
assert 0 < float(last["change"]) <= 1e-3 and end % 100 != 0, (last, end)
PYTHON
# A run in two parts continues its log.
run_well 2 run "${logged[@]:0:3}" --beats 12 --every 5 --quiet --log "$out/r.csv" --checkpoint "$work/l.halo"
cp "$out/r.csv" "$out/r2.csv"
cp "$work/l.halo" "$work/first.halo"
run_well 3 run "${logged[@]:0:3}" --beats 23 --every 5 --quiet --log "$out/r.csv" --checkpoint "$work/l.halo" \
    --resume
holds "another log of a run in two parts" cmp -s "$one/l.csv" <(grep -v '^12,' "$out/r.csv")
cp "$data/coffee.png" "$work/photo.csv"
fails 1 'photo.csv" is no log; use another file' 2 run "${logged[@]:0:3}" --beats 30 --quiet \
    --log "$work/photo.csv" --checkpoint "$work/l.halo" --resume
holds "a picture was cut as if it were a log" cmp -s "$data/coffee.png" "$work/photo.csv"
fails 1 'photo.csv" is no log; use another file' 3 run "${logged[@]:0:3}" --beats 30 --quiet --log "$work/photo.csv"
holds "a picture was replaced by a log" cmp -s "$data/coffee.png" "$work/photo.csv"
# Also from a checkpoint, again and again: lines of beats that are computed again go.
for again in 1 2; do
    run_well "$again" run heat --restore "$work/first.halo" --beats 11 --every 5 --quiet --log "$out/r2.csv"
    holds "another log of a run from a checkpoint, $again" cmp -s "$one/l.csv" <(grep -v '^12,' "$out/r2.csv")
done
echo notes >"$out/notes.csv"
fails 1 'notes.csv" is no log' 1 run heat --restore "$work/first.halo" --beats 11 --quiet --log "$out/notes.csv"
for before in '' 'beat,min,max,mean,change,not_finite\n'; do
    printf '%b' "$before" >"$out/notes.csv"
    run_well 2 run heat --restore "$work/first.halo" --beats 11 --every 5 --quiet --log "$out/notes.csv"
    holds "not a log of its own" [ "$(cut -d , -f 1 "$out/notes.csv" | paste -sd ,)" = beat,15,20,23 ]
done
holds "not the cells' statistics" "$python" - "$program" "$work" <<'PYTHON'
import csv, fractions, subprocess, sys
import numpy

program, work = sys.argv[1:]
def lines(name):
    with open(name) as file:
        return list(csv.DictReader(file))
def check(line, before, cells):
    finite = cells[numpy.isfinite(cells)]
    mean = float(sum(map(fractions.Fraction, finite.ravel())) / finite.size)
    assert [float(line[k]) for k in ("min", "max")] == [finite.min(), finite.max()], line
    assert abs(float(line["mean"]) - mean) <= 2e-16 * abs(mean), (line, mean)
    both = numpy.isfinite(cells) & numpy.isfinite(before)
    assert float(line["change"]) == abs(cells - before)[both].max(), line
    assert int(line["not_finite"]) == cells.size - finite.size, line
def cells(beats, *how):
    subprocess.run([program, "run", *how, "--beats", str(beats), "-q", "-o", work + "/a.npy"], check=True)
    return numpy.load(work + "/a.npy")

log = lines(work + "/one/l.csv")
assert [int(line["beat"]) for line in log] == [0, 5, 10, 15, 20, 23], log
assert log[0]["change"] == "" and float(log[0]["max"]) == 1
for line in log[1:]:
    beat = int(line["beat"])
    check(line, cells(beat - 1, "heat", "--size", "60x44"), cells(beat, "heat", "--size", "60x44"))
last = lines(work + "/out/block.csv")[-1]
how = "heat3d", "--size", "9x8x7"
check(last, cells(3, *how), cells(4, *how))
how = "heat", "--edge", "held", "--input", work + "/holes.npy"
subprocess.run([program, "run", *how, "--beats", "2", "-q", "--log", work + "/h.csv"], check=True)
check(lines(work + "/h.csv")[-1], cells(1, *how), cells(2, *how))
PYTHON

# Refusals.
refusing=run
besides=(heat)
bad range 1 1,1 2,1 1,2,3 nan,1 'x,y' ''
bad colours rainbow
bad dtype float16
bad tolerance -1 x
refuse 'tolerance takes a number from 0 on, not "-1"' heat --tolerance -1
refuse 'range needs --movie FILE or -o FILE.png' heat --range 1,2 -o x.npy
refuse 'colours needs --movie FILE or -o FILE.png' heat --colours hot
refuse 'needs --every N' heat -o "$out/x-%d.npy"
refuse 'place for the number of a beat' heat -o "$out/x.npy" --every 4
refuse 'not in those of folders' heat -o "$out/x%d/y.npy" --every 4
refuse 'name ending in' heat -o "$out/x/" --every 4
fails 1 'create the folder first' 2 run heat --log "$work/no/such.csv"
fails 2 'cannot do 4 beats per exchange' 2 run heat --tolerance 1e-3 --halo-depth 4
fails 2 'was computed with source=.1,dtype=float32' 2 run heat3d --restore "$work/f.halo" --dtype float64
finish
