#!/usr/bin/env bash
# Pages of --report: what is refused, what they hold, and what a browser shows of them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
out=$work/out

# Every command has the option: it is in every command's list.
holds "a command without --report" "$python" - <("$program" --options) <<'PYTHON'
import json, sys

rows = json.load(open(sys.argv[1]))
commands = {row["command"] for row in rows}
without = commands - {row["command"] for row in rows if row["name"] == "report"}
assert len(commands) > 10 and not without, without
PYTHON

# A page that cannot be written is refused before the work, by all ranks at once.
for ranks in 1 3; do
    fails 1 'No such file' "$ranks" synthetic --size 40x40 --beats 5 --report "$out/none/page.html"
    fails 2 'same file' "$ranks" synthetic --size 40x40 --beats 5 --json "$out/a" --report "$out/a"
    fails 2 'one file can go to standard output' "$ranks" synthetic --size 40x40 --beats 5 \
        --json - --report -
done
mkdir "$work/folder"
fails 1 'folder\|directory' 1 label "$data/text.png" --report "$work/folder"

# To standard output; the summary makes room for it.
run 2 label "$data/text.png" --report -
holds "exit status $status" [ "$status" = 0 ]
holds "no page" grep -q '^<!DOCTYPE html>' "$work/stdout"
holds "the page does not end" [ "$(tail -n 1 "$work/stdout")" = '</html>' ]
holds "no summary beside it" grep -q '^regions ' "$work/stderr"
holds "a page that cannot be written" [ "$("$program" label "$data/text.png" --report - -q \
    2>&1 >/dev/full | grep -c '^halobeat label: .*No space left')" = 1 ]

# shoot NAME RANKS ARGUMENT...: a run with a page and the JSON for it.
pages=()
shoot() {
    local name=$1
    run "$2" "${@:3}" --json "$out/$name.json" --quiet --report "$out/$name.html"
    holds "no page of $name" [ -s "$out/$name.html" ]
    # Nothing but anchors and data is referred to, whoever opens it.
    holds "$name refers to something else" [ "$(grep -o -i -E \
        '(src|href|action|url|import)[=(]["'\'']?[^d#"'\''][^"'\'' >]*' "$out/$name.html" |
        grep -c .)" = 0 ]
    pages+=("$out/$name.html" "$out/$name.json")
}

# Names of files with all that HTML and shells give a meaning to.
evil="$out/a <r>&amp;'\"\$(r).png"
cp "$data/text.png" "$evil"
shoot label 2 label "$evil" --invert -o "$out/l.png" --colour "$out/c.png" --regions "$out/r.csv"
holds "no line of speed" grep -q '<th scope="row">speed</th><td>.*s in all' "$out/label.html"
shoot filter 2 filter "$data/text.png" gaussian:1 threshold:otsu fill_holes gaussian:1 -o "$out/f.png"
holds "no reason of a pass" grep -q 'a new pass: fill_holes needs the whole image' "$out/filter.html"
shoot balance 3 synthetic --size 90x90 --beats 60 --balance random --balance-every 10
shoot life 1 life "$data/patterns/glider-gun.rle" -n 40 -o "$out/gun.png" --population "$out/gun.csv"
shoot batch 2 label "$data/text.png" "$data/cell.png" "$out/none.png" -o "$out/{name}.npy"
holds "a failed image is no failure" [ "$status" = 1 ]
holds "other counts" grep -q '<th scope="row">images</th><td>2 of 3 in 0\.[0-9]* s, [1-9]' "$out/batch.html"
holds "no reason of the one that failed" grep -q '^<p><strong>No result:</strong> .*none.png: cannot be opened' "$out/batch.html"
shoot tasks 2 trace "$data/scenes/room.nff" --size 64x48 -o "$out/room.png"
shoot bench 1 bench vote --repeat 1

if has gnuplot gnuplot-nox 'the caption of a plot'; then
    shoot plot 1 walk "$data/rock.png" --steps 64 --walkers 100 --plot "$out/plot.png"
    holds "its caption says what made it" [ "$(grep -c '<figcaption>.*(needs' "$out/plot.html")" = 0 ]
fi

# Arrays become pictures from their least value to their largest, and large ones are scaled down.
if has_python 'pictures on pages' numpy PIL; then
    "$python" - "$out/large.npy" <<'PYTHON'
import sys
import numpy

y, x = numpy.mgrid[0:1100, 0:1500]
numpy.save(sys.argv[1], (20 + 60 * (1 + numpy.sin(x / 90) * numpy.cos(y / 70))).astype("u1"))
PYTHON
    run_well 2 label "$out/large.npy" -t 110 -o "$out/parts.npy" --quiet --report "$out/large.html"
    holds "another picture" "$python" - "$out" <<'PYTHON'
import base64, io, re, sys
import numpy, PIL.Image

out = sys.argv[1]
page = open(out + "/large.html").read()
pictures = [numpy.asarray(PIL.Image.open(io.BytesIO(base64.b64decode(data)))).astype(float)
            for data in re.findall(r'src="data:image/png;base64,([^"]*)"', page)]
assert [p.shape for p in pictures] == [(528, 720, 3)] * 2, [p.shape for p in pictures]
image = numpy.load(out + "/large.npy").astype("f4")
wanted = numpy.asarray(PIL.Image.fromarray(image).resize((720, 528), PIL.Image.BOX))
wanted = (wanted - wanted.min()) / (wanted.max() - wanted.min()) * 255
assert abs(pictures[0] - wanted[..., None]).max() < 6, abs(pictures[0] - wanted[..., None]).max()
# A pixel of labels is one of those that it stands for: as many colours as regions, and ground.
labels = numpy.load(out + "/parts.npy")
colours = numpy.unique(pictures[1].reshape(-1, 3), axis=0)
assert len(colours) == len(numpy.unique(labels)) > 4, (len(colours), labels.max())
PYTHON
fi

# However many images there are, the page has the first thousand, and what failed of the others.
mkdir "$work/many"
"$python" - "$work/many" <<'PYTHON'
import pathlib, sys

for i in range(1100):
    pathlib.Path(sys.argv[1], f"i{i:04}.pgm").write_bytes(b"P5\n8 8\n255\n" + bytes(range(0, 256, 4)))
pathlib.Path(sys.argv[1], "i1050.pgm").write_bytes(b"P5 <&>")
PYTHON
run 2 label "$work/many/*.pgm" -o "$out/many/{name}.npy" --quiet --report "$out/many.html"
holds "a failed image is no failure" [ "$status" = 1 ]
holds "not a thousand images" [ "$(grep -c '^<tr><th scope="row">\(<a [^>]*>\)\?[^<]*/i[0-9]*[.]pgm' "$out/many.html")" = 1000 ]
holds "no word of the others" grep -q 'The first 1000 of 1100 images' "$out/many.html"
holds "the one that failed is left out" grep -q 'i1050.pgm</td><td[^>]*>.*i1050.pgm: ' "$out/many.html"
holds "no warning of it" grep -q '<li>1 of 1100 images failed' "$out/many.html"
holds "the page is long" [ "$(wc -c <"$out/many.html")" -lt 2000000 ]

# Bytes of names that are no characters are no reason to lose the rest of a name, or the picture.
odd="$out/ü"$'\xff'".png"
cp "$data/text.png" "$odd"
run_well 1 label "$odd" "$data/cell.png" --table "$out/odd.csv" --quiet --report "$out/odd.html"
holds "another name" grep -q '<h3 id="image-1">.*/ü?.png</h3>' "$out/odd.html"
holds "no picture of it" [ "$(grep -c '^<figure><img' "$out/odd.html")" = 2 ]

# Frames of a sequence are inputs as images are; plots are drawn before the page that shows them.
run_well 1 motion "$data/text.png" "$data/text.png" "$data/text.png" -k 4 --quiet --report "$out/motion.html"
holds "another title" grep -q '<h1>.*text.png and 2 more</h1>' "$out/motion.html"
holds "other frames" [ "$(grep -c '^<figure><img.* alt="The input' "$out/motion.html")" = 3 ]
if has gnuplot gnuplot-nox 'plots on pages'; then
    run_well 2 bench decomposition --size 20 --depth 1 --repeat 1 --plot "$out/bench.png" --quiet \
        --report "$out/plots.html"
    holds "no plot" grep -q '^<figure class="plot"><img' "$out/plots.html"
    holds "no winners" grep -q '<caption>The fastest.</caption>' "$out/plots.html"
    run_well 2 label "$data/text.png" "$data/cell.png" --timeline "$out/who.svg" --quiet \
        --report "$out/plots.html"
    holds "no timeline" grep -q '^<figure class="plot"><img' "$out/plots.html"
fi

# However many decisions there are, reports have room for some hundred, those that moved first.
run_well 2 synthetic --size 30x30 --beats 900 --balance random --balance-every 1 --quiet \
    --json "$out/long.json" --report "$out/long.html"
holds "not every decision is kept or counted" "$python" - "$out/long.json" <<'PYTHON'
import json, sys

balance = json.load(open(sys.argv[1]))["balance"]
decisions = balance["decisions"]
assert balance["plans"] > 600, balance["plans"]
assert 64 <= len(decisions) <= 256, len(decisions)
assert len(decisions) + balance["decisions_left_out"] == balance["plans"], balance
beats = [d["beat"] for d in decisions]
assert beats == sorted(set(beats)) and beats[0] <= 2 and beats[-1] >= 890, beats
PYTHON
holds "the page is long" [ "$(wc -c <"$out/long.html")" -lt 600000 ]

# Both reports have the warnings.
resumed=(life "$data/patterns/glider-gun.rle" --checkpoint "$out/w.halo" --quiet)
run_well 1 "${resumed[@]}" -n 20
run 1 "${resumed[@]}" --resume -n 40 --population "$out/w.csv" --json "$out/w.json" --report "$out/w.html"
holds "no warning on the page" grep -q '<li>there is no &quot;.*w.csv&quot; to go on with' "$out/w.html"
holds "no warning in JSON" grep -q -F 'w.csv\" to go on with' "$out/w.json"
holds "no warning where it was" grep -q '^halobeat life: there is no ".*w.csv"' "$work/stderr"

# The page that the demonstration makes of such pages.
root=$work
# shellcheck source=tools/demo.sh
source "$(dirname "$0")/../../tools/demo.sh"
# shellcheck disable=SC2034
demo_cores=3
# shellcheck disable=SC2034
demo_pages=(label 'Bricks & <walls>' "$out/label.html" balance 'Rows' "$out/balance.html"
    life 'A gun' "$out/life.html" bench 'Votes' "$out/bench.html")
demo_index >"$out/index.html"
what="the page of the demonstration"
holds "it names a table that it has not" [ "$(grep -c 'table below' "$out/index.html")" = 0 ]
holds "no line to try" grep -q -F './run life ' "$out/index.html"
holds "a line with what the demonstration adds" [ "$(grep -c '^<pre>.*--report' "$out/index.html")" = 0 ]

chromium=$(command -v chromium-headless-shell chromium | head -n 1)
if [ -z "$chromium" ]; then
    has chromium-headless-shell chromium-headless-shell 'pages in a browser' || finish
fi
what="pages in $chromium"
timeout -k 5 240 "$python" "$(dirname "$0")/look_at_pages.py" "$chromium" "${pages[@]}" "$out/index.html" - \
    >"$work/seen" 2>"$work/stderr" || wrong "Chromium: status $?"
cat "$work/seen"

# shows NAME PATTERN...: what the page of NAME must show.
shows() {
    local found pattern
    found=$(grep "^$1: " "$work/seen")
    for pattern in "${@:2}"; do
        holds "$1 without $pattern: ${found:-no page}" grep -q -E -e "$pattern" <<<"$found"
    done
}
holds "a page is not as it should be" [ "$(grep -c FAILED "$work/seen")" = 0 ]
shows label 'values=[0-9]{3}' 'charts=1' 'pictures=3' 'warned=0'
shows filter 'pictures=7'
shows balance 'charts=1' 'moves=[1-9]'
shows life 'pictures=1' 'series=3'
shows batch 'pictures=4' 'warned=1' 'images=3' 'rows=4'
shows tasks 'charts=[12]' 'pictures=1'
shows bench 'values=[0-9]{2}'
shows index 'charts=[34]' 'pictures=[34]' 'moves=[1-9]' 'series=3'
# The command line can be given to a shell again.
holds "another command line" "$python" - "$work/seen" "$evil" <<'PYTHON'
import shlex, sys

seen, evil = sys.argv[1:]
line = next(l for l in open(seen) if l.startswith("label: ")).split("\t", 1)[1]
words = shlex.split(line)
if words[2] == "--ranks":
    del words[2:4]
assert words[:3] == ["halobeat", "label", evil], words
PYTHON
finish
