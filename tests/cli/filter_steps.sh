#!/usr/bin/env bash
# Between the passes of a chain of filters: --steps writes the result of each step, the same bytes as a chain that ends
# with it, on any number of ranks; --checkpoint keeps what a pass has made, from which a run that was killed goes on.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys numpy
"$python" - "$work" <<'PYTHON'
import sys, numpy as np
random = np.random.default_rng(7)
np.save(sys.argv[1] + "/grey.npy", (random.random((70, 53)) * 255).astype(np.uint8))
np.save(sys.argv[1] + "/volume.npy", (random.random((13, 17, 70)) * 60000).astype(np.uint16))
np.save(sys.argv[1] + "/large.npy", (random.random((30, 70, 90)) * 60000).astype(np.uint16))
np.save(sys.argv[1] + "/wide.npy", (random.random((300, 501)) * 255).astype(np.uint8))
PYTHON
out=$work/out whole=$work/whole
mkdir "$whole"

# ---- the result of each step -----------------------------------------------------------------

# steps NAME IMAGE FILE,... STEP...: these files have the results of steps, and NAME that of the last one.
steps() {
    local name=$1 image=$2 files ranks i
    IFS=, read -ra files <<<"$3"
    shift 3
    for ((i = 1; i <= $#; i++)); do
        run_well 1 filter "$work/$image" "${@:1:i}" -o "$whole/${files[i - 1]}" --quiet
    done
    run_well 1 filter "$work/$image" "$@" -o "$whole/$name" --quiet
    for ranks in 1 2 3 5; do
        run_well $ranks filter "$work/$image" "$@" -o "$out/$name" --steps "$out/steps/" --quiet
        holds "another $name on $ranks ranks" cmp -s "$whole/$name" "$out/$name"
        for file in "${files[@]}"; do
            holds "another $file on $ranks ranks" cmp -s "$whole/$file" "$out/steps/$file"
        done
        holds "$(ls "$out/steps")" [ "$(find "$out/steps" -mindepth 1 | wc -l)" = $# ]
        rm -r "$out/steps"
    done
}
steps mask.png grey.npy 01-gaussian.png,02-laplace.tif,03-threshold.png,04-fill_holes.png,05-gaussian.png \
    gaussian:1 laplace threshold:otsu fill_holes gaussian:1
steps smooth.nrrd volume.npy 01-gaussian.nrrd,02-invert.nrrd,03-threshold.nrrd,04-opening.nrrd \
    gaussian:1:mode=wrap:dtype=float32 invert threshold:40% opening:ball:1

# Planes of a volume are files of their own; steps are whole.
run_well 2 filter "$work/volume.npy" gaussian:1 invert -o "$out/planes/" --steps "$out/steps" --quiet
run_well 1 filter "$work/volume.npy" gaussian:1 -o "$whole/one.tif" --quiet
holds "another step" cmp -s "$whole/one.tif" "$out/steps/01-gaussian.tif"
holds "no planes" [ -e "$out/planes/z0012.png" ]
rm -r "$out/planes" "$out/steps"

# Steps are compressed as the result is.
run_well 1 filter "$work/grey.npy" uniform:9 invert -o "$out/packed.nrrd" --compress deflate --steps "$out/" --quiet
holds "not compressed" grep -aq 'encoding: gzip' "$out/01-uniform.nrrd"
holds "not the same" cmp -s "$out/packed.nrrd" "$out/02-invert.nrrd"

# The summary names the folder, the reasons and the steps; in a batch each image has a folder.
run_well 2 filter "$work/grey.npy" gaussian:1 invert -o "$out/a.npy" --steps "$out/steps/"
holds "no folder" grep -q "written .*steps/" <(tr -d '\n' <"$work/stdout")
holds "no reason" grep -q '2 times through the image: gaussian has a result that is written' <(tr -s ' \n' ' ' <"$work/stdout")
cp "$work/grey.npy" "$work/other.npy"
for times in 1 2 3; do # the second time all are there, the third time a file of a step is not
    run 2 filter "$work/grey.npy" "$work/other.npy" gaussian:1 invert -o "$out/{name}.npy" --steps "$out/{name}/" \
        --journal "$work/journal" --quiet
    holds "exit status $status" [ "$status" = 0 ]
    for name in grey other; do
        holds "another step of $name" cmp -s "$out/steps/01-gaussian.npy" "$out/$name/01-gaussian.npy"
        holds "another step of $name" cmp -s "$out/a.npy" "$out/$name/02-invert.npy"
    done
    if [ $times = 3 ]; then
        holds "a lost step is not missed" grep -q 'other.*computed again' "$work/stderr"
    else
        holds "images are computed again" [ ! -s "$work/stderr" ]
    fi
    [ $times != 2 ] || rm "$out/other/01-gaussian.npy"
done

fails 2 'would replace it' 2 filter "$work/grey.npy" invert -o "$out/01-invert.npy" --steps "$out/"
fails 2 'of 2 images; write {name}' 2 filter "$work/grey.npy" "$work/other.npy" invert -o "$out/{name}.npy" \
    --steps "$out/all/"
fails 1 'part of the path is a file' 2 filter "$work/grey.npy" invert -o "$out/a.png" --steps "$out/a.npy/steps/"

# ---- checkpoints -----------------------------------------------------------------------------

state=$out/state pipe=$work/pipe
mkfifo "$pipe"

# kill_between RANKS PASS IMAGE STEP...: a run is killed that has saved this pass. It waits for somebody who reads its
# result from a pipe, which is more than a pipe holds.
kill_between() {
    local ranks=$1 pass=$2 image=$3 process
    shift 3
    on_threads "$ranks" filter "$work/$image" "$@" -o -.npy --quiet --resume --checkpoint "$state"
    "$program" "${arguments[@]}" </dev/null >"$pipe" 2>"$work/stderr" &
    process=$!
    exec 8<"$pipe"
    what="halobeat filter $image $*, killed after pass $pass"
    holds "pass $pass was not saved" wait_until 20 grep -aqs "\"beat\": $pass," "$state"
    holds "it is over" kill -KILL $process
    wait $process 2>/dev/null
    exec 8<&-
}

# goes_on PASS IMAGE STEP...: on any number of ranks the result is that of a run that nobody has killed.
goes_on() {
    local pass=$1 image=$2 ranks
    shift 2
    run_well 1 filter "$work/$image" "$@" -o "$work/whole.npy" --quiet
    for ranks in 1 2 3 5; do
        run_well $ranks filter "$work/$image" "$@" -o "$out/got.npy" --resume --checkpoint "$state" --json "$out/run.json"
        holds "another result on $ranks ranks" cmp -s "$work/whole.npy" "$out/got.npy"
        holds "it began again" grep -q "\"passes_before\": $pass," "$out/run.json"
        holds "no word of it" grep -q "^restored  *after pass $pass of" "$work/stdout"
    done
    rm "$out/got.npy" "$out/run.json"
}
chain=(gaussian:1:mode=wrap threshold:otsu fill_holes gaussian:1)
for ranks in 1 3; do
    kill_between $ranks 3 large.npy "${chain[@]}"
    goes_on 3 large.npy "${chain[@]}"
    rm "$state"
done
chain=(gaussian:1:mode=wrap:dtype=float32 median:1)
kill_between 2 1 wide.npy "${chain[@]}"
goes_on 1 wide.npy "${chain[@]}"

# A checkpoint is for the chain and the image that it was made from.
fails 2 'is of other steps, gaussian:1:mode=wrap:dtype=float32 median:1' 2 filter "$work/wide.npy" "${chain[0]}" median:2 \
    -o "$out/b.npy" --restore "$state"
fails 2 'is of another picture' 2 filter "$work/large.npy" "${chain[@]}" -o "$out/b.npy" --restore "$state"
run_well 1 filter "$work/wide.npy" invert -o "$work/inverted.npy" --quiet
fails 2 'of another picture' 2 filter "$work/inverted.npy" "${chain[@]}" -o "$out/b.npy" --restore "$state"
run_well 1 filter "$work/wide.npy" invert invert -o "$work/b.npy" --steps "$work/steps" --checkpoint "$work/inner" --quiet
fails 2 'is of 2 passes, and there are 1' 1 filter "$work/wide.npy" invert invert -o "$out/b.npy" --restore "$work/inner"
run_well 3 filter "$work/wide.npy" invert invert -o "$out/b.npy" --steps "$work/steps" --restore "$work/inner" --quiet
holds "another result" cmp -s "$work/wide.npy" "$out/b.npy"
fails 2 'is for one image' 1 filter "$work/wide.npy" "$work/grey.npy" invert -o "$out/{name}.npy" --checkpoint "$out/c"
head -c 3000 "$work/inner" >"$work/cut"
fails 1 'cut' 2 filter "$work/wide.npy" invert invert -o "$out/b.npy" --steps "$work/steps" --restore "$work/cut"

# ---- the page --------------------------------------------------------------------------------

# Pictures of an image of 53 x 70 pixels have its pixels, from the least sample of all images of the type to the largest;
# histograms have a bar for each of few values. The same on any number of ranks.
"$python" - "$work" <<'PYTHON'
import sys, numpy as np
np.save(sys.argv[1] + "/few.npy", np.random.default_rng(3).integers(20, 60, (70, 53), np.uint8))
PYTHON
run_well 1 filter "$work/few.npy" clip:30,50 -o "$work/clip.npy" --quiet
run_well 1 filter "$work/few.npy" clip:30,50 laplace -o "$work/laplace.npy" --quiet
for ranks in 1 3; do
    run_well $ranks filter "$work/few.npy" clip:30,50 laplace threshold:otsu fill_holes -o "$out/b.npy" \
        --report "$work/page.html" --json "$work/page.json" --quiet
    "$python" - "$work" <<'PYTHON' || wrong "the page"
import base64, json, re, sys, numpy as np
work = sys.argv[1]
page = open(work + "/page.html").read()
shots = re.findall(r'<figure class="shot">(.*?)</figure>', page, re.S)
assert len(shots) == 5
titles = [re.search(r"<figcaption><strong><code>(.*?)</code>", shot)[1].split("/")[-1] for shot in shots]
assert titles == ["few.npy", "clip:30,50", "laplace", "threshold:otsu", "fill_holes"], titles
assert "looks 1 row to each side" in shots[2] and "looks" not in shots[1]
assert "a new pass: fill_holes needs the whole image" in shots[4] and "a new pass" not in shots[2]
for i, shot in enumerate(shots):
    open(f"{work}/shot{i}.png", "wb").write(base64.b64decode(re.search(r'src="data:image/png;base64,(.*?)"', shot)[1]))
few, clip = np.load(work + "/few.npy"), np.load(work + "/clip.npy")
for shot, image in ((shots[0], few), (shots[1], clip)):
    bars = {round(float(x) / 8): float(height) for x, height in re.findall(r"M([\d.]+) 56v-([\d.]+)h", shot)}
    values, counts = np.unique(image - few.min(), return_counts=True)
    assert sorted(bars) == list(values) and all(abs(bars[v] - 56 * (c / counts.max()) ** .5) < .01 for v, c in zip(values, counts))
    assert re.findall(r"<text[^>]*>([^<]*)</text>", shot) == ["20", "59"]
steps = json.load(open(work + "/page.json"))["steps"]
assert abs(steps[0]["mean"] - clip.mean()) < 1e-12 and f"mean {clip.mean():.6g};" in shots[1]
assert abs(steps[1]["mean"] - np.load(work + "/laplace.npy").astype(float).mean()) < 1e-12
PYTHON
    for shot in 0 1 2 3 4; do
        run_well 1 filter "$work/shot$shot.png" invert invert -o "$work/shot$shot.npy" --quiet
    done
    "$python" - "$work" "$out/b.npy" <<'PYTHON' || wrong "the pictures"
import sys, numpy as np
work = sys.argv[1]
images = [np.load(f"{work}/{name}.npy").astype(float) for name in ("few", "clip", "laplace")]
for i, (image, low, high) in enumerate([(images[0], 20, 59), (images[1], 20, 59), (images[2], images[2].min(), images[2].max()),
                                        (None, 0, 1), (np.load(sys.argv[2]).astype(float), 0, 1)]):
    shot = np.load(f"{work}/shot{i}.npy")
    assert shot.shape == (70, 53)
    assert image is None or np.abs(shot - (image - low) * 255 / (high - low)).max() <= .5 + 1e-9, i
PYTHON
done

# Volumes show the middle plane; large images show means of their pixels.
run_well 2 filter "$work/volume.npy" invert -o "$out/b.npy" --report "$work/page.html" --quiet
holds "no plane" grep -q 'plane 7 of 13 is shown' "$work/page.html"
run_well 3 filter "$work/wide.npy" invert -o "$out/b.npy" --report "$work/page.html" --quiet
holds "another size" grep -q 'width="320" height="191" alt="invert"' "$work/page.html"

finish
